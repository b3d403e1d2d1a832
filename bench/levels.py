"""The opponents' levels: found by playing, measured by playing, and written beside the player that reads them.

    python bench/levels.py survey [GAME …] [--games 60] [--workers 16] [--minutes 10]
    python bench/levels.py choose [GAME …]
    python bench/levels.py measure [GAME …] [--games 200] [--workers 16] [--minutes 10] [--keep FILE]

`survey` plays the candidates of PATH, weakest first, each against the next, and some against `greedy`. `choose` picks
eight of them, as evenly spaced as they come, from one that `greedy` beats to the last, and writes
src/qilin/players/levels/<game>.toml. `measure` plays each level against the one below, the first against `greedy`, and
writes scores and ratings into the same file.

Levels are limited by nodes or depth, not by time: their strength does not depend on the machine or its load. Openings
are random starts, played twice with seats swapped (qilin.match). Games are kept in --db: a run that was cut short goes
on where it was.
"""

import argparse
import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import fields
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import result
from rich.console import Console
from rich.table import Table

import qilin
from qilin.match import Plan, Standing, play_pair, standing
from qilin.players.level import LEVELS, Level, levels
from qilin.players.soft import SoftOptions
from qilin.rating import Interval, Pairs, bradley_terry, elo_of
from qilin.record import Record

FOLDER = result.ROOT / "src/qilin/players/levels"
GREEDY = "greedy"
LEAST, MOST = elo_of(0.58), elo_of(0.77)  # between two levels: inside the 55 to 80 % that are wanted
console = Console()


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
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        waiting = {pool.submit(play_pair, plan, pair): match for plan, match, pair in missing}
        for future in as_completed(waiting):
            if not future.cancelled():
                record.add(waiting[future], future.result())
                done += 1
                if done % 50 == 0:
                    console.print(f"[dim]{done} of {len(missing)} pairs[/]")
            if time.monotonic() > end:
                for late in waiting:
                    late.cancel()
    console.print(f"[dim]{done} pairs were played, {len(missing) - done} are missing[/]")


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
    ways: list[list[tuple[float, Level]]] = [[pair] for pair in rising if pair[0] <= 0]
    for _ in range(LEVELS - 1):
        ways = [
            min(known, key=unevenness)
            for pair in rising
            if (known := [[*way, pair] for way in ways if LEAST < pair[0] - way[-1][0] < MOST])
        ]
    if not ways:
        raise SystemExit("no eight candidates are the right steps apart: survey more of them")
    top = max(way[-1][0] for way in ways)
    return [level for _, level in min((way for way in ways if way[-1][0] == top), key=unevenness)]


def unevenness(way: Sequence[tuple[float, Level]]) -> float:
    """How far the steps are from the middle of what is allowed."""
    steps = [after - before for (before, _), (after, _) in pairwise(way)]
    return sum((step - (LEAST + MOST) / 2) ** 2 for step in steps)


def measure_plans(name: str, games: int, seed: int) -> list[Plan]:
    """Every level against the one below, and the first against `greedy`."""
    specs = [level.spec for level in levels(name)]
    return plans_of(name, [(specs[0], GREEDY), *zip(specs[1:], specs, strict=False)], games, seed)


def measured(name: str, games: int, record: Record, seed: int) -> list[Level]:
    """The levels with what the games say about them. Ratings add up the steps, level 1 stands at 0."""
    first, *steps = [found(plan, record).pairs for plan in measure_plans(name, games, seed)]
    rows, elo, variance = [], 0.0, 0.0
    for level, pairs in zip(levels(name), [None, *steps], strict=True):
        if pairs is not None:
            difference = pairs.elo()
            elo, variance = elo + difference.value, variance + ((difference.high - difference.low) / 2) ** 2
        around = math.sqrt(variance)
        rows.append(
            Level(
                number=level.number,
                plays=level.plays,
                rating=(round(elo - around), round(elo), round(elo + around)),
                step=None if pairs is None else rounded(pairs),
                greedy=rounded(first) if pairs is None else None,
            )
        )
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
    table = Table("player", "Elo over greedy", "95 %", box=None, title=name)
    for spec, elo in sorted(ratings.items(), key=lambda pair: pair[1].value):
        table.add_row(spec, f"{elo.value:+.0f}", f"{elo.low:+.0f} … {elo.high:+.0f}")
    console.print(table)


def show(name: str, rows: Sequence[Level]) -> None:
    """The levels."""
    table = Table("level", "plays", "Elo", "95 %", "against the one below", "against greedy", box=None, title=name)
    for level in rows:
        low, elo, high = level.rating or (0, 0, 0)
        step = "" if level.step is None else f"{level.step[1]:.0%} ({level.step[0]:.0%} … {level.step[2]:.0%})"
        greedy = (
            "" if level.greedy is None else f"{level.greedy[1]:.0%} ({level.greedy[0]:.0%} … {level.greedy[2]:.0%})"
        )
        table.add_row(str(level.number), level.spec, f"{elo:+.0f}", f"{low:+.0f} … {high:+.0f}", step, greedy)
    console.print(table)


def main() -> None:
    """Survey, choose or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("survey", "choose", "measure"))
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=60, help="of each match; the slowest players have fewer")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e6, help="then begin no more games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", type=Path, default=result.ROOT / "build/levels.sqlite")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="append the JSON line here")
    given = parser.parse_args()
    names = given.names or qilin.games()
    record = Record(given.db)
    if given.verb != "choose":
        made = survey_plans if given.verb == "survey" else measure_plans
        plans = [plan for name in names for plan in made(name, given.games, given.seed)]
        play(plans, record, given.workers, given.minutes)
    numbers = {}
    for name in names:
        if given.verb == "measure":
            rows = measured(name, given.games, record, given.seed)
            played = sum(found(plan, record).games for plan in measure_plans(name, given.games, given.seed))
            write(name, rows, f"measured at {result.commit()}, {played} games.")
            show(name, rows)
            numbers[name] = [{"plays": level.spec, **level.as_json(), "greedy": level.greedy} for level in rows]
            continue
        ratings = survey_ratings(name, record)
        show_survey(name, ratings)
        if given.verb == "choose":
            write(name, choose(ratings), "chosen, not measured yet.")
            show(name, levels(name))
    if numbers:
        result.finish({"levels": numbers}, given.keep)


if __name__ == "__main__":
    main()
