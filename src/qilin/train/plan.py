"""What a run will take, before it begins: memory for trees, replay and network, disk, and time by a short trial."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from qilin import _core
from qilin.errors import BadRecipe
from qilin.machine import gigabytes, memory, room
from qilin.train.learner import Learner
from qilin.train.losses import Batch
from qilin.train.playing import playing_of
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe
from qilin.train.selfplay import kind_of, search_of
from qilin.train.window import window_size

TRIAL = 2.0  # seconds of self-play, and of learning
COPIES = 6  # of the weights: they, gradients, two of the optimizer's, the average, and who plays
HORIZON = 24 * 60.0  # minutes of a run that nothing ends
BASE = 400_000_000  # bytes: Python, torch and their libraries


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Bytes that the processes of one machine take."""

    programs: int
    trees: int
    replay: int
    network: int
    parameters: int  # how many

    @property
    def total(self) -> int:
        """All of it."""
        return self.programs + self.trees + self.replay + self.network

    def __str__(self) -> str:
        """As people read it."""
        parts = {"programs": self.programs, "trees": self.trees, "replay": self.replay, "network": self.network}
        return ", ".join(f"{name} {gigabytes(size)}" for name, size in parts.items())


def needs(recipe: Recipe, processes: int, samples: int) -> Needs:
    """The memory of a run once it has made so many samples."""
    learner = Learner(recipe, Ranks(0, 1, torch.device("cpu")))
    window = min(samples, window_size(samples, recipe.window))
    return Needs(
        programs=processes * BASE,
        trees=processes * trees_bytes(recipe),
        replay=window * (kind_of(recipe.of()).itemsize + 16),  # and how often each is drawn
        network=processes * network_bytes(recipe, learner.network),
        parameters=sum(parameter.numel() for parameter in learner.network.parameters()),
    )


def trees_bytes(recipe: Recipe) -> int:
    """Of one process: a tree for each game, as large as its search may become."""
    return _core.selfplay_bytes(recipe.of()._rules, search_of(recipe)) * recipe.play.games


def network_bytes(recipe: Recipe, network: nn.Module) -> int:
    """Weights with their company, and what a batch leaves behind on its way through the layers."""
    weights = sum(parameter.numel() for parameter in network.parameters())
    return 4 * (COPIES * weights + recipe.learn.batch * activations(recipe, network))


def activations(recipe: Recipe, network: nn.Module) -> int:
    """Numbers that one position leaves in all layers."""
    counted = 0

    def count(_module: nn.Module, _given: object, made: object) -> None:
        nonlocal counted
        counted += made.numel() if isinstance(made, Tensor) else 0

    handles = [part.register_forward_hook(count) for part in network.modules() if not list(part.children())]
    network.eval()
    with torch.no_grad():
        network(torch.zeros(1, *recipe.of().shape))
    for handle in handles:
        handle.remove()
    return counted


def refuse_what_does_not_fit(recipe: Recipe, processes: int, out: Path) -> None:
    """Look at memory and disk before anything begins.

    :raises BadRecipe: with the numbers.
    """
    least = min(recipe.window.least, recipe.run.positions * (recipe.run.iterations or recipe.window.least))
    wanted, free = needs(recipe, processes, recipe.window.most or least), memory()[1]
    if wanted.total > free:
        raise BadRecipe(
            f"this run needs {gigabytes(wanted.total)} of memory ({wanted}), and {gigabytes(free)} are free: "
            "expected fewer play.games or search.simulations, a smaller window.most, or a smaller net"
        )
    disk, there = disk_bytes(recipe, wanted), room(out)
    if disk > there:
        raise BadRecipe(
            f"this run needs {gigabytes(disk)} of disk for samples and checkpoints, and {out} has "
            f"{gigabytes(there)} free: expected a smaller window.most or run.keep, or another --out"
        )


def disk_bytes(recipe: Recipe, wanted: Needs) -> int:
    """Samples of the window, which shrink to about a third, and the checkpoints that are kept."""
    return wanted.replay // 3 + (recipe.run.keep + 1) * 4 * (COPIES - 1) * wanted.parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a process is."""

    evaluations: float  # a second of self-play
    step: float  # seconds of the learner


def trial(recipe: Recipe, ranks: Ranks) -> Pace:
    """Play and learn for some seconds. Nothing is kept."""
    torch.set_num_threads(recipe.run.threads)
    learner, playing = Learner(recipe, ranks), playing_of(recipe, ranks)
    playing.begin(1, learner.average)
    began, seen = time.perf_counter(), 0

    def tell(evaluations: int) -> None:
        nonlocal seen
        seen = evaluations
        if time.perf_counter() - began > TRIAL:
            raise TimeoutError

    with suppress(TimeoutError):
        playing.play(1 << 30, tell)
    rate = seen / (time.perf_counter() - began)
    return Pace(evaluations=rate, step=_step_seconds(recipe, learner))


def _step_seconds(recipe: Recipe, learner: Learner) -> float:
    batch = _blank(recipe).to(learner.ranks.device)
    float(learner.step(batch)["total"])  # the first one is slow
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < TRIAL / 2:
        float(learner.step(batch)["total"])
        steps += 1
    return (time.perf_counter() - began) / steps


def _blank(recipe: Recipe) -> Batch:
    """A batch as large as any; what it says does not matter to the clock."""
    game, size = recipe.of(), recipe.learn.batch
    _, rows, cols = game.shape
    none, no = torch.zeros(size), torch.zeros(size, dtype=torch.int64)
    moves = torch.zeros(size, game.max_legal, dtype=torch.int64)
    return Batch(
        planes=torch.zeros(size, *game.shape), moves=moves, legal=moves == 0,
        shares=torch.full(moves.shape, 1 / game.max_legal),
        odds=torch.full((size, 3), 1 / 3), reply=no, has_reply=none, margin=none,
        owner=torch.zeros(size, rows, cols, dtype=torch.int64), plies_left=none, was_finished=none,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A run as it will go, if it keeps its first pace."""

    recipe: Recipe
    processes: int
    iterations: int
    seconds: float  # of an iteration, without evaluations
    needs: Needs
    disk: int
    pace: Pace

    def lines(self) -> Iterator[tuple[str, str]]:
        """Labels, and what is to be said."""
        recipe, run = self.recipe, self.recipe.run
        samples = self.iterations * run.positions
        steps = samples * recipe.window.ratio / (recipe.learn.batch * self.processes)
        yield "network", f"{recipe.net.channels}x{recipe.net.blocks}, {self.needs.parameters:,} parameters"
        yield (
            "self-play",
            f"{recipe.play.games} games at a time in each of {self.processes} process(es), "
            + (f"{evaluations_each(recipe):,.0f} evaluations for a sample"),
        )
        yield (
            "samples",
            f"{run.positions:,} an iteration, {samples:,} in {self.iterations:,} iterations, "
            + (f"{steps:,.0f} steps of the learner"),
        )
        yield "memory", f"{gigabytes(self.needs.total)}: {self.needs}; {gigabytes(memory()[1])} are free"
        yield "disk", f"{gigabytes(self.disk)} for samples and checkpoints, and what the games' moves take"
        yield "speed", f"{self.pace.evaluations:,.0f} evaluations/s, {1 / self.pace.step:,.1f} steps/s (tried just now)"
        total = self.iterations * self.seconds
        yield "time", f"{self.seconds:,.0f} s an iteration, {_long(total)} in all, evaluations not counted"


def evaluations_each(recipe: Recipe) -> float:
    """How many evaluations a sample takes, trees that are kept not counted."""
    full, fast, share = recipe.search.simulations, recipe.play.fast_simulations, recipe.play.full_share
    return float(full) if share is None else (share * full + (1 - share) * fast) / share


def plan(recipe: Recipe, ranks: Ranks, processes: int, out: Path) -> Plan:
    """The plan of a run that fits.

    :raises BadRecipe: for one that does not.
    """
    refuse_what_does_not_fit(recipe, processes, out)
    pace, run = trial(recipe, ranks), recipe.run
    playing = run.positions * evaluations_each(recipe) / (pace.evaluations * processes)
    steps = run.positions * recipe.window.ratio / (recipe.learn.batch * processes)
    seconds = playing + steps * pace.step
    fitting = math.ceil(60 * (run.minutes or HORIZON) / seconds)
    iterations = min(run.iterations, fitting) if run.iterations and run.minutes else run.iterations or fitting
    wanted = needs(recipe, processes, iterations * run.positions)
    return Plan(
        recipe=recipe,
        processes=processes,
        iterations=iterations,
        seconds=seconds,
        needs=wanted,
        disk=disk_bytes(recipe, wanted),
        pace=pace,
    )


def _long(seconds: float) -> str:
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} seconds"
