"""The window: the newest samples, from which the learner draws. It grows with the run, slower than the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from qilin.train import settings
from qilin.train.shards import Samples, stacked


def window_size(seen: int, window: settings.Window) -> int:
    """How many of `seen` positions are kept (KataGo's law: linear at first, then a power).

    >>> window_size(1_000_000, settings.Window(least=20_000))
    ...
    """
    least, growth = window.least, window.growth
    if seen <= least:
        size = float(least)
    elif growth == 0:
        size = least * (1 + window.slope * float(np.log(seen / least)))
    else:
        size = least * (1 + window.slope * ((seen / least) ** growth - 1) / growth)
    return int(size if window.most is None else min(size, window.most))


@dataclass(frozen=True, slots=True)
class Slice:
    """What is left in the window of one iteration's samples, and how often each is to be drawn: alone, and added up.

    The sums are made anew of what is left: they do not depend on how often the window has shrunk, or on a resume.
    """

    iteration: int
    samples: Samples
    chances: NDArray[np.float64]
    ends: NDArray[np.float64]

    @classmethod
    def of(cls, iteration: int, samples: Samples, chances: NDArray[np.float64]) -> Self:
        """With its sums."""
        return cls(iteration, samples, chances, np.cumsum(chances))

    def newest(self, count: int) -> Slice:
        """The last `count` of its samples."""
        return Slice.of(self.iteration, self.samples[-count:], self.chances[-count:])

    def at(self, tickets: NDArray[np.float64]) -> Samples:
        """The samples that tickets between 0 and the sum of all chances fall on."""
        found = np.searchsorted(self.ends, tickets, side="right")
        fallen: Samples = self.samples[found.clip(max=len(self.samples) - 1)]
        return fallen


class Window:
    """The newest samples of one process."""

    def __init__(self, window: settings.Window) -> None:
        """Empty."""
        self.settings = window
        self.slices: list[Slice] = []
        self._ends = np.zeros(0)

    def __len__(self) -> int:
        """How many samples it holds."""
        return sum(len(one.samples) for one in self.slices)

    def add(self, iteration: int, samples: Samples) -> None:
        """Take in an iteration's samples."""
        if len(samples):
            self.slices.append(Slice.of(iteration, samples, chances(samples, self.settings.surprise)))

    def shrink(self, wanted: int) -> None:
        """Let go what lies before the `wanted` newest samples."""
        spare = len(self) - wanted
        while spare > 0:
            oldest = self.slices.pop(0)
            left = len(oldest.samples) - spare
            if left > 0:
                self.slices.insert(0, oldest.newest(left))
            spare -= len(oldest.samples)
        self._ends = np.cumsum([one.ends[-1] for one in self.slices])

    def draw(self, count: int, rng: np.random.Generator) -> Samples:
        """Samples to learn from, each drawn by its chance; the oldest first."""
        tickets = np.sort(rng.random(count)) * self._ends[-1]
        which = np.searchsorted(self._ends, tickets, side="right").clip(max=len(self.slices) - 1)
        before = np.concatenate([[0.0], self._ends[:-1]])
        return stacked([self.slices[i].at(tickets[which == i] - before[i]) for i in np.unique(which)])

    @property
    def oldest(self) -> int | None:
        """The iteration of its oldest samples."""
        return self.slices[0].iteration if self.slices else None

    def age(self, iteration: int) -> float:
        """How old a sample is on average, in iterations."""
        if not self.slices:
            return 0.0
        return sum((iteration - one.iteration) * len(one.samples) for one in self.slices) / len(self)


def chances(samples: Samples, surprise: float | None) -> NDArray[np.float64]:
    """How often each sample is drawn: evenly, but for a share that goes to those that surprised the network."""
    weight = samples["weight"].astype(np.float64)
    if surprise is None or not len(samples):
        return weight
    shock = np.maximum(samples["surprise"].astype(np.float64), 0)
    mean = float((shock * weight).sum() / max(weight.sum(), 1e-12))
    return weight if mean <= 0 else weight * (1 - surprise + surprise * shock / mean)
