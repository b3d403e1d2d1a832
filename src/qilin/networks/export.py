"""Weights into an ONNX graph, checked against torch before it is kept."""

from __future__ import annotations

import logging
import os
import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qilin.errors import BadNetwork
from qilin.networks.files import WEIGHTS, Facts, fingerprint
from qilin.networks.onnx import OUTPUTS, OnnxNetwork
from qilin.state import Game, game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

ALLOWED = 1e-3  # difference of logits between torch and onnxruntime: rounding alone stays far below


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """An ONNX file, and how far its answers are from torch's at most."""

    path: Path
    difference: float  # of logits
    positions: int


def export(weights: Path, graph: Path) -> Exported:
    """Write the ONNX graph of a network, for batches of any size.

    :raises BadNetwork: where a package is missing, or where torch and onnxruntime disagree.
    """
    if weights.suffix != WEIGHTS:
        raise BadNetwork(f"{weights} can't be exported: expected weights ({WEIGHTS}) or a run folder")
    net, config, facts = _read(weights)
    planes = random_planes(game(facts.game, **facts.options), 33)
    with _draft(graph) as draft:
        onnx_file = _with_weights(_template(facts.game, config, net), net, facts)
        draft.write_bytes(onnx_file)
        difference = _difference(net, planes, draft)
        draft.replace(graph)
    return Exported(path=graph, difference=difference, positions=len(planes))


def _read(weights: Path) -> tuple[Any, Any, Facts]:
    """The network as it plays, how it was built, and what is written into the graph about it."""
    try:
        import onnx  # noqa: F401  # asked for here, so that what is missing is named before the work begins
        import onnxscript  # noqa: F401

        from qilin.train.weights import load_for_play
    except ImportError as error:
        raise BadNetwork(
            f"{weights} has no current ONNX graph beside it, and {error}: pip install 'qilin[train]' to make one here, "
            f"or `qilin export {weights}` where that is installed"
        ) from None
    net, config, meta = load_for_play(weights)
    return net, config, Facts.of(meta, source=fingerprint(weights))


@contextmanager
def _draft(graph: Path) -> Iterator[Path]:
    """A file beside `graph` that takes its place at once when it is whole: readers never see half a graph."""
    draft = graph.with_name(f".{graph.name}.{os.getpid()}")
    try:
        graph.parent.mkdir(parents=True, exist_ok=True)
        yield draft
    except OSError as error:
        raise BadNetwork(
            f"{graph} can't be written ({error.strerror}); `qilin export --out` writes elsewhere"
        ) from None
    finally:
        draft.unlink(missing_ok=True)


_TEMPLATES: dict[tuple[str, Any], bytes] = {}  # of this process: tracing takes seconds, exchanging weights does not


def _template(name: str, config: Any, net: Any) -> bytes:
    """The graph of all networks that are built alike."""
    if (name, config) not in _TEMPLATES:
        with _quiet():
            _TEMPLATES[name, config] = _trace(name, net)
    return _TEMPLATES[name, config]


def _trace(name: str, net: Any) -> bytes:
    """What torch's exporter makes of policy and value; the auxiliary heads do not play."""
    import torch

    class Judge(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            said: tuple[torch.Tensor, torch.Tensor] = self.net.judge(planes)
            return said

    with torch.random.fork_rng(devices=[]):
        program = torch.onnx.export(
            Judge().eval(),
            (torch.zeros(5, *game(name).shape),),
            input_names=["planes"],
            output_names=OUTPUTS,
            dynamic_shapes=({0: torch.export.Dim("batch", min=1)},),
            dynamo=True,
            optimize=False,  # onnxruntime does so when it loads; weights keep their names until then
            verbose=False,
        )
    assert program is not None
    graph: bytes = program.model_proto.SerializeToString()
    return graph


@contextmanager
def _quiet() -> Iterator[None]:
    """The exporter warns about itself, at length."""
    log = logging.getLogger("torch.onnx")
    level = log.level
    log.setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    log.setLevel(level)


def _with_weights(template: bytes, net: Any, facts: Facts) -> bytes:
    """The graph with this network's weights, and with what it plays written into it."""
    import onnx

    model = onnx.load_from_string(template)
    weights = {f"net.{name}": tensor for name, tensor in net.state_dict().items()}
    for kept in model.graph.initializer:
        if kept.name in weights:
            kept.CopyFrom(onnx.numpy_helper.from_array(weights[kept.name].numpy(), kept.name))
    onnx.helper.set_model_props(model, facts.as_text())
    onnx.checker.check_model(model)
    data: bytes = model.SerializeToString()
    return data


def _difference(net: Any, planes: Floats, draft: Path) -> float:
    """How far torch and onnxruntime are apart, for batches of several sizes."""
    import torch

    network = OnnxNetwork(draft, threads=1, device="cpu")
    worst = 0.0
    with torch.inference_mode():
        for rows in (1, 2, len(planes)):
            expected = net.judge(torch.from_numpy(planes[:rows]))
            said = network(planes[:rows])
            worst = max(worst, *(_apart(one.numpy(), other) for one, other in zip(expected, said, strict=True)))
    if not worst <= ALLOWED:
        raise BadNetwork(
            f"the graph is wrong by {worst:.2g} against torch, expected {ALLOWED:g} at most: nothing is kept"
        )
    return worst


def _apart(expected: Floats, said: Floats) -> float:
    assert expected.shape == said.shape
    return float(abs(expected - said).max())


def random_planes(of: Game, number: int) -> Floats:
    """Positions of random games, as networks see them: (number, planes, rows, cols)."""
    import numpy as np

    rng = random.Random(1)
    found: list[Floats] = []
    state = of.start()
    while len(found) < number:
        if state.is_over:
            state = of.start()
        elif state.is_chance:
            chances = state.outcomes()
            state = state.play(rng.choices(list(chances), list(chances.values()))[0])
        else:
            found.append(state.planes())
            state = state.play(rng.choice(state.moves()))
    return np.stack(found)
