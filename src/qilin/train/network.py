"""Networks: planes of a position in; the policy, the value and what else helps to learn out.

>>> game = qilin.game("ataxx")
>>> network = build(game, NetConfig.from_dial("64x5"))
>>> network(torch.zeros(1, *game.shape))["value"].shape
torch.Size([1, 3])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from qilin.errors import BadRecipe
from qilin.state import Game
from qilin.train.blocks import Attention, ConvNorm, Residual, Thought, fold
from qilin.train.heads import POLICIES
from qilin.train.recipe import Recipe, net_of
from qilin.train.settings import Net

HIDDEN = 64  # of the value's fully connected layer


@dataclass(frozen=True, slots=True, kw_only=True)
class NetConfig(Net):
    """What a network is built from: the recipe's section, and the auxiliary heads that have a weight."""

    auxiliary: tuple[str, ...] = ()

    @classmethod
    def from_dial(cls, dial: str) -> Self:
        """A residual tower of a size such as `64x5`."""
        size = net_of(dial)
        return cls(channels=size["channels"], blocks=size["blocks"])

    @classmethod
    def of(cls, recipe: Recipe) -> Self:
        """As a recipe wants it."""
        names = Net.__slots__
        return cls(**{name: getattr(recipe.net, name) for name in names}, auxiliary=recipe.loss.heads)


class Network(nn.Module):
    """A trunk with heads. `forward` gives a dict of tensors, float32 whatever the trunk computes in:

    policy (batch, policy_size) logits; value (batch, 3) logits of win, draw and loss of the player to move; and, where
    they are on: margin (batch,), ownership (batch, 3, rows, cols) logits of nobody, mover, other; soft_policy and reply
    (batch, policy_size) logits; plies_left (batch,), the logarithm of 1 + plies.
    """

    def __init__(self, game: Game, config: NetConfig) -> None:
        """Weights are drawn from torch's generator."""
        super().__init__()
        planes, rows, cols = game.shape
        channels, policy = config.channels, POLICIES[config.policy]
        self.trunk = _transformer(planes, rows, cols, config) if config.kind == "transformer" else _tower(game, config)
        self.policy = policy(game, channels)
        self.inner = ConvNorm(channels, 16, 1)
        self.hidden = nn.Linear(16 * rows * cols, HIDDEN)
        self.value = nn.Linear(HIDDEN, 3)
        on = config.auxiliary
        self.numbers = nn.ModuleDict({name: nn.Linear(HIDDEN, 1) for name in ("margin", "plies_left") if name in on})
        self.maps = nn.ModuleDict({"ownership": nn.Conv2d(channels, 3, 1)} if "ownership" in on else {})
        self.policies = nn.ModuleDict({name: policy(game, channels) for name in ("soft_policy", "reply") if name in on})

    def forward(self, planes: Tensor) -> dict[str, Tensor]:
        """Everything the network says about (batch, planes, rows, cols)."""
        x = self.trunk(planes)
        hidden = self._hidden(x)
        said = {"policy": self.policy(x), "value": self.value(hidden).float()}
        said |= {name: head(hidden).float().flatten() for name, head in self.numbers.items()}
        said |= {name: head(x).float() for name, head in self.maps.items()}
        return said | {name: head(x) for name, head in self.policies.items()}

    def judge(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Policy and value alone: what a search asks for."""
        x = self.trunk(planes)
        return self.policy(x), self.value(self._hidden(x)).float()

    def _hidden(self, x: Tensor) -> Tensor:
        return F.relu(self.hidden(F.relu(self.inner(x)).flatten(1)))


def build(game: Game, config: NetConfig) -> Network:
    """A new network for `game`.

    :raises BadRecipe: where the game's moves do not fit the policy head.
    """
    if config.channels % config.heads and (config.kind == "transformer" or config.attention_every):
        raise BadRecipe(f"{config.channels} channels for {config.heads} heads of attention, expected a multiple")
    return Network(game, config)


def _tower(game: Game, config: NetConfig) -> nn.Sequential:
    planes, rows, cols = game.shape
    layers: list[nn.Module] = [ConvNorm(planes, config.channels, 3), nn.ReLU()]
    for number in range(1, config.blocks + 1):
        pooling = config.pooling_every is not None and number % config.pooling_every == 0
        layers.append(Residual(config.channels, pooling=pooling, squeeze=config.squeeze))
        if config.attention_every is not None and number % config.attention_every == 0:
            layers.append(Attention(config.channels, config.heads, rows, cols))
    return nn.Sequential(*layers)


def _transformer(planes: int, rows: int, cols: int, config: NetConfig) -> nn.Sequential:
    layers: list[nn.Module] = [ConvNorm(planes, config.channels, 3), _Positions(config.channels, rows, cols)]
    for _ in range(config.blocks):
        layers += [Attention(config.channels, config.heads, rows, cols), Thought(config.channels)]
    return nn.Sequential(*layers)


class _Positions(nn.Module):
    """What is different about each square: palaces, edges, home rows."""

    def __init__(self, channels: int, rows: int, cols: int) -> None:
        super().__init__()
        self.of_square = nn.Parameter(torch.randn(channels, rows, cols) * 0.02)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.of_square


def for_play(game: Game, config: NetConfig, weights: dict[str, Tensor]) -> Network:
    """The network as it plays: these weights, in evaluation mode, batch norms folded into their convolutions."""
    with torch.random.fork_rng(devices=[]):  # weights drawn in vain leave the generator as it was
        network = build(game, config)
        network.load_state_dict(weights)
        network.eval()
        fold(network)
    return network.requires_grad_(False)
