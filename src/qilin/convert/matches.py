"""The games of matches and ladders: the SQLite file that `qilin match` keeps."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from qilin.errors import BadRecord
from qilin.game_file import Clock, GameFile, Seat, Step, checked, result_of
from qilin.record import Played
from qilin.state import State, game

MAGIC = b"SQLite format 3\x00"
QUERY = """
    SELECT match.game, options, first, second, began, pair, turned, opening, moves, millis, winner, reason, points
    FROM game JOIN match ON match.id = game.match ORDER BY match.id, pair, turned
"""


def looks_like_matches(path: Path) -> bool:
    """Whether it is such a file, as far as its first bytes say."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def match_games(path: Path, number: int | None = None) -> Iterator[GameFile]:
    """All games in the order of their matches; only the one with `number`, counted from 1, where there is one."""
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        limit = "" if number is None else f" LIMIT 1 OFFSET {number - 1}"
        for row in database.execute(QUERY + limit):
            yield _file(*row)
        database.close()
    except sqlite3.DatabaseError as error:
        raise BadRecord(f"{path} is no file of matches: {error}") from None


def _file(name: str, options: str, first: str, second: str, began: str, *played: object) -> GameFile:
    pair, turned, opening, moves, millis, winner, reason, points = played
    one = Played(
        pair=pair,  # type: ignore[arg-type]  # the columns of a STRICT table
        turned=bool(turned),
        opening=str(opening),
        moves=tuple(json.loads(str(moves))),
        millis=tuple(json.loads(str(millis))),
        winner=winner,  # type: ignore[arg-type]
        reason=str(reason),
        points=points,  # type: ignore[arg-type]
    )
    start = game(name, **json.loads(options)).parse(one.opening)
    return file_of_played(one, start, (first, second), date=began)


def file_of_played(played: Played, start: State, players: tuple[str, str], date: str = "") -> GameFile:
    """A match's game; `players`: the match's first and second."""
    first, second = players[:: -1 if played.turned else 1]
    file = GameFile(
        game=start.game,
        start=str(start),
        steps=tuple(_timed(played, start)),
        seats=(Seat(name=first, player=first), Seat(name=second, player=second)),
        date=date.replace(" ", "T"),
        event=f"pair {played.pair}",
    )
    return checked(replace(file, result=result_of(file.states()[-1])))


def _timed(played: Played, state: State) -> Iterator[Step]:
    """The moves with their times; answers of chance took none."""
    millis = iter(played.millis)
    for move in played.moves:
        clock = None if state.is_chance else Clock(used=next(millis, 0.0) / 1e3)
        yield Step(move=move, clock=clock)
        state = state.play(move)
