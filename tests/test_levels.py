"""Levels: the same words for every game, data that can be trusted, and no theatrical blunders."""

import random
import time
from collections import Counter

import pytest

import qilin
from qilin.players import Line, player
from qilin.players.level import LEVELS, levels
from qilin.players.soft import WIDEST, draw


def settled(state: qilin.State) -> qilin.State:
    while state.is_chance:
        state = state.play(next(iter(state.outcomes())))
    return state


@pytest.mark.parametrize("name", qilin.games())
def test_there_are_eight_levels_that_play(name: str) -> None:
    assert [level.number for level in levels(name)] == list(range(1, LEVELS + 1))
    state = qilin.game(name).start()
    for number in range(1, LEVELS):
        move = player(f"level:{number}", seed=number).choose(state)
        state = settled(state.play(move))


@pytest.mark.parametrize("name", qilin.games())
def test_low_levels_answer_at_once(name: str) -> None:
    rng, state = random.Random(1), qilin.game(name).start()
    movers = [player(f"level:{number}") for number in (1, 2, 3)]
    for ply in range(30):
        if state.is_over:
            break
        mover = movers[ply % 3]
        began = time.process_time()
        mover.choose(state)
        assert time.process_time() - began < 0.5
        state = settled(state.play(rng.choice(state.moves())))


@pytest.mark.parametrize("name", qilin.games())
def test_what_was_measured_is_in_order(name: str) -> None:
    for level in levels(name):
        if level.step is not None:
            low, score, high = level.step
            assert low <= score <= high
            assert 0.55 <= score <= 0.80, f"{name}: level {level.number} scores {score:.1%} against the one below"
        if level.greedy is not None:
            assert level.greedy[1] <= 0.5, f"{name}: level 1 scores {level.greedy[1]:.1%} against greedy"
    ratings = [level.rating[1] for level in levels(name) if level.rating is not None]
    assert ratings == sorted(set(ratings))


@pytest.mark.parametrize("number", range(1, LEVELS + 1))
def test_a_win_in_one_is_never_thrown(number: int) -> None:
    win = qilin.game("connect_four").parse("7/7/7/7/1ooo3/1xxx3 x")
    mate = qilin.game("xiangqi").parse("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 60")
    for seed in range(10):
        assert player(f"level:{number}", seed=seed).choose(win) in {"a", "e"}
        after = mate.play(player(f"level:{number}", seed=seed).choose(mate))
        assert after.winner == 0


@pytest.mark.parametrize("number", range(4, LEVELS + 1))
def test_middle_levels_stop_a_loss_in_one(number: int) -> None:
    three = qilin.game("connect_four").parse("7/7/7/7/o6/xxx3o o")
    for seed in range(10 if number < 7 else 1):
        assert player(f"level:{number}", seed=seed).choose(three) == "d"


def test_the_same_seed_gives_the_same_moves() -> None:
    state = qilin.game("ataxx").start()
    drawn = [[player("level:1", seed=seed).choose(state) for seed in range(12)] for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 1


def line(move: str, win: float, ends: int | None = None) -> Line:
    return Line(moves=(move,), win=win, ends=ends)


def counted(lines: list[Line], temperature: float) -> Counter[str]:
    rng = random.Random(5)
    return Counter(draw(lines, temperature, rng).moves[0] for _ in range(2000))


def test_softness_is_smooth_and_bounded() -> None:
    close = [line("a", 0.55), line("b", 0.5), line("c", 0.25), line("d", 0.02)]
    cold, warm = counted(close, 0.1), counted(close, 0.5)
    assert counted(close, 0.0) == {"a": 2000}
    assert cold["a"] > warm["a"] > warm["b"] > warm["c"] > 0
    assert cold["c"] == warm["d"] == 0  # more than WIDEST temperatures away
    assert WIDEST == 3


def test_what_is_decided_is_played_out() -> None:
    assert counted([line("a", 1, 3), line("b", 0.9)], 5.0) == {"a": 2000}
    assert set(counted([line("a", 0.3), line("b", 0.29), line("c", 0.0, -2)], 100.0)) == {"a", "b"}
    assert counted([line("a", 0.0, -6), line("b", 0.0, -2)], 5.0) == {"a": 2000}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("level", "the level is None, expected a whole number from 1 to 8"),
        ("level:0", "from 1 to 8"),
        ("level:9", "from 1 to 8"),
        ("level:x", "from 1 to 8"),
        ("level:3,time=1s", "has no options"),
        ("soft:temperature=-1", "a number from 0 up"),
        ("soft:3", "expected KEY=VALUE"),
    ],
)
def test_names_that_are_not_understood(spec: str, words: str) -> None:
    with pytest.raises(qilin.BadSpec, match=words):
        player(spec)
