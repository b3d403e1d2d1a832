"""A thousand games at 50 ms a ply: whether every move is legal, every answer in time, and nothing ever ends by itself.

    python bench/endurance.py [--games 1000] [--workers 2] [--keep FILE]

Alpha-beta against itself in every game, the games shared out evenly. Each game is then replayed from its text, move by
move, against the rules' own list of legal moves; an answer counts as late from the time that is asked for, and the
limit beyond it is 20 ms.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

import result
from rich.console import Console
from rich.table import Table

import qilin
from qilin.match import Plan, run_match
from qilin.record import Played, Record

LIMIT = 50  # ms a ply
BEYOND = 20  # ms that no answer may take more


def illegal(name: str, game: Played) -> int:
    """How many moves of a game the rules do not allow where they were played; 1 too if it did not end there."""
    state = qilin.game(name).parse(game.opening)
    for move in game.moves:
        allowed = state.outcomes() if state.is_chance else state.moves()
        if move not in allowed:
            return 1
        state = state.play(move)
    return int(not state.is_over)


def endure(name: str, games: int, workers: int, record: Record) -> dict[str, Any]:
    """Play, replay, and count."""
    spec = f"alphabeta:time={LIMIT}ms"
    plan = Plan(game=name, first=spec, second=spec, games=games, seed=50)
    run_match(plan, record, workers=workers)
    kept = list(record.games(record.match(plan.identity(), name, plan.of().options, spec, spec)))
    over = sorted(took - LIMIT for game in kept for took in game.millis)
    return {
        "game": name,
        "games": len(kept),
        "moves": len(over),
        "illegal": sum(illegal(name, game) for game in kept),
        "late": sum(late > BEYOND for late in over),
        "worst_overrun_ms": round(over[-1], 2),
        "overrun_999_ms": round(over[int(len(over) * 0.999)], 2),
        "draws": sum(game.winner is None for game in kept),
        "longest": max(len(game.moves) for game in kept),
    }


def shares(games: int, names: list[str]) -> list[int]:
    """An even number of games for each, all of them together: games come in pairs."""
    pairs = games // 2
    return [2 * (pairs * (i + 1) // len(names) - pairs * i // len(names)) for i in range(len(names))]


def main() -> None:
    """Play, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", default=qilin.games())
    parser.add_argument("--games", type=int, default=1000, help="of all kinds together")
    parser.add_argument("--workers", type=int, default=2, help="processes; no more than idle cores")
    result.add_keep(parser)
    arguments = parser.parse_args()
    table = Table("game", "games", "moves", "illegal", f"> {BEYOND} ms late", "worst ms", "99.9 % ms", box=None)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        record = Record(Path(folder) / "games.sqlite")
        names = arguments.names
        for name, games in zip(names, shares(arguments.games, names), strict=True):
            rows.append(row := endure(name, games, arguments.workers, record))
            result.append({"endurance": [row]}, arguments.keep)
            columns = ("games", "moves", "illegal", "late", "worst_overrun_ms", "overrun_999_ms")
            table.add_row(name, *(f"{row[column]:,}" for column in columns))
    Console().print(table)
    total = {column: sum(row[column] for row in rows) for column in ("games", "moves", "illegal", "late")}
    total["worst_overrun_ms"] = max(row["worst_overrun_ms"] for row in rows)
    result.finish({"endurance_total": total}, arguments.keep)


if __name__ == "__main__":
    main()
