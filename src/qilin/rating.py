"""What a match says about strength: Elo difference, likelihood of superiority, sequential test, ratings.

Games are played in pairs: the same opening twice, seats swapped. The two games of a pair are not independent (an
unbalanced opening gives one win each), so the unit of all statistics is the pair. A pair's score for the first player
is 0, ½, 1, 1½ or 2 points, written here as five counts, worst first ("pentanomial"). Two single games count as no pair.

The sequential test is the generalised likelihood-ratio test of M. Van den Bergh ("The GSPRT", 2019; "Comments on
normalized Elo", 2021): the likelihood is maximised over all distributions of pair scores that have the hypothesis'
expected score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

SINGULAR = 1e12  # an inverse with larger entries is none
Z95 = 1.959963984540054  # a normal variable stays within ±Z95 deviations with probability 95 %
ELO = 400 / math.log(10)  # Elo points in one unit of log odds


def expected_score(elo: float) -> float:
    """The score per game that goes with an Elo difference."""
    return 1 / (1 + math.exp(-elo / ELO))


def elo_of(score: float) -> float:
    """The Elo difference that goes with a score per game; ±inf at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    low: float
    value: float
    high: float

    def as_json(self) -> list[float | None]:
        """Low, value, high; None where infinite: JSON has no infinity."""
        return [end if math.isfinite(end) else None for end in (self.low, self.value, self.high)]

    def __str__(self) -> str:
        """As people read it: value and half width; the known end alone where the other is infinite."""
        if math.isinf(self.high) or math.isinf(self.low):
            if math.isinf(self.low) and math.isinf(self.high):
                return "unknown"
            return f"below {self.high:+.0f}" if math.isinf(self.low) else f"above {self.low:+.0f}"
        return f"{self.value:+.1f} ± {(self.high - self.low) / 2:.1f}"


@dataclass(frozen=True, slots=True)
class Pairs:
    """Counts of game pairs by the points of the first player: 0, ½, 1, 1½, 2."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def add(self, points: float) -> Pairs:
        """The same with one pair more, of `points` = 0, 0.5, … 2."""
        counts = list(self.counts)
        counts[round(points * 2)] += 1
        return Pairs((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def size(self) -> int:
        """How many pairs."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean score of a game, 0 … 1."""
        return _mean(_distribution(self.counts)) if self.size else 0.5

    @property
    def deviation(self) -> float:
        """The standard deviation of a pair's score, on the scale 0 … 1."""
        return math.sqrt(_variance(_distribution(self.counts))) if self.size else 0.0

    def score_interval(self) -> Interval:
        """The score per game; with fewer than two different pairs the interval is as wide as ignorance."""
        error = Z95 * self._cautious_deviation() / math.sqrt(max(1, self.size))
        return Interval(max(0.0, self.score - error), self.score, min(1.0, self.score + error))

    def elo(self) -> Interval:
        """The Elo difference."""
        score = self.score_interval()
        return Interval(elo_of(score.low), elo_of(score.value), elo_of(score.high))

    def superiority(self) -> float:
        """The probability that the first player is the stronger one."""
        error = self._cautious_deviation() / math.sqrt(max(1, self.size))
        return 0.5 * (1 + math.erf((self.score - 0.5) / (error * math.sqrt(2)))) if error else 0.5

    def _cautious_deviation(self) -> float:
        """The deviation with one imagined pair of each score: four wins in a row are no proof of infinity."""
        if max(self.counts, default=0) < self.size:
            return self.deviation
        return math.sqrt(_variance(_distribution(tuple(count + 1 / 5 for count in self.counts))))


SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair, per game


def _distribution(counts: Sequence[float]) -> list[float]:
    total = sum(counts)
    return [count / total for count in counts]


def _mean(chances: Sequence[float]) -> float:
    return sum(chance * score for chance, score in zip(chances, SCORES, strict=True))


def _variance(chances: Sequence[float]) -> float:
    mean = _mean(chances)
    return sum(chance * (score - mean) ** 2 for chance, score in zip(chances, SCORES, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprt:
    """A sequential test: is the first player better by `elo1` rather than by `elo0`? Stop as soon as it is clear.

    `normalized` measures in normalized Elo, whose unit is the deviation of a game's result, so that tests of drawish
    and of decisive games take equally long.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  # accept elo1 although elo0 is true
    beta: float = 0.05  # the other way round
    normalized: bool = False

    def __post_init__(self) -> None:
        """Refuse hypotheses that can't be told apart."""
        if not self.elo0 < self.elo1:
            raise ValueError(f"a sequential test of {self.elo0} against {self.elo1} Elo: the first must be the smaller")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio ends the test."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """The log-likelihood ratio of elo1 against elo0."""
        return log_likelihood_ratio(pairs.counts, self.elo0, self.elo1, normalized=self.normalized)

    def verdict(self, pairs: Pairs) -> bool | None:
        """True: elo1 it is; False: elo0; None: go on."""
        low, high = self.bounds
        llr = self.llr(pairs)
        return True if llr >= high else False if llr <= low else None


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float, *, normalized: bool = False) -> float:
    """The generalised log-likelihood ratio of two hypotheses about the mean of pair scores."""
    size = sum(counts)
    if size == 0:
        return 0.0
    # A score never seen yet is not impossible: without this, one surprise would be worth infinitely much.
    chances = _distribution([max(count, 1e-3) for count in counts])
    likeliest = _likeliest_normalized if normalized else _likeliest_logistic
    first, second = likeliest(chances, elo0), likeliest(chances, elo1)
    return size * sum(p * math.log(b / a) for p, a, b in zip(chances, first, second, strict=True))


def _likeliest_logistic(chances: Sequence[float], elo: float) -> list[float]:
    mean = expected_score(elo)
    return _tilt(chances, [score - mean for score in SCORES])


def _likeliest_normalized(chances: Sequence[float], elo: float) -> list[float]:
    """The likeliest distribution whose mean is `t` of its own deviations above ½, found by iteration."""
    t = math.sqrt(2) * elo / (2 * ELO)  # a pair has two games: its mean has 1 / √2 of a game's deviation
    found = [1 / len(SCORES)] * len(SCORES)
    for _ in range(20):
        mean, variance = _mean(found), _variance(found)
        sigma = math.sqrt(variance)
        # The constraint mean = ½ + t·sigma, made linear in the distribution around the last one found.
        moments = [score - 0.5 - t * sigma * (1 + ((mean - score) / sigma) ** 2) / 2 for score in SCORES]
        tilted = _tilt(chances, moments)
        step = max(abs(a - b) for a, b in zip(found, tilted, strict=True))
        found = tilted
        if step < 1e-9:
            break
    return found


def _tilt(chances: Sequence[float], moments: Sequence[float]) -> list[float]:
    """The distribution with expected moment 0 under which `chances` is likeliest: p / (1 + θ·moment)."""
    low, high = -1 / max(moments), -1 / min(moments)

    def slope(theta: float) -> float:
        return sum(p * m / (1 + theta * m) for p, m in zip(chances, moments, strict=True))

    theta = _root(slope, low, high)
    return [p / (1 + theta * m) for p, m in zip(chances, moments, strict=True)]


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function with poles at both ends is 0, by bisection."""
    for _ in range(200):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


@dataclass(frozen=True, slots=True)
class Meeting:
    """All games between two players, from the first one's side."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int


def bradley_terry(meetings: Sequence[Meeting], anchor: str) -> dict[str, Interval]:
    """Ratings in Elo under which the results are likeliest; `anchor` stands at 0. A draw is half a win, half a loss.

    Every meeting gets one imagined draw, so that a player who won every game has a finite rating.
    Intervals come from the curvature of the likelihood, as differences to the anchor.
    """
    names = sorted({name for meeting in meetings for name in (meeting.first, meeting.second)})
    if anchor not in names:
        raise ValueError(f"{anchor!r}, who is to stand at 0, has played none of {', '.join(names)}")
    index = {name: i for i, name in enumerate(names)}
    free = [name for name in names if name != anchor]
    ratings = [0.0] * len(names)
    for _ in range(100):
        gradient, information = _curvature(meetings, ratings, index)
        rows = [index[name] for name in free]
        inverse = _inverse([[information[i][j] for j in rows] for i in rows])
        steps = [sum(inverse[a][b] * gradient[rows[b]] for b in range(len(rows))) for a in range(len(rows))]
        for i, step in zip(rows, steps, strict=True):
            ratings[i] += max(-1.0, min(1.0, step))
        if all(abs(step) < 1e-10 for step in steps):
            break
    errors = {name: Z95 * math.sqrt(inverse[a][a]) for a, name in enumerate(free)}
    return {name: _in_elo(ratings[index[name]], errors.get(name, 0.0)) for name in names}


def _in_elo(rating: float, error: float) -> Interval:
    return Interval(ELO * (rating - error), ELO * rating, ELO * (rating + error))


def _curvature(
    meetings: Sequence[Meeting], ratings: Sequence[float], index: dict[str, int]
) -> tuple[list[float], list[list[float]]]:
    """The log-likelihood's gradient, and its negative second derivative, in units of log odds."""
    size = len(ratings)
    gradient = [0.0] * size
    information = [[0.0] * size for _ in range(size)]
    for meeting in meetings:
        i, j = index[meeting.first], index[meeting.second]
        games = meeting.wins + meeting.draws + meeting.losses + 1  # + the imagined draw
        chance = 1 / (1 + math.exp(ratings[j] - ratings[i]))
        surprise = meeting.wins + (meeting.draws + 1) / 2 - games * chance
        weight = games * chance * (1 - chance)
        gradient[i] += surprise
        gradient[j] -= surprise
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            information[a][b] += sign * weight
    return gradient, information


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The matrices are symmetric, and positive where all players are connected by games."""
    import numpy as np

    try:
        inverse = np.linalg.inv(np.array(matrix).reshape(len(matrix), len(matrix)))
    except np.linalg.LinAlgError:
        inverse = np.full((len(matrix), len(matrix)), np.inf)
    if (np.abs(inverse) > SINGULAR).any():
        raise ValueError("the players fall into groups that never met: they can't be rated together")
    found: list[list[float]] = inverse.tolist()
    return found
