"""Who makes the games. The loop knows this much of it; whether trees grow on the host or on a card is decided here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor

from qilin import cuda
from qilin.train.judge import Judge
from qilin.train.network import NetConfig
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe
from qilin.train.selfplay import Harvest, SelfPlay

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Effort:
    """What a stretch of play took."""

    evaluations: int
    search: float  # seconds
    network: float


class Playing(Protocol):
    """Games of the newest network against itself. Same weights, same state, same games."""

    @property
    def kind(self) -> np.dtype[Any]:
        """Of one sample."""

    @property
    def ready(self) -> int:
        """Samples of finished games since the last harvest."""

    @property
    def totals(self) -> Mapping[str, float]:
        """What those games came to: games, wins, draws, losses, plies, …"""

    def begin(self, iteration: int, weights: dict[str, Tensor]) -> None:
        """Play on with these weights: nothing that other weights said is kept."""

    def play(self, wanted: int, tell: Callable[[int], None]) -> Effort:
        """Until so many samples are ready. `tell` is called after each step, with its evaluations so far."""

    def harvest(self) -> Harvest:
        """The finished games and their samples."""

    def saved(self) -> bytes:
        """Everything it takes to go on, between a harvest and the next beginning."""

    def load(self, data: bytes) -> None:
        """Go on from there."""


def plays_on_card(ranks: Ranks) -> bool:
    """Whether this process's device is a card that trees can grow on."""
    return ranks.device.type == "cuda" and cuda.available()


def playing_of(recipe: Recipe, ranks: Ranks) -> Playing:
    """The right one for the recipe and this process's device."""
    if not plays_on_card(ranks):
        return HostPlaying(recipe, ranks)
    from qilin.train.cardplay import CardPlaying

    return CardPlaying(recipe, ranks)


class HostPlaying:
    """Trees on the host, the network wherever the process's device is."""

    def __init__(self, recipe: Recipe, ranks: Ranks) -> None:
        """Nothing is played before weights are there."""
        self._recipe, self._ranks = recipe, ranks
        self.network_seconds = 0.0  # since this process began
        self._games = SelfPlay.of(recipe, rank=ranks.rank, world=ranks.world)
        self._judge: Judge

    @property
    def kind(self) -> np.dtype[Any]:
        """Of one sample."""
        return self._games.kind

    @property
    def ready(self) -> int:
        """Samples of finished games since the last harvest."""
        return self._games.ready

    @property
    def totals(self) -> Mapping[str, float]:
        """What those games came to."""
        return self._games.totals

    def begin(self, iteration: int, weights: dict[str, Tensor]) -> None:
        """Play on with these weights."""
        recipe = self._recipe
        self._judge = Judge.of(
            recipe.of(),
            NetConfig.of(recipe),
            weights,
            self._ranks.device,
            bf16=recipe.learn.bf16,
            threads=recipe.run.threads,
        )
        self._games.begin(iteration)

    def play(self, wanted: int, tell: Callable[[int], None]) -> Effort:
        """Until so many samples are ready."""
        evaluations, began, before = 0, time.perf_counter(), self.network_seconds
        while self._games.ready < wanted:
            planes = self._games.leaves()
            asked = time.perf_counter()
            logits, values = self._judge(planes)
            said = logits.to("cpu", torch.float32), values.to("cpu", torch.float32)
            self.network_seconds += time.perf_counter() - asked
            self._games.grow(*said, "logits")
            evaluations += len(planes)
            tell(evaluations)
        network = self.network_seconds - before
        return Effort(evaluations, time.perf_counter() - began - network, network)

    def harvest(self) -> Harvest:
        """The finished games and their samples."""
        return self._games.harvest()

    def saved(self) -> bytes:
        """Everything it takes to go on."""
        return self._games.saved()

    def load(self, data: bytes) -> None:
        """Go on from there."""
        self._games.load(data)
