"""Whether a time limit is kept: how long `alphabeta:time=980ms` and shorter ones really take, over whole games.

python bench/time_limits.py [--plies 20] [--keep]
"""

import argparse
import random
import time

import result
from rich.console import Console
from rich.table import Table

import qilin
from qilin.openings import Deck

LIMITS = {"alphabeta:time=980ms": 1000, "alphabeta:time=100ms": 120, "alphabeta:time=10ms": 30, "mcts:time=100ms": 120}


def slowest(name: str, spec: str, plies: int) -> float:
    """The longest answer in a game of a player against itself, in ms."""
    player, deck, state, worst = qilin.player(spec), Deck(random.Random(1)), qilin.game(name).start(), 0.0
    player.choose(state)  # memory for tables and trees is had before the clock matters
    while plies > 0 and not state.is_over:
        began = time.perf_counter()
        move = player.choose(state)
        worst = max(worst, (time.perf_counter() - began) * 1e3)
        state = deck.settle(state.play(move))
        plies -= 1
    return worst


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=20, help="of each game")
    result.add_keep(parser)
    arguments = parser.parse_args()
    table, rows = Table("player", "game", "slowest ms", "allowed", box=None), []
    for spec, allowed in LIMITS.items():
        for name in qilin.games():
            worst = slowest(name, spec, arguments.plies)
            table.add_row(spec, name, f"{worst:.1f}", str(allowed))
            rows.append({"player": spec, "game": name, "slowest_ms": round(worst, 2), "allowed_ms": allowed})
    Console().print(table)
    result.finish({"time_limits": rows}, arguments.keep)


if __name__ == "__main__":
    main()
