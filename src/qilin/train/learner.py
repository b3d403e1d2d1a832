"""The learner: batches in, better weights out. What plays is a moving average of the weights."""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from qilin.train import settings
from qilin.train.losses import Batch, figures, losses, total
from qilin.train.muon import Muon
from qilin.train.network import NetConfig, build
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe


def rate_at(step: int, learn: settings.Learn) -> float:
    """The learning rate of a step: up in a line, then down along a cosine."""
    if step < learn.warmup:
        return learn.rate * (step + 1) / learn.warmup
    if learn.cosine is None:
        return learn.rate
    way = min(1.0, (step - learn.warmup) / learn.cosine)
    return learn.rate * (learn.rate_end + (1 - learn.rate_end) * (1 + math.cos(math.pi * way)) / 2)


class Learner:
    """A network that learns, its optimizers, and the average of its weights."""

    def __init__(self, recipe: Recipe, ranks: Ranks) -> None:
        """New weights, drawn from the recipe's seed: the same on every rank."""
        self.recipe, self.ranks = recipe, ranks
        self.config = NetConfig.of(recipe)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            self.network = build(recipe.of(), self.config)
        self.network.to(ranks.device).train()
        self.average = {name: tensor.clone() for name, tensor in self.network.state_dict().items()}
        self.optimizers = list(_optimizers(self.network, recipe.learn))
        self.steps = 0
        self._forward = _spread(self.network, ranks)

    def step(self, batch: Batch) -> dict[str, Tensor]:
        """Learn from a batch. Answers the losses and some figures, still on the device."""
        learn, device = self.recipe.learn, self.ranks.device
        with torch.autocast(device.type, torch.bfloat16, enabled=learn.bf16):
            said = self._forward(batch.planes)
        found = losses(said, batch, self.recipe.targets)
        loss = total(found, self.recipe.loss)
        self._descend(loss)
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), math.inf if learn.clip is None else learn.clip)
        for optimizer in self.optimizers:
            optimizer.step()
        self.steps += 1
        self._follow()
        return {name: value.detach() for name, value in {**found, "total": loss, "gradient": norm}.items()} | figures(
            said, batch
        )

    def _descend(self, loss: Tensor) -> None:
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate_at(self.steps, self.recipe.learn)
            optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch's stub

    @torch.no_grad()
    def _follow(self) -> None:
        """Take the average a little towards the new weights; quickly at first, when they are still poor."""
        decay = self.recipe.learn.average
        share = 1.0 if decay is None else 1 - min(decay, (1 + self.steps) / (10 + self.steps))
        for name, tensor in self.network.state_dict().items():
            if tensor.is_floating_point():
                self.average[name].lerp_(tensor, share)
            else:
                self.average[name].copy_(tensor)

    def settle(self) -> None:
        """After an iteration: all ranks have the same batch norms and the same average, rank 0's."""
        self.ranks.agree(dict(self.network.named_buffers()))
        self.ranks.agree(self.average)

    def tensors(self) -> dict[str, Tensor]:
        """All that changes while it learns, but for `steps`."""
        found = {f"network.{name}": tensor for name, tensor in self.network.state_dict().items()}
        found |= {f"average.{name}": tensor for name, tensor in self.average.items()}
        names: dict[Tensor, str] = {parameter: name for name, parameter in self.network.named_parameters()}
        for optimizer in self.optimizers:
            for parameter, state in optimizer.state.items():
                found |= {f"optimizer.{names[parameter]}.{key}": value for key, value in state.items()}
        return {name: tensor.detach().cpu().contiguous() for name, tensor in found.items()}

    def load(self, tensors: dict[str, Tensor], steps: int) -> None:
        """Go on from where `tensors` were taken."""
        self.steps = steps
        self.network.load_state_dict(_below(tensors, "network."))
        for name, tensor in _below(tensors, "average.").items():
            self.average[name].copy_(tensor)
        kept = _below(tensors, "optimizer.")
        for name, parameter in self.network.named_parameters():
            state = _below(kept, f"{name}.")
            owner = next(one for one in self.optimizers if any(parameter is p for p in _parameters(one)))
            if state:
                # AdamW counts its steps on the host, whatever the device.
                owner.state[parameter] = {
                    key: value.clone() if key == "step" else value.clone().to(parameter.device)
                    for key, value in state.items()
                }


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _parameters(optimizer: torch.optim.Optimizer) -> Iterator[Tensor]:
    for group in optimizer.param_groups:
        yield from group["params"]


def _optimizers(network: nn.Module, learn: settings.Learn) -> Iterator[torch.optim.Optimizer]:
    """Matrices decay, and are Muon's where it is asked for; vectors are AdamW's, and do not decay."""
    matrices = [parameter for parameter in network.parameters() if parameter.ndim >= 2]
    vectors = [parameter for parameter in network.parameters() if parameter.ndim < 2]
    if learn.optimizer == "muon":
        yield Muon(matrices, learn.rate, decay=learn.decay)
        matrices = []
    groups = [{"params": matrices, "weight_decay": learn.decay}, {"params": vectors, "weight_decay": 0.0}]
    yield torch.optim.AdamW([group for group in groups if group["params"]], lr=learn.rate, foreach=False)


def _spread(network: nn.Module, ranks: Ranks) -> nn.Module:
    """The network, its gradients averaged over all ranks."""
    if ranks.world == 1:
        return network
    cards = [ranks.device] if ranks.device.type == "cuda" else None
    return DistributedDataParallel(network, device_ids=cards)
