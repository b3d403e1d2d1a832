"""What a trunk is built of: convolutions that see the whole board too, squeeze-excite, attention that knows distances.

All blocks take and give (batch, channels, rows, cols).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  # its name everywhere


class ConvNorm(nn.Sequential):
    """A convolution and a batch norm, which are one convolution once they have learned (see `fold`)."""

    def __init__(self, inward: int, outward: int, size: int) -> None:
        """A square kernel of `size`; the board keeps its shape."""
        conv = nn.Conv2d(inward, outward, size, padding=size // 2, bias=False)
        super().__init__(conv, nn.BatchNorm2d(outward))


def pooled(x: Tensor) -> Tensor:
    """Mean and maximum of every channel over the board: (batch, 2 * channels)."""
    flat = x.flatten(2)
    return torch.cat([flat.mean(2), flat.amax(2)], 1)


class GlobalPooling(nn.Module):
    """Some channels are summed up over the whole board, and tell all others (Wu, 2019, section 3.3)."""

    def __init__(self, channels: int) -> None:
        """A quarter of the channels is summed up."""
        super().__init__()
        few = max(4, channels // 4)
        self.squeeze = ConvNorm(channels, few, 1)
        self.tell = nn.Linear(2 * few, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Add what the board as a whole says."""
        told: Tensor = self.tell(pooled(F.relu(self.squeeze(x))))
        return x + told[:, :, None, None]


class SqueezeExcite(nn.Module):
    """Channels are turned up and down by what the board as a whole shows (Hu et al., 2017)."""

    def __init__(self, channels: int, ratio: int) -> None:
        """`ratio`: how much narrower the waist is."""
        super().__init__()
        waist = max(4, channels // ratio)
        self.down = nn.Linear(channels, waist)
        self.up = nn.Linear(waist, 2 * channels)

    def forward(self, x: Tensor) -> Tensor:
        """Scale and shift every channel."""
        scale, shift = self.up(F.relu(self.down(x.mean((2, 3))))).chunk(2, 1)
        turned: Tensor = x * torch.sigmoid(scale)[:, :, None, None] + shift[:, :, None, None]
        return turned


class Residual(nn.Module):
    """Two convolutions beside a way past them."""

    def __init__(self, channels: int, *, pooling: bool, squeeze: int | None) -> None:
        """`pooling`: between the convolutions the block sees the whole board."""
        super().__init__()
        self.first = ConvNorm(channels, channels, 3)
        self.whole = GlobalPooling(channels) if pooling else nn.Identity()
        self.second = ConvNorm(channels, channels, 3)
        self.excite = nn.Identity() if squeeze is None else SqueezeExcite(channels, squeeze)
        nn.init.zeros_(_norm(self.second).weight)  # a new block changes nothing: deep towers start as shallow ones

    def forward(self, x: Tensor) -> Tensor:
        """Add what the convolutions found."""
        inner = self.second(F.relu(self.whole(self.first(x))))
        return F.relu(x + self.excite(inner))


def _norm(block: ConvNorm) -> nn.BatchNorm2d:
    norm = block[1]
    assert isinstance(norm, nn.BatchNorm2d)
    return norm


class Attention(nn.Module):
    """Every square looks at every other, with a bias for how far away, and in which direction, it lies."""

    def __init__(self, channels: int, heads: int, rows: int, cols: int) -> None:
        """`heads` divide the channels."""
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(channels)
        self.ask = nn.Linear(channels, 3 * channels, bias=False)
        self.answer = nn.Linear(channels, channels)
        self.bias = nn.Parameter(torch.zeros(heads, (2 * rows - 1) * (2 * cols - 1)))
        self.register_buffer("distance", _distances(rows, cols), persistent=False)
        self.distance: Tensor
        nn.init.zeros_(self.answer.weight)
        nn.init.zeros_(self.answer.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Add what the squares heard from each other."""
        batch, channels, rows, cols = x.shape
        cells = x.flatten(2).transpose(1, 2)  # (batch, cells, channels)
        asked = self.ask(self.norm(cells)).view(batch, rows * cols, 3, self.heads, channels // self.heads)
        query, key, value = asked.permute(2, 0, 3, 1, 4)
        near = self.bias[:, self.distance].to(query.dtype)  # (heads, cells, cells)
        heard = F.scaled_dot_product_attention(query, key, value, attn_mask=near[None])
        told: Tensor = self.answer(heard.transpose(1, 2).reshape(batch, rows * cols, channels))
        return x + told.transpose(1, 2).view_as(x)


def _distances(rows: int, cols: int) -> Tensor:
    """For each pair of squares the number of the displacement between them: (cells, cells)."""
    row = torch.arange(rows).repeat_interleave(cols)
    col = torch.arange(cols).repeat(rows)
    up = row[:, None] - row[None] + rows - 1
    right = col[:, None] - col[None] + cols - 1
    return up * (2 * cols - 1) + right


class Thought(nn.Module):
    """What a square makes of what it heard: the other half of a transformer's block."""

    def __init__(self, channels: int) -> None:
        """Twice as wide inside."""
        super().__init__()
        self.norm = nn.LayerNorm(channels)
        self.wide = nn.Linear(channels, 2 * channels)
        self.narrow = nn.Linear(2 * channels, channels)
        nn.init.zeros_(self.narrow.weight)
        nn.init.zeros_(self.narrow.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Add what it thinks."""
        cells = x.permute(0, 2, 3, 1)
        told: Tensor = self.narrow(F.gelu(self.wide(self.norm(cells))))
        return x + told.permute(0, 3, 1, 2)


@torch.no_grad()
def fold(module: nn.Module) -> None:
    """Make every ConvNorm below `module` one convolution, for evaluation: the same function, a third faster."""
    for name, child in module.named_children():
        if isinstance(child, ConvNorm):
            conv, norm = child[0], _norm(child)
            assert isinstance(conv, nn.Conv2d)
            assert norm.running_mean is not None
            assert norm.running_var is not None
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            size = conv.kernel_size[0]
            one = nn.Conv2d(conv.in_channels, conv.out_channels, size, padding=size // 2, device=conv.weight.device)
            one.weight.copy_(conv.weight * scale[:, None, None, None])
            assert one.bias is not None
            one.bias.copy_(norm.bias - norm.running_mean * scale)
            setattr(module, name, one)
        else:
            fold(child)
