"""Game files to plain values and back. Keys and types are checked here; the moves are checked by playing them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from difflib import get_close_matches
from typing import Any

from qilin.errors import BadRecord
from qilin.game_file import DEEPEST, FORMAT, LONGEST, VERSION, Clock, GameFile, Opinion, Result, Seat, Step, checked
from qilin.players.analysis import Line
from qilin.state import Game, game

Reader = Callable[[Any, str], Any]


def game_as_json(file: GameFile) -> dict[str, Any]:
    """Plain values, the moves last."""
    head = {"format": FORMAT, "version": VERSION, "game": file.game.name, "options": file.game.options}
    rest = _plain(file)
    rest.pop("game")
    seats = rest.pop("seats", [{}, {}])
    moves = rest.pop("steps", [])
    return {**head, "start": rest.pop("start"), "players": seats, **rest, "moves": moves}


def _plain(value: Any) -> Any:
    """Dataclasses to tables without what stands at its default."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Game | str | int | float | None):
        return value
    if isinstance(value, Mapping):
        return dict(value)
    said = {
        item.name: getattr(value, item.name) for item in fields(value) if getattr(value, item.name) != _default(item)
    }
    return {name: _plain(item) for name, item in said.items()}


def _default(item: Field[Any]) -> Any:
    if item.default is not MISSING:
        return item.default
    return MISSING if item.default_factory is MISSING else item.default_factory()


def game_from_json(table: Any) -> GameFile:
    """A game file from plain values, checked."""
    keys = ("format", "version", "game", "options", "start", "players", "moves", "result", "date", "event", "comment")
    table = _table(table, "the file", (*keys, "opinion", "time_control", "tags"))
    if table.get("format") != FORMAT:
        raise BadRecord(f"the file's format is {_shown(table.get('format'))}, expected {FORMAT!r}")
    if table.get("version") != VERSION:
        raise BadRecord(f"the file's version is {_shown(table.get('version'))}, this program knows version {VERSION}")
    played = _game(table)
    seats = _list(table.get("players", [{}, {}]), "players")
    if len(seats) != 2:
        raise BadRecord(f"players: {len(seats)} of them, expected 2")
    return checked(
        GameFile(
            game=played,
            start=_start(played, table.get("start")),
            steps=_steps(table.get("moves", []), "moves"),
            seats=(_seat(seats[0], "players[0]"), _seat(seats[1], "players[1]")),
            result=_optional(table, "result", "", _result),
            opinion=_optional(table, "opinion", "", _opinion),
            tags=_tags(table.get("tags", {})),
            **{key: _text(table.get(key, ""), key) for key in ("date", "event", "comment", "time_control")},
        )
    )


def _game(table: dict[str, Any]) -> Game:
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise BadRecord(f"options: {_shown(options)}, expected a table")
    name = _text(table.get("game"), "game")
    return game(name, **options)


def _start(played: Game, text: Any) -> str:
    return str(played.start() if text is None else played.parse(_text(text, "start")))


def _steps(value: Any, where: str, depth: int = 0) -> tuple[Step, ...]:
    if depth > DEEPEST:
        raise BadRecord(f"{where}: expected at most {DEEPEST} variations within each other")
    return tuple(_step(item, f"{where}[{number}]", depth) for number, item in enumerate(_list(value, where)))


def _step(value: Any, where: str, depth: int) -> Step:
    table = _table(value, where, ("move", "comment", "marks", "opinion", "clock", "variations"))
    variations = _list(table.get("variations", []), f"{where}.variations")
    return Step(
        move=_text(table.get("move"), f"{where}.move"),
        comment=_text(table.get("comment", ""), f"{where}.comment"),
        marks=tuple(_text(mark, f"{where}.marks") for mark in _list(table.get("marks", []), f"{where}.marks")),
        opinion=_optional(table, "opinion", f"{where}.", _opinion),
        clock=_optional(table, "clock", f"{where}.", _clock),
        variations=tuple(_steps(v, f"{where}.variations[{i}]", depth + 1) for i, v in enumerate(variations)),
    )


def _seat(value: Any, where: str) -> Seat:
    table = _table(value, where, ("name", "player", "rating"))
    return Seat(
        name=_text(table.get("name", ""), f"{where}.name"),
        player=_optional(table, "player", f"{where}.", _text),
        rating=_optional(table, "rating", f"{where}.", _number),
    )


def _result(value: Any, where: str) -> Result:
    table = _table(value, where, ("winner", "reason"))
    winner = table.get("winner")
    if winner not in (0, 1, None) or isinstance(winner, bool | float):
        raise BadRecord(f"{where}.winner is {_shown(winner)}, expected 0, 1 or null")
    return Result(winner=winner, reason=_text(table.get("reason"), f"{where}.reason"))


def _opinion(value: Any, where: str) -> Opinion:
    table = _table(value, where, ("first", "draw", "by", "depth", "nodes", "seconds", "lines"))
    lines = _list(table.get("lines", []), f"{where}.lines")
    return Opinion(
        first=_optional(table, "first", f"{where}.", _share),
        draw=_optional(table, "draw", f"{where}.", _share),
        by=_text(table.get("by", ""), f"{where}.by"),
        depth=_optional(table, "depth", f"{where}.", _whole),
        nodes=_optional(table, "nodes", f"{where}.", _whole),
        seconds=_optional(table, "seconds", f"{where}.", _number),
        lines=tuple(_line(line, f"{where}.lines[{number}]") for number, line in enumerate(lines)),
    )


def _line(value: Any, where: str) -> Line:
    table = _table(value, where, ("moves", "win", "draw", "ends", "depth", "visits"))
    moves = _list(table.get("moves"), f"{where}.moves")
    return Line(
        moves=tuple(_text(move, f"{where}.moves") for move in moves),
        win=_share(table.get("win"), f"{where}.win"),
        draw=_optional(table, "draw", f"{where}.", _share),
        ends=_optional(table, "ends", f"{where}.", _signed),
        depth=_optional(table, "depth", f"{where}.", _whole),
        visits=_optional(table, "visits", f"{where}.", _whole),
    )


def _clock(value: Any, where: str) -> Clock:
    table = _table(value, where, ("used", "left"))
    return Clock(
        used=_optional(table, "used", f"{where}.", _number), left=_optional(table, "left", f"{where}.", _number)
    )


def _optional(table: dict[str, Any], key: str, where: str, read: Reader) -> Any:
    return None if table.get(key) is None else read(table[key], f"{where}{key}")


def _table(value: Any, where: str, known: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadRecord(f"{where}: {_shown(value)}, expected a table")
    for key in value:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BadRecord(f"{where} does not know {_shown(key)}; it knows {', '.join(known)}{hint}")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadRecord(f"{where}: {_shown(value)}, expected a list")
    return value


def _tags(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise BadRecord(f"tags: {_shown(value)}, expected a table")
    return {_text(key, "tags"): _text(text, f"tags.{key[:40]}") for key, text in value.items()}


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise BadRecord(f"{where}: {_shown(value)}, expected a text of at most {LONGEST} characters")
    return value


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadRecord(f"{where}: {_shown(value)}, expected a number")
    return value


def _share(value: Any, where: str) -> float:
    if not 0 <= _number(value, where) <= 1:
        raise BadRecord(f"{where}: {_shown(value)}, expected a probability from 0 to 1")
    return float(value)


def _signed(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 10**15:
        raise BadRecord(f"{where}: {_shown(value)}, expected a whole number")
    return value


def _whole(value: Any, where: str) -> int:
    if _signed(value, where) < 0:
        raise BadRecord(f"{where}: {_shown(value)}, expected a whole number from 0 up")
    return int(value)


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:60] + "…"
