"""How fast the forest grows: simulations a second of one thread, 800 to a search, from the start of each game.

    python bench/forest.py [--keep]

Processor time, the middle one of several runs. The evaluators are those without a network: none at all, which leaves
the time of the tree and the rules; the game's hand-written evaluation; one random playout.
"""

import argparse
import time
from statistics import median

import result
from rich.console import Console
from rich.table import Table

import qilin

SIMULATIONS = 800
TREES = 8
RUNS, SECONDS = 5, 0.25  # at least so many, and at least so long
KINDS = ("puct", "gumbel")
EVALUATORS = ("uniform", "handwritten", "playout")


def speed(name: str, kind: str, evaluator: str) -> float:
    """Simulations a second, in thousands."""
    game = qilin.game(name)
    forest = qilin.Forest(game, trees=TREES, search=qilin.search(kind=kind, simulations=SIMULATIONS))
    runs: list[float] = []
    while len(runs) < RUNS or sum(runs) < SECONDS:
        for tree in range(TREES):
            forest.reset(tree, game.start())
        began = time.process_time()
        forest.run(evaluator)
        runs.append(time.process_time() - began)
    return TREES * SIMULATIONS / median(runs) / 1e3


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_keep(parser)
    arguments = parser.parse_args()

    columns = [(kind, evaluator) for evaluator in EVALUATORS for kind in KINDS]
    table = Table("k simulations/s", *(f"{evaluator} {kind}" for kind, evaluator in columns), box=None)
    rows = []
    for name in qilin.games():
        speeds = [speed(name, kind, evaluator) for kind, evaluator in columns]
        table.add_row(name, *(f"{x:,.0f}" for x in speeds))
        rows += [
            {"game": name, "kind": kind, "evaluator": evaluator, "kilosimulations": round(x)}
            for (kind, evaluator), x in zip(columns, speeds, strict=True)
        ]
    Console().print(table)
    result.finish({"forest": rows}, arguments.keep)


if __name__ == "__main__":
    main()
