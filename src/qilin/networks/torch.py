"""A network in torch: for cards, and where torch is there anyway."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from qilin.errors import BadNetwork
from qilin.networks.files import WEIGHTS, Facts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qilin.networks.oncard import CardJudge

    Floats = NDArray[np.float32]


def torch_network(path: Path, device: str) -> TorchNetwork | CardJudge:
    """The weights of a file, on a device.

    :raises BadNetwork: where torch is missing, or can't use the file or the device.
    """
    if path.suffix != WEIGHTS:
        raise BadNetwork(f"{path} is nothing for backend=torch, expected weights ({WEIGHTS})")
    try:
        from qilin.networks.oncard import judge_on_card
    except ImportError as error:
        raise BadNetwork(f"backend=torch: {error}: pip install 'qilin[train]'") from None
    return judge_on_card(path) if device == "cuda" else TorchNetwork(path)


class TorchNetwork:
    """Weights on the CPU."""

    __slots__ = ("_net", "_torch", "facts")

    def __init__(self, path: Path) -> None:
        """Read the weights."""
        import torch

        from qilin.train.weights import load_for_play

        self._torch, (self._net, _, meta) = torch, load_for_play(path)
        self.facts = Facts.of(meta)

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits of the policy, and of win, draw and loss."""
        with self._torch.inference_mode():
            policy, value = self._net.judge(self._torch.from_numpy(planes))
        return policy.float().numpy(), value.numpy()

    def ask(self, planes: Floats) -> Callable[[], tuple[Floats, Floats]]:
        """The answer is there at once."""
        said = self(planes)
        return lambda: said
