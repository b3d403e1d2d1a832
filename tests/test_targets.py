"""What a sample teaches, traced through its game's replay: the right player, the right sign, in every game.

Games are replayed from their lines in games/*.jsonl with nothing but the rules, and each target is worked out again.
"""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import qilin
from qilin.state import State
from qilin.train.losses import Batch
from qilin.train.recipe import Recipe, make_recipe
from qilin.train.selfplay import Harvest, SelfPlay, batch_of, boosts_at
from qilin.train.settings import Play, Targets

PLAIN = Targets(margin_scale=2.0)


def recipe_of(name: str) -> Recipe:
    play = {"games": 8, "opening_plies": 4, "full_share": 0.5, "fast_simulations": 2}
    return make_recipe({"game": name, "search": {"simulations": 6}, "play": play, "seed": 3})


@pytest.fixture(scope="module", params=qilin.games())
def played(request: pytest.FixtureRequest) -> tuple[Recipe, Harvest]:
    """Games of a network that knows nothing, but knows it differently everywhere."""
    recipe, rng = recipe_of(request.param), np.random.default_rng(5)
    selfplay = SelfPlay.of(recipe)
    selfplay.begin(1)
    while selfplay.totals["games"] < 8:
        rows = len(selfplay.leaves())
        logits = rng.normal(size=(rows, recipe.of().policy_size)).astype(np.float32)
        selfplay.grow(logits, rng.normal(size=(rows, 3)).astype(np.float32))
    return recipe, selfplay.harvest()


def path_of(recipe: Recipe, line: dict[str, object]) -> list[State]:
    """A game's positions, the first to the last."""
    states = [recipe.of().parse(str(line["start"]))]
    assert isinstance(line["moves"], list)
    for move in line["moves"]:
        states.append(states[-1].play(str(move)))
    return states


def traced(recipe: Recipe, harvest: Harvest) -> list[tuple[list[State], int, int]]:
    """For each sample its game's positions, where in them it is, and its row."""
    games = {line["number"]: path_of(recipe, line) for line in harvest.games}
    return [(games[int(one["game"])], int(one["note"]), row) for row, one in enumerate(harvest.samples)]


def learned(recipe: Recipe, harvest: Harvest) -> Batch:
    return batch_of(recipe.of(), harvest.samples, PLAIN)


def test_a_line_says_how_its_game_ended(played: tuple[Recipe, Harvest]) -> None:
    recipe, harvest = played
    for line in harvest.games:
        end = path_of(recipe, line)[-1]
        assert end.is_over
        assert (line["winner"], line["reason"]) == (end.winner, end.reason)
        assert line["result"] == {None: 0, 0: 1, 1: -1}[end.winner]


def test_every_target_is_the_movers(played: tuple[Recipe, Harvest]) -> None:
    recipe, harvest = played
    batch = learned(recipe, harvest)
    for states, at, row in traced(recipe, harvest):
        mover, end = states[at].to_move, states[-1]
        assert mover is not None
        won = 0.5 if end.winner is None else float(end.winner == mover)
        assert batch.odds[row].tolist() == [float(won == 1), float(won == 0.5), float(won == 0)]
        np.testing.assert_array_equal(batch.planes[row].numpy(), states[at].planes())
        assert sorted(batch.moves[row][batch.legal[row]].tolist()) == states[at].indices()
        if recipe.of()._rules.has_margin:
            assert end.margin is not None
            assert float(batch.margin[row]) * PLAIN.margin_scale == (end.margin if mover == 0 else -end.margin)
        assert bool(batch.was_finished[row])


def test_ownership_is_seen_by_the_mover(played: tuple[Recipe, Harvest]) -> None:
    recipe, harvest = played
    if not recipe.of()._rules.has_ownership:
        pytest.skip("nobody owns squares in this game")
    batch = learned(recipe, harvest)
    for states, at, row in traced(recipe, harvest):
        owned = states[-1].ownership()
        assert owned is not None
        mine, theirs = owned if states[at].to_move == 0 else owned[::-1]
        expected = np.where(mine > 0, 1, np.where(theirs > 0, 2, 0))
        np.testing.assert_array_equal(batch.owner[row].numpy(), expected)


def test_the_reply_is_the_next_move_of_the_other(played: tuple[Recipe, Harvest]) -> None:
    recipe, harvest = played
    batch = learned(recipe, harvest)
    for states, at, row in traced(recipe, harvest):
        mover = states[at].to_move
        later = (i for i in range(at + 1, len(states) - 1) if states[i].to_move == 1 - (mover or 0))
        first = next(later, None)
        assert bool(batch.has_reply[row]) == (first is not None)
        if first is not None:
            assert int(batch.reply[row]) == states[first].index(states[first + 1].history[-1])


def test_plies_left_do_not_count_chance(played: tuple[Recipe, Harvest]) -> None:
    recipe, harvest = played
    batch = learned(recipe, harvest)
    for states, at, row in traced(recipe, harvest):
        assert int(batch.plies_left[row]) == sum(state.to_move is not None for state in states[at:-1])


def chains(recipe: Recipe, harvest: Harvest) -> list[tuple[list[State], int, int]]:
    """The samples whose player had the ply before, too."""
    return [
        (states, at, row)
        for states, at, row in traced(recipe, harvest)
        if at > 0 and states[at - 1].to_move == states[at].to_move
    ]


@pytest.mark.parametrize("played", ["liuzhou"], indirect=True)
def test_in_a_chain_of_marks_nothing_changes_its_sign(played: tuple[Recipe, Harvest]) -> None:
    """Who closes a square plays again, and marks: both plies are his, and the game's end is the same for both."""
    recipe, harvest = played
    batch, found = learned(recipe, harvest), chains(recipe, harvest)
    is_mark = recipe.of().plane_names.index("mark")
    assert sum(bool(states[at].planes()[is_mark].all()) for states, at, _ in found) > 3
    signs = set()
    for states, at, row in found:
        mover, before = states[at].to_move, states[at - 1].to_move
        assert mover == before
        value = float(batch.odds[row][0] - batch.odds[row][2])
        winner = states[-1].winner
        assert value == (0 if winner is None else 1 if winner == before else -1)
        signs.add(value)
    assert len(signs) > 1


@pytest.mark.parametrize("played", ["dark_chess"], indirect=True)
def test_a_flip_hands_the_turn_on(played: tuple[Recipe, Harvest]) -> None:
    """A flip is a ply, chance answers, and then the other player moves: what both learn has opposite signs."""
    recipe, harvest = played
    batch = learned(recipe, harvest)
    samples, pairs = traced(recipe, harvest), 0
    where = {(id(states), at): row for states, at, row in samples}
    for states, at, row in samples:
        if at + 2 >= len(states) or not states[at + 1].is_chance:
            continue
        assert states[at + 2].is_over or states[at + 2].to_move == 1 - (states[at].to_move or 0)
        after = where.get((id(states), at + 2))
        if after is not None:
            assert batch.odds[row].tolist() == batch.odds[after].tolist()[::-1]
            pairs += 1
    assert pairs > 5


def test_shares_of_other_opinions_mix_as_they_should() -> None:
    recipe = recipe_of("popucom")
    rng = np.random.default_rng(1)
    selfplay = SelfPlay.of(recipe)
    selfplay.begin(1)
    while selfplay.ready < 50:
        rows = len(selfplay.leaves())
        selfplay.grow(rng.normal(size=(rows, 81)).astype(np.float32), rng.normal(size=(rows, 3)).astype(np.float32))
    samples = selfplay.harvest().samples
    plain = batch_of(recipe.of(), samples, PLAIN).odds
    mixed = batch_of(recipe.of(), samples, Targets(search_share=0.25, soft_share=0.5, soft_scale=10.0)).odds
    margin = batch_of(recipe.of(), samples, Targets(margin_scale=1.0)).margin
    value, draws = torch.from_numpy(samples["value"].copy()), torch.from_numpy(samples["draws"].copy())
    soft = torch.tanh(margin / 10.0)
    expected = 0.25 * (plain[:, 0] - plain[:, 2]) + 0.25 * value + 0.5 * soft
    torch.testing.assert_close(mixed[:, 0] - mixed[:, 2], expected, atol=2e-6, rtol=0)
    torch.testing.assert_close(mixed[:, 1], 0.25 * plain[:, 1] + 0.25 * draws, atol=2e-6, rtol=0)
    torch.testing.assert_close(mixed.sum(1), torch.ones(len(samples)))


def turned_planes(state: State, symmetry: int) -> NDArray[np.float32]:
    """The planes of a turned position, of a game whose past adds nothing to them."""
    return state.transform(symmetry).planes()


@pytest.mark.parametrize("played", ["connect_four", "popucom", "dark_chess"], indirect=True)
def test_a_turned_sample_is_the_turned_positions(played: tuple[Recipe, Harvest]) -> None:
    recipe, harvest = played
    game = recipe.of()
    for symmetry in range(1, game.symmetries):
        turns = np.full(len(harvest.samples), symmetry, np.uint8)
        turned, plain = batch_of(game, harvest.samples, PLAIN, turns), learned(recipe, harvest)
        assert torch.equal(turned.odds, plain.odds)
        for states, at, row in traced(recipe, harvest)[:40]:
            moves = plain.moves[row][plain.legal[row]].tolist()
            assert turned.moves[row][turned.legal[row]].tolist() == [game.transform_move(i, symmetry) for i in moves]
            np.testing.assert_array_equal(turned.planes[row].numpy(), turned_planes(states[at], symmetry))
            reply = int(plain.reply[row])
            if plain.has_reply[row]:
                assert int(turned.reply[row]) == game.transform_move(reply, symmetry)


def test_boosts_of_tiers_fade_and_are_really_off() -> None:
    play = Play(boosts=(1.0, 3.0), boost_until=4, boost_half_until=8)
    assert [boosts_at(play, iteration) for iteration in (1, 4, 5, 8)] == [(1.0, 3.0)] * 2 + [(1.0, 2.0)] * 2
    assert boosts_at(play, 9) == boosts_at(play, 10**6) == boosts_at(Play(), 1) == ()
