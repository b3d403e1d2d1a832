"""Many players, one table: every pairing a match, ratings from all games that are kept."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qilin.errors import QilinError
from qilin.match import Plan, Standing, run_match
from qilin.rating import Interval, Meeting, bradley_terry
from qilin.record import Record
from qilin.state import game as game_of

ANCHOR = "random"  # stands at 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One player's place."""

    player: str
    rating: Interval
    games: int
    score: float  # mean points of all its games

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {"player": self.player, "elo": self.rating.as_json(), "games": self.games, "score": self.score}


def pairings(players: Sequence[str], gauntlet: bool) -> list[tuple[str, str]]:
    """Everybody against everybody, or the first one against all others."""
    if len(set(players)) < len(players) or len(players) < 2:
        raise QilinError(f"a ladder of {', '.join(players) or 'nobody'}: expected two or more different players")
    if gauntlet:
        return [(players[0], rival) for rival in players[1:]]
    return list(itertools.combinations(players, 2))


def play_ladder(
    plans: Sequence[Plan],
    record: Record,
    *,
    workers: int | None = None,
    watch: Callable[[Plan, Standing], None] = lambda _plan, _standing: None,
) -> None:
    """Play what is missing of every pairing; what is kept already counts."""
    for plan in plans:

        def tell(standing: Standing, plan: Plan = plan) -> None:
            watch(plan, standing)

        run_match(plan, record, workers=workers, resume=True, watch=tell)


def ratings(record: Record, game: str, options: dict[str, str | int], anchor: str = ANCHOR) -> list[Rung]:
    """The ladder of all games that are kept under these options, best first."""
    meetings = record.meetings(game, game_of(game, **options).options)
    if not meetings:
        raise QilinError(f"no games of {game} are kept under these options: play a match or a ladder first")
    names = {name for meeting in meetings for name in (meeting.first, meeting.second)}
    if anchor not in names:
        raise QilinError(
            f"{anchor!r} is to stand at 0, and has played nobody; the players are {', '.join(sorted(names))}"
        )
    found = bradley_terry(meetings, anchor)
    rungs = [_rung(name, interval, meetings) for name, interval in found.items()]
    return sorted(rungs, key=lambda rung: -rung.rating.value)


def _rung(name: str, rating: Interval, meetings: Sequence[Meeting]) -> Rung:
    games, points = 0, 0.0
    for meeting in meetings:
        if name in (meeting.first, meeting.second):
            wins = meeting.wins if name == meeting.first else meeting.losses
            games += meeting.wins + meeting.draws + meeting.losses
            points += wins + meeting.draws / 2
    return Rung(player=name, rating=rating, games=games, score=points / games)


def plot(rungs: Sequence[Rung], title: str, path: Path) -> None:
    """Ratings with their intervals, as PNG or SVG by the file's ending."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise QilinError("a plot needs matplotlib: pip install 'qilin[plot]'") from None

    figure = Figure(figsize=(8, 1.2 + 0.4 * len(rungs)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    names = [rung.player for rung in reversed(rungs)]
    values = [rung.rating.value for rung in reversed(rungs)]
    errors = [rung.rating.value - rung.rating.low for rung in reversed(rungs)]
    axes.errorbar(values, range(len(names)), xerr=errors, fmt="o", color="#C0392B", ecolor="#2B2A27", capsize=4)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("Elo, 95 % intervals")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(path, dpi=150)
