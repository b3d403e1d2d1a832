"""How strong a network is: colour-swapped pairs against others, every game kept, ratings with intervals over time.

In a run this is what the loop calls after a checkpoint: games against the recipe's players and against earlier
checkpoints, in `RUN/evaluation.sqlite`. Ratings are computed from all of them, so they sharpen as the run goes on.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qilin.match import Plan, Standing, run_match
from qilin.rating import Interval, Meeting, bradley_terry
from qilin.record import Record
from qilin.state import Game
from qilin.train.disk import write_whole
from qilin.train.settings import Evaluate

GAMES, RESULTS = "evaluation.sqlite", "evaluation.jsonl"  # in a run's folder
NETWORK = "network.safetensors"  # in a checkpoint's

Tell = Callable[[str, Standing], None]  # a rival's name, and how the match with it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The evaluations of a run: call it with a checkpoint's network and its iteration."""

    folder: Path
    game: Game
    settings: Evaluate
    seed: int
    workers: int = 1
    tell: Tell = lambda _name, _standing: None
    done: Callable[[str], None] = field(default=lambda _: None)  # the outcome, in one line

    def __call__(self, network: Path, iteration: int) -> None:
        """Play what is missing of this evaluation's games, and write what they say."""
        began = time.time()
        found: dict[str, Standing] = {}
        with closing(Record(self.folder / GAMES)) as record:
            for name, plan in self._plans(network, iteration):
                found[name] = self._play(name, plan, record)
        rating = rated(self.folder, self.game)[0].get(iteration)  # None: it had nobody to play
        line = {
            "iteration": iteration,
            "time": time.time(),
            "seconds": time.time() - began,
            "results": {name: _figures(standing) for name, standing in found.items()},
            "elo": rating.as_json() if rating else None,
        }
        _keep(self.folder / RESULTS, line)
        self.done(in_words(found, rating))

    def _play(self, name: str, plan: Plan, record: Record) -> Standing:
        return run_match(
            plan, record, workers=self.workers, resume=True, watch=lambda standing: self.tell(name, standing)
        )

    def _plans(self, network: Path, iteration: int) -> Iterator[tuple[str, Plan]]:
        plan = Plan(
            game=self.game.name,
            options=self.game.options,
            first=self._player(network),
            second="",
            games=self.settings.games,
            seed=self.seed,
            opening_plies=self.settings.opening_plies,
        )
        for rival in self.settings.against:
            yield rival, replace(plan, second=rival)
        for earlier in earlier_ones(self._evaluated(network, iteration), self.settings.earlier):
            file = network.parent.parent / f"{earlier:06d}" / NETWORK
            yield f"iteration {earlier}", replace(plan, second=self._player(file))

    def _player(self, network: Path) -> str:
        return f"net:{network},sims={self.settings.simulations}"

    def _evaluated(self, network: Path, iteration: int) -> list[int]:
        """Earlier checkpoints that were evaluated and are still there."""
        lines = (line["iteration"] for line in evaluations(self.folder))
        return sorted(
            one for one in lines if one < iteration and (network.parent.parent / f"{one:06d}" / NETWORK).is_file()
        )


def earlier_ones(evaluated: Sequence[int], number: int) -> list[int]:
    """The newest of them, one half as old, one a quarter as old, …"""
    found: list[int] = []
    left = list(evaluated)
    while left and len(found) < number:
        found.append(left[-1])
        left = left[: len(left) // 2]
    return found


def _figures(standing: Standing) -> dict[str, Any]:
    numbers = standing.as_json()
    wanted = ("games", "wins", "draws", "losses", "pentanomial", "score", "score_interval", "elo")
    return {key: numbers[key] for key in wanted}


def _keep(path: Path, line: dict[str, Any]) -> None:
    """An evaluation that is made again takes the place of the old one."""
    _write(path, [*(one for one in evaluations(path.parent) if one["iteration"] != line["iteration"]), line])


def _write(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    write_whole(path, "".join(json.dumps(line) + "\n" for line in lines).encode())


def rewind(folder: Path, iteration: int) -> None:
    """Take away the evaluations after an iteration: the run will make them again."""
    lines = evaluations(folder)
    kept = [line for line in lines if line["iteration"] <= iteration]
    if len(kept) < len(lines):
        _write(folder / RESULTS, kept)


def evaluations(folder: Path) -> list[dict[str, Any]]:
    """The lines of a run's evaluation.jsonl; none where it was never evaluated."""
    path = folder / RESULTS
    return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


def in_words(found: dict[str, Standing], rating: Interval | None = None) -> str:
    """An evaluation in one line: the score against each rival, and the rating."""
    scores = [f"{name} {standing.pairs.score:.0%}" for name, standing in found.items()]
    return "   ".join(scores) + (
        f"   Elo {rating.value:+.0f} ({rating.low:+.0f} … {rating.high:+.0f})" if rating else ""
    )


def rated(folder: Path, game: Game) -> tuple[dict[int, Interval], dict[str, Interval]]:
    """Ratings of the checkpoints by iteration, and of the other players; the weakest fixed player stands at 0.

    Checkpoints are known by their iteration: a run's folder may be moved.
    """
    if not (folder / GAMES).is_file():
        return {}, {}
    with closing(Record(folder / GAMES)) as record:
        meetings = [_known(meeting) for meeting in record.meetings(game.name, game.options)]
    if not meetings:
        return {}, {}
    ratings = bradley_terry(meetings, _anchor(meetings))
    iterations = {int(name.split()[1]): rating for name, rating in ratings.items() if name.startswith("iteration ")}
    return dict(sorted(iterations.items())), {
        name: rating for name, rating in ratings.items() if not name.startswith("iteration ")
    }


def _known(meeting: Meeting) -> Meeting:
    return replace(meeting, first=_label(meeting.first), second=_label(meeting.second))


def _label(spec: str) -> str:
    found = re.fullmatch(rf"net:.*[/\\](\d+)[/\\]{re.escape(NETWORK)},sims=\d+", spec)
    return f"iteration {int(found[1])}" if found else spec


def _anchor(meetings: Sequence[Meeting]) -> str:
    """`random`, or else whoever was the first rival: a fixed player, or the first checkpoint."""
    names = [meeting.second for meeting in meetings] + [meeting.first for meeting in meetings]
    fixed = [name for name in names if not name.startswith("iteration ")]
    return "random" if "random" in fixed else (fixed or names)[0]
