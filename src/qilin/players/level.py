"""Opponents of measured strength: a beginner can beat level 1, and every level mostly beats the one below.

Each game's levels are data beside this file: `levels/<game>.toml`, written by `bench/levels.py`, which also measures
them. A game without a file of its own has the levels of `any.toml`, which nobody has measured.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any

from qilin.errors import BadSpec
from qilin.players.analysis import Analysis, Watch
from qilin.players.soft import Soft, SoftOptions
from qilin.state import State

LEVELS = 8
ANYONES = "any"  # the levels of a game that has none of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level of a game: how it plays, and how strong it was found to be."""

    number: int
    plays: SoftOptions
    rating: tuple[float, float, float] | None = (
        None  # Elo: low, value, high (95 %); level 1 stands at 0; None: not measured
    )
    step: tuple[float, float, float] | None = None  # score against the level below, with its interval
    greedy: tuple[float, float, float] | None = None  # score against the greedy player

    @property
    def spec(self) -> str:
        """The same player, by how it plays: what its strength was measured with."""
        values = {item.name: getattr(self.plays, item.name) for item in fields(SoftOptions)}
        return "soft:" + ",".join(f"{name}={value:g}" for name, value in values.items() if value is not None)

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {"number": self.number, "player": f"level:{self.number}", "rating": self.rating, "step": self.step}


@cache
def levels(game: str) -> tuple[Level, ...]:
    """The levels of a game, weakest first.

    >>> [level.number for level in levels("no such game has its own")]
    [1, 2, 3, 4, 5, 6, 7, 8]
    """
    folder = files("qilin.players") / "levels"
    own = folder / f"{game}.toml"
    table = tomllib.loads((own if own.is_file() else folder / f"{ANYONES}.toml").read_text(encoding="utf-8"))
    return tuple(_level(number, row) for number, row in enumerate(table["level"], 1))


def _level(number: int, row: Mapping[str, Any]) -> Level:
    how = {item.name for item in fields(SoftOptions)}
    measured = {key: tuple(value) for key, value in row.items() if key not in how}
    return Level(number=number, plays=SoftOptions(**{key: row[key] for key in row if key in how}), **measured)


def number_of(name: str, text: str | None) -> int:
    """The level that a player's name asks for."""
    if text is None or not text.isdecimal() or not 1 <= int(text) <= LEVELS:
        raise BadSpec(f"{name!r}: the level is {text!r}, expected a whole number from 1 to {LEVELS}")
    return int(text)


@dataclass(slots=True, kw_only=True)
class Levelled:
    """A level, whatever the game: how it plays is looked up when it first sees a position."""

    name: str
    number: int
    seed: int = 0
    _game: str | None = field(init=False, default=None)
    _soft: Soft | None = field(init=False, default=None)

    def choose(self, state: State) -> str:
        """A move as good as the level."""
        return self._player(state).choose(state)

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """What the level sees."""
        return self._player(state).analyse(state, lines=lines, watch=watch)

    def _player(self, state: State) -> Soft:
        if self._soft is None or self._game != state.game.name:
            plays = levels(state.game.name)[self.number - 1].plays
            self._game, self._soft = state.game.name, Soft(name=self.name, options=plays, seed=self.seed)
        return self._soft

    def stop(self) -> None:
        """End the search that is under way."""
        if self._soft is not None:
            self._soft.stop()

    def forget(self) -> None:
        """Begin anew with the same seed."""
        self._soft = None
