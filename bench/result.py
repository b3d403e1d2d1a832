"""What every bench says last: one line of JSON with the command, the commit and the machine of its numbers."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def processor() -> str:
    """The processor's name, as Linux tells it."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def commit() -> str:
    """The commit that was measured, with + where the tree has changes."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return described.stdout.strip()


def finish(numbers: dict[str, Any], keep: Path | None = None) -> None:
    """Print the last line; append it to `keep` too."""
    where = {"processor": processor(), "cores": os.cpu_count(), "load": os.getloadavg()[0]}
    command = "python " + " ".join([str(Path(sys.argv[0])), *sys.argv[1:]])
    line = json.dumps({"command": command, "commit": commit(), "machine": where, **numbers}, ensure_ascii=False)
    print(line)
    if keep:
        with keep.open("a") as file:
            file.write(line + "\n")
