"""What every ply of a game was worth: the curve, the mistakes, the accuracy of both sides.

Mistakes by what they cost of the probability to win (a twentieth, a tenth, three twentieths), accuracy by the cost's
exponential: as online chess counts both. Where chance answers, a ply is worth the mean of what may turn up: luck is no
mistake.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Any

from qilin.state import State
from qilin.web.analyses import analyse, analysis_job
from qilin.web.engines import Engines
from qilin.web.roster import Roster

THRESHOLDS = {"inaccuracy": 0.05, "mistake": 0.1, "blunder": 0.15}


def mark_of(loss: float) -> str | None:
    """What a loss of win probability is called."""
    reached = [name for name, least in THRESHOLDS.items() if loss >= least - 1e-9]
    return reached[-1] if reached else None


def accuracy_of(loss: float) -> float:
    """The accuracy of one ply, 0 … 100."""
    return max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669 + 1))


def game_accuracy(points: Sequence[dict[str, Any]], player: int) -> float | None:
    """A player's accuracy: the mean of a mean weighted by how much was at stake, and of the harmonic mean."""
    own = [(i, float(point["accuracy"])) for i, point in enumerate(points) if point["by"] == player]
    if not own:
        return None
    weights = [_volatility(points, i) for i, _ in own]
    weighted = sum(weight * accuracy for weight, (_, accuracy) in zip(weights, own, strict=True)) / sum(weights)
    harmonic = len(own) / sum(1 / max(accuracy, 1.0) for _, accuracy in own)
    return (weighted + harmonic) / 2


def _volatility(points: Sequence[dict[str, Any]], at: int) -> float:
    around = [100 * float(point["value"]) for point in points[max(0, at - 2) : at + 3]]
    return max(0.5, min(12.0, statistics.pstdev(around)))


def report_of(points: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The points with sums for both players."""
    players = []
    for player in (0, 1):
        marks = [point["mark"] for point in points if point["by"] == player]
        players.append(
            {
                "accuracy": game_accuracy(points, player),
                "inaccuracies": marks.count("inaccuracy"),
                "mistakes": marks.count("mistake"),
                "blunders": marks.count("blunder"),
            }
        )
    return {"points": list(points), "players": players, "thresholds": THRESHOLDS}


def decisions(state: State) -> list[State]:
    """The states of a line in which somebody decided, and the last state."""
    states: list[State] = []
    at: State | None = state
    while at is not None:
        if not at.is_chance:
            states.append(at)
        at = at.parent
    return states[::-1]


class Judge:
    """Values of positions by one player, each asked once."""

    def __init__(self, engines: Engines, roster: Roster, player: str, seconds: float) -> None:
        """`seconds` for each position."""
        self._engines, self._roster = engines, roster
        self._player, self._seconds = player, seconds

    async def points(self, last: State) -> AsyncIterator[tuple[dict[str, Any], int]]:
        """A point for every decision of a line, with how many there will be."""
        states = decisions(last)
        value, best = await self._value(states[0])
        for before, after in pairwise(states):
            mover, move = before.to_move, after.history[len(before.history)]
            assert mover is not None
            reached, next_best = await self._value(after)
            worth = reached if len(after.history) == len(before.history) + 1 else await self._expected(before, move)
            loss = max(0.0, (value - worth) if mover == 0 else (worth - value))
            yield (
                {
                    "ply": len(before.history),
                    "move": move,
                    "by": mover,
                    "value": value,
                    "after": reached,
                    "best": best,
                    "loss": 0.0 if move == best else loss,
                    "mark": None if move == best else mark_of(loss),
                    "accuracy": accuracy_of(0.0 if move == best else loss),
                },
                len(states) - 1,
            )
            value, best = reached, next_best

    async def _value(self, state: State, share: float = 1.0) -> tuple[float, str | None]:
        """What a position is worth to player 0, and the best move."""
        job = analysis_job(state, self._roster, self._player, 1, max(0.02, self._seconds * share))
        found = await analyse(state, self._engines, job)
        lines = found["lines"]
        return (0.5 if found["value"] is None else found["value"]), lines[0]["move"] if lines else None

    async def _expected(self, before: State, move: str) -> float:
        pending = before.play(move)
        outcomes = pending.outcomes()
        share = 1 / len(outcomes)
        values = [(await self._value(pending.play(outcome), share))[0] for outcome in outcomes]
        return sum(value * chance for value, chance in zip(values, outcomes.values(), strict=True))
