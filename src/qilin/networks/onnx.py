"""A network in onnxruntime: light, and fast on a CPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qilin.errors import BadEvaluation, BadNetwork
from qilin.networks.files import Facts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

OUTPUTS = ["policy", "value"]
PROVIDERS = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}


class OnnxNetwork:
    """An open session."""

    __slots__ = ("_session", "facts")

    def __init__(self, path: Path, *, threads: int, device: str) -> None:
        """Read the graph.

        :raises BadNetwork: where onnxruntime is missing, or can't use the file or the device.
        """
        self._session = _session(path, threads, device)
        self.facts = Facts.from_text(self._session.get_modelmeta().custom_metadata_map, path)

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits of the policy, and of win, draw and loss."""
        try:
            policy, value = self._session.run(OUTPUTS, {"planes": planes})
        except Exception as error:
            # onnxruntime's errors have no class in common but this one.
            raise BadEvaluation(f"planes {planes.shape} can't be evaluated: {_first_line(error)}") from None
        return policy, value

    def ask(self, planes: Floats) -> Callable[[], tuple[Floats, Floats]]:
        """The answer is there at once."""
        said = self(planes)
        return lambda: said


def runtime() -> Any:
    """The package onnxruntime.

    :raises BadNetwork: where it is missing.
    """
    try:
        import onnxruntime
    except ImportError:
        raise BadNetwork(
            "onnxruntime is not installed: pip install 'qilin[net]'; or play with torch where it is: backend=torch"
        ) from None
    return onnxruntime


def _session(path: Path, threads: int, device: str) -> Any:
    onnxruntime = runtime()
    if PROVIDERS[device] not in onnxruntime.get_available_providers():
        raise BadNetwork(f"this onnxruntime can't use device={device}: pip install onnxruntime-gpu, or backend=torch")
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads, settings.inter_op_num_threads, settings.log_severity_level = threads, 1, 3
    try:
        return onnxruntime.InferenceSession(str(path), settings, providers=[PROVIDERS[device]])
    except Exception as error:
        # onnxruntime's errors have no class in common but this one.
        raise BadNetwork(f"{path} can't be loaded: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
