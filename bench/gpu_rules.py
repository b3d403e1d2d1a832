"""How fast a card runs the rules: perft and random playouts of every game, beside one thread of the CPU.

    make bench-gpu          builds the library for the card in this machine, then runs this
    QILIN_CUDA_LIBRARY=build/cuda/libqilin_cuda.so python bench/gpu_rules.py [GAME …] [--keep]

All plies of all games count; what a run took is the time on the wall, start of the kernels and reading of the answer
included, memory allocated before. Each number is the median of three runs, after others that warm up. Only the
library of `cpp/cuda` and the standard library are needed. The last line is JSON.
"""

import argparse
import importlib.util
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import result

ROOT = Path(__file__).parents[1]
LONG_ENOUGH = {"gpu": 0.5, "cpu": 0.5}  # seconds that a measured run takes at least
TOO_LONG = 10.0
RUNS = 3
MOST_GAMES = 2_000_000_000


def load(path: Path) -> Any:
    """The module in a file, without the package around it, which may not be built here."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


cuda = load(ROOT / "src/qilin/cuda.py")


def enough_games(name: str, place: str) -> int:
    """So many games that a run is long enough to be measured."""
    games = 1000
    while (seconds := cuda.playouts(name, games=games, on=place).seconds) < LONG_ENOUGH[place] and games < MOST_GAMES:
        games = min(MOST_GAMES, int(games * min(10.0, 0.1 + 1.5 * LONG_ENOUGH[place] / seconds)) + 1)
    return games


def enough_depth(name: str, place: str) -> int:
    """The first depth at which a run is long enough to be measured, or the last before one that is far too long."""
    nodes = 1
    for depth in range(1, 100):
        run = cuda.perft(name, depth=depth, on=place)
        if run.seconds > LONG_ENOUGH[place] or run.seconds * run.nodes / nodes > TOO_LONG:
            break
        nodes = run.nodes
    return depth


def median(run: Callable[[], float]) -> float:
    return statistics.median(run() for _ in range(RUNS))


def measure(name: str, place: str) -> dict[str, float]:
    depth, games = enough_depth(name, place), enough_games(name, place)
    return {
        "depth": depth,
        "nodes_per_second": median(lambda: float(cuda.perft(name, depth=depth, on=place).nodes_per_second)),
        "games": games,
        "plies_per_second": median(lambda: float(cuda.playouts(name, games=games, on=place).plies_per_second)),
    }


def row(name: str, gpu: dict[str, float], cpu: dict[str, float]) -> str:
    cells = [f"{name:14}"]
    for what in ("nodes_per_second", "plies_per_second"):
        cells.append(f"{gpu[what] / 1e6:12,.0f} {cpu[what] / 1e6:9,.1f} {gpu[what] / cpu[what]:7,.0f}×")
    return "  ".join(cells)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME")
    result.add_keep(parser)
    arguments = parser.parse_args()
    if why := cuda.why_not():
        raise SystemExit(f"no GPU to measure: {why}")
    print(f"{cuda.device()}, beside one thread of {result.processor()}; millions a second, commit {result.commit()}\n")
    print(f"{'':14}  {'perft: GPU':>12} {'CPU':>9} {'':8}  {'playouts: GPU':>12} {'CPU':>9}")
    results = {}
    for name in arguments.names or cuda.games():
        gpu, cpu = measure(name, "gpu"), measure(name, "cpu")
        results[name] = {"gpu": gpu, "cpu": cpu}
        print(row(name, gpu, cpu), flush=True)
    result.finish({"device": cuda.device(), "games": results}, arguments.keep)


if __name__ == "__main__":
    main()
