"""Checkpoints: all that a run needs to go on to the last bit. Each is a folder, and there once it is whole.

    network.safetensors   the averaged weights: what plays
    learner.safetensors   weights, average and optimizers; the champion, where there is a gate
    selfplay-00.bin       the games under way in process 0, with their random numbers
    state.json            counters, and the checksums of these files and of the shards in the window

The learner's random numbers are drawn by seed, iteration and rank: the counters are all there is to keep of them.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from qilin.errors import BadCheckpoint
from qilin.train.disk import PARTIAL, checksum, settle, write_whole
from qilin.train.evaluation import NETWORK, evaluations
from qilin.train.folder import RunFolder
from qilin.train.ranks import Ranks
from qilin.train.shards import read_shard, shard_checksum

LEARNER, STATE = "learner.safetensors", "state.json"

Tell = Callable[[str], None]  # a sentence for people


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """How far a run has come."""

    iteration: int = 0
    games: int = 0
    samples: int = 0
    steps: int = 0
    evaluations: int = 0
    owed: float = 0.0  # of a step: what the samples so far were short of one


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What state.json says, and where it lies."""

    folder: Path
    counters: Counters
    world: int  # processes that made it
    files: Mapping[str, str]  # name: checksum
    shards: Mapping[str, str]
    record: Mapping[str, Any] | None = None  # the iteration's line of metrics, as far as it was known
    judged: bool = False  # whether its network is to be evaluated

    def tensors(self) -> dict[str, torch.Tensor]:
        """The learner's."""
        try:
            return load((self.folder / LEARNER).read_bytes())
        except SafetensorError as error:
            raise BadCheckpoint(f"{str(self.folder / LEARNER)!r} is damaged: {error}") from None

    def selfplay(self, rank: int) -> bytes:
        """A process's games under way."""
        return (self.folder / selfplay_name(rank)).read_bytes()

    def check(self) -> None:
        """See that every file is what was written.

        :raises BadCheckpoint: naming the first that is not.
        """
        for name, expected in self.files.items():
            path = self.folder / name
            if not path.is_file():
                raise BadCheckpoint(f"{str(path)!r} is missing")
            if checksum(path.read_bytes()) != expected:
                raise BadCheckpoint(f"{str(path)!r} is damaged: it does not have the checksum it was written with")


def selfplay_name(rank: int) -> str:
    """A process's file in a checkpoint."""
    return f"selfplay-{rank:02d}.bin"


def partial(folder: Path) -> Path:
    """Where a checkpoint is written, before it is whole."""
    return folder.with_name(folder.name + PARTIAL)


def write_learner(path: Path, tensors: Mapping[str, torch.Tensor]) -> None:
    """Write weights and optimizers."""
    write_whole(path, save(dict(tensors)))


def seal(
    run: RunFolder, counters: Counters, world: int, oldest: int, record: Mapping[str, Any] | None, judged: bool
) -> Checkpoint:
    """Make a checkpoint of what was written for it: sum up its files and the shards from iteration `oldest` on."""
    folder = run.checkpoint(counters.iteration)
    unfinished = partial(folder)
    files = {path.name: checksum(path.read_bytes()) for path in sorted(unfinished.iterdir())}
    shards = {
        path.name: shard_checksum(path)
        for path in sorted(run.samples.glob("*.shard"))
        if oldest <= int(path.name[:6]) <= counters.iteration
    }
    made = Checkpoint(
        folder=folder, counters=counters, world=world, files=files, shards=shards, record=record, judged=judged
    )
    write_whole(unfinished / STATE, _state_text(made).encode())
    os.replace(unfinished, folder)
    settle(folder.parent)
    return made


def _state_text(made: Checkpoint) -> str:
    facts = asdict(made)
    del facts["folder"]
    return json.dumps(facts | {"checksum": _sum(facts)}, indent=1) + "\n"


def _sum(facts: Mapping[str, Any]) -> str:
    return checksum(json.dumps(facts, sort_keys=True).encode())


def read_state(folder: Path) -> Checkpoint:
    """What a checkpoint's state.json says.

    :raises BadCheckpoint: naming a file that is missing or damaged.
    """
    path = folder / STATE
    try:
        facts = json.loads(path.read_bytes())
        if facts.pop("checksum") != _sum(facts):
            raise ValueError("it does not have the checksum it was written with")
        return Checkpoint(folder=folder, **facts | {"counters": Counters(**facts["counters"])})
    except FileNotFoundError:
        raise BadCheckpoint(f"{str(path)!r} is missing") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadCheckpoint(f"{str(path)!r} is damaged: {error}") from None


def prune(run: RunFolder, keep: int) -> None:
    """Let go of checkpoints but the newest `keep`, and of samples that none of those needs."""
    kept, old = run.checkpoints()[:keep], run.checkpoints()[keep:]
    judged = {0, *(line["iteration"] for line in evaluations(run.path))}
    for iteration in old:
        _let_go(run.checkpoint(iteration), iteration in judged)
    needed = {name for iteration in kept for name in _shards_of(run.checkpoint(iteration))}
    for path in run.samples.glob("*.shard"):
        if path.name not in needed:
            path.unlink()


def _shards_of(folder: Path) -> Mapping[str, str]:
    """Those that a checkpoint needs; none where it can't be read: it is of no use any more."""
    with suppress(BadCheckpoint):
        return read_state(folder).shards
    return {}


def _let_go(folder: Path, judged: bool) -> None:
    """The first network and those that were evaluated stay: they tell how the run went."""
    if not judged:
        shutil.rmtree(folder)
        return
    for path in folder.iterdir():
        if path.stem != Path(NETWORK).stem:
            path.unlink()


def newest(run: RunFolder, ranks: Ranks, say: Tell) -> Checkpoint | None:
    """The newest checkpoint that is good for every rank; None where there is none at all.

    One whose samples are damaged is of use only where there is no better one. `say` is told what is damaged.

    :raises BadCheckpoint: where there are checkpoints, and none is good.
    """
    if not ranks.sums([len(run.checkpoints())])[0]:
        return None
    for with_samples in (True, False):
        found = _agreed(run, ranks, say, with_samples)
        if found is not None:
            return found
    raise BadCheckpoint(f"no checkpoint in {str(run.path / 'checkpoints')!r} is good: expected to begin a new run")


def _agreed(run: RunFolder, ranks: Ranks, say: Tell, with_samples: bool) -> Checkpoint | None:
    """What is good for one rank may be damaged for another: step back until all stand at the same."""
    below = inf
    while True:
        mine = next(_good(run, ranks, say, with_samples, below), None)
        number = mine.counters.iteration if mine else -1
        agreed = ranks.least(number)
        if agreed == -ranks.least(-number):
            return mine
        below = agreed + 1


def _good(run: RunFolder, ranks: Ranks, say: Tell, with_samples: bool, below: float) -> Iterator[Checkpoint]:
    """Checkpoints before iteration `below`, the newest first. Those that are down to their network are left out."""
    for iteration in run.checkpoints():
        folder = run.checkpoint(iteration)
        if iteration >= below or not any((folder / name).is_file() for name in (STATE, LEARNER)):
            continue
        try:
            found = read_state(folder)
            found.check()
            for name in own_shards(found, ranks.rank, ranks.world) if with_samples else ():
                read_shard(run.samples / name, found.shards[name])
            yield found
        except BadCheckpoint as error:
            say(f"{error}; looking for an older checkpoint")


def own_shards(found: Checkpoint, rank: int, world: int) -> list[str]:
    """The shards of a process's window: those it wrote, and where there were more processes, its part of theirs."""
    return [name for name in sorted(found.shards) if int(name[7:9]) % world == rank]
