"""What every bench says last: one line of JSON with the command, the commit and the machine of its numbers.

`--keep` appends it to bench/results/BENCH.jsonl; what the numbers claim is told in bench/README.md.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = "bench/results"


def processor() -> str:
    """The processor's name, as Linux tells it."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def git(*arguments: str) -> str:
    """What git says of this tree."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def commit() -> str:
    """The commit that was measured, with + where the tree has changes besides results; without git, QILIN_COMMIT."""
    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", f":!{RESULTS}", ":!bench/README.md")
        return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return os.environ.get("QILIN_COMMIT", "unknown")


def add_keep(parser: argparse.ArgumentParser) -> None:
    """The option that all benches have."""
    usual = ROOT / RESULTS / f"{Path(sys.argv[0]).stem}.jsonl"
    told = f"append the JSON line to FILE, or without one to {usual.relative_to(ROOT)}"
    parser.add_argument("--keep", type=Path, nargs="?", const=usual, metavar="FILE", help=told)


def line(numbers: dict[str, Any]) -> str:
    """Numbers, and where they come from."""
    where = {"processor": processor(), "cores": os.cpu_count(), "load": os.getloadavg()[0]}
    command = " ".join(["python", str(Path(sys.argv[0]).resolve().relative_to(ROOT)), *sys.argv[1:]])
    return json.dumps({"command": command, "commit": commit(), "machine": where, **numbers}, ensure_ascii=False)


def append(numbers: dict[str, Any], keep: Path | None) -> None:
    """One more line of `keep`, written at once: what takes long is not lost with its process."""
    if keep:
        with keep.open("a") as file:
            file.write(line(numbers) + "\n")


def finish(numbers: dict[str, Any], keep: Path | None = None) -> None:
    """Print the last line; append it to `keep` too."""
    print(line(numbers))
    append(numbers, keep)
