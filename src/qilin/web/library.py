"""The library: game files that are kept, found again by what is in them."""

from __future__ import annotations

import json
import secrets
import sys
from datetime import UTC, datetime
from typing import Any

from qilin.errors import QilinError
from qilin.game_file import GameFile, Result, file_of
from qilin.game_file import Seat as Player
from qilin.game_json import game_as_json, game_from_json
from qilin.games import GAMES
from qilin.web.errors import TooLarge
from qilin.web.store import Keeper
from qilin.web.table import Seat, Table

LARGEST = 4 << 20  # bytes of one document


def result_of(file: GameFile) -> str:
    """Who won, in a word."""
    if file.result is None:
        return "open"
    return "draw" if file.result.winner is None else ("first", "second")[file.result.winner]


def row_of(id: str, file: GameFile, tags: list[str]) -> dict[str, Any]:
    """A game as the library keeps it."""
    document = json.dumps(game_as_json(file), ensure_ascii=False)
    if len(document.encode()) > LARGEST:
        raise TooLarge(f"a game file of {len(document)} characters, expected {LARGEST} bytes at most")
    first, second = (seat.name or seat.player or "" for seat in file.seats)
    return {
        "id": id,
        "game": file.game.name,
        "options": json.dumps(file.game.options),
        "title": file.event or GAMES[file.game.name].title.en,
        "first": first,
        "second": second,
        "winner": None if file.result is None else file.result.winner,
        "result": result_of(file),
        "reason": None if file.result is None else file.result.reason,
        "plies": len(file.steps),
        "start": file.start,
        "moves": " " + "".join(f"{step.move} " for step in file.steps),
        "tags": json.dumps(tags, ensure_ascii=False),
        "document": document,
    }


def passed(file: GameFile) -> list[str]:
    """The positions of the main line."""
    return [f"{state.key:016x}" for state in file.states()]


def file_of_table(table: Table) -> GameFile:
    """A game that was played here as a game file."""
    over = table.over
    result = None if over is None else Result(winner=over["winner"], reason=over["reason"])
    clock = table.setup.clock
    return file_of(
        table.state,
        seats=(_player(table.seats[0]), _player(table.seats[1])),
        date=datetime.now(UTC).date().isoformat(),
        result=result,
        time_control="" if clock is None else str(clock),
    )


def _player(seat: Seat) -> Player:
    return Player(name=seat.name, player=None if seat.is_human else seat.player)


class Library:
    """The games of the store's library."""

    def __init__(self, keeper: Keeper) -> None:
        """Keep them there."""
        self._keeper = keeper

    async def put(self, document: Any, tags: list[str], id: str | None = None) -> str:
        """Keep a document under a new name, or another version under its own.

        :raises BadRecord: where it is no game file.
        """
        file = game_from_json(document)
        name = id or secrets.token_urlsafe(9)
        row, keys = row_of(name, file, tags), passed(file)
        if id is not None:
            await self._keeper.do(lambda store: store.game(name))
        await self._keeper.do(lambda store: store.put(row, keys))
        return name

    async def keep_table(self, table: Table) -> None:
        """Keep a game that has ended, under its table's name."""
        try:
            file = file_of_table(table)
            row, keys = row_of(table.setup.id, file, ["played here"]), passed(file)
        except QilinError as error:  # a game that can be played can be kept: say so, and let the server go on
            print(f"game {table.setup.id} could not be kept in the library: {error}", file=sys.stderr)
            return
        await self._keeper.do(lambda store: store.put(row, keys))

    async def game(self, id: str) -> tuple[dict[str, Any], Any]:
        """A game's summary and document."""
        summary, document = await self._keeper.do(lambda store: store.game(id))
        return summary, json.loads(document)

    async def delete(self, id: str) -> None:
        """Take a game out."""
        await self._keeper.do(lambda store: store.delete(id))

    async def search(self, wanted: dict[str, Any], order: str, limit: int, offset: int) -> dict[str, Any]:
        """Summaries of the games that fit."""
        games, total = await self._keeper.do(lambda store: store.search(wanted, order, limit, offset))
        return {"games": games, "total": total}
