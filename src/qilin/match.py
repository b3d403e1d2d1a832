"""Two players, many games: openings in pairs with seats swapped, over worker processes, every game kept."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from qilin.errors import BadRecord, QilinError
from qilin.openings import Deck, opening
from qilin.players import Player, player
from qilin.rating import Pairs, Sprt
from qilin.record import Played, Record
from qilin.state import Game, State, game


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that decides a match's games. The same plan gives the same openings and the same seeds."""

    game: str
    options: dict[str, str | int] = field(default_factory=dict)
    first: str
    second: str
    games: int = 400
    seed: int = 1
    opening_plies: int = 4
    balance: float | None = 0.2  # see qilin.openings.opening; None: any open position
    position: str | None = None  # openings start here; None: from the game's start

    def __post_init__(self) -> None:
        """Refuse what can't be played."""
        if self.games < 2 or self.games % 2:
            raise QilinError(f"a match has {self.games} games, expected an even number from 2 up: they come in pairs")

    def of(self) -> Game:
        """The game that is played."""
        return game(self.game, **self.options)

    def identity(self) -> str:
        """The plan as text, without its length: a longer match with the same plan goes on where a shorter one ended."""
        fields = asdict(self)
        del fields["games"]
        return json.dumps(fields, sort_keys=True)

    def start(self, pair: int) -> State:
        """Where both games of a pair begin."""
        game = self.of()
        root = game.start() if self.position is None else game.parse(self.position)
        # Parsed again: the game begins where the players take over, and its text is all it takes to replay it.
        return game.parse(str(opening(root, self.opening_plies, f"{self.seed}/{pair}", self.balance)))


def play_game(state: State, seats: tuple[Player, Player], deck: Deck) -> tuple[State, list[float]]:
    """A game to its end, and the milliseconds each move took."""
    millis = []
    for one in seats:
        one.forget()
    while not state.is_over:
        if state.is_chance:
            state = state.play(deck.answer(state))
            continue
        assert state.to_move is not None
        began = time.perf_counter()
        move = seats[state.to_move].choose(state)
        millis.append(round((time.perf_counter() - began) * 1e3, 3))
        state = state.play(move)
    return state, millis


def play_pair(plan: Plan, pair: int) -> list[Played]:
    """Both games of a pair, on one opening and one hidden layout, seats swapped."""
    start = plan.start(pair)
    deck = Deck(random.Random(f"{plan.seed}/{pair}/deck"))
    played = []
    for turned in (False, True):
        two = [player(spec, seed=_seed(plan, pair, turned, spec)) for spec in (plan.first, plan.second)]
        end, millis = play_game(start, (two[turned], two[1 - turned]), deck)
        played.append(_record(start, end, millis, pair, turned))
    return played


def _seed(plan: Plan, pair: int, turned: bool, spec: str) -> int:
    return random.Random(f"{plan.seed}/{pair}/{turned}/{spec}").getrandbits(63)


def _record(start: State, end: State, millis: list[float], pair: int, turned: bool) -> Played:
    assert end.reason is not None
    points = 0.5 if end.winner is None else float(end.winner == int(turned))
    return Played(
        pair=pair,
        turned=turned,
        opening=str(start),
        moves=end.history,
        millis=tuple(millis),
        winner=end.winner,
        reason=end.reason,
        points=points,
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands."""

    pairs: Pairs
    wins: int
    draws: int
    losses: int
    llr: float | None = None  # of the sequential test, where there is one
    verdict: bool | None = None

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pentanomial": list(self.pairs.counts),
            "score": self.pairs.score,
            "score_interval": [self.pairs.score_interval().low, self.pairs.score_interval().high],
            "elo": self.pairs.elo().as_json(),
            "superiority": self.pairs.superiority(),
            "llr": self.llr,
            "verdict": self.verdict,
        }


def standing(record: Record, match: int, sprt: Sprt | None = None) -> Standing:
    """What the kept games of a match say."""
    pairs = record.pairs(match)
    points = [game.points for game in record.games(match)]
    counts = points.count(1.0), points.count(0.5), points.count(0.0)
    return Standing(pairs, *counts, *((sprt.llr(pairs), sprt.verdict(pairs)) if sprt else ()))


def run_match(
    plan: Plan,
    record: Record,
    *,
    workers: int | None = None,
    sprt: Sprt | None = None,
    resume: bool = False,
    watch: Callable[[Standing], None] = lambda _: None,
) -> Standing:
    """Play what is missing of a match; every finished pair is kept at once. Ends early when `sprt` has its answer.

    :raises BadRecord: when games of this plan are kept already and `resume` is off.
    """
    if record.has(plan.identity()) and not resume:
        raise BadRecord(
            f"games of this match are kept already ({plan.first} – {plan.second}): resume it, or take a new seed"
        )
    for spec in (plan.first, plan.second):
        player(spec)  # a wrong name is found before any process is started
    match = record.match(plan.identity(), plan.game, plan.of().options, plan.first, plan.second)
    known = {game.pair for game in record.games(match)}
    missing = [pair for pair in range(plan.games // 2) if pair not in known]
    now = standing(record, match, sprt)
    watch(now)
    if missing and now.verdict is None:
        for games in _pairs(plan, missing, workers or os.cpu_count() or 1):
            record.add(match, games)
            now = standing(record, match, sprt)
            watch(now)
            if now.verdict is not None:
                break
    return now


def _pairs(plan: Plan, missing: list[int], workers: int) -> Iterator[list[Played]]:
    """The games of the missing pairs, as they get ready. One worker plays in this process."""
    if workers == 1:
        for pair in missing:
            yield play_pair(plan, pair)
        return
    with _pool(min(workers, len(missing))) as pool:
        waiting: set[Future[list[Played]]] = set()
        queue = iter(missing)
        for pair in queue:
            waiting.add(pool.submit(play_pair, plan, pair))
            if len(waiting) < 2 * workers:
                continue
            done = next(as_completed(waiting))
            waiting.remove(done)
            yield done.result()
        for done in as_completed(waiting):
            yield done.result()


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes that leave Ctrl-C to their parent; whatever ends the work, nothing more is begun."""
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=become_worker)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list((pool._processes or {}).values()):
            process.terminate()


def become_worker() -> None:
    """What a worker process does first: it leaves Ctrl-C to its parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """A killed parent can't end its workers: they see to it themselves."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
