"""A search that may play its second-best moves: weakness without blunders.

The search judges several moves. What a move gives away is counted in log odds, so that it weighs the same in a close
game and in one that is nearly decided. A move is drawn with probability exp(-given away / temperature); what gives away
more than three temperatures is never played. A proven win is always played, a proven loss never while there is anything
else.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from qilin.players.alphabeta import AlphaBeta, AlphaBetaOptions
from qilin.players.analysis import Analysis, Line, Watch, moves_of
from qilin.spec import amount, option, seconds, whole
from qilin.state import State

WIDEST = 3.0  # temperatures: nothing worse is drawn
SURE = 1e-6  # a win probability is not taken for nearer to 0 or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftOptions:
    """How far it looks, and how much it gives away."""

    depth: int | None = field(default=None, metadata=option(whole, "a whole number from 1 up", "plies to look ahead"))
    nodes: int | None = field(default=None, metadata=option(whole, "a whole number from 1 up", "positions to look at"))
    time: float | None = field(
        default=None,
        metadata=option(seconds, "a time, as in 980ms or 1.5s", "time a move; the answer is there by then"),
    )
    lines: int = field(default=1, metadata=option(whole, "a whole number from 1 up", "moves that are judged"))
    temperature: float = field(
        default=0.0, metadata=option(amount, "a number from 0 up", "in log odds; 0: always the best move")
    )


@dataclass(slots=True, kw_only=True)
class Soft:
    """Alpha-beta that draws among good moves."""

    name: str
    options: SoftOptions
    seed: int = 0
    _search: AlphaBeta = field(init=False)
    _rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Make the search, and seed the draws."""
        limits = AlphaBetaOptions(depth=self.options.depth, nodes=self.options.nodes, time=self.options.time)
        self._search = AlphaBeta(name=self.name, options=limits)
        self._rng = random.Random(self.seed)

    def choose(self, state: State) -> str:
        """A good move, by lot."""
        moves_of(state)
        found = self._search.analyse(state, lines=self.options.lines if self.options.temperature else 1)
        return draw(found.lines, self.options.temperature, self._rng).moves[0]

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """What its search thinks, without the softness."""
        return self._search.analyse(state, lines=lines, watch=watch)

    def stop(self) -> None:
        """End the search that is under way."""
        self._search.stop()

    def forget(self) -> None:
        """Begin anew with the same seed."""
        self._search.forget()
        self._rng = random.Random(self.seed)


def draw(lines: Sequence[Line], temperature: float, rng: random.Random) -> Line:
    """One of the lines, best first, as the temperature says."""
    best = lines[0]
    if not temperature or _is_won(best):
        return best
    open_ = [line for line in lines if not _is_lost(line)] or [best]
    weights = [_weight(_log_odds(best) - _log_odds(line), temperature) for line in open_]
    return rng.choices(open_, weights)[0]


def _weight(given_away: float, temperature: float) -> float:
    units = max(0.0, given_away) / temperature
    return math.exp(-units) if units <= WIDEST else 0.0


def _log_odds(line: Line) -> float:
    win = min(1 - SURE, max(SURE, line.win))
    return math.log(win / (1 - win))


def _is_won(line: Line) -> bool:
    return line.ends is not None and line.ends > 0


def _is_lost(line: Line) -> bool:
    return line.ends is not None and line.ends <= 0
