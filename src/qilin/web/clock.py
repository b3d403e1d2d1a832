"""Time for a game: a main part, what every turn adds, and byo-yomi.

What a side has left is one number: its main time and all of its periods. A turn that ends within byo-yomi gives back
what it used of the period in which it ended; the periods before that are gone. At 0 the flag falls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Seconds for each side.

    >>> clock = Clock(seconds=60, periods=3, period=30)
    >>> clock.start, clock.after_turn(100), clock.after_turn(70), clock.after_turn(5)
    (150, 100.0, 90, 30)
    """

    seconds: float
    increment: float = 0.0  # for every turn
    periods: int = 0  # of byo-yomi, after the main time
    period: float = 0.0

    @property
    def reserve(self) -> float:
        """All periods together."""
        return self.periods * self.period

    @property
    def start(self) -> float:
        """What a side begins with."""
        return self.seconds + self.reserve

    def after_turn(self, left: float) -> float:
        """What a side has for its next turn."""
        if left > self.reserve or not self.reserve:
            return left + self.increment
        return math.ceil(left / self.period) * self.period

    def share(self, left: float) -> float:
        """What an engine may spend on a move: a part of the main time, then most of the period that runs."""
        if left > self.reserve or not self.reserve:
            return max(0.1, (left - self.reserve) / 15)
        return max(0.1, 0.6 * (left - (math.ceil(left / self.period) - 1) * self.period))

    def __str__(self) -> str:
        """In short, as a game file has it."""
        return f"{self.seconds:g}+{self.increment:g}" + (f":{self.periods}x{self.period:g}" if self.reserve else "")
