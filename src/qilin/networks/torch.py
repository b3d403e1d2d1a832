"""A network in torch: for cards, and where torch is there anyway."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from qilin.errors import BadNetwork
from qilin.networks.files import WEIGHTS, Facts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qilin.networks.oncard import CardJudge
    from qilin.train.network import Network

    Floats = NDArray[np.float32]


class TorchNetwork:
    """Weights on a device."""

    __slots__ = ("_net", "facts")

    def __init__(self, path: Path, *, device: str) -> None:
        """Read the weights.

        :raises BadNetwork: where torch is missing, or can't use the file or the device.
        """
        if path.suffix != WEIGHTS:
            raise BadNetwork(f"{path} is nothing for backend=torch, expected weights ({WEIGHTS})")
        try:
            from qilin.networks.oncard import judge_on_card
            from qilin.train.weights import load_for_play
        except ImportError as error:
            raise BadNetwork(f"backend=torch: {error}: pip install 'qilin[train]'") from None
        self._net: Network | CardJudge
        if device == "cuda":
            self._net, meta = judge_on_card(path)
        else:
            self._net, _, meta = load_for_play(path)
        self.facts = Facts.of(meta)

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits of the policy, and of win, draw and loss. What a card says stays until it is asked again."""
        import torch

        with torch.inference_mode():
            policy, value = self._net.judge(torch.from_numpy(planes))
        return policy.numpy(), value.numpy()
