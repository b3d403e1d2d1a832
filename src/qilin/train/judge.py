"""A network as judge of positions: planes in, logits and values out, for whatever plays games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from qilin.state import Game
from qilin.train.network import NetConfig, Network, for_play

FEW = 16  # rows: less is not worth a thread


class Grower(Protocol):
    """What asks for evaluations: self-play or a forest, on a host or on a card."""

    def leaves(self) -> Any:
        """Positions to evaluate: (rows, planes, rows, cols), an array or a tensor."""

    def grow(self, logits: Any, values: Any, form: Any = ...) -> None:
        """Their evaluations."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Weights at play.

    On a CPU several threads each take a part of the rows: small networks are done before torch's own threads, which
    share every layer, have met once.
    """

    network: Network
    device: torch.device
    bf16: bool = False
    pool: ThreadPoolExecutor | None = None
    threads: int = 1

    @classmethod
    def of(
        cls,
        game: Game,
        config: NetConfig,
        weights: dict[str, Tensor],
        device: torch.device,
        *,
        bf16: bool = False,
        threads: int = 1,
    ) -> Judge:
        """The network with these weights, as fast as it gets."""
        network = for_play(game, config, {name: tensor.cpu() for name, tensor in weights.items()}).to(device)
        for weight in network.parameters():
            if weight.ndim == 4:  # kernels: channels last is how a CPU, and a card in bfloat16, want them
                weight.data = weight.data.contiguous(memory_format=torch.channels_last)
        shared = device.type == "cpu" and threads > 1
        return cls(network, device, bf16, ThreadPoolExecutor(threads) if shared else None, threads)

    def __call__(self, planes: Any) -> tuple[Tensor, Tensor]:
        """Logits of the moves and of win, draw and loss."""
        seen = torch.as_tensor(planes)
        if self.pool is None:
            return self._judge(seen)
        if len(seen) < FEW * self.threads:
            return self.pool.submit(self._alone, seen).result()
        policies, values = zip(*self.pool.map(self._alone, seen.tensor_split(self.threads)), strict=True)
        return torch.cat(policies), torch.cat(values)

    def _alone(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        torch.set_num_threads(1)  # of this thread
        return self._judge(planes)

    def _judge(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        seen = planes.to(self.device).contiguous(memory_format=torch.channels_last)
        with torch.inference_mode(), torch.autocast(self.device.type, torch.bfloat16, enabled=self.bf16):
            return self.network.judge(seen)

    def grow(self, grower: Grower) -> int:
        """Evaluate what is to be evaluated; answers how many positions that were."""
        planes = grower.leaves()
        if len(planes):
            logits, values = self(planes)
            grower.grow(logits, values, "logits")
        return len(planes)
