"""The opponents' levels: found by playing, measured by playing, and written beside the player that reads them.

    python bench/levels.py run [GAME …] [--minutes 8] [--workers 14] [--keep]
    python bench/levels.py survey | choose | measure | write [GAME …]

`survey` plays a few games of every candidate of PATH against the one before it, and then those of the eight that look
like the best ladder by now, until that ladder's steps are known. `choose` writes this ladder into
src/qilin/players/levels/<game>.toml. `measure` plays each level against the one below, the first against `greedy`, in
games of another seed than the survey's, and `write` writes what these games alone say into the same file. `run` does
all that, three times: what a measure finds out makes the next choice better. It can be given again and again:
every game is kept in --db, and what is known well enough is not played again.

Levels are limited by nodes or depth, not by time: their strength does not depend on the machine or its load. Openings
are random starts, played twice with seats swapped (qilin.match).
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import result

import qilin
from qilin.match import Plan, Standing, become_worker, play_pair, standing
from qilin.players.level import LEVELS, Level, levels
from qilin.players.soft import SoftOptions
from qilin.rating import Interval, Meeting, Pairs, bradley_terry, expected_score
from qilin.record import Played, Record

FOLDER = Path(qilin.players.level.__file__).parent / "levels"
GREEDY = "greedy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a score should be: as near as possible to `best`, and by all means between `least` and `most`."""

    least: float
    best: float
    most: float

    def miss(self, score: float) -> float:
        """How far from what is wanted, as a squared distance."""
        beyond = max(self.least - score, score - self.most, 0.0)
        return (score - self.best) ** 2 + (10 * beyond) ** 2


STEP = Wanted(
    least=0.58, best=0.74, most=0.775
)  # of a level against the one below; tests/test_levels.py allows 55-80 %
FIRST = Wanted(least=0.1, best=0.4, most=0.46)  # of level 1 against `greedy`; 50 % is allowed
TRUST = 30  # so many games the ratings' opinion of two players is worth
ENOUGH = 60  # games between two players, after which a survey wants no more of them
QUICK = 3  # levels that answer at once, on a slow machine too


def soft(temperature: float = 0.0, lines: int = 60, **limits: int | float) -> Level:
    """A candidate."""
    plays = SoftOptions(temperature=temperature, lines=lines if temperature else 1, **limits)  # type: ignore[arg-type]
    return Level(number=0, plays=plays)


# Look farther, give away less. Families overlap: the warm ones of a deeper look are as weak as the cold ones of a
# shallow one, so that a step of any height leads over. A few plies deep is cheap in most games; where chance makes them
# many positions, nodes end the search.
PATH = [
    *(soft(t, depth=1) for t in (8, 4, 2.5, 1.7, 1.2, 1.0, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2)),
    *(soft(t, depth=2) for t in (2.5, 1.7, 1.2, 0.9, 0.7, 0.6, 0.5, 0.42, 0.36, 0.3, 0.25, 0.2, 0.15, 0.08)),
    *(soft(t, lines=20, depth=3, nodes=20_000) for t in (1.2, 0.8, 0.55, 0.4, 0.25, 0.18, 0.12, 0.06)),
    *(soft(t, lines=8, nodes=6_000) for t in (0.8, 0.55, 0.4, 0.3, 0.22, 0.15, 0.1, 0.05)),
    *(soft(t, lines=6, nodes=10_000) for t in (0.55, 0.4, 0.3, 0.2, 0.15, 0.1)),
    *(soft(t, lines=4, nodes=20_000) for t in (0.4, 0.3, 0.2, 0.1)),
    *(soft(t, lines=4, nodes=40_000) for t in (0.2, 0.1)),
    soft(0.08, lines=3, nodes=60_000),
    soft(0.05, lines=3, nodes=100_000),
    soft(0.05, lines=2, nodes=150_000),
    soft(nodes=300_000),
    soft(nodes=1_000_000, time=6),
]


def is_quick(level: Level) -> bool:
    """Whether a level answers at once whatever the position."""
    return (level.plays.nodes or 0) <= 10_000 and (level.plays.depth or 0) <= 2


NODES = {candidate.spec: float(candidate.plays.nodes or 500) for candidate in PATH}


def cost(*specs: str) -> float:
    """About how many nodes the dearest of these players looks at for a move."""
    return max(NODES.get(spec, 500.0) for spec in specs)


def games_for(pairing: tuple[str, str], wanted: int) -> int:
    """The strongest play fewer games: a pair's worth takes minutes."""
    share = min(1.0, math.sqrt(math.sqrt(60_000 / cost(*pairing))))
    return max(4, 2 * round(wanted * share / 2))


def seconds(plan: Plan) -> float:
    """About how long a pair takes, on a slow day."""
    return 90e-6 * cost(plan.first, plan.second)


def plan_of(name: str, pairing: tuple[str, str], games: int, seed: int) -> Plan:
    """A match, the stronger player first."""
    return Plan(game=name, first=pairing[0], second=pairing[1], games=games_for(pairing, games), seed=seed)


Wish = Callable[[], Sequence[Plan]]  # what should have been played, as far as is known now


class Missing:
    """The pairs of games that are still to be played, the emptiest match first."""

    def __init__(self, wish: Wish, record: Record, end: float) -> None:
        """Ask `wish` again whenever some games are known; begin nothing that is not over by `end`."""
        self._wish, self._record, self._end = wish, record, end
        self._begun: dict[str, tuple[int, set[int]]] = {}  # by a plan's identity: its match, and pairs
        self._wanted: list[tuple[Plan, int, set[int]]] = []
        self._asked = -math.inf

    def next(self) -> tuple[Plan, int, int] | None:
        """A plan, its match and a pair that was never begun; of two as empty the cheaper one."""
        if time.monotonic() - self._asked > 5:
            self._wanted = [(plan, *self._known(plan)) for plan in self._wish()]
            self._asked = time.monotonic()
        left = self._end - time.monotonic()
        open_ = [one for one in self._wanted if len(one[2]) < one[0].games // 2 and seconds(one[0]) < left]
        if not open_:
            return None
        plan, match, pairs = min(open_, key=lambda one: (len(one[2]) / one[0].games, seconds(one[0])))
        pair = next(pair for pair in range(plan.games // 2) if pair not in pairs)
        pairs.add(pair)
        return plan, match, pair

    def ask(self) -> None:
        """Ask what is wanted at once."""
        self._asked = -math.inf

    def _known(self, plan: Plan) -> tuple[int, set[int]]:
        name = plan.identity()
        if name not in self._begun:
            match = match_of(plan, self._record)
            self._begun[name] = match, {game.pair for game in self._record.games(match)}
        return self._begun[name]


def match_of(plan: Plan, record: Record) -> int:
    """The number under which a plan's games are kept."""
    return record.match(plan.identity(), plan.game, plan.of().options, plan.first, plan.second)


def play(wish: Wish, record: Record, workers: int, end: float) -> None:
    """Play what is missing, until nothing is or the time is up."""
    missing, done = Missing(wish, record, end), 0
    under_way: dict[Future[list[Played]], int] = {}
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=become_worker) as pool:
        while True:
            while len(under_way) < workers + 2 and (work := missing.next()):
                under_way[pool.submit(play_pair, work[0], work[2])] = work[1]
            if not under_way:
                break
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                record.add(under_way.pop(future), future.result())
                done += 1
                if done % 100 == 0:
                    print(f"{done} pairs", flush=True)
            if len(under_way) < workers:
                missing.ask()
    print(f"{done} pairs were played", flush=True)


def found(plan: Plan, record: Record) -> Standing:
    """How a match stands."""
    return standing(record, match_of(plan, record))


@dataclass(frozen=True, slots=True)
class Known:
    """What all kept games of a game say about the candidates and `greedy`."""

    ratings: dict[str, Interval]  # Elo; `greedy` stands at 0
    points: dict[tuple[str, str], tuple[float, int]]  # of two players who met: points of the first, games

    def games(self, first: str, second: str) -> int:
        """How many games two players have played."""
        return self.points.get((first, second), (0.0, 0))[1]

    def miss(self, first: str, second: str, wanted: Wanted) -> float:
        """How far the score will be from what is wanted: what is known of it, and how little is known."""
        expected = expected_score(self.ratings[first].value - self.ratings[second].value)
        points, games = self.points.get((first, second), (0.0, 0))
        score = (points + TRUST * expected) / (games + TRUST)
        return wanted.miss(score) + score * (1 - score) / (games + TRUST)


def known_of(name: str, record: Record) -> Known:
    """All kept games, and ratings from them. Candidates who never met count as equals until they meet."""
    specs = [candidate.spec for candidate in PATH]
    players = {GREEDY, *specs}
    meetings = [m for m in record.meetings(name, qilin.game(name).options) if {m.first, m.second} <= players]
    points: dict[tuple[str, str], tuple[float, int]] = {}
    for m in meetings:
        games, won = m.wins + m.draws + m.losses, m.wins + m.draws / 2
        for key, score in (((m.first, m.second), won), ((m.second, m.first), games - won)):
            before = points.get(key, (0.0, 0))
            points[key] = (before[0] + score, before[1] + games)
    unmet = [Meeting(b, a, 0, 0, 0) for a, b in pairwise([GREEDY, *specs]) if (a, b) not in points]
    return Known(bradley_terry([*meetings, *unmet], GREEDY), points)


def best_ladder(known: Known) -> list[Level]:
    """Eight candidates whose steps are likely to miss what is wanted least: the squares of the misses are summed up.

    From level to level: for every candidate that may be the next one, the best way that leads there.
    """
    rising = sorted(PATH, key=lambda level: known.ratings[level.spec].value)
    steps = [[known.miss(level.spec, below.spec, STEP) for below in rising[:at]] for at, level in enumerate(rising)]
    ways = {at: (known.miss(level.spec, GREEDY, FIRST), [at]) for at, level in enumerate(rising) if is_quick(level)}
    for number in range(2, LEVELS + 1):
        ways = {
            at: min((miss + steps[at][below], [*way, at]) for below, (miss, way) in ways.items() if below < at)
            for at, level in enumerate(rising)
            if (number > QUICK or is_quick(level)) and min(ways) < at
        }
    return [rising[at] for at in min(ways.values())[1]]


def steps_of(ladder: Sequence[Level]) -> list[tuple[str, str]]:
    """Who plays whom: level 1 `greedy`, every other level the one below."""
    specs = [level.spec for level in ladder]
    return [(specs[0], GREEDY), *zip(specs[1:], specs, strict=False)]


def survey_plans(name: str, record: Record, seed: int) -> Iterator[Plan]:
    """A few games of every candidate, and more of the likely levels'."""
    known = known_of(name, record)
    specs = [candidate.spec for candidate in PATH]
    ladder = steps_of(best_ladder(known))
    around = [*zip(specs[1:], specs, strict=False), *((spec, GREEDY) for spec in specs[:16:3])]
    for pairing in around:
        if known.games(*pairing) < games_for(pairing, ENOUGH // 10):
            yield plan_of(name, pairing, ENOUGH // 10, seed)
    for pairing in ladder:
        if known.games(*pairing) < games_for(pairing, ENOUGH):
            yield plan_of(name, pairing, ENOUGH, seed)


def survey(names: Sequence[str], record: Record, seed: int, workers: int, end: float) -> None:
    """Play until every game's likeliest levels are known."""
    play(lambda: [plan for name in names for plan in survey_plans(name, record, seed)], record, workers, end)


def choose(names: Sequence[str], record: Record) -> None:
    """Write down the best ladders that are known."""
    for name in names:
        known = known_of(name, record)
        show_survey(name, known.ratings)
        write(name, best_ladder(known), "chosen, not measured yet.")


def measure_plans(name: str, games: int, seed: int) -> list[Plan]:
    """Every level against the one below, and the first against `greedy`: other games than the survey's."""
    return [plan_of(name, pairing, games, seed + 1) for pairing in steps_of(levels(name))]


def measure(names: Sequence[str], record: Record, games: int, seed: int, workers: int, end: float) -> None:
    """Play the chosen levels against each other."""
    play(lambda: [plan for name in names for plan in measure_plans(name, games, seed)], record, workers, end)


def measured(plans: Sequence[Plan], known: Sequence[Level], record: Record) -> list[Level]:
    """The levels with what the games say about them. Ratings add up the steps, level 1 stands at 0.

    A step without games says nothing, and no rating goes on from it, nor from one that was all won or all lost.
    """
    first, *steps = [found(plan, record).pairs for plan in plans]
    rows = [replace(known[0], rating=(0, 0, 0), greedy=rounded(first))]
    elo, variance = 0.0, 0.0
    for level, pairs in zip(known[1:], steps, strict=True):
        difference = pairs.elo()
        elo, variance = elo + difference.value, variance + ((difference.high - difference.low) / 2) ** 2
        around = math.sqrt(variance)
        is_rated = pairs.size > 0 and math.isfinite(elo) and math.isfinite(around)
        elo, variance = (elo, variance) if is_rated else (math.nan, math.nan)
        rating = (round(elo - around), round(elo), round(elo + around)) if is_rated else None
        rows.append(replace(level, rating=rating, step=rounded(pairs)))
    return rows


def rounded(pairs: Pairs) -> tuple[float, float, float] | None:
    """A score with its interval, to a thousandth; None without a game."""
    score = pairs.score_interval()
    return (round(score.low, 3), round(score.value, 3), round(score.high, 3)) if pairs.size else None


def write(name: str, rows: Sequence[Level], about: str) -> None:
    """The game's file of levels."""
    text = [
        f"# The levels of {name}: {about}",
        "# Written by bench/levels.py. Elo and scores: low, value, high (95 %).",
        "",
    ]
    for level in rows:
        text.append(f"[[level]]  # {level.number}")
        for item in fields(SoftOptions):
            value = getattr(level.plays, item.name)
            if value != item.default:
                text.append(f"{item.name} = {value}")
        for key in ("rating", "step", "greedy"):
            value = getattr(level, key)
            text += [f"{key} = {list(value)}"] if value is not None else []
        text.append("")
    (FOLDER / f"{name}.toml").write_text("\n".join(text))
    levels.cache_clear()


def show_survey(name: str, ratings: dict[str, Interval]) -> None:
    """The candidates' Elo."""
    for spec, elo in sorted(ratings.items(), key=lambda pair: pair[1].value):
        print(f"{name:13} {elo.value:+6.0f}  ({elo.low:+6.0f} … {elo.high:+6.0f})  {spec}")


def show(name: str, rows: Sequence[Level]) -> None:
    """The levels: Elo over the first, score against the one below, of the first against `greedy`."""
    for level in rows:
        low, elo, high = level.rating or (0, 0, 0)
        score = level.step or level.greedy
        said = "" if score is None else f"{score[1]:.0%} ({score[0]:.0%} … {score[2]:.0%})"
        print(f"{name:13} {level.number}  {elo:+6.0f} ({low:+6.0f} … {high:+6.0f})  {said:20}  {level.spec}")


def write_measured(names: Sequence[str], record: Record, seed: int, keep: Path | None) -> None:
    """What the games say, beside the levels."""
    numbers = {}
    for name in names:
        plans = measure_plans(name, 2, seed)
        rows = measured(plans, levels(name), record)
        write(name, rows, f"measured at {result.commit()}, {sum(found(plan, record).games for plan in plans)} games.")
        show(name, rows)
        numbers[name] = [{"plays": level.spec, **level.as_json(), "greedy": level.greedy} for level in rows]
    result.finish({"levels": numbers}, keep)


# Of a run: the shares of its time by which a survey ends, and the measure after it.
ROUNDS = ((0.3, 0.45), (0.55, 0.7), (0.8, 1.0))


def run(names: Sequence[str], record: Record, games: int, seed: int, workers: int, minutes: float) -> None:
    """Survey, choose, measure; and again, knowing better."""
    began = time.monotonic()
    for surveyed, over in ROUNDS:
        survey(names, record, seed, workers, began + 60 * minutes * surveyed)
        choose(names, record)
        measure(names, record, games, seed, workers, began + 60 * minutes * over)


def main() -> None:
    """Survey, choose, measure, write, or all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("run", "survey", "choose", "measure", "write"))
    parser.add_argument("names", nargs="*", metavar="GAME", default=[])
    parser.add_argument("--games", type=int, default=200, help="of each level's measure; the slowest have fewer")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e6, help="then end")
    parser.add_argument("--seed", type=int, default=1, help="of the survey; the measure has the next")
    parser.add_argument("--db", type=Path, default=result.ROOT / "build/levels.sqlite")
    result.add_keep(parser)
    given = parser.parse_args()
    names, record, end = given.names or qilin.games(), Record(given.db), time.monotonic() + 60 * given.minutes
    match given.verb:
        case "run":
            run(names, record, given.games, given.seed, given.workers, given.minutes)
        case "survey":
            survey(names, record, given.seed, given.workers, end)
        case "choose":
            choose(names, record)
        case "measure":
            measure(names, record, given.games, given.seed, given.workers, end)
    if given.verb in ("run", "write"):
        write_measured(names, record, given.seed, given.keep)
    record.close()


if __name__ == "__main__":
    main()
