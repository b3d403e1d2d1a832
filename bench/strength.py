"""How strong the searches are without a network: the matches that every game must win, at fixed time or simulations.

    python bench/strength.py [GAME …] [--games 100] [--keep]

Openings are seeded random starts, played twice with seats swapped (qilin.match). A draw is half a point.
"""

import argparse
import tempfile
from pathlib import Path

import result
from rich.console import Console
from rich.table import Table

import qilin
from qilin.match import Plan, run_match
from qilin.record import Record

# player, rival, and the score that is asked for: in general, and in games with chance
MATCHES = [
    ("alphabeta:time=100ms", "random", 0.99, 0.85),
    ("alphabeta:time=100ms", "greedy", 0.95, 0.75),
    ("mcts:sims=1000,eval=playout", "random", 0.95, 0.95),
]


def main() -> None:
    """Play the matches, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_played", nargs="*", metavar="GAME", default=qilin.games())
    parser.add_argument("--games", type=int, default=100, help="of each match")
    parser.add_argument(
        "--workers", type=int, default=1, help="processes; more than idle cores make time limits unfair"
    )
    result.add_keep(parser)
    arguments = parser.parse_args()
    console, rows = Console(), []
    table = Table("game", "player", "rival", "+", "=", "-", "score", "95 %", "asked", box=None)
    with tempfile.TemporaryDirectory() as folder:
        record = Record(Path(folder) / "games.sqlite")
        for name in arguments.games_played or qilin.games():
            for player, rival, asked, asked_with_chance in MATCHES:
                goal = asked_with_chance if qilin.game(name).has_chance else asked
                plan = Plan(game=name, first=player, second=rival, games=arguments.games)
                standing = run_match(plan, record, workers=arguments.workers)
                score = standing.pairs.score_interval()
                counts = (str(standing.wins), str(standing.draws), str(standing.losses))
                interval = f"{score.low:.1%} … {score.high:.1%}"
                table.add_row(name, player, rival, *counts, f"{score.value:.1%}", interval, f"{goal:.0%}")
                rows.append({"game": name, "player": player, "rival": rival, "asked": goal, **standing.as_json()})
                result.append({"strength": rows[-1:]}, arguments.keep)
                console.print(f"{name}: {player} against {rival} {score.value:.1%}")
    console.print(table)
    result.finish({"strength": rows})


if __name__ == "__main__":
    main()
