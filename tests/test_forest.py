"""The forest in Python: batches of leaves, any evaluator, the same trees on any number of threads."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import qilin

pytestmark = pytest.mark.parametrize("name", qilin.games())


def network(planes: NDArray[np.float32], policy: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A fixed nonsense network: a pure function of the planes."""
    flat = planes.reshape(len(planes), -1)
    salt = np.random.default_rng(0).standard_normal((flat.shape[1], 8)).astype(np.float32)
    features = np.tanh(flat @ salt * 0.1)
    spread = np.random.default_rng(1).standard_normal((8, policy)).astype(np.float32)
    return features @ spread, np.tanh(features[:, 0])


def grown(name: str, *, threads: int = 1, kind: str = "puct", leaves: int = 1) -> qilin.Forest:
    game = qilin.game(name)
    settings = qilin.search(simulations=60, kind=kind, leaves=leaves, noise_weight=0.25)
    forest = qilin.Forest(game, trees=6, search=settings, seed=7, threads=threads)
    while len(planes := forest.leaves()):
        assert planes.shape[1:] == game.shape
        forest.grow(*network(planes, game.policy_size))
    return forest


@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_trees_are_the_same_on_one_thread_and_on_two(name: str, kind: str) -> None:
    one, two = grown(name, kind=kind), grown(name, kind=kind, threads=2)
    assert [one.json(tree, depth=3) for tree in range(6)] == [two.json(tree, depth=3) for tree in range(6)]


def test_reports_add_up(name: str) -> None:
    forest = grown(name)
    for tree in range(len(forest)):
        report = forest[tree]
        assert report.simulations == 60
        assert sum(move.visits for move in report.moves) == report.visits - 1
        assert sum(move.policy for move in report.moves) == pytest.approx(1, abs=1e-5)
        assert report.win + report.draw + report.loss == pytest.approx(1, abs=1e-5)
        assert {move.text for move in report.moves} == set(forest.roots[tree].moves())
        assert forest.choose(tree) in forest.roots[tree].moves()
        assert json.loads(forest.json(tree))["visits"] == report.visits
        assert str(report.visits) in forest.text(tree)


def test_several_leaves_at_a_time(name: str) -> None:
    forest = grown(name, leaves=4)
    assert all(forest[tree].simulations == 60 for tree in range(len(forest)))


@pytest.mark.parametrize("threads", [1, 2])
def test_two_waves_of_leaves_may_wait(name: str, threads: int) -> None:
    game = qilin.game(name)
    settings = qilin.search(simulations=90, leaves=5, noise_weight=0.25)
    forest = qilin.Forest(game, trees=3, search=settings, seed=7, threads=threads)
    waves, planes = 0, forest.leaves()
    while len(planes):
        ahead = forest.more()
        if len(ahead):
            waves += 1
            with pytest.raises(qilin.BadEvaluation, match="two waves of leaves wait"):
                forest.more()
        forest.grow(*network(planes, game.policy_size))
        planes = ahead if len(ahead) else forest.leaves()
    assert waves > 10
    for tree in range(len(forest)):
        report = forest[tree]
        assert report.simulations == 90
        assert sum(move.visits for move in report.moves) == report.visits - 1
        assert "pending" not in forest.json(tree)


def test_waves_that_nobody_evaluates_are_given_up(name: str) -> None:
    game = qilin.game(name)
    forest = qilin.Forest(game, search=qilin.search(simulations=40, leaves=4), seed=7)
    for _ in range(3):  # the root, and a few leaves
        forest.grow(*network(forest.leaves(), game.policy_size))
    first, _ = forest.leaves(), forest.more()
    again = forest.leaves()
    np.testing.assert_array_equal(again[0], first[0])
    forest.more()
    forest.advance(0, forest.choose(0))
    forest.grow(*network(again, game.policy_size))  # too late: it changes nothing
    with pytest.raises(qilin.BadEvaluation, match="tree 0 has given its leaves up since"):
        forest.more()
    while len(planes := forest.leaves()):
        forest.grow(*network(planes, game.policy_size))
    report = forest[0]
    own = 0 if forest.roots[0].is_chance else 1  # evaluation of the root
    assert sum(move.visits for move in report.moves) == report.visits - own


def test_a_played_move_keeps_its_subtree(name: str) -> None:
    forest = qilin.Forest(qilin.game(name), search=qilin.search(simulations=200))
    forest.run("uniform")
    best = forest[0].moves[0]
    forest.advance(0, best.text)
    assert forest.roots[0].history == (best.text,)
    assert forest[0].visits == best.visits
    if forest.roots[0].is_chance:
        outcome = forest[0].moves[0]
        forest.advance(0, outcome.text)
        assert forest[0].visits == outcome.visits


def test_bad_evaluations_are_refused_and_do_no_harm(name: str) -> None:
    game = qilin.game(name)
    forest = qilin.Forest(game, trees=3, search=qilin.search(simulations=20))
    planes = forest.leaves()
    logits, values = network(planes, game.policy_size)
    before = [forest.json(tree) for tree in range(3)]
    nan = logits.copy()
    nan[1] = np.nan
    bad = [
        (nan, values, "scalar", "evaluation 1: .* nan"),
        (logits, values + np.float32(np.inf), "scalar", "evaluation 0"),
        (logits, values * 0 + 2, "scalar", "expected -1 to 1"),
        (logits[:, :-1], values, "scalar", f"expected {game.policy_size}"),
        (logits[:2], values[:2], "scalar", "expected 3"),
        (logits, values, "odds", "values"),
        (logits, np.full((3, 3), 0.5, np.float32), "odds", "add up to"),
        (logits, values, "guess", "'guess'"),
    ]
    for wrong_logits, wrong_values, form, words in bad:
        with pytest.raises(qilin.BadEvaluation, match=words):
            forest.grow(wrong_logits, wrong_values, form)  # type: ignore[arg-type]  # 'guess' is no form
        assert [forest.json(tree) for tree in range(3)] == before
    forest.grow(logits, values)
    forest.leaves()


def test_impossible_settings_are_refused_with_what_is_possible(name: str) -> None:
    game = qilin.game(name)
    refusals: list[tuple[dict[str, Any], str]] = [
        ({"simulations": 0}, "expected 1 to"),
        ({"noise_weight": 2.0}, "expected 0 to 1"),
        ({"c_puct": -1.0}, "above 0"),
        ({"simulations": 100_000_000}, "this machine has"),
    ]
    for settings, words in refusals:
        with pytest.raises(qilin.BadSpec, match=words):
            qilin.Forest(game, trees=1000, search=qilin.search(**settings))
    with pytest.raises(qilin.BadSpec, match="did you mean 'simulations'"):
        qilin.search(simulation=3)
    with pytest.raises(qilin.BadSpec, match="'puct' or 'gumbel'"):
        qilin.search(kind="uct")
