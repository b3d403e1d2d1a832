"""The loop's games on a card: `Playing`, with everything but the finished games on the device."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from qilin import _core
from qilin.train.cardnet import CardNetwork
from qilin.train.network import NetConfig
from qilin.train.oncard import CardGames, Field
from qilin.train.playing import Effort
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe
from qilin.train.selfplay import Harvest, boosts_at, kind_of, line_of, play_of, search_of, totals_of

STEPS = 32  # between two looks at the counters
TRIAL = 20  # runs of the network alone, to know its share of the time
LONG = 128  # samples of a game, for which there is room while it waits for its harvest


class CardPlaying:
    """Games of the newest network against itself, on the card.

    A run that is taken up again begins its games anew: what was under way on the card is not kept.
    """

    def __init__(self, recipe: Recipe, ranks: Ranks) -> None:
        """Nothing is played before weights are there."""
        self._recipe, self._ranks, self._game = recipe, ranks, recipe.of()
        self.kind = kind_of(self._game)
        self.network_seconds = 0.0  # since this process began
        self._begun_before = 0  # games, in earlier processes of this run
        self._games: CardGames | None = None
        self._network_step = 0.0  # seconds of the network in a step
        self._harvested: list[int] = []  # samples of each half
        self._told: list[_core.GameTold] = []
        self._told_of: list[int] = []  # games of each half

    @property
    def _plot(self) -> CardGames:
        assert self._games is not None, "begin comes first"
        return self._games

    def begin(self, iteration: int, weights: dict[str, Tensor]) -> None:
        """Play on with these weights: nothing that other weights said is kept."""
        boosts = [math.log(factor) for factor in boosts_at(self._recipe.play, iteration)]
        if self._games is None:
            self._games = self._made(weights)
            self._harvested = [0 for _ in self._games.halves]
            self._told_of = [0 for _ in self._games.halves]
        else:
            self._games.network.load(weights)
        self._games.forget(boosts)

    def _made(self, weights: dict[str, Tensor]) -> CardGames:
        recipe, device = self._recipe, self._ranks.device
        network = CardNetwork(self._game, NetConfig.of(recipe), weights, device)
        trees = recipe.play.games + recipe.play.games % 2
        return CardGames(
            self._game,
            search_of(recipe),
            play_of(recipe.play),
            trees=trees,
            network=network,
            device=device,
            seed=(recipe.seed * self._ranks.world + self._ranks.rank + (self._begun_before << 20)) % (1 << 62),
            sample_room=2 * recipe.run.positions + LONG * trees,
        )

    @property
    def ready(self) -> int:
        """Samples of finished games since the last harvest."""
        pairs = zip(self._plot.halves, self._harvested, strict=True)
        return sum(half.given().samples - harvested for half, harvested in pairs)

    @property
    def totals(self) -> Mapping[str, float]:
        """What those games came to."""
        self._tell_games()
        return totals_of(self._told)

    def play(self, wanted: int, tell: Callable[[int], None]) -> Effort:
        """Until so many samples are ready. `tell` is called now and then, with the evaluations so far."""
        games, began = self._plot, time.perf_counter()
        if not self._network_step:
            self._network_step = self._trial(games)
            began = time.perf_counter()
        before, steps = games.given().evaluations, 0
        while self.ready < wanted:
            games.run(STEPS)
            steps += STEPS
            tell(games.given().evaluations - before)
        passed = time.perf_counter() - began
        network = min(passed, steps * self._network_step)
        self.network_seconds += network
        return Effort(games.given().evaluations - before, passed - network, network)

    def _trial(self, games: CardGames) -> float:
        """Seconds that the network alone takes for both halves."""
        if self._ranks.device.type != "cuda":
            return 0.0
        alone = games.judge_alone()
        alone()
        torch.cuda.synchronize(self._ranks.device)
        began = time.perf_counter()
        for _ in range(TRIAL):
            alone()
        torch.cuda.synchronize(self._ranks.device)
        return 2 * (time.perf_counter() - began) / TRIAL

    def harvest(self) -> Harvest:
        """The finished games and their samples."""
        self._tell_games()
        lines = [line_of(game, self._recipe) for game in self._told]
        parts = [self._samples(half, number) for number, half in enumerate(self._plot.halves)]
        self._told = []
        return Harvest(np.concatenate(parts).view(self.kind).reshape(-1), lines)

    def _samples(self, half: Field, number: int) -> NDArray[np.uint8]:
        samples = half.given().samples
        rows: NDArray[np.uint8] = half.taken(self._harvested[number], samples).cpu().numpy()
        self._harvested[number] = samples
        return rows

    def _tell_games(self) -> None:
        for number, half in enumerate(self._plot.halves):
            games = half.given().games
            self._told += half.told(self._told_of[number], games)
            self._told_of[number] = games

    def saved(self) -> bytes:
        """What it takes to go on: how many games were begun, so that others follow."""
        begun = 0 if self._games is None else self._plot.given().games + self._recipe.play.games
        return json.dumps({"begun": self._begun_before + begun}).encode()

    def load(self, data: bytes) -> None:
        """Go on with other games."""
        self._begun_before = int(json.loads(data)["begun"])
