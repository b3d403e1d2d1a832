"""What a player is, and what it thinks of a position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from qilin.errors import IllegalMove
from qilin.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of play, and what it is worth to the player to move."""

    moves: tuple[str, ...]  # best first; ends early where chance answers
    win: float  # probability
    draw: float | None = (
        None  # probability; None: the player can't tell draws apart, and counts them into `win` by half
    )
    ends: int | None = None  # plies to a proven win; negative: to a proven loss
    depth: int | None = None
    visits: int | None = None
    prior: float | None = None  # what was thought of the first move before any search

    def worth(self) -> str:
        """The value in words."""
        if self.ends is not None:
            return f"{'wins' if self.ends >= 0 else 'loses'} in {abs(self.ends)}"
        return f"{self.win:.1%}" + (f" (draw {self.draw:.1%})" if self.draw is not None else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What a player thinks of a position: lines, best first."""

    lines: tuple[Line, ...]
    tried: tuple[Line, ...] = ()  # every move that was looked at, of searches that count visits
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    stopped: str | None = None


Watch = Callable[[Analysis], None]


class Player(Protocol):
    """What every player can do. A player belongs to one game at a time; `forget` makes it as good as new."""

    seed: int  # decides its dice from the next `forget` on

    @property
    def name(self) -> str:
        """What it was called."""

    def choose(self, state: State) -> str:
        """A legal move's text."""

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """Its opinion; `watch` is told of every improvement. A player without opinions answers no lines."""

    def stop(self) -> None:
        """End the search that is under way, from another thread: it answers with what it has."""

    def forget(self) -> None:
        """Begin a new game."""


def moves_of(state: State) -> list[str]:
    moves = state.moves()
    if not moves:
        why = "chance is to answer" if state.is_chance else "the game is over"
        raise IllegalMove(f"no player can move in '{state}': {why}")
    return moves
