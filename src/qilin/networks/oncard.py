"""A network on a card for a search on the host: batches of any size, with nothing left to say for each but "go".

    planes ──▶ pinned memory ──▶ card: network, logits in the order of moves ──▶ pinned memory      one CUDA graph

A graph's batch has one size. There is one for every power of two, made when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from qilin.errors import BadNetwork
from qilin.networks.files import Facts
from qilin.state import game as game_of
from qilin.train.cardnet import CardNetwork
from qilin.train.weights import load_network

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

LEAST = 8  # rows of the smallest graph
WARM = 3  # runs before a graph is captured


def judge_on_card(path: Path) -> CardJudge:
    """The network of a file, on the card.

    :raises BadNetwork: where torch finds no card.
    """
    if not torch.cuda.is_available():
        raise BadNetwork("torch can't use device=cuda here: `qilin doctor` says what is missing")
    network, config, meta = load_network(path)
    played = game_of(meta["game"], **meta.get("options", {}))
    return CardJudge(CardNetwork(played, config, network.state_dict(), torch.device("cuda")), Facts.of(meta))


@dataclass(slots=True)
class Batch:
    """One size's graph, and the memory that it reads and writes: all but `seen` is the host's."""

    graph: torch.cuda.CUDAGraph
    seen: Tensor
    planes: Tensor
    policy: Tensor
    value: Tensor


class CardJudge:
    """Answers lie in memory that the next question of about that size uses again."""

    __slots__ = ("_batches", "facts", "network")

    def __init__(self, network: CardNetwork, facts: Facts) -> None:
        """Nothing is captured before somebody asks."""
        self.network, self.facts = network, facts
        self._batches: dict[int, Batch] = {}

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits of the policy, and of win, draw and loss."""
        return self.ask(planes)()

    def ask(self, planes: Floats) -> Callable[[], tuple[Floats, Floats]]:
        """Set the card to work; what is answered waits for it."""
        rows = len(planes)
        size = max(LEAST, 1 << (rows - 1).bit_length())
        batch = self._batches.get(size) or self._batches.setdefault(size, self._captured(size))
        batch.planes[:rows].copy_(torch.from_numpy(planes))
        batch.graph.replay()
        done = torch.cuda.current_stream().record_event()

        def answer() -> tuple[Floats, Floats]:
            done.synchronize()
            return batch.policy[:rows].numpy(), batch.value[:rows].numpy()

        return answer

    def _captured(self, size: int) -> Batch:
        game, device = self.network.game, torch.device("cuda")
        planes = torch.zeros(size, *game.shape, pin_memory=True)
        policy = torch.empty(size, game.policy_size, pin_memory=True)
        value = torch.empty(size, 3, pin_memory=True)
        seen = self.network.planes(size, device)

        def judge() -> None:
            seen[:, : game.shape[0]].copy_(planes.to(device, non_blocking=True))
            logits, values = self.network(seen)
            places = self.network.places
            policy.copy_(logits if places is None else logits.index_select(1, places), non_blocking=True)
            value.copy_(values, non_blocking=True)

        graph = torch.cuda.CUDAGraph()
        with torch.inference_mode():
            side = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]  # torch's stub
            side.wait_stream(torch.cuda.current_stream(device))
            with torch.cuda.stream(side):
                for _ in range(WARM):
                    judge()
            torch.cuda.synchronize(device)
            with torch.cuda.graph(graph):
                judge()
        return Batch(graph, seen, planes, policy, value)
