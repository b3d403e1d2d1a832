"""The loop: self-play, window, learner, evaluation, checkpoint; on every rank alike, one iteration after the other.

What decides weights and games is a function of the recipe, the iteration and the last checkpoint: a run that is killed
anywhere goes on from its newest checkpoint as if nothing had happened. Ranks meet where their sums are needed: to know
how much is new, for each step's gradients, to settle, and around a checkpoint.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from qilin import cuda
from qilin.match import Standing
from qilin.train import gate
from qilin.train.checkpoint import newest
from qilin.train.evaluation import NETWORK, Evaluation
from qilin.train.folder import RunFolder
from qilin.train.learner import rate_at
from qilin.train.measures import Means, Stopwatch, added_up, learner_figures, memory, selfplay_figures, tally
from qilin.train.playing import plays_on_card
from qilin.train.progress import Progress
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe, recipe_toml
from qilin.train.selfplay import Harvest
from qilin.train.shards import write_shard
from qilin.train.watch import Silent, Watch

TELL = 0.25  # seconds between two reports of progress


def train(recipe: Recipe, run: RunFolder, ranks: Ranks, watch: Watch | None = None) -> str:
    """Begin a run, or go on from its newest good checkpoint, until its recipe is fulfilled. Answers why it ended."""
    torch.set_num_threads(recipe.run.threads)
    loop = Loop(recipe, run, ranks, watch or Silent())
    loop.begin()
    while loop.why_over is None:
        loop.iterate()
    return loop.why_over


class Loop:
    """A run at work."""

    def __init__(self, recipe: Recipe, run: RunFolder, ranks: Ranks, watch: Watch) -> None:
        """Nothing is played yet."""
        self.recipe, self.run, self.ranks, self.watch = recipe, run, ranks, watch
        self.game = recipe.of()
        self.now = Progress(recipe, run, ranks)
        self.clock = Stopwatch()
        self.spent = 0.0  # seconds, of finished iterations
        self.evaluating = 0.0  # seconds, of the longest evaluation
        self.why_over: str | None = None
        self._told = 0.0

    def begin(self) -> None:
        """From nothing, or from the newest checkpoint that is good for every rank."""
        found = newest(self.run, self.ranks, self.watch.said)
        if found is not None:
            self.now.load(found, self.watch.said)
        records = self._rewind()
        self.spent = sum(record["seconds"] for record in records)
        if found is None:
            self.now.save(None, judged=False)
        if self.ranks.device.type == "cuda" and not plays_on_card(self.ranks):
            self._say(f"trees grow on the host, the network is on the card: {cuda.why_not()}")
        self.watch.began(
            {
                "recipe": recipe_toml(self.recipe),
                "folder": str(self.run.path),
                "iteration": self.iteration,
                "iterations": self.recipe.run.iterations,
            }
        )
        if (
            found is not None
            and found.record is not None
            and self.iteration > (records[-1:] or [{}])[0].get("iteration", 0)
        ):
            self.clock = Stopwatch()
            self._finish(dict(found.record), judged=found.judged)  # it was killed between a checkpoint and this
        self.why_over = self._over()

    def _rewind(self) -> list[dict[str, Any]]:
        """Take away what will be made again, once all ranks have read what they need."""
        self.ranks.meet()
        records = self.run.rewind(self.iteration) if self.ranks.leads else []
        if self.ranks.leads:
            self.now.tidy()
        self.ranks.meet()
        return records

    @property
    def iteration(self) -> int:
        """That is under way, or was finished last."""
        return self.now.counters.iteration

    def iterate(self) -> None:
        """One turn of the loop."""
        self.clock = Stopwatch()
        self.now.counters = replace(self.now.counters, iteration=self.iteration + 1)
        record = self._play()
        record |= self._learn()
        self.why_over = self._over()
        judged = self._is_judged()
        if judged:
            record |= self._challenge()
        record = self._record(record)
        if judged or self.why_over or self.iteration % self.recipe.run.checkpoint_every == 0:
            with self.clock.running("write"):
                self.now.save(record, judged=judged)
        self._finish(record, judged=judged)

    # Self-play, and the window

    def _play(self) -> dict[str, Any]:
        """Games with the best weights; their samples go to the disk and into the window."""
        now, playing = self.now, self.now.playing
        playing.begin(self.iteration, now.best)
        wanted = -(-self.recipe.run.positions // self.ranks.world)
        effort = playing.play(wanted, lambda evaluations: self._tell_play(wanted, evaluations))
        self.clock.add("search", effort.search)
        self.clock.add("network", effort.network)
        harvest = playing.harvest()
        with self.clock.running("write"):
            self._write(harvest)
        now.window.add(self.iteration, harvest.samples)
        with self.clock.running("wait"):
            sums = added_up({**tally(harvest, self.game), "evaluations": float(effort.evaluations)}, self.ranks)
        now.count(sums)
        now.window.shrink(now.window_size)
        seconds = max(effort.search + effort.network, 1e-9)
        speed = {name: sums[of] / seconds for name, of in (("positions", "samples"), ("evaluations", "evaluations"))}
        return {"selfplay": selfplay_figures(sums), "speed": speed}

    def _write(self, harvest: Harvest) -> None:
        rank, facts = self.ranks.rank, {"game": self.game.name, "options": self.game.options}
        about = {**facts, "iteration": self.iteration, "rank": rank}
        write_shard(self.run.shard(self.iteration, rank), harvest.samples, about)
        self.run.write_games(self.iteration, rank, harvest.games)

    # The learner

    def _learn(self) -> dict[str, Any]:
        """As many steps as the new samples are worth; what is short of one is owed to the next iteration."""
        now, means, watch = self.now, Means(), Stopwatch()
        steps = int(now.counters.owed)
        rng = np.random.default_rng([self.recipe.seed, self.iteration, self.ranks.rank])
        with self.clock.running("learn"):
            for step in range(steps):
                means.add(self._step(rng))
                self._tell("learn", step + 1, steps)
            now.learner.settle()
            said = means.over(self.ranks)
        now.counters = replace(now.counters, steps=now.learner.steps, owed=now.counters.owed - steps)
        learned = steps * self.recipe.learn.batch * self.ranks.world
        rate = rate_at(max(0, now.learner.steps - 1), self.recipe.learn)
        return {**learner_figures(said, steps, rate), "learned": learned / max(watch.seconds, 1e-9)}

    def _step(self, rng: np.random.Generator) -> dict[str, Tensor]:
        size = self.recipe.learn.batch
        turns = rng.integers(self.game.symmetries, size=size, dtype=np.uint8) if self.recipe.window.symmetries else None
        return self.now.learner.step(self.now.window.batch(size, rng, turns))

    # The gate, and the evaluation

    def _is_judged(self) -> bool:
        """Whether this iteration's network is evaluated: every so often, and at the end of the run."""
        every = self.recipe.evaluate.every
        return every is not None and (self.iteration % every == 0 or self.why_over is not None)

    def _challenge(self) -> dict[str, Any]:
        """Let the newest network challenge the champion: if it scores enough, it plays the games from now on."""
        needed, now, champion = self.recipe.evaluate.gate, self.now, self.now.champion
        if needed is None or champion is None:
            return {}
        with self.clock.running("evaluate"):
            seed = self.recipe.seed + self.iteration
            own = gate.score(self.recipe, self.ranks, now.learner.average, champion, seed) if self.ranks.leads else 0.0
            score = self.ranks.sums([own])[0]
        passed = score >= needed
        if passed:
            now.crown()
        verdict = "it plays the games from now on" if passed else "the champion stays"
        self._say(f"iteration {self.iteration} scores {score:.0%} against the champion, {needed:.0%} wanted: {verdict}")
        return {"gate": {"score": score, "passed": passed}}

    def _evaluate(self) -> None:
        """Let the newest network play the recipe's players and its earlier selves, while the other ranks wait."""
        settings, began = self.recipe.evaluate, Stopwatch()
        if self.ranks.leads:
            evaluation = Evaluation(
                folder=self.run.path,
                game=self.game,
                settings=settings,
                seed=self.recipe.seed,
                workers=settings.workers or self.recipe.run.threads,
                tell=self._tell_evaluation,
                done=self.watch.evaluated,
            )
            evaluation(self.run.checkpoint(self.iteration) / NETWORK, self.iteration)
        self.ranks.meet()
        self.evaluating = max(self.evaluating, began.seconds)

    # Metrics, and the end

    def _record(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """The iteration's line of metrics, but for what is still to come."""
        now, counters = self.now, self.now.counters
        held = int(self.ranks.sums([len(now.window)])[0])
        replay = {"window": now.window_size * self.ranks.world, "samples": held, "age": now.window.age(self.iteration)}
        counts = {name: getattr(counters, name) for name in ("iteration", "games", "samples", "steps", "evaluations")}
        rest = {name: found[name] for name in ("selfplay", "loss", "learner", "gate") if name in found}
        speed = {**found["speed"], "learned": found["learned"]}
        return {**counts, **rest, "replay": replay, "speed": speed, **memory(self.ranks.device)}

    def _finish(self, record: Mapping[str, Any], *, judged: bool) -> None:
        """Evaluate where it is time to; then the iteration's line is written."""
        if judged:
            with self.clock.running("evaluate" if self.ranks.leads else "wait"):
                self._evaluate()
        seconds = self.clock.seconds
        self.spent += seconds
        line = {**record, "time": time.time(), "seconds": seconds, "stages": dict(self.clock.stages)}
        if self.ranks.leads:
            self.run.measured(line)
            self.watch.measured(line)

    def _over(self) -> str | None:
        """Why this iteration is the last: by number, or since another like it would not fit into the run's time."""
        limits = self.recipe.run
        if limits.iterations is not None and self.iteration >= limits.iterations:
            return f"iteration {self.iteration} was the last"
        if limits.minutes is None:
            return None
        ahead = self.spent + (2 * self.clock.seconds if self.iteration else 0) + self.evaluating
        if self.ranks.sums([float(self.ranks.leads and ahead > 60 * limits.minutes)])[0]:
            return f"{limits.minutes:g} minutes are over"
        return None

    # Watching

    def _tell_play(self, wanted: int, evaluations: int) -> None:
        if self._is_time_to_tell():
            totals, ready = self.now.playing.totals, self.now.playing.ready
            numbers = {**totals, "positions": float(ready), "evaluations": float(evaluations)}
            self.watch.progress("play", min(ready, wanted), wanted, **numbers)

    def _tell(self, stage: str, done: float, of: float) -> None:
        if self._is_time_to_tell():
            self.watch.progress(stage, done, of)

    def _tell_evaluation(self, _: str, standing: Standing) -> None:
        self.watch.progress("evaluate", standing.games, self.recipe.evaluate.games)

    def _is_time_to_tell(self) -> bool:
        now = time.perf_counter()
        is_time = now - self._told >= TELL
        self._told = now if is_time else self._told
        return is_time

    def _say(self, text: str) -> None:
        if self.ranks.leads:
            self.watch.said(text)
