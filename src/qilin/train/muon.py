"""Muon (Jordan et al., 2024): momentum whose matrices are made orthogonal, so that all directions learn alike.

Steps are scaled to the size of AdamW's (Liu et al., "Muon is scalable for LLM training", 2025), so one rate fits both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor


class Muon(torch.optim.Optimizer):
    """For matrices and kernels; vectors and scalars are AdamW's."""

    def __init__(self, params: Iterable[Tensor], rate: float, momentum: float = 0.95, decay: float = 0.0) -> None:
        """`decay` as AdamW's."""
        super().__init__(list(params), {"lr": rate, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]  # one signature
        """Move the weights along the gradients at hand."""
        found = None if closure is None else closure()
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    _move(weight, weight.grad, self.state[weight], group)
        return found


def _move(weight: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
    if "momentum" not in state:
        state["momentum"] = torch.zeros_like(weight)
    momentum: Tensor = state["momentum"]
    momentum.lerp_(gradient, 1 - group["momentum"])
    ahead = gradient.lerp(momentum, group["momentum"])  # Nesterov
    matrix = orthogonal(ahead.reshape(len(ahead), -1))
    scale = 0.2 * max(matrix.shape) ** 0.5
    weight.mul_(1 - group["lr"] * group["decay"])
    weight.add_(matrix.view_as(weight), alpha=-group["lr"] * scale)


def orthogonal(matrix: Tensor, steps: int = 5) -> Tensor:
    """The nearest orthogonal matrix, roughly: five steps of a Newton-Schulz iteration."""
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    x: Tensor = wide / (wide.norm() + 1e-7)
    for _ in range(steps):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x if matrix.shape[0] <= matrix.shape[1] else x.T
