"""The opponents' levels: found by playing, measured by playing, and written beside the player that reads them.

    python bench/levels.py survey [GAME …] [--games 60] [--workers 16] [--minutes 10]
    python bench/levels.py choose [GAME …]
    python bench/levels.py measure [GAME …] [--games 200] [--workers 16] [--minutes 10]
    python bench/levels.py write [GAME …] [--keep]

`survey` plays the candidates of PATH, weakest first, each against the next, and some against `greedy`. `choose` picks
eight of them, as evenly spaced as they come, from one that `greedy` beats to the last, and writes
src/qilin/players/levels/<game>.toml. `measure` plays each level against the one below, the first against `greedy`, and
`write` writes what these games say into the same file.

Levels are limited by nodes or depth, not by time: their strength does not depend on the machine or its load. Openings
are random starts, played twice with seats swapped (qilin.match). Games are kept in --db: a run that was cut short goes
on where it was.
"""

import argparse
import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import fields, replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import result

import qilin
from qilin.match import Plan, Standing, become_worker, play_pair, standing
from qilin.players.level import LEVELS, Level, levels
from qilin.players.soft import SoftOptions
from qilin.rating import Interval, Pairs, bradley_terry, elo_of
from qilin.record import Record

FOLDER = Path(qilin.players.level.__file__).parent / "levels"
GREEDY = "greedy"
STEPS = [
    (0.58, 0.77),
    (0.55, 0.80),
    (0.52, 0.85),
    (0.5, 0.99),
]  # of a level against the one below: wanted, …, if need be


def soft(temperature: float = 0.0, lines: int = 60, **limits: int | float) -> Level:
    """A candidate."""
    plays = SoftOptions(temperature=temperature, lines=lines if temperature else 1, **limits)  # type: ignore[arg-type]
    return Level(number=0, plays=plays)


# Weakest first: look farther, give away less.
PATH = [
    *(soft(temperature, depth=1) for temperature in (4, 2.5, 1.7, 1.2, 0.8, 0.5, 0.3)),
    *(soft(temperature, depth=2) for temperature in (0.5, 0.3, 0.15)),
    *(soft(temperature, lines=20, depth=3) for temperature in (0.4, 0.25, 0.12)),
    *(soft(temperature, lines=8, nodes=6_000) for temperature in (0.3, 0.15)),
    soft(0.15, lines=6, nodes=10_000),
    *(soft(temperature, lines=4, nodes=20_000) for temperature in (0.2, 0.1)),
    soft(0.1, lines=4, nodes=40_000),
    soft(0.08, lines=3, nodes=60_000),
    soft(0.05, lines=3, nodes=100_000),
    soft(0.05, lines=2, nodes=150_000),
    soft(nodes=300_000),
    soft(nodes=1_000_000, time=6),
]


def cost(spec: str) -> float:
    """About how many nodes a player looks at for a move, to begin with what takes longest."""
    for part in spec.split(","):
        name, _, value = part.rpartition("nodes=")
        if name or part.startswith("nodes="):
            return float(value)
    return 500.0


def games_for(plan: Plan, wanted: int) -> int:
    """The strongest play fewer games: a pair's worth takes minutes."""
    dearest = max(cost(plan.first), cost(plan.second))
    return max(12, round(wanted * min(1.0, (60_000 / dearest) ** 0.25) / 2) * 2)


def plans_of(name: str, pairings: Iterable[tuple[str, str]], games: int, seed: int) -> list[Plan]:
    """A match each, the stronger player first."""
    made = (Plan(game=name, first=first, second=second, games=games, seed=seed) for first, second in pairings)
    return [
        Plan(game=name, first=plan.first, second=plan.second, games=games_for(plan, games), seed=seed) for plan in made
    ]


def play(plans: Sequence[Plan], record: Record, workers: int, minutes: float) -> None:
    """All that is missing of all plans, in one pool: a pair of each, what takes longest first; then the next pairs.

    When time is up no more is begun, and every match has played about the same share of its games.
    """
    end = time.monotonic() + 60 * minutes
    matches = [record.match(p.identity(), p.game, p.of().options, p.first, p.second) for p in plans]
    missing = []
    for plan, match in zip(plans, matches, strict=True):
        known = {game.pair for game in record.games(match)}
        missing += [(plan, match, pair) for pair in range(plan.games // 2) if pair not in known]
    missing.sort(key=lambda work: (work[2] / work[0].games, -max(cost(work[0].first), cost(work[0].second))))
    done = 0
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=become_worker) as pool:
        waiting = {pool.submit(play_pair, plan, pair): match for plan, match, pair in missing}
        for future in as_completed(waiting):
            if not future.cancelled():
                record.add(waiting[future], future.result())
                done += 1
                if done % 50 == 0:
                    print(f"{done} of {len(missing)} pairs", flush=True)
            if time.monotonic() > end:
                for late in waiting:
                    late.cancel()
    print(f"{done} pairs were played, {len(missing) - done} are missing", flush=True)


def found(plan: Plan, record: Record) -> Standing:
    """How a match stands."""
    return standing(record, record.match(plan.identity(), plan.game, plan.of().options, plan.first, plan.second))


def survey_plans(name: str, games: int, seed: int) -> list[Plan]:
    """Every candidate against the one before it, and the weak ones against `greedy`."""
    specs = [candidate.spec for candidate in PATH]
    pairings = list(zip(specs[1:], specs, strict=False)) + [(spec, GREEDY) for spec in specs[1:14:2]]
    return plans_of(name, pairings, games, seed)


def survey_ratings(name: str, record: Record) -> dict[str, Interval]:
    """Elo of every candidate and of `greedy`, who stands at 0: from all games of theirs that are kept."""
    known = {GREEDY, *(candidate.spec for candidate in PATH)}
    meetings = record.meetings(name, qilin.game(name).options)
    return bradley_terry([m for m in meetings if {m.first, m.second} <= known and m.wins + m.draws + m.losses], GREEDY)


def choose(ratings: dict[str, Interval]) -> list[Level]:
    """Eight candidates, evenly apart: the first no stronger than `greedy`, the last as strong as the steps allow."""
    rising = sorted(((ratings[level.spec].value, level) for level in PATH if level.spec in ratings), key=lambda c: c[0])
    strong = min(elo for elo, level in rising if level in PATH[-3:])  # a ladder that ends below is too short
    for least, most in STEPS:
        ways = ladders(rising, elo_of(least), elo_of(most))
        top = max((way[-1][0] for way in ways), default=-math.inf)
        if top >= strong:
            return [level for _, level in min((way for way in ways if way[-1][0] == top), key=unevenness)]
    raise SystemExit("no eight candidates are anything like evenly apart: survey more of them")


def ladders(rising: Sequence[tuple[float, Level]], least: float, most: float) -> list[list[tuple[float, Level]]]:
    """For each candidate the most even ladder that ends with it, its steps between `least` and `most`."""
    ways = [[pair] for pair in rising if pair[0] <= 0]
    for _ in range(LEVELS - 1):
        ways = [
            min(known, key=unevenness)
            for pair in rising
            if (known := [[*way, pair] for way in ways if least < pair[0] - way[-1][0] < most])
        ]
    return ways


def unevenness(way: Sequence[tuple[float, Level]]) -> float:
    """How far the steps are from the middle of what is allowed."""
    steps = [after - before for (before, _), (after, _) in pairwise(way)]
    return sum(step**2 for step in steps)


def measure_plans(name: str, games: int, seed: int) -> list[Plan]:
    """Every level against the one below, and the first against `greedy`."""
    specs = [level.spec for level in levels(name)]
    return plans_of(name, [(specs[0], GREEDY), *zip(specs[1:], specs, strict=False)], games, seed)


def measured(plans: Sequence[Plan], known: Sequence[Level], record: Record) -> list[Level]:
    """The levels with what the games say about them. Ratings add up the steps, level 1 stands at 0."""
    first, *steps = [found(plan, record).pairs for plan in plans]
    rows = [replace(known[0], rating=(0, 0, 0), greedy=rounded(first))]
    elo, variance = 0.0, 0.0
    for level, pairs in zip(known[1:], steps, strict=True):
        difference = pairs.elo()
        elo, variance = elo + difference.value, variance + ((difference.high - difference.low) / 2) ** 2
        around = math.sqrt(variance)
        rating = (round(elo - around), round(elo), round(elo + around))
        rows.append(replace(level, rating=rating, step=rounded(pairs)))
    return rows


def rounded(pairs: Pairs) -> tuple[float, float, float]:
    """A score with its interval, to a thousandth."""
    score = pairs.score_interval()
    return round(score.low, 3), round(score.value, 3), round(score.high, 3)


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


def main() -> None:
    """Survey, choose, measure or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("survey", "choose", "measure", "write"))
    parser.add_argument("names", nargs="*", metavar="GAME", default=[])
    parser.add_argument("--games", type=int, default=60, help="of each match; the slowest players have fewer")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e6, help="then begin no more games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", type=Path, default=result.ROOT / "build/levels.sqlite")
    result.add_keep(parser)
    given = parser.parse_args()
    names, record = given.names or qilin.games(), Record(given.db)
    if given.verb == "write":
        write_measured(names, record, given.seed, given.keep)
        return
    if given.verb != "choose":
        made = survey_plans if given.verb == "survey" else measure_plans
        play(
            [plan for name in names for plan in made(name, given.games, given.seed)],
            record,
            given.workers,
            given.minutes,
        )
    for name in names if given.verb == "choose" else ():
        ratings = survey_ratings(name, record)
        show_survey(name, ratings)
        write(name, choose(ratings), "chosen, not measured yet.")
        show(name, levels(name))
    record.close()


if __name__ == "__main__":
    main()
