"""A run's folder: where everything lies, and what is taken back when a run goes on from a checkpoint.

recipe.toml  origin.json               what the run is, and where it comes from
metrics.jsonl  events.out.tfevents.…   a line, and an event, for each iteration
games/000012-00.jsonl                  the games that ended in iteration 12, of process 0
samples/000012-00.shard                what is learned from them
checkpoints/000012/                    all it takes to go on (qilin.train.checkpoint)
evaluation.sqlite  evaluation.jsonl    games against others, and what they say
best.safetensors                       the network to play with
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qilin.errors import QilinError
from qilin.train import evaluation, tensorboard
from qilin.train.disk import PARTIAL, write_whole
from qilin.train.history import METRICS, read
from qilin.train.origin import ORIGIN, origin_text
from qilin.train.recipe import Recipe, recipe_toml

BEST = "best.safetensors"


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The places in a run's folder. Names begin with the iteration; after it comes the rank."""

    path: Path

    @property
    def recipe(self) -> Path:
        """The resolved recipe: where it is, a run is."""
        return self.path / "recipe.toml"

    @property
    def best(self) -> Path:
        """The network to play with."""
        return self.path / BEST

    @property
    def samples(self) -> Path:
        """The shards' folder."""
        return self.path / "samples"

    def shard(self, iteration: int, rank: int) -> Path:
        """What a process learned to play from, of one iteration."""
        return self.samples / f"{iteration:06d}-{rank:02d}.shard"

    def games(self, iteration: int, rank: int) -> Path:
        """The games of one iteration."""
        return self.path / "games" / f"{iteration:06d}-{rank:02d}.jsonl"

    def checkpoint(self, iteration: int) -> Path:
        """The folder of a checkpoint."""
        return self.path / "checkpoints" / f"{iteration:06d}"

    def checkpoints(self) -> list[int]:
        """The iterations that have one, the newest first; whether they are good is not looked at."""
        names = [path.name for path in (self.path / "checkpoints").glob("*") if path.name.isdecimal()]
        return sorted(map(int, names), reverse=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other runs out of this folder; the lock goes with the process, however it ends."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise QilinError(f"another process trains in {self.path}: one at a time") from None
            yield

    def describe(self, recipe: Recipe) -> None:
        """Write what the run is, and where it comes from: once, or anew where it goes on with changes."""
        write_whole(self.recipe, recipe_toml(recipe).encode())
        if not (self.path / ORIGIN).is_file():
            write_whole(self.path / ORIGIN, origin_text(recipe).encode())

    def write_games(self, iteration: int, rank: int, games: Sequence[Mapping[str, Any]]) -> None:
        """Write an iteration's games, a line each."""
        lines = "".join(json.dumps(game, ensure_ascii=False) + "\n" for game in games)
        write_whole(self.games(iteration, rank), lines.encode())

    def measured(self, record: Mapping[str, Any]) -> None:
        """Add a line to the metrics, and an event."""
        with (self.path / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
        tensorboard.append(self.path, record)

    def rewind(self, iteration: int) -> list[dict[str, Any]]:
        """Take away what came after an iteration: the run will make it again. Answers the metrics up to there."""
        for folder in ("games", "samples", "checkpoints"):
            for path in (self.path / folder).glob("*"):
                if path.name.endswith(PARTIAL) or _number(path) > iteration:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
        evaluation.rewind(self.path, iteration)
        records = [record for record in read(self.path) if record["iteration"] <= iteration]
        write_whole(self.path / METRICS, "".join(json.dumps(record) + "\n" for record in records).encode())
        tensorboard.write_all(self.path, records)
        return records


def _number(path: Path) -> int:
    """The iteration that a file's name begins with."""
    digits = path.name[:6]
    return int(digits) if digits.isdecimal() else 0
