"""The learner: it fits what it is shown, every head lowers its own loss, only legal moves count, it goes on exactly."""

import random

import pytest
import torch
from torch import Tensor

import qilin
from qilin.train.learner import Learner, rate_at
from qilin.train.losses import Batch, legal_policy, losses
from qilin.train.muon import orthogonal
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe, make_recipe
from qilin.train.settings import Learn, Targets

ALONE = Ranks(0, 1, torch.device("cpu"))


def recipe_of(name: str, **sections: dict[str, object]) -> Recipe:
    net = {"channels": 16, "blocks": 2, **sections.pop("net", {})}
    learn = {"warmup": 0, "average": "off", "rate": 5e-3, **sections.pop("learn", {})}
    return make_recipe({"game": name, "net": net, "learn": learn, **sections})


def some_states(name: str, count: int) -> list[qilin.State]:
    """Different positions of random games."""
    rng, found = random.Random(7), dict[str, qilin.State]()
    while len(found) < count:
        state = qilin.game(name).start()
        while not state.is_over and len(found) < count:
            if state.is_chance:
                state = state.play(rng.choice(list(state.outcomes())))
                continue
            found[str(state)] = state
            state = state.play(rng.choice(state.indices()))
    return list(found.values())


def batch_of(states: list[qilin.State], seed: int = 1) -> Batch:
    """Positions with targets that nothing but memory can fit."""
    generator = torch.Generator().manual_seed(seed)
    size, slots = len(states), max(len(state.indices()) for state in states)
    moves = torch.zeros(size, slots, dtype=torch.int64)
    legal = torch.zeros(size, slots, dtype=torch.bool)
    for row, state in enumerate(states):
        indices = state.indices()
        moves[row, : len(indices)] = torch.tensor(indices)
        legal[row, : len(indices)] = True
    wild = torch.rand(size, slots, generator=generator).pow(8).masked_fill(~legal, 0)
    _, rows, cols = states[0].game.shape
    return Batch(
        planes=torch.stack([torch.from_numpy(state.planes()) for state in states]),
        moves=moves,
        legal=legal,
        shares=wild / wild.sum(1, keepdim=True),
        odds=torch.eye(3)[torch.randint(0, 3, (size,), generator=generator)],
        reply=torch.randint(0, states[0].game.policy_size, (size,), generator=generator),
        has_reply=torch.rand(size, generator=generator) < 0.9,
        margin=torch.randn(size, generator=generator),
        owner=torch.randint(0, 3, (size, rows, cols), generator=generator),
        plies_left=torch.randint(1, 60, (size,), generator=generator).float(),
        was_finished=torch.rand(size, generator=generator) < 0.9,
    )


def entropy(shares: Tensor) -> float:
    return float(-(shares * shares.clamp(min=1e-12).log()).sum(1).mean())


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_the_network_fits_256_fixed_positions(optimizer: str) -> None:
    learn = {"optimizer": optimizer, "rate": 1e-2, "decay": 0.0, "clip": "off"}
    learner = Learner(recipe_of("connect_four", net={"channels": 24, "blocks": 1}, learn=learn), ALONE)
    batch = batch_of(some_states("connect_four", 256))
    for _ in range(120):
        found = learner.step(batch)
    assert float(found["policy"]) < entropy(batch.shares) + 0.1
    assert float(found["value"]) < 0.1
    assert float(found["policy_accuracy"]) > 0.85
    assert float(found["value_accuracy"]) > 0.97


@pytest.mark.parametrize("head", ["margin", "ownership", "soft_policy", "reply", "plies_left"])
def test_every_auxiliary_head_lowers_its_own_loss(head: str) -> None:
    learner = Learner(recipe_of("popucom", loss={"policy": 0.0, "value": 0.0, head: 1.0}), ALONE)
    batch = batch_of(some_states("popucom", 24))
    seen = [float(learner.step(batch)[head]) for _ in range(50)]
    least = entropy(batch.shares**0.25 / (batch.shares**0.25).sum(1, keepdim=True)) if head == "soft_policy" else 0.0
    assert seen[-1] - least < 0.75 * (seen[0] - least)


def test_a_head_that_is_off_does_not_exist() -> None:
    learner = Learner(recipe_of("popucom"), ALONE)
    assert set(learner.step(batch_of(some_states("popucom", 4)))) >= {"policy", "value", "total"}
    assert set(learner.network(torch.zeros(1, *qilin.game("popucom").shape))) == {"policy", "value"}


def test_only_legal_moves_count() -> None:
    batch = batch_of(some_states("liuzhou", 8))
    logits = torch.zeros(8, qilin.game("liuzhou").policy_size)
    legal = torch.zeros_like(logits, dtype=torch.bool)
    for row in range(8):
        legal[row, batch.moves[row][batch.legal[row]]] = True
    said = {"policy": logits, "value": torch.zeros(8, 3)}
    before = losses(said, batch, Targets())["policy"]
    said["policy"] = logits.masked_fill(~legal, 50.0)
    assert torch.equal(losses(said, batch, Targets())["policy"], before)
    assert torch.allclose(legal_policy(logits, batch).exp().sum(1), torch.ones(8))


def test_what_a_resigned_game_did_not_show_is_not_learned() -> None:
    batch = batch_of(some_states("popucom", 6))
    network = Learner(recipe_of("popucom", loss={"margin": 1.0, "ownership": 1.0}), ALONE).network
    said = network(batch.planes)
    found = losses(said, batch, Targets())
    changed = batch.margin.where(batch.was_finished, torch.tensor(1e3))
    fields = {name: getattr(batch, name) for name in Batch.__slots__}
    again = losses(said, Batch(**{**fields, "margin": changed}), Targets())
    assert torch.equal(found["margin"], again["margin"])


def test_the_rate_warms_up_and_falls() -> None:
    learn = Learn(rate=1.0, warmup=10, cosine=100, rate_end=0.1)
    rates = [rate_at(step, learn) for step in (0, 4, 9, 10, 60, 110, 500)]
    assert rates == pytest.approx([0.1, 0.5, 1.0, 1.0, 0.55, 0.1, 0.1])
    assert rate_at(5000, Learn(rate=1.0, warmup=10)) == 1.0


def test_orthogonal_is_nearly_that() -> None:
    for shape in ((8, 20), (20, 8)):
        found = orthogonal(torch.randn(*shape, generator=torch.Generator().manual_seed(2)))
        values = torch.linalg.svdvals(found)
        assert 0.5 < float(values.min()) <= float(values.max()) < 1.4


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_a_learner_goes_on_exactly(optimizer: str) -> None:
    recipe = recipe_of("connect_four", net={"channels": 8}, learn={"optimizer": optimizer, "average": 0.9})
    batch = batch_of(some_states("connect_four", 16))
    one, other = Learner(recipe, ALONE), Learner(recipe, ALONE)
    for _ in range(3):
        one.step(batch)
    other.load(one.tensors(), one.steps)
    for learner in (one, other):
        learner.step(batch)
    ours, theirs = one.tensors(), other.tensors()
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_the_average_follows_the_weights() -> None:
    learner = Learner(recipe_of("connect_four", learn={"average": 0.5}), ALONE)
    old = {name: tensor.clone() for name, tensor in learner.average.items()}
    learner.step(batch_of(some_states("connect_four", 8)))
    new = learner.network.state_dict()
    share = 1 - min(0.5, 2 / 11)
    name = "value.weight"
    torch.testing.assert_close(learner.average[name], old[name].lerp(new[name], share))
