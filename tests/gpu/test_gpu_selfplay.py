"""Self-play on a card is self-play on a CPU: the same games and samples, on any number of lanes. `make test-gpu`.

Both sides ask a network that is a fixed matrix on the host, so that nothing but the games can differ. The package is
needed, and with it numpy and torch.
"""

import sys
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from test_gpu_forest import Network
from test_gpu_rules import cuda as rules
from test_gpu_rules import need, no_library

TREES, STEPS = 96, 2600


def settings(kind: str) -> tuple[Any, Any]:
    """A search and a play with everything switched on that draws random numbers."""
    from qilin import _core
    from qilin.forest import search

    play = _core.Play()
    play.opening_plies, play.full_share, play.fast_simulations = 6, 0.5, 5
    play.resign_below, play.resign_check = -0.9, 0.5
    return search(kind=kind, simulations=16, noise_weight=0.25, root_temperature=1.1, forced_playouts=2.0), play


class Side:
    """The games of one place, with their rings."""

    def __init__(self, name: str, kind: str, on: Any) -> None:
        import torch

        import qilin
        from qilin import cuda_selfplay
        from qilin.cuda_selfplay import Barn

        self.game, where = qilin.game(name), "cuda" if on == "gpu" else "cpu"
        search, play = settings(kind)
        sizes = cuda_selfplay.sizes(name, search, TREES)
        self.memory = torch.empty(sizes.all + 64, dtype=torch.uint8, device=where)
        self.samples = torch.zeros(60_000, sizes.sample, dtype=torch.uint8, device=where)
        self.ended = torch.zeros(4000, sizes.game, dtype=torch.uint8, device=where)
        self.planes = torch.zeros(TREES, *self.game.shape, device=where)
        barn = Barn(
            samples=self.samples.data_ptr(), games=self.ended.data_ptr(), sample_room=len(self.samples),
            game_room=len(self.ended),
        )  # fmt: skip
        begin = -(-self.memory.data_ptr() // 64) * 64
        self.games = cuda_selfplay.SelfPlay(
            name, search, play, trees=TREES, memory=begin, size=sizes.all, barn=barn, seed=7,
            settings=self.game.options, on=on,
        )  # fmt: skip

    def step(self, network: Network) -> None:
        import torch

        self.games.turn()
        self.games.forest.look(self.planes.data_ptr())
        answers = [torch.from_numpy(x).to(self.planes.device) for x in network(self.planes.cpu().numpy())]
        strides = (answers[0].shape[1], 3)
        self.games.forest.learn(
            answers[0].data_ptr(), answers[1].data_ptr(), strides=strides, number="float32", form="logits"
        )
        if self.planes.is_cuda:
            torch.cuda.synchronize()

    def harvest(self) -> tuple[list[Any], Any]:
        """All games in words, which the rules have agreed to, and all samples, both by number."""
        import numpy as np

        from qilin import _core
        from qilin.train.selfplay import kind_of

        given = self.games.given()
        records = self.ended[: given.games].cpu().numpy().reshape(-1)
        told = _core.told_games(self.game.start()._position, records)
        samples = self.samples[: given.samples].cpu().numpy().reshape(-1).view(kind_of(self.game))
        return sorted(told, key=lambda one: one.number), samples[np.lexsort((samples["note"], samples["game"]))]


def same(card: Side, host: Side, what: str) -> int:
    """Whether both have given the same; answers how many games."""
    (mine, my_samples), (theirs, their_samples) = card.harvest(), host.harvest()
    assert len(mine) == len(theirs) > 5, f"{what}: {len(mine)} games, {len(theirs)} on the host"
    for one, other in zip(mine, theirs, strict=True):
        for name in ("number", "moves", "values", "fast", "winner", "reason", "plies", "opening", "resigner"):
            assert getattr(one, name) == getattr(other, name), f"{what}: {name} of game {one.number}"
    assert len(my_samples) == len(their_samples)
    taught = [lessons(card, samples) for samples in (my_samples, their_samples)]
    for name in taught[0]:
        assert (taught[0][name] == taught[1][name]).all(), f"{what}: {name} of samples"
    for name in ("surprise", "value", "draws", "ply", "note", "count"):
        assert (my_samples[name] == their_samples[name]).all(), f"{what}: {name} of samples"
    return len(mine)


def surprise_of_draws(side: Side, told: list[Any], samples: Any, play: Any) -> float:
    """By how many standard deviations the plies that were played miss the policies they were drawn from.

    What is counted is how often the most likely move was played, and how likely the played ones were. Of every tree as
    many games are looked at as all trees have finished: the others' first games are more often short ones.
    """
    import numpy as np

    rounds = min(np.bincount([one.number % TREES for one in told], minlength=TREES))
    start, games = side.game.start(), {one.number: one for one in told if one.number < rounds * TREES}
    if not games:
        return 0.0
    missed, variance = np.zeros(2), np.zeros(2)
    for sample in samples:
        game = games.get(int(sample["game"]))
        if game is None or sample["note"] >= len(game.moves):  # where the mover resigned
            continue
        halvings = (int(sample["ply"]) - game.opening) / play.temperature_plies
        temperature = play.temperature_end + (play.temperature - play.temperature_end) * 0.5**halvings
        count = int(sample["count"])
        shares = sample["shares"][:count].astype(np.float64) / 65535
        odds = np.where(shares > 0, shares ** (1 / temperature), 0)
        odds /= odds.sum()
        names = [start.move_text(int(move)) for move in sample["moves"][:count]]
        played = names.index(game.moves[int(sample["note"])])
        assert odds[played] > 0, f"{names[played]} was played, whose share is 0"
        for number, worth in enumerate((odds == odds.max(), np.log(np.maximum(odds, 1e-9)))):
            mean = float((odds * worth).sum())
            missed[number] += worth[played] - mean
            variance[number] += float((odds * worth**2).sum()) - mean**2
    assert (variance > 10).all(), f"too little was left to chance: {variance}"
    return float(np.abs(missed / np.sqrt(variance)).max())


def lessons(side: Side, samples: Any) -> Any:
    """What samples teach. (Their bytes have gaps, in which anything may lie.)"""
    import numpy as np

    from qilin import _core

    flat = np.ascontiguousarray(samples).view(np.uint8).reshape(-1)
    turns = (np.arange(len(samples)) % side.game.symmetries).astype(np.uint8)
    return _core.examples(side.game._rules, flat, turns, _core.Mixture(), 1)


class TestSelfPlay(unittest.TestCase):
    def setUp(self) -> None:
        need(no_library() or rules.why_not())

    def compare(self, name: str, kind: str) -> None:
        card, host, network = Side(name, kind, "gpu"), Side(name, kind, "cpu"), Network(name)
        for _ in range(STEPS):
            card.step(network)
            host.step(network)
        games = same(card, host, f"{name} {kind}")
        missed = surprise_of_draws(card, *card.harvest(), settings(kind)[1])
        assert missed < 4.5, f"{name} {kind}: plies miss their policies by {missed:.1f} standard deviations"
        print(f"  {name} {kind}: {games} games, every ply, value and sample the same; plies drawn as they should be "
              f"({missed:.1f} standard deviations)", flush=True)  # fmt: skip
        card.games.close()
        host.games.close()


def add(name: str, kind: str) -> None:
    setattr(TestSelfPlay, f"test_{name}_{kind}", lambda self: self.compare(name, kind))


for game_name in ("connect_four", "ataxx", "popucom", "liuzhou", "dark_chess", "xiangqi"):
    for search_kind in ("puct", "gumbel"):
        add(game_name, search_kind)


if __name__ == "__main__":
    unittest.main(verbosity=1)
