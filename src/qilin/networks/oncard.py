"""A network on a card for a search on the host: batches of any size, with nothing left to say for each but "go".

    planes ──▶ pinned memory ──▶ card: network, logits in the order of moves ──▶ pinned memory      one CUDA graph

A graph's batch has one size. There is one for every power of two, made when it is first needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from qilin.errors import BadNetwork
from qilin.state import game as game_of
from qilin.train.cardnet import CardNetwork
from qilin.train.weights import load_network

LEAST = 8  # rows of the smallest graph
WARM = 3  # runs before a graph is captured


def judge_on_card(path: Path) -> tuple[CardJudge, dict[str, Any]]:
    """The network of a file, on the card, and its meta data.

    :raises BadNetwork: where torch finds no card.
    """
    if not torch.cuda.is_available():
        raise BadNetwork("torch can't use device=cuda here: `qilin doctor` says what is missing")
    network, config, meta = load_network(path)
    played = game_of(meta["game"], **meta.get("options", {}))
    return CardJudge(CardNetwork(played, config, network.state_dict(), torch.device("cuda"))), meta


@dataclass(slots=True)
class Batch:
    """One size's graph, and the host's memory that it reads and writes."""

    graph: torch.cuda.CUDAGraph
    planes: Tensor
    policy: Tensor
    value: Tensor


@dataclass(slots=True)
class CardJudge:
    """Answers lie in memory that the next question of about that size uses again."""

    network: CardNetwork
    _batches: dict[int, Batch] = field(default_factory=dict)

    def judge(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Policy and value of planes on the host."""
        rows = len(planes)
        size = max(LEAST, 1 << (rows - 1).bit_length())
        batch = self._batches.get(size) or self._batches.setdefault(size, self._captured(size))
        batch.planes[:rows].copy_(planes)
        batch.graph.replay()
        torch.cuda.current_stream().synchronize()
        return batch.policy[:rows], batch.value[:rows]

    def _captured(self, size: int) -> Batch:
        game, device = self.network.game, torch.device("cuda")
        planes = torch.zeros(size, *game.shape, pin_memory=True)
        policy = torch.empty(size, game.policy_size, pin_memory=True)
        value = torch.empty(size, 3, pin_memory=True)
        seen = self.network.planes(size, device)

        def answer() -> None:
            seen[:, : game.shape[0]].copy_(planes.to(device, non_blocking=True))
            logits, values = self.network(seen)
            places = self.network.places
            policy.copy_(logits if places is None else logits.index_select(1, places), non_blocking=True)
            value.copy_(values, non_blocking=True)

        side = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]  # torch's stub
        side.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(side):
            for _ in range(WARM):
                answer()
        torch.cuda.synchronize(device)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            answer()
        return Batch(graph, planes, policy, value)
