"""A training run that takes a second, in a process of its own that can be ended at any moment."""

import json
import multiprocessing
import os
import random
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that wait do not spin: tests share their machine

from qilin.train.folder import RunFolder
from qilin.train.ranks import joined
from qilin.train.recipe import Recipe, make_recipe
from qilin.train.watch import Silent

WALL_CLOCK = ("time", "seconds", "stages", "speed", "memory", "gpu_memory")  # what no two runs have in common
# Where a run can be killed: in self-play, in learning, in writing. Each is called many times in an iteration.
PLACES = {
    "play": ("qilin.train.selfplay", "SelfPlay", "grow"),
    "learn": ("qilin.train.learner", "Learner", "step"),
    "write": ("os", None, "fsync"),
    "rename": ("os", None, "replace"),
    "measure": ("qilin.train.tensorboard", None, "append"),
}


def small(game: str = "connect_four", *changes: str) -> Recipe:
    """Few games, a tiny network, short searches; everything is on that is cheap."""
    table: dict[str, Any] = {
        "game": game,
        "net": {"channels": 4, "blocks": 1},
        "search": {"simulations": 4},
        "play": {"games": 6, "opening_plies": 2, "full_share": 0.5, "fast_simulations": 2},
        "window": {"least": 60, "surprise": 0.5, "ratio": 3.3},
        "learn": {"batch": 16, "warmup": 3, "average": 0.9},
        "evaluate": {"every": "off"},
        "run": {"positions": 25, "iterations": 6},
    }
    return make_recipe(table, changes)


class Heard(Silent):
    """Keeps what it is told; it may press Ctrl-C after an iteration."""

    def __init__(self, until: int | None = None) -> None:
        self.until = until
        self.words: list[str] = []
        self.records: list[Any] = []

    def said(self, text: str) -> None:
        self.words.append(text)

    def measured(self, record: Any) -> None:
        self.records.append(record)
        if record["iteration"] == self.until:
            raise KeyboardInterrupt


def trained(folder: Path, recipe: Recipe, until: int | None = None) -> Heard:
    """Train in this process, to the end or until an iteration is done."""
    from qilin.train.loop import train

    heard = Heard(until)
    with joined("cpu") as ranks, RunFolder(folder).alone(), suppress(KeyboardInterrupt):
        RunFolder(folder).describe(recipe)
        train(recipe, RunFolder(folder), ranks, heard)
    return heard


def in_child(work: Callable[..., None], *arguments: Any) -> int:
    """Run a function in a process of its own; answers its exit code. Torch is loaded once for all of them."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["qilin.train.loop"])
    process = context.Process(target=work, args=arguments)
    process.start()
    process.join(120)
    assert process.exitcode is not None
    return process.exitcode


def killed(folder: Path, recipe: Recipe, place: str, call: int) -> None:
    """Train, and die by SIGKILL at a place's n-th call."""
    with calling_at(PLACES[place], call, lambda: os.kill(os.getpid(), signal.SIGKILL)):
        trained(folder, recipe)


def crowded(folder: Path, recipe: Recipe, largest: int) -> None:
    """Train where no file may be larger."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    trained(folder, recipe)


@contextmanager
def calling_at(place: tuple[str, str | None, str], call: int, act: Callable[[], None]) -> Iterator[list[int]]:
    """Do something at a function's n-th call; counts the calls."""
    module = __import__(place[0], fromlist=["_"])
    owner = getattr(module, place[1]) if place[1] else module
    before, seen = getattr(owner, place[2]), [0]

    def counted(*given: Any, **named: Any) -> Any:
        seen[0] += 1
        if seen[0] == call:
            act()
        return before(*given, **named)

    setattr(owner, place[2], counted)
    try:
        yield seen
    finally:
        setattr(owner, place[2], before)


def calls_of(folder: Path, recipe: Recipe) -> dict[str, int]:
    """How often each place is called in a whole run."""
    counts = {}
    for name, place in PLACES.items():
        with calling_at(place, 0, lambda: None) as seen:
            trained(folder / name, recipe)
        counts[name] = seen[0]
    return counts


def moments(counts: dict[str, int], number: int, seed: int = 1) -> list[tuple[str, int]]:
    """Random moments, in turn from all places."""
    rng, places = random.Random(seed), list(counts)
    return [(place := places[i % len(places)], rng.randrange(1, counts[place] + 1)) for i in range(number)]


def content(folder: Path) -> dict[str, Any]:
    """All that must be the same in two runs of one recipe: files byte by byte, metrics but for the clock."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and path.suffix in (".safetensors", ".shard", ".bin", ".jsonl") and name != "metrics.jsonl":
            found[name] = path.read_bytes()
    found["metrics"] = [without_clock(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    for path in sorted((folder / "checkpoints").glob("*/state.json")):
        state = json.loads(path.read_text())
        found[str(path.relative_to(folder))] = {key: state[key] for key in ("counters", "files", "shards")}
    return found


def without_clock(line: str) -> dict[str, Any]:
    record = json.loads(line)
    return {key: one for key, one in record.items() if key not in WALL_CLOCK}
