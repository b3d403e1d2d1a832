"""Self-play on a card: what is claimed of it, game by game. Needs a card, its library, and torch.

    python bench/gpu_selfplay.py [GAME …] [--trees 32768] [--seconds 9] [--keep]

Each row is `qilin bench selfplay`: 200 simulations a ply, no subtree kept, so that every simulation is one evaluation;
the first games begin after random plies, so that all stages of a game are there at once. The network alone is measured
in the same run, over the same batch: half the games.
"""

import argparse

import result
from rich.console import Console

from qilin import cuda
from qilin.benches import measure, table_of

# game, network, kind of search, and random plies before the first games: about as many as a game has
ROWS = [
    ("connect_four", "64x5", "puct", 36),
    ("connect_four", "64x5", "gumbel", 36),
    ("ataxx", "64x5", "puct", 110),
    ("ataxx", "64x5", "gumbel", 110),
    ("popucom", "64x5", "puct", 48),
    ("liuzhou", "64x5", "puct", 120),
    ("dark_chess", "64x5", "puct", 42),
    ("xiangqi", "64x5", "puct", 100),
    ("xiangqi", "128x10", "puct", 100),
    ("liuzhou", "128x10", "puct", 120),
]


def main() -> None:
    """Measure, and print a table for each row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--trees", type=int, default=32768)
    parser.add_argument("--seconds", type=float, default=9.0)
    result.add_keep(parser)
    given = parser.parse_args()
    if why := cuda.why_not():
        raise SystemExit(f"no GPU to measure: {why}")
    rows = []
    for game, net, kind, first in ROWS:
        if given.names and game not in given.names:
            continue
        found = measure(
            game, {}, net=net, kind=kind, first=first, trees=given.trees, simulations=200, seconds=given.seconds,
            reuse=False, compiled=True,
        )  # fmt: skip
        Console().print(table_of(found))
        result.append({"selfplay": [found]}, given.keep)
        rows.append(found)
    result.finish({"selfplay": rows})


if __name__ == "__main__":
    main()
