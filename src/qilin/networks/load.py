"""A network file as a function."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from qilin.errors import BadNetwork
from qilin.networks.files import GRAPH, Facts, find, fingerprint
from qilin.networks.onnx import OnnxNetwork, runtime
from qilin.networks.torch import torch_network

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


class Network(Protocol):
    """What a loaded network can do."""

    @property
    def facts(self) -> Facts:
        """What its file says about it."""

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits of the policy (n, policy_size), and of win, draw, loss (n, 3), for planes (n, planes, rows, cols)."""

    def ask(self, planes: Floats) -> Callable[[], tuple[Floats, Floats]]:
        """The same, for who has something to do meanwhile: what is answered says it when it is there."""


def load(path: Path, backend: str = "onnx", *, threads: int = 1, device: str = "cpu") -> Network:
    """The network at `path`: weights, an ONNX file, or a run folder. A file is loaded once a process.

    :raises BadNetwork: with a remedy, where something is missing or damaged.
    """
    file = find(path)
    if backend == "onnx":
        file = graph_of(file)
    return _load(file, file.stat().st_mtime_ns, backend, threads, device)


@lru_cache(maxsize=8)
def _load(file: Path, _changed: int, backend: str, threads: int, device: str) -> Network:
    if backend == "torch":
        return torch_network(file, device)
    return OnnxNetwork(file, threads=threads, device=device)


def graph_of(file: Path) -> Path:
    """The ONNX file of a network: itself, or the one beside its weights, made on first use where torch can make it."""
    if file.suffix == GRAPH:
        return file
    runtime()
    graph = file.with_suffix(GRAPH)
    if _is_current(graph, file):
        return graph
    from qilin.networks.export import export  # torch is loaded only where a graph is to be made

    return export(file, graph).path


def _is_current(graph: Path, weights: Path) -> bool:
    """Whether a graph is there, whole, and made from these weights."""
    try:
        return graph.is_file() and OnnxNetwork(graph, threads=1, device="cpu").facts.source == fingerprint(weights)
    except BadNetwork:
        return False
