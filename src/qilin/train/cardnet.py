"""A network as it plays on a card: bfloat16, channels last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from qilin import cuda
from qilin.state import Game
from qilin.train.heads import PlanesPolicy
from qilin.train.network import NetConfig, for_play

EIGHT = 8  # channels that a card stores at once


class CardNetwork(nn.Module):
    """Weights in bfloat16, convolutions channels last, inputs padded to a multiple of eight planes.

    Where the policy's logits stand in an order of its own, `places` says where each move's is: nothing is copied.
    """

    def __init__(self, game: Game, config: NetConfig, weights: Mapping[str, Tensor], device: torch.device) -> None:
        """With these weights; later ones are loaded by `load`."""
        super().__init__()
        self.game, self.config = game, config
        self.channels = -(-game.shape[0] // EIGHT) * EIGHT
        self.number: cuda.Number = "bfloat16" if device.type == "cuda" else "float32"
        self.network = self._prepared(weights).to(device)
        policy = self.network.policy
        self.places: Tensor | None = None
        self.width = game.policy_size  # of the logits, at least
        if isinstance(policy, PlanesPolicy):
            self.places = policy.slots.to(device, torch.int32)
            self.width = int(policy.slots.max()) + 1

    def _prepared(self, weights: Mapping[str, Tensor]) -> nn.Module:
        network = for_play(self.game, self.config, {name: tensor.cpu() for name, tensor in weights.items()})
        if self.number == "float32":
            return network
        first = next(layer for layer in network.trunk.modules() if isinstance(layer, nn.Conv2d))
        spare = self.channels - first.in_channels
        first.weight = nn.Parameter(nn.functional.pad(first.weight, (0, 0, 0, 0, 0, spare)), requires_grad=False)
        first.in_channels = self.channels
        network = network.to(torch.bfloat16)
        for weight in network.parameters():
            if weight.ndim == 4:
                weight.data = weight.data.contiguous(memory_format=torch.channels_last)
        return network

    def load(self, weights: Mapping[str, Tensor]) -> None:
        """New weights, in the memory of the old ones: what a graph has captured goes on with them."""
        fresh = dict(self._prepared(weights).named_parameters())
        with torch.no_grad():
            for name, parameter in self.network.named_parameters():
                parameter.copy_(fresh[name])

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (rows, slots or moves) and values before their softmax (rows, 3), both float32."""
        network: Any = self.network
        x = network.trunk(planes)
        policy = network.policy
        logits = policy.board(x) if isinstance(policy, PlanesPolicy) else policy(x)
        return logits.float(), network.value(network._hidden(x)).float()

    def planes(self, rows: int, device: torch.device) -> Tensor:
        """Memory for its input: what lies beyond the game's planes stays 0."""
        count, ranks, files = self.game.shape
        if self.number == "float32":
            return torch.zeros(rows, count, ranks, files, device=device)
        flat = torch.zeros(rows, ranks, files, self.channels, dtype=torch.bfloat16, device=device)
        return flat.permute(0, 3, 1, 2)
