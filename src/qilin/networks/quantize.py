"""A network in 8-bit integers: smaller, on many CPUs faster, and a little less exact. How much less is measured."""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qilin.errors import BadNetwork
from qilin.networks.files import Facts
from qilin.networks.load import Network
from qilin.networks.onnx import OnnxNetwork
from qilin.rating import Z95
from qilin.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BATCH = 32  # positions at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What 8 bits cost, on positions that calibration has not seen."""

    positions: int
    agreement: float  # share of positions where both like the same legal move best
    agreement_low: float  # 95 %
    agreement_high: float
    divergence: float  # mean of KL(32 bits, 8 bits) over the legal moves, nats
    value_error: float  # mean difference of the expected result, whose range is -1 … +1
    value_error_worst: float
    size: float  # of the file, as a share of the other's
    speed: float  # positions a second, as a multiple of the other's

    def as_json(self) -> dict[str, float]:
        """For machines."""
        return asdict(self)

    def __str__(self) -> str:
        """As people read it."""
        return (
            f"the same best move in {self.agreement:.1%} of {self.positions} positions "
            f"({self.agreement_low:.1%} … {self.agreement_high:.1%}), divergence {self.divergence:.4f} nats, "
            f"value off by {self.value_error:.3f} (at most {self.value_error_worst:.3f}), "
            f"{self.size:.0%} of the size, {self.speed:.1f}× the speed"
        )


def quantize(graph: Path, out: Path, states: Sequence[State]) -> Loss:
    """Write the 8-bit graph, calibrated on half of the states, and measure it on the other half.

    :raises BadNetwork: where a package is missing.
    """
    calibrating, measuring = states[::2], states[1::2]
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "optimised.onnx"
        _optimise(graph, plain)
        _quantize(plain, out, calibrating)
    exact = OnnxNetwork(graph, threads=1, device="cpu")
    _sign(out, exact.facts)
    return measure(
        exact, OnnxNetwork(out, threads=1, device="cpu"), measuring, out.stat().st_size / graph.stat().st_size
    )


def _optimise(graph: Path, out: Path) -> None:
    """Constants folded, as the quantizer wants it; nothing that depends on this machine."""
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    settings.optimized_model_filepath = str(out)
    settings.log_severity_level = 3
    onnxruntime.InferenceSession(str(graph), settings, providers=["CPUExecutionProvider"])


def _quantize(graph: Path, out: Path, states: Sequence[State]) -> None:
    try:
        from onnxruntime import quantization
    except ImportError as error:
        raise BadNetwork(f"8 bits need onnx and onnxruntime, and {error}: pip install 'qilin[train]'") from None

    class Reader(quantization.CalibrationDataReader):  # type: ignore[misc]  # onnxruntime has no types
        def __init__(self) -> None:
            self.batches: Iterator[Any] = ({"planes": planes} for planes in batches(states))

        def get_next(self) -> Any:
            return next(self.batches, None)

    with _quiet():
        quantization.quantize_static(
            str(graph),
            str(out),
            Reader(),
            quant_format=quantization.QuantFormat.QDQ,
            op_types_to_quantize=["Conv", "MatMul", "Gemm"],
            per_channel=True,
            reduce_range=True,  # without VNNI two products of 8 bits may overflow 16
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            calibrate_method=quantization.CalibrationMethod.MinMax,
            extra_options={"ActivationSymmetric": False},
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """The quantizer logs advice that was followed already, to the root logger."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _sign(path: Path, facts: Facts) -> None:
    import onnx

    model = onnx.load(str(path))
    onnx.helper.set_model_props(model, facts.as_text())
    onnx.save(model, str(path))


def batches(states: Sequence[State]) -> Iterator[Floats]:
    """What a network sees of the states."""
    for at in range(0, len(states), BATCH):
        yield np.stack([state.planes() for state in states[at : at + BATCH]])


def measure(exact: Network, rough: Network, states: Sequence[State], size: float) -> Loss:
    """Compare two networks on states that are neither over nor chance's."""
    first, second = ([network(planes) for planes in batches(states)] for network in (exact, rough))
    policies = [np.concatenate([policy for policy, _ in said]) for said in (first, second)]
    values = [_expected(np.concatenate([value for _, value in said])) for said in (first, second)]
    same, divergence = _policies_apart(policies[0], policies[1], states)
    off = abs(values[0] - values[1])
    low, high = _binomial(same.sum(), len(states))
    return Loss(
        positions=len(states),
        agreement=float(same.mean()),
        agreement_low=low,
        agreement_high=high,
        divergence=float(divergence.mean()),
        value_error=float(off.mean()),
        value_error_worst=float(off.max()),
        size=size,
        speed=_speed(rough, states) / _speed(exact, states),
    )


def _expected(logits: Floats) -> Floats:
    """The expected result, of logits of win, draw and loss."""
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    expected: Floats = odds[:, 0] - odds[:, 2]
    return expected


def _policies_apart(first: Floats, second: Floats, states: Sequence[State]) -> tuple[Floats, Floats]:
    same, divergence = np.zeros(len(states), np.float32), np.zeros(len(states), np.float32)
    for row, state in enumerate(states):
        legal = state.indices()
        p, q = (_log_softmax(policy[row, legal]) for policy in (first, second))
        same[row] = p.argmax() == q.argmax()
        divergence[row] = (np.exp(p) * (p - q)).sum()
    return same, divergence


def _log_softmax(logits: Floats) -> Floats:
    shifted: Floats = logits - logits.max()
    normal: Floats = shifted - np.log(np.exp(shifted).sum())
    return normal


def _binomial(successes: float, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval, which stays within 0 … 1."""
    share, z = successes / of, Z95**2 / of
    middle, half = share + z / 2, Z95 * float(np.sqrt(share * (1 - share) / of + z / (4 * of)))
    return float((middle - half) / (1 + z)), float((middle + half) / (1 + z))


def _speed(network: Network, states: Sequence[State]) -> float:
    """Positions a second, in batches; the best of three rounds, since others use the machine too."""
    planes = list(batches(states))
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        for one in planes:
            network(one)
        best = max(best, len(states) / (time.perf_counter() - began))
    return best
