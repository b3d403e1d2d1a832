"""How light the base install is: what it takes on disk, and how long `import qilin` takes.

    python bench/install.py [--keep]

A wheel is built from this tree and installed into a fresh virtual environment, with no extras. Its size is the blocks
on disk, compiled Python included, pip not. The time is the best of a few fresh interpreters, their start not counted.
"""

import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import result

RUNS = 10
TIMED = "import time; began = time.perf_counter(); import qilin; print(time.perf_counter() - began)"


def said(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=result.ROOT).stdout


def size(folder: Path) -> int:
    """Bytes on disk."""
    return sum(path.lstat().st_blocks for path in folder.rglob("*")) * 512


def main() -> None:
    """Measure, and print both numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_keep(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheels, place = Path(folder) / "wheels", Path(folder) / "venv"
        build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), "."]
        said(*build)
        venv.create(place, with_pip=True)
        before, python = size(place), str(place / "bin/python")
        said(python, "-m", "pip", "install", "-c", "constraints.txt", *map(str, wheels.glob("*.whl")))
        megabytes = (size(place) - before) / 1e6
        seconds = min(float(said(python, "-c", TIMED)) for _ in range(RUNS))
    print(f"{megabytes:.1f} MB on disk (at most 100 is asked for), import in {seconds:.3f} s (less than 0.2)")
    result.finish({"install": {"megabytes": round(megabytes, 1), "import_seconds": round(seconds, 3)}}, arguments.keep)


if __name__ == "__main__":
    main()
