"""The processes of a run: one, or as many as torchrun began. Rank 0 shows and writes.

What ranks do together happens at the same points of the loop on all of them, whatever each had to do in between, so
they wait for each other but never for ever. A rank that dies takes the others with it: their next common step fails.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import torch
from torch import Tensor
from torch import distributed as dist

PATIENCE = timedelta(hours=2)  # for a rank whose games are longer; one that died is noticed at once


@dataclass(frozen=True, slots=True)
class Ranks:
    """One process among all."""

    rank: int
    world: int
    device: torch.device

    @property
    def leads(self) -> bool:
        """Whether this is rank 0."""
        return self.rank == 0

    def sums(self, numbers: list[float]) -> list[float]:
        """The sums over all ranks."""
        if self.world == 1:
            return numbers
        found = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        dist.all_reduce(found)
        return [float(number) for number in found]

    def least(self, number: float) -> float:
        """The least of all ranks' numbers."""
        if self.world == 1:
            return number
        found = torch.tensor(number, dtype=torch.float64, device=self.device)
        dist.all_reduce(found, dist.ReduceOp.MIN)
        return float(found)

    def meet(self) -> None:
        """Wait until all ranks are here."""
        self.sums([0.0])

    def agree(self, tensors: dict[str, Tensor]) -> None:
        """Make the tensors rank 0's, on every rank."""
        if self.world > 1:
            for tensor in tensors.values():
                dist.broadcast(tensor, 0)


@contextmanager
def joined(device: str) -> Iterator[Ranks]:
    """Take part in the run that the environment names, as torchrun sets it; alone where it names none."""
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    own = own_device(device)
    if world == 1:
        yield Ranks(0, 1, own)
        return
    if own.type == "cuda":
        torch.cuda.set_device(own)
    dist.init_process_group("nccl" if own.type == "cuda" else "gloo", timeout=PATIENCE)
    try:
        yield Ranks(rank, world, own)
    finally:
        dist.destroy_process_group()


def own_device(device: str) -> torch.device:
    """The device of this process: each rank of a machine has a card of its own."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        device = f"cuda:{os.environ.get('LOCAL_RANK', '0')}"
    return torch.device(device)
