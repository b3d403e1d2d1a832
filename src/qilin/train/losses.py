"""What a network's answers are worth: one loss for each head, over legal moves only, for a whole batch at once."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from qilin.train.settings import Loss, Targets


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Positions and what is to be learned of them, for the player to move."""

    planes: Tensor  # (batch, planes, rows, cols)
    moves: Tensor  # (batch, slots): the legal moves, then whatever
    legal: Tensor  # (batch, slots): whether a slot holds one
    shares: Tensor  # (batch, slots): the search's policy
    odds: Tensor  # (batch, 3): win, draw, loss
    reply: Tensor  # (batch,): the opponent's next move, 0 where there is none
    has_reply: Tensor  # (batch,)
    margin: Tensor  # (batch,): in units of the recipe's margin_scale
    owner: Tensor  # (batch, rows, cols): 0 nobody, 1 the mover, 2 the other
    plies_left: Tensor  # (batch,)
    was_finished: Tensor  # (batch,): not resigned, so that the end says who owned what

    def to(self, device: torch.device) -> Batch:
        """The same on another device."""
        return Batch(**{item.name: getattr(self, item.name).to(device) for item in fields(self)})


def losses(said: dict[str, Tensor], batch: Batch, targets: Targets) -> dict[str, Tensor]:
    """The mean loss of every head that the network has."""
    finished = batch.was_finished.float()
    found = {
        "policy": _policy_loss(said["policy"], batch, batch.shares),
        "value": -(batch.odds * said["value"].log_softmax(1)).sum(1).mean(),
    }
    if "margin" in said:
        found["margin"] = _mean(F.huber_loss(said["margin"], batch.margin, reduction="none"), finished)
    if "ownership" in said:
        each = F.cross_entropy(said["ownership"], batch.owner, reduction="none").mean((1, 2))
        found["ownership"] = _mean(each, finished)
    if "soft_policy" in said:
        soft = batch.shares ** (1 / targets.soft_temperature)
        found["soft_policy"] = _policy_loss(said["soft_policy"], batch, soft / soft.sum(1, keepdim=True))
    if "reply" in said:
        each = F.cross_entropy(said["reply"], batch.reply, reduction="none")
        found["reply"] = _mean(each, batch.has_reply.float())
    if "plies_left" in said:
        each = F.huber_loss(said["plies_left"], torch.log1p(batch.plies_left), reduction="none")
        found["plies_left"] = _mean(each, finished)
    return found


def total(found: dict[str, Tensor], weights: Loss) -> Tensor:
    """The losses, weighted and added up: what is learned from."""
    return torch.stack([float(getattr(weights, name) or 0) * loss for name, loss in found.items()]).sum()


def legal_policy(logits: Tensor, batch: Batch) -> Tensor:
    """Logarithms of the policy over the legal moves: (batch, slots), very small where there is no move."""
    return logits.gather(1, batch.moves).masked_fill(~batch.legal, -1e9).log_softmax(1)


def _policy_loss(logits: Tensor, batch: Batch, shares: Tensor) -> Tensor:
    return -(shares * legal_policy(logits, batch)).sum(1).mean()


def _mean(each: Tensor, weight: Tensor) -> Tensor:
    """The mean over those that count; 0, with a gradient of 0, where none does."""
    return (each * weight).sum() / weight.sum().clamp(min=1)


@torch.no_grad()
def figures(said: dict[str, Tensor], batch: Batch) -> dict[str, Tensor]:
    """What people want to know: how open the policy is, how often its best move is the search's, and who will win."""
    policy = legal_policy(said["policy"], batch)
    best = policy.argmax(1) == batch.shares.argmax(1)
    return {
        "policy_entropy": -(policy.exp() * policy.clamp(min=-50)).sum(1).mean(),
        "policy_accuracy": best.float().mean(),
        "value_accuracy": (said["value"].argmax(1) == batch.odds.argmax(1)).float().mean(),
    }
