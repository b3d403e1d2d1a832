"""A network in torch: for cards, and where torch is there anyway."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from qilin.errors import BadNetwork
from qilin.networks.files import WEIGHTS, Facts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


class TorchNetwork:
    """Weights on a device."""

    __slots__ = ("_device", "_net", "_torch", "facts")

    def __init__(self, path: Path, *, device: str) -> None:
        """Read the weights.

        :raises BadNetwork: where torch is missing, or can't use the file or the device.
        """
        if path.suffix != WEIGHTS:
            raise BadNetwork(f"{path} is nothing for backend=torch, expected weights ({WEIGHTS})")
        try:
            import torch

            from qilin.train.weights import load_for_play
        except ImportError as error:
            raise BadNetwork(f"backend=torch: {error}: pip install 'qilin[train]'") from None
        if device == "cuda" and not torch.cuda.is_available():
            raise BadNetwork("torch can't use device=cuda here: `qilin doctor` says what is missing")
        net, _, meta = load_for_play(path, device)
        self._torch, self._device, self._net = torch, device, net
        self.facts = Facts.of(meta)

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits of the policy, and of win, draw and loss."""
        with self._torch.inference_mode():
            policy, value = self._net.judge(self._torch.from_numpy(planes).to(self._device))
        return policy.float().cpu().numpy(), value.cpu().numpy()
