"""The forest on a card is the forest on a CPU: every tree, to the last bit, over whole games. `make test-gpu`.

Both are asked the same questions and told the same: a network that is a fixed matrix, so that nothing but the trees can
differ. numpy and torch are needed, the latter for the card's memory.
"""

import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from test_gpu_rules import cuda, need, no_library

SHAPES = {  # planes, ranks, files, moves: asked of the library's planes below, so a wrong one is found
    "connect_four": (3, 6, 7, 7),
    "ataxx": (9, 7, 7, 834),
    "popucom": (8, 9, 9, 81),
    "liuzhou": (20, 6, 6, 216),
    "dark_chess": (38, 4, 4, 112),
    "xiangqi": (22, 10, 9, 8100),
}
TREES, PLIES = 48, 400


def search(kind: str, simulations: int, leaves: int) -> SimpleNamespace:
    """Settings with everything switched on that draws random numbers."""
    return SimpleNamespace(
        kind=SimpleNamespace(name=kind), simulations=simulations, leaves=leaves, stop_early=False, considered=8,
        c_puct=1.0, c_growth=0.45, c_scale=500.0, fpu_reduction=0.2, root_fpu_reduction=0.0, root_temperature=1.1,
        noise_weight=0.25, noise_alpha=10.83, gumbel_noise=1.0, gumbel_visits=50.0, gumbel_scale=1.0,
        forced_playouts=0.0,
    )  # fmt: skip


class Side:
    """One of the two forests, with its arrays."""

    def __init__(self, name: str, how: SimpleNamespace, on: str, trees: int = TREES) -> None:
        import torch

        planes, ranks, files, moves = SHAPES[name]
        self.rows, self.moves_count, self.on = trees * how.leaves, moves, on
        where = "cuda" if on == "gpu" else "cpu"
        size = cuda.forest_bytes(name, how, trees)
        self.memory = torch.empty(size, dtype=torch.uint8, device=where)
        self.planes = torch.zeros(self.rows, planes, ranks, files, device=where)
        self.moves = torch.zeros(trees, dtype=torch.int32, device=where)
        self.policy = torch.zeros(trees, moves, device=where)
        self.values = torch.zeros(trees, 2, device=where)
        self.forest = cuda.Forest(
            name, how, trees=trees, memory=self.memory.data_ptr(), size=size, seed=5, on=on, text=""
        )

    def look(self) -> Any:
        self.forest.look(self.planes.data_ptr())
        return self.planes.cpu().numpy()

    def learn(self, logits: Any, values: Any) -> None:
        import torch

        where = self.planes.device
        logits, values = (torch.from_numpy(x).to(where) for x in (logits, values))
        self.forest.learn(
            logits.data_ptr(), values.data_ptr(), strides=(self.moves_count, 3), number="float32", form="logits"
        )
        if self.on == "gpu":
            torch.cuda.synchronize()

    def find(self, temperature: float) -> Any:
        self.forest.find(
            policy=self.policy.data_ptr(),
            values=self.values.data_ptr(),
            moves=self.moves.data_ptr(),
            temperature=temperature,
        )
        return self.moves.cpu().numpy(), self.policy.cpu().numpy(), self.values.cpu().numpy()


class Network:
    """A fixed matrix, in double precision, on the host: the same numbers for both sides."""

    def __init__(self, name: str, sure: float = 0.3) -> None:
        import numpy as np

        planes, ranks, files, moves = SHAPES[name]
        random = np.random.default_rng(1)
        self.into = random.standard_normal((planes * ranks * files, 64)) * 0.2
        self.out = random.standard_normal((64, moves + 3)) * sure
        self.count = moves

    def __call__(self, planes: Any) -> tuple[Any, Any]:
        import numpy as np

        hidden = np.tanh(planes.reshape(len(planes), -1).astype(np.float64) @ self.into)
        out = (hidden @ self.out).astype(np.float32)
        return np.ascontiguousarray(out[:, : self.count]), np.ascontiguousarray(out[:, self.count :])


def surprise_of_draws(side: Side, temperature: float) -> float:
    """By how many standard deviations the moves drawn in all trees miss the policies they were drawn from.

    What is counted is how often each tree's most likely move was drawn, and how likely the drawn ones were.
    """
    import numpy as np

    moves, policy, _ = side.find(temperature)
    shares = policy.astype(np.float64)
    odds = np.where(shares > 0, np.maximum(shares, 1e-30) ** (1 / temperature), 0)
    odds /= odds.sum(1, keepdims=True)
    missed = []
    for worth in (odds == odds.max(1, keepdims=True), np.log(np.maximum(odds, 1e-9))):
        mean = (odds * worth).sum(1)
        variance = (odds * worth**2).sum(1) - mean**2
        assert variance.sum() > 10, "too little is left to chance"
        drawn = np.take_along_axis(worth, moves[:, None].astype(np.int64), 1)[:, 0]
        missed.append((drawn - mean).sum() / np.sqrt(variance.sum()))
    assert (np.take_along_axis(odds, moves[:, None].astype(np.int64), 1) > 0).all()
    return float(np.abs(missed).max())


def check_draws(name: str, kind: str, on: str, trees: int) -> None:
    """Moves drawn from noisy searches of the start, a different one in each tree."""
    network, side = Network(name, sure=0.03), Side(name, search(kind, 24, 1), on, trees)
    for _ in range(24 + 1 + 8):
        side.learn(*network(side.look()))
    for temperature in (1.0, 0.5):
        missed = surprise_of_draws(side, temperature)
        print(f"  {name} {kind} at {temperature}: drawn moves miss by {missed:.1f} standard deviations", flush=True)
        assert missed < 4.5
    side.forest.close()


class TestForest(unittest.TestCase):
    def setUp(self) -> None:
        need(no_library() or cuda.why_not())

    def compare(self, name: str, kind: str, simulations: int, leaves: int, plies: int = PLIES) -> None:
        import numpy as np

        how, network = search(kind, simulations, leaves), Network(name)
        card, host = Side(name, how, "gpu"), Side(name, how, "cpu")
        for ply in range(plies):
            for _ in range(simulations // leaves + 1 + 8):
                seen, expected = card.look(), host.look()
                assert (seen == expected).all(), f"{name} {kind}: planes differ at ply {ply}"
                answer = network(seen)
                card.learn(*answer)
                host.learn(*answer)
            for tree in range(0, TREES, 1 if ply < 4 else 7):
                assert card.forest.seal(tree) == host.forest.seal(tree), f"{name} {kind} ply {ply} tree {tree}"
            found, expected = card.find(1.0), host.find(1.0)
            for what, mine, theirs in zip(("moves", "policy", "values"), found, expected, strict=True):
                assert (mine == theirs).all(), f"{name} {kind}: {what} differ at ply {ply}"
            if not np.any(found[0] >= 0):
                break
            for side in (card, host):
                side.forest.advance(side.moves.data_ptr(), keep=ply % 3 > 0)
        assert card.forest.broken() == 0
        print(f"  {name} {kind} leaves {leaves}: {ply + 1} plies, every tree the same", flush=True)
        for side in (card, host):
            side.forest.close()

    def test_what_is_no_number_is_counted_and_left_out(self) -> None:
        import numpy as np

        card = Side("connect_four", search("puct", 10, 1), "gpu")
        planes = card.look()
        logits, values = Network("connect_four")(planes)
        logits[3, 2] = np.nan
        values[4, 0] = np.inf
        card.learn(logits, values)
        assert card.forest.broken() == 2


def add(name: str, kind: str) -> None:
    def test(self: TestForest) -> None:
        self.compare(name, kind, simulations=40, leaves=1, plies=60 if name == "xiangqi" else PLIES)
        self.compare(name, kind, simulations=48, leaves=6, plies=12)
        check_draws(name, kind, "gpu", trees=4096)

    setattr(TestForest, f"test_{name}_{kind}", test)


for game_name in SHAPES:
    for search_kind in ("puct", "gumbel"):
        add(game_name, search_kind)


if __name__ == "__main__":
    unittest.main(verbosity=1)
