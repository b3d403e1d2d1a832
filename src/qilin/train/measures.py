"""What an iteration came to: sums that ranks can add up, and the line of metrics.jsonl that they make."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from qilin.state import Game
from qilin.train.ranks import Ranks
from qilin.train.selfplay import RESIGNED, Harvest
from qilin.train.shards import Samples

FIGURES = ("gradient", "policy_entropy", "policy_accuracy", "value_accuracy")  # of the learner, that are no losses


@dataclass(slots=True)
class Stopwatch:
    """Where the time of an iteration goes."""

    began: float = field(default_factory=time.perf_counter)
    stages: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def running(self, stage: str) -> Iterator[None]:
        """Count what happens within to a stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.add(stage, time.perf_counter() - began)

    def add(self, stage: str, seconds: float) -> None:
        """Count so much to a stage."""
        self.stages[stage] = self.stages.get(stage, 0.0) + seconds

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.perf_counter() - self.began


class Means:
    """The means of what a learner's steps said, kept on its device: a step does not wait for its numbers."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.steps = 0
        self._sums: dict[str, Tensor] = {}

    def add(self, found: Mapping[str, Tensor]) -> None:
        """Take in a step."""
        self.steps += 1
        for name, number in found.items():
            self._sums[name] = self._sums[name] + number if name in self._sums else number.double()

    def over(self, ranks: Ranks) -> dict[str, float]:
        """The means over steps and ranks, which made the same number of steps."""
        sums = ranks.sums([float(self._sums[name]) for name in sorted(self._sums)])
        return {name: one / self.steps / ranks.world for name, one in zip(sorted(self._sums), sums, strict=True)}


def tally(harvest: Harvest, game: Game) -> dict[str, float]:
    """Sums over a harvest. The names are the same whatever was harvested."""
    games, samples = harvest.games, harvest.samples
    found: dict[str, float] = {"games": len(games), "samples": len(samples)}
    found["wins"] = sum(one["winner"] == 0 for one in games)
    found["losses"] = sum(one["winner"] == 1 for one in games)
    found["draws"] = sum(one["winner"] is None for one in games)
    found["plies"] = sum(one["plies"] for one in games)
    found["captures"] = sum(one["captures"] or 0 for one in games)
    found |= _resignations(games)
    for reason in (*game.reasons, RESIGNED):
        found[f"reason {reason}"] = sum(one["reason"] == reason for one in games)
    found["surprise"] = float(samples["surprise"].sum(dtype=np.float64))
    found["entropy"] = float(entropies(samples).sum())
    found["value_error"] = float(np.abs(samples["value"].astype(np.float64) - samples["outcome"]).sum())
    return found


def _resignations(games: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """How many resigned; how many would have, but had to play on; and how many of those did not lose."""
    checked = [one for one in games if one["checked"] and one["resigner"] is not None]
    return {
        RESIGNED: sum(one["reason"] == RESIGNED for one in games),
        "checked": len(checked),
        "wrong": sum(one["winner"] != 1 - one["resigner"] for one in checked),
    }


def entropies(samples: Samples) -> NDArray[np.float64]:
    """Of the searched policies, in nats."""
    some = samples["shares"].astype(np.float64)
    some /= np.maximum(some.sum(axis=1, keepdims=True), 1.0)
    found: NDArray[np.float64] = -(some * np.log(np.maximum(some, 1e-12))).sum(axis=1)
    return found


def added_up(found: Mapping[str, float], ranks: Ranks) -> dict[str, float]:
    """The same over all ranks."""
    names = sorted(found)
    return dict(zip(names, ranks.sums([found[name] for name in names]), strict=True))


def selfplay_figures(sums: Mapping[str, float]) -> dict[str, Any]:
    """What the games came to: counts, and means over games or samples."""
    games, samples = max(1.0, sums["games"]), max(1.0, sums["samples"])
    reasons = {name.removeprefix("reason "): int(sums[name]) for name in sums if name.startswith("reason ")}
    return {
        **{name: int(sums[name]) for name in ("games", "wins", "draws", "losses", RESIGNED)},
        **{name: sums[name] / games for name in ("plies", "captures")},
        "resign_wrong": sums["wrong"] / sums["checked"] if sums["checked"] else None,
        "reasons": {name: count for name, count in reasons.items() if count},
        "target_entropy": sums["entropy"] / samples,
        "surprise": sums["surprise"] / samples,
        "value_error": sums["value_error"] / samples,
    }


def learner_figures(means: Mapping[str, float], steps: int, rate: float) -> dict[str, Any]:
    """The two groups of what the learner said: losses, and figures."""
    return {
        "loss": {name: number for name, number in means.items() if name not in FIGURES},
        "learner": {"steps": steps, "rate": rate, **{name: means[name] for name in FIGURES if name in means}},
    }


def memory(device: torch.device) -> dict[str, int | None]:
    """The most that this process had, in bytes."""
    card = torch.cuda.max_memory_allocated(device) if device.type == "cuda" else None
    return {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "gpu_memory": card}
