"""Policy heads: three ways from a trunk's (batch, channels, rows, cols) to the moves' logits (batch, policy_size)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from qilin.state import Game
from qilin.train.blocks import ConvNorm, GlobalPooling, pooled
from qilin.train.places import Places


class _OnBoard(nn.Module):
    """Maps over the board, then logits of files and words: the slots of which moves' logits are taken."""

    def __init__(self, channels: int, maps: int, places: Places) -> None:
        """`maps` planes of logits."""
        super().__init__()
        self.inner = ConvNorm(channels, channels, 1)
        self.whole = GlobalPooling(channels)
        self.maps = nn.Conv2d(channels, maps, 1) if maps else None
        self.files = nn.Conv2d(channels, 1, (places.rows, 1)) if places.files else None
        self.words = nn.Linear(2 * channels, places.words) if places.words else None

    def forward(self, x: Tensor) -> Tensor:
        """All slots, the last one 0: (batch, slots)."""
        x = F.relu(self.whole(self.inner(x)))
        slots = [x.new_zeros(x.shape[0], 1)]
        if self.words is not None:
            slots.insert(0, self.words(pooled(x)))
        if self.files is not None:
            slots.insert(0, self.files(x).flatten(1))
        if self.maps is not None:
            slots.insert(0, self.maps(x).flatten(1))
        return torch.cat([slot.float() for slot in slots], 1)


class PlanesPolicy(nn.Module):
    """Convolutional: a plane for each kind of point and each displacement."""

    def __init__(self, game: Game, channels: int) -> None:
        """As many planes as the game's moves need."""
        super().__init__()
        places = Places(game)
        self.board = _OnBoard(channels, len(places.plane_keys), places)
        self.register_buffer("slots", torch.tensor(places.slots()), persistent=False)
        self.slots: Tensor

    def forward(self, x: Tensor) -> Tensor:
        """The logits of all moves."""
        logits: Tensor = self.board(x)
        return logits.index_select(1, self.slots)


class FactoredPolicy(nn.Module):
    """Sums of few maps: target, origin, selection (liuzhou chess's three heads). Small, and learns fast."""

    def __init__(self, game: Game, channels: int) -> None:
        """Maps as the game's moves need them."""
        super().__init__()
        places = Places(game)
        self.board = _OnBoard(channels, places.maps, places)
        first, second = zip(*places.parts(), strict=True)
        self.register_buffer("first", torch.tensor(first), persistent=False)
        self.register_buffer("second", torch.tensor(second), persistent=False)
        self.first: Tensor
        self.second: Tensor

    def forward(self, x: Tensor) -> Tensor:
        """The logits of all moves."""
        logits: Tensor = self.board(x)
        return logits.index_select(1, self.first) + logits.index_select(1, self.second)


class FlatPolicy(nn.Module):
    """Fully connected: every move sees the whole board. Large where there are many moves."""

    def __init__(self, game: Game, channels: int) -> None:
        """A narrow waist of sixteen channels before the wide layer."""
        super().__init__()
        _, rows, cols = game.shape
        self.inner = ConvNorm(channels, 16, 1)
        self.wide = nn.Linear(16 * rows * cols, game.policy_size)

    def forward(self, x: Tensor) -> Tensor:
        """The logits of all moves."""
        logits: Tensor = self.wide(F.relu(self.inner(x)).flatten(1))
        return logits.float()


POLICIES = {"planes": PlanesPolicy, "flat": FlatPolicy, "factored": FactoredPolicy}
