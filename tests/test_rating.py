"""The formulas against published vectors: those with which the match runner fastchess tests its own."""

import math
import random

import pytest

from qilin.rating import Meeting, Pairs, Sprt, bradley_terry, elo_of, expected_score, log_likelihood_ratio


def pairs(ll: int, ld: int, wl: int, dd: int, wd: int, ww: int) -> Pairs:
    """In the order in which the vectors are published."""
    return Pairs((ll, ld, wl + dd, wd, ww))


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "normalized", "llr"),
    [
        ((223, 9863, 20279, 1000, 10037, 246), 0.5, 2.5, False, -3.07),
        ((871, 26175, 55003, 980, 26678, 821), 0, 2, False, -4.98),
        ((365, 16618, 36029, 200, 16974, 390), 0, 2, True, 2.25),
        ((127, 4883, 10311, 401, 5150, 104), -1.75, 0.25, True, 3.01),
        ((0, 0, 0, 0, 0, 5550), 0, 5, True, 111.82),
    ],
)
def test_sprt_vectors(counts: tuple[int, ...], elo0: float, elo1: float, normalized: bool, llr: float) -> None:
    sprt = Sprt(elo0=elo0, elo1=elo1, normalized=normalized)
    assert sprt.llr(pairs(*counts)) == pytest.approx(llr, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "elo", "error", "superiority", "score"),
    [
        ((34, 54, 31, 32, 64, 75), 55.58, 27.65, 1.0000, 0.579),
        ((332, 433, 457, 41, 333, 334), -8.64, 10.33, 0.0505, 0.488),
        ((7895, 8757, 5485, 200, 568, 9999), -21.04, 2.95, 0.0000, 0.470),
    ],
)
def test_elo_vectors(counts: tuple[int, ...], elo: float, error: float, superiority: float, score: float) -> None:
    found = pairs(*counts)
    interval = found.elo()
    assert interval.value == pytest.approx(elo, rel=0.01)
    assert (interval.high - interval.low) / 2 == pytest.approx(error, rel=0.01)
    assert found.superiority() == pytest.approx(superiority, abs=1e-4)
    assert found.score == pytest.approx(score, abs=1e-3)


def test_elo_and_score_are_inverse() -> None:
    assert expected_score(elo_of(0.7)) == pytest.approx(0.7)
    assert math.isinf(elo_of(1.0))


def test_an_even_match_proves_nothing() -> None:
    even = Pairs((10, 20, 40, 20, 10))
    assert even.elo().low < 0 < even.elo().high
    assert even.superiority() == pytest.approx(0.5)
    assert log_likelihood_ratio(even.counts, -5, 5) == pytest.approx(0, abs=1e-9)
    assert Sprt(elo0=0, elo1=10).verdict(Pairs()) is None


def test_four_wins_in_a_row_are_no_certainty() -> None:
    swept = Pairs((0, 0, 0, 0, 2))
    assert swept.score_interval().low < 1
    assert 0.95 < swept.superiority() < 1


def test_the_sequential_test_keeps_its_error_rate() -> None:
    """Under elo0 the test accepts elo1 in about alpha of the runs; the pairs here have two independent games each."""
    rng = random.Random(7)
    sprt = Sprt(elo0=0, elo1=100)
    accepted = 0
    for _ in range(200):
        found = Pairs()
        while (verdict := sprt.verdict(found)) is None:
            found = found.add(rng.choice([0, 0.5, 1]) + rng.choice([0, 0.5, 1]) if rng.random() < 0.9 else 1)
        accepted += verdict
    assert accepted <= 22  # 5 % of 200 is 10; 22 is four deviations more


def test_ratings_come_back_from_simulated_games() -> None:
    truth = {"random": 0.0, "weak": 120.0, "strong": 300.0}
    names = list(truth)
    rng = random.Random(1)
    meetings = []
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            chance = expected_score(truth[first] - truth[second])
            wins = sum(rng.random() < chance for _ in range(4000))
            meetings.append(Meeting(first, second, wins, 0, 4000 - wins))
    ratings = bradley_terry(meetings, anchor="random")
    assert ratings["random"].value == 0
    for name in names:
        assert ratings[name].low <= truth[name] <= ratings[name].high


def test_a_clean_sweep_has_a_finite_rating_and_islands_are_refused() -> None:
    assert 0 < bradley_terry([Meeting("a", "b", 20, 0, 0)], anchor="b")["a"].value < 1000
    with pytest.raises(ValueError, match="never met"):
        bradley_terry([Meeting("a", "b", 1, 0, 1), Meeting("c", "d", 1, 0, 1)], anchor="a")
