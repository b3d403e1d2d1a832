"""How far a run has come: all that a checkpoint holds, and nothing else. Written, and read, by all ranks together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from torch import Tensor

from qilin.errors import BadCheckpoint
from qilin.train.checkpoint import (
    LEARNER,
    Checkpoint,
    Counters,
    Tell,
    own_shards,
    partial,
    prune,
    seal,
    selfplay_name,
    write_learner,
)
from qilin.train.disk import write_whole
from qilin.train.evaluation import NETWORK
from qilin.train.folder import RunFolder
from qilin.train.learner import Learner
from qilin.train.playing import playing_of, plays_on_card
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe, recipe_toml
from qilin.train.replay import CardReplay, HostReplay
from qilin.train.shards import read_shard
from qilin.train.weights import network_bytes
from qilin.train.window import window_size

CHAMPION = "champion."


class Progress:
    """Learner, games under way, window, counters, and where there is a gate the champion."""

    def __init__(self, recipe: Recipe, run: RunFolder, ranks: Ranks) -> None:
        """The very beginning: weights drawn by chance, no game played."""
        self.recipe, self.run, self.ranks = recipe, run, ranks
        self.learner = Learner(recipe, ranks)
        self.playing = playing_of(recipe, ranks)
        self.window = (CardReplay if plays_on_card(ranks) else HostReplay)(recipe, ranks.device)
        self.counters = Counters()
        self.champion: dict[str, Tensor] | None = None
        if recipe.evaluate.gate is not None:
            self.crown()

    @property
    def best(self) -> dict[str, Tensor]:
        """The weights that play the games: the champion's where there is a gate, else the newest."""
        return self.champion or self.learner.average

    def crown(self) -> None:
        """Make the learner's network the champion."""
        self.champion = {name: tensor.clone() for name, tensor in self.learner.average.items()}

    @property
    def window_size(self) -> int:
        """Of this rank's part of the window, as far as there are samples for it."""
        return -(-window_size(self.counters.samples, self.recipe.window) // self.ranks.world)

    def count(self, sums: Mapping[str, float]) -> None:
        """Count what an iteration's games came to, and the steps that are due for it."""
        now, new = self.counters, int(sums["samples"])
        self.counters = replace(
            now,
            games=now.games + int(sums["games"]),
            samples=now.samples + new,
            evaluations=now.evaluations + int(sums["evaluations"]),
            owed=now.owed + new * self.recipe.window.ratio / (self.recipe.learn.batch * self.ranks.world),
        )

    # On disk

    def save(self, record: Mapping[str, Any] | None, *, judged: bool) -> None:
        """Write a checkpoint: all ranks their games under way, rank 0 the rest, and its seal last."""
        ranks, unfinished = self.ranks, partial(self.run.checkpoint(self.counters.iteration))
        write_whole(unfinished / selfplay_name(ranks.rank), self.playing.saved())
        oldest = int(ranks.least(self.window.oldest or 0))
        ranks.meet()
        if ranks.leads:
            crowned = {CHAMPION + name: tensor.cpu() for name, tensor in (self.champion or {}).items()}
            write_whole(unfinished / NETWORK, self._network(self.learner.average))
            write_learner(unfinished / LEARNER, self.learner.tensors() | crowned)
            seal(self.run, self.counters, ranks.world, oldest, record, judged)
            self.tidy()
        ranks.meet()

    def tidy(self) -> None:
        """Write the network to play with, and let go of what is too old."""
        write_whole(self.run.best, self._network(self.best))
        prune(self.run, self.recipe.run.keep)

    def _network(self, weights: dict[str, Tensor]) -> bytes:
        now, game = self.counters, self.recipe.of()
        counts = {"iteration": now.iteration, "games": now.games, "samples": now.samples, "steps": now.steps}
        meta = {"game": game.name, "options": game.options, **counts, "recipe": recipe_toml(self.recipe)}
        return network_bytes(weights, self.learner.config, meta)

    def load(self, found: Checkpoint, say: Tell) -> None:
        """Go on from a checkpoint; `say` is told what can't be as it was."""
        self.counters = found.counters
        tensors = found.tensors()
        crowned = {name.removeprefix(CHAMPION): tensors[name] for name in tensors if name.startswith(CHAMPION)}
        self.learner.load(
            {name: one for name, one in tensors.items() if not name.startswith(CHAMPION)}, self.counters.steps
        )
        if self.champion is not None:
            self.crown()
            self.champion |= {name: one.to(self.ranks.device) for name, one in crowned.items()}
        if found.world == self.ranks.world:
            self.playing.load(found.selfplay(self.ranks.rank))
        else:
            say(f"{found.world} processes made this run, now {self.ranks.world}: games under way begin anew")
        self._fill(found, say)

    def _fill(self, found: Checkpoint, say: Tell) -> None:
        for name in own_shards(found, self.ranks.rank, self.ranks.world):
            try:
                self.window.add(int(name[:6]), read_shard(self.run.samples / name, found.shards[name]))
            except BadCheckpoint as error:
                say(f"{error}; the window goes on without it")
        self.window.shrink(self.window_size)
