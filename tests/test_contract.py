"""What the Python API promises for every game, without exemptions. The rules' own contract: tests/cpp/contract.hpp."""

import pickle
import random
from collections.abc import Iterator

import numpy as np
import pytest

import qilin
from qilin.games import GAMES

pytestmark = pytest.mark.parametrize("name", qilin.games())


def walk(name: str, seed: int = 0, plies: int = 400) -> Iterator[qilin.State]:
    """The states of a random game, chance answered by its probabilities."""
    rng = random.Random(seed)
    state = qilin.game(name).start()
    for _ in range(plies):
        yield state
        if state.is_over:
            return
        if state.is_chance:
            names, chances = zip(*state.outcomes().items(), strict=True)
            state = state.play(rng.choices(names, chances)[0])
        else:
            state = state.play(rng.choice(state.moves()))


def test_text_comes_back(name: str) -> None:
    game = qilin.game(name)
    for state in walk(name):
        again = game.parse(str(state))
        assert str(again) == str(state)
        assert again.key == state.key


def test_moves_and_indices_are_the_same_moves(name: str) -> None:
    for state in walk(name):
        moves, indices = state.moves(), state.indices()
        assert indices == sorted(set(indices))
        assert [state.index(move) for move in moves] == indices
        assert [state.move_text(index) for index in indices] == moves
        assert len(set(moves)) == len(moves)
        if moves:
            assert state.play(moves[-1]) == state.play(indices[-1])


def test_exactly_one_of_over_moves_chance(name: str) -> None:
    for state in walk(name):
        assert state.is_over + bool(state.moves()) + state.is_chance == 1
        assert (state.to_move is None) == (state.is_over or state.is_chance)
        assert (state.reason is None) == (not state.is_over)
        assert state.reason is None or state.reason in state.game.reasons


def test_chance_adds_up(name: str) -> None:
    for state in walk(name):
        outcomes = state.outcomes()
        assert bool(outcomes) == state.is_chance
        assert not outcomes or sum(outcomes.values()) == pytest.approx(1)


def test_planes_have_the_shape_and_names(name: str) -> None:
    game = qilin.game(name)
    assert len(game.plane_names) == len(set(game.plane_names)) == game.shape[0]
    for state in walk(name):
        planes = state.planes()
        assert planes.shape == game.shape
        assert planes.dtype == np.float32
        assert np.isfinite(planes).all()
        assert np.abs(planes).max() <= 1


def test_symmetries_carry_moves_planes_and_results(name: str) -> None:
    game = qilin.game(name)
    for seen in walk(name, seed=1):
        state = game.parse(str(seen))  # a symmetry leaves the past behind
        for symmetry in range(game.symmetries):
            turned = state.transform(symmetry)
            moved = sorted(game.transform_move(index, symmetry) for index in state.indices())
            assert turned.indices() == moved
            assert (turned.winner, turned.reason, turned.margin) == (state.winner, state.reason, state.margin)
            np.testing.assert_allclose(turned.planes().sum(axis=(1, 2)), state.planes().sum(axis=(1, 2)), rtol=1e-6)


def test_states_are_values(name: str) -> None:
    state = qilin.game(name).start()
    text, planes = str(state), state.planes()
    played = state.play(state.moves()[0])
    planes[:] = 7
    assert str(state) == text
    assert (state.planes() != 7).any()
    assert played != state
    assert hash(played) != hash(state)
    assert played.parent is state
    assert played.history == (state.moves()[0],)
    with pytest.raises(AttributeError):
        state.game = played.game  # type: ignore[misc]  # that it can't be set is what is tested


def test_states_survive_pickling_with_their_history(name: str) -> None:
    *_, last = walk(name, seed=2, plies=30)
    again = pickle.loads(pickle.dumps(last))
    assert again == last
    assert again.history == last.history


def after(state: qilin.State, move: int) -> list[qilin.State]:
    """What a move may lead to: one state, or as many as chance has answers."""
    if state.is_over:
        return [state]
    played = state.play(move)
    return [played.play(answer) for answer in played.outcomes()] or [played]


def test_a_batch_plays_like_single_states(name: str) -> None:
    game = qilin.game(name)
    batch = game.batch(16, seed=3, threads=2)
    rng = np.random.default_rng(3)
    for _ in range(60):
        mask, status, planes = batch.legal(), batch.status(), batch.planes()
        for i in range(len(batch)):
            state = batch[i]
            assert np.flatnonzero(mask[i]).tolist() == state.indices()
            assert status.is_over[i] == state.is_over
            assert status.to_move[i] == (-1 if state.to_move is None else state.to_move)
            assert status.winner[i] == (-1 if state.winner is None else state.winner)
            assert not state.is_over or game.reasons[status.reason[i]] == state.reason
            assert status.margin[i] == (state.margin or 0)
            np.testing.assert_array_equal(planes[i], state.planes())
        scores = np.where(mask, rng.random(mask.shape), -1)
        moves = scores.argmax(axis=1)
        expected = [after(batch[i], int(moves[i])) for i in range(len(batch))]
        batch.play(moves)
        assert all(batch[i] in expected[i] for i in range(len(batch)))
    batch.reset(batch.status().is_over)
    assert not batch.status().is_over.any()


def test_a_batch_refuses_an_illegal_move_and_plays_nothing(name: str) -> None:
    batch = qilin.game(name).batch(3)
    legal = int(batch.legal()[0].argmax())
    with pytest.raises(qilin.IllegalMove, match="of position 1"):
        batch.play([legal, -5, legal])
    assert {str(batch[i]) for i in range(3)} == {str(batch[0].game.start())}
    with pytest.raises(qilin.IllegalMove, match="expected 3"):
        batch.play([legal])
    with pytest.raises(qilin.IllegalMove, match="float64"):
        batch.play([legal + 0.5] * 3)
    with pytest.raises(qilin.IllegalMove, match=r"shape \(1, 3\)"):
        batch.play([[legal] * 3])
    with pytest.raises(qilin.IllegalMove, match=f"{2**32 + legal} is no policy index"):
        batch.play([legal, 2**32 + legal, legal])
    with pytest.raises(ValueError, match="int64"):
        batch.reset([0, 2])
    assert {str(batch[i]) for i in range(3)} == {str(batch[0].game.start())}


def test_the_descriptor_has_words_for_all_that_the_rules_know(name: str) -> None:
    words, game = GAMES[name], qilin.game(name)
    assert set(words.reasons) == set(game.reasons)
    for state in walk(name, seed=4):
        drawing = state.board(colour=False)
        assert len(drawing.splitlines()) >= game.shape[1] + 1


def test_bad_input_is_quoted_with_what_was_expected(name: str) -> None:
    game = qilin.game(name)
    with pytest.raises(qilin.BadPosition, match="'nonsense'"):
        game.parse("nonsense")
    with pytest.raises(qilin.UnknownOption, match="no option 'colour'"):
        qilin.game(name, colour="red")
    with pytest.raises(qilin.IllegalMove, match=r"'zz' is not legal in .*legal moves"):
        game.start().play("zz")
    for state in walk(name):
        if state.is_over:
            with pytest.raises(qilin.IllegalMove, match="the game is over"):
                state.play(0)
