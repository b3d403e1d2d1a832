"""The window at work: samples become batches, on the host or on the card."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from qilin import cuda_selfplay
from qilin.cuda_selfplay import Barn
from qilin.train.losses import Batch
from qilin.train.oncard import stream_of
from qilin.train.recipe import Recipe
from qilin.train.selfplay import batch_of, kind_of, mixture_of
from qilin.train.shards import Samples
from qilin.train.window import Window

LIGHT = np.dtype([("place", "<i8"), ("weight", "<f4"), ("surprise", "<f4")])  # what the host keeps of a card's sample


class HostReplay(Window):
    """Samples in the host's memory."""

    def __init__(self, recipe: Recipe, device: torch.device) -> None:
        """Empty; batches go to the device."""
        super().__init__(recipe.window)
        self._recipe, self._device = recipe, device

    def batch(self, count: int, rng: np.random.Generator, turns: NDArray[np.uint8] | None) -> Batch:
        """Samples to learn from, turned by symmetries."""
        recipe = self._recipe
        samples = self.draw(count, rng)
        return batch_of(recipe.of(), samples, recipe.targets, turns, recipe.run.threads).to(self._device)


class CardReplay(Window):
    """Samples in the card's memory, a ring that grows with the window. The host only decides which are drawn."""

    def __init__(self, recipe: Recipe, device: torch.device) -> None:
        """Empty."""
        super().__init__(recipe.window)
        self._recipe, self._device, self._game = recipe, device, recipe.of()
        self._size = kind_of(self._game).itemsize
        self._ring = torch.zeros(0, self._size, dtype=torch.uint8, device=device)
        self._places = np.zeros(0, np.int64)  # of samples that lie in the ring, the oldest first

    def add(self, iteration: int, samples: Samples) -> None:
        """Take in an iteration's samples."""
        if not len(samples):
            return
        held = len(self)
        self._places = self._places[len(self._places) - held :]
        self._make_room(held + len(samples))
        taken = np.zeros(len(self._ring), bool)
        taken[self._places] = True
        places = np.flatnonzero(~taken)[: len(samples)]
        rows = np.ascontiguousarray(samples).view(np.uint8).reshape(len(samples), self._size)
        self._ring[torch.from_numpy(places).to(self._device)] = torch.from_numpy(rows).to(self._device)
        light = np.zeros(len(samples), LIGHT)
        light["place"], light["weight"], light["surprise"] = places, samples["weight"], samples["surprise"]
        self._places = np.concatenate([self._places, places])
        super().add(iteration, light)

    def _make_room(self, wanted: int) -> None:
        if wanted <= len(self._ring):
            return
        ring = torch.zeros(max(wanted, 3 * len(self._ring) // 2), self._size, dtype=torch.uint8, device=self._device)
        ring[: len(self._ring)] = self._ring
        self._ring = ring

    def batch(self, count: int, rng: np.random.Generator, turns: NDArray[np.uint8] | None) -> Batch:
        """Samples to learn from, turned by symmetries; planes and targets are written on the card."""
        places = torch.from_numpy(self.draw(count, rng)["place"].astype(np.int64)).to(self._device)
        symmetries = None if turns is None else torch.from_numpy(turns).to(self._device)
        made = self._empty(count)
        cuda_selfplay.examples(
            self._game.name,
            Barn(samples=self._ring.data_ptr(), games=self._ring.data_ptr(), sample_room=len(self._ring), game_room=1),
            count,
            places=places.data_ptr(),
            symmetries=0 if symmetries is None else symmetries.data_ptr(),
            mixture=mixture_of(self._recipe.targets),
            planes=made["planes"].data_ptr(),
            targets={name: tensor.data_ptr() for name, tensor in made.items() if name != "planes"},
            stream=stream_of(self._device),
            on="gpu" if self._device.type == "cuda" else "cpu",
        )
        if self._device.type == "cuda":  # what the kernel reads may go once it has run
            torch.cuda.current_stream(self._device).synchronize()
        return Batch(**made)

    def _empty(self, count: int) -> dict[str, Tensor]:
        """Memory for a batch."""
        slots, board = self._game._rules.max_legal, self._game.shape[1:]
        shapes: dict[str, tuple[tuple[int, ...], torch.dtype]] = {
            "planes": ((count, *self._game.shape), torch.float32),
            "moves": ((count, slots), torch.int64),
            "legal": ((count, slots), torch.bool),
            "shares": ((count, slots), torch.float32),
            "odds": ((count, 3), torch.float32),
            "reply": ((count,), torch.int64),
            "has_reply": ((count,), torch.bool),
            "margin": ((count,), torch.float32),
            "owner": ((count, *board), torch.int64),
            "plies_left": ((count,), torch.float32),
            "was_finished": ((count,), torch.bool),
        }
        assert set(shapes) == {item.name for item in fields(Batch)}
        kinds: dict[str, Any] = {name: kind for name, (_, kind) in shapes.items()}
        return {name: torch.zeros(shape, dtype=kinds[name], device=self._device) for name, (shape, _) in shapes.items()}
