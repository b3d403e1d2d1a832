"""Matches between two engines: pairs of games with seats swapped, told as they go, with what they say about strength.

Openings, layouts and statistics are those of `qilin match`. A match ends when nobody has listened for a while; its
games are in the library.
"""

from __future__ import annotations

import asyncio
import random
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from qilin.errors import QilinError
from qilin.game_file import Seat, file_of
from qilin.game_json import game_as_json
from qilin.match import Plan, Standing
from qilin.openings import Deck
from qilin.rating import Pairs
from qilin.state import State
from qilin.view import said, view_of
from qilin.web.engines import Engines, Job
from qilin.web.errors import Busy, refusal_of
from qilin.web.library import Library
from qilin.web.limits import Limits
from qilin.web.roster import Roster

Hear = Callable[[dict[str, Any]], None]
LOOK = 0.2  # seconds between two looks at the board, at least


@dataclass(slots=True, eq=False)
class Match:
    """A match, and who listens to it."""

    id: str
    plan: Plan
    listeners: list[Hear] = field(default_factory=list)
    games: list[dict[str, Any]] = field(default_factory=list)
    board: dict[str, Any] | None = None  # the view of the game that is played
    refusal: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None
    looked: float = 0.0

    @property
    def is_over(self) -> bool:
        """Whether no more will be played."""
        return self.refusal is not None or len(self.games) == self.plan.games

    def told(self, after: int) -> dict[str, Any]:
        """How it stands, with the games after number `after`."""
        return {
            "seq": len(self.games),
            "players": [self.plan.first, self.plan.second],
            "of": self.plan.games,
            "games": self.games[after:],
            "standing": self.standing().as_json(),
            "board": self.board,
            "done": self.is_over,
        }

    def standing(self) -> Standing:
        """What the games say. Strength is read from whole pairs."""
        points = [game["points"] for game in self.games]
        pairs = Pairs()
        for first, second in zip(points[::2], points[1::2], strict=False):
            pairs = pairs.add(first + second)
        return Standing(pairs, points.count(1.0), points.count(0.5), points.count(0.0))

    def tell(self, message: dict[str, Any]) -> None:
        """Say something to everybody who listens."""
        for hear in list(self.listeners):
            hear(message)

    def look(self, state: State) -> None:
        """Show the board, not too often."""
        if time.monotonic() - self.looked > LOOK:
            self.looked = time.monotonic()
            self.board = view_of(state, moves=False)
            self.tell(self.told(len(self.games)))


class Matches:
    """All matches, by the names that clients gave them."""

    def __init__(self, limits: Limits, engines: Engines, roster: Roster, library: Library) -> None:
        """None yet."""
        self._limits, self._engines, self._roster, self._library = limits, engines, roster, library
        self._matches: dict[str, Match] = {}

    def join(self, id: str, plan: Plan, hear: Hear, after: int = 0) -> Callable[[], None]:
        """Listen to a match, beginning it if it is new; answers what ends that. Games after number `after` are told.

        :raises Busy: where there are too many.
        """
        match = self._matches.get(id)
        if match is None:
            if len(self._matches) >= self._limits.matches:
                raise Busy(60.0, f"{len(self._matches)} matches are being played")
            match = self._matches[id] = Match(id, plan)
            match.task = asyncio.create_task(self._go(match))
        match.listeners.append(hear)
        hear(match.refusal if match.refusal is not None else match.told(after))
        return lambda: self._leave(match, hear)

    def _leave(self, match: Match, hear: Hear) -> None:
        if hear in match.listeners:
            match.listeners.remove(hear)
        if not match.listeners:
            asyncio.get_running_loop().call_later(self._limits.absent, self._end, match)

    def _end(self, match: Match) -> None:
        if match.listeners or self._matches.get(match.id) is not match:
            return
        del self._matches[match.id]
        if match.task is not None:
            match.task.cancel()

    async def _go(self, match: Match) -> None:
        try:
            while not match.is_over:
                await self._pair(match, len(match.games) // 2)
        except QilinError as error:
            match.refusal = {"refusal": refusal_of(error).as_json()}
            match.tell(match.refusal)

    async def _pair(self, match: Match, pair: int) -> None:
        start = await asyncio.to_thread(match.plan.start, pair)
        deck = Deck(random.Random(f"{match.plan.seed}/{pair}/deck"))
        for turned in (False, True):
            end = await self._play(match, start, deck, turned)
            record = await self._keep(match.plan, end, turned)
            match.games.append(_told_of(end, turned, record))
            match.board = view_of(end, moves=False)
            match.tell(match.told(len(match.games) - 1))

    async def _play(self, match: Match, state: State, deck: Deck, turned: bool) -> State:
        seats = (match.plan.first, match.plan.second)
        start = str(state)
        while not state.is_over:
            match.look(state)
            if state.is_chance:
                state = state.play(deck.answer(state))
                continue
            assert state.to_move is not None
            player = seats[state.to_move ^ turned]
            state = state.play(await self._choice(match, state, start, player))
        return state

    async def _choice(self, match: Match, state: State, start: str, player: str) -> str:
        games = len(match.games)
        job = Job(
            do="choose",
            game=state.game.name,
            options=state.game.options,
            position=start,
            moves=state.history,
            player=self._roster.admit(player),
            seed=random.Random(f"{match.plan.seed}/{games}/{player}").getrandbits(62),
            owner=f"{match.id}/{games}/{state.to_move}",
            seconds=self._limits.move_seconds,
        )
        while True:
            try:
                return str((await self._engines.ask(job))["move"])
            except Busy as busy:
                await asyncio.sleep(busy.retry)

    async def _keep(self, plan: Plan, end: State, turned: bool) -> str:
        names = (plan.second, plan.first) if turned else (plan.first, plan.second)
        first, second = (Seat(name="", player=name) for name in names)
        file = file_of(end, seats=(first, second), date=datetime.now(UTC).date().isoformat())
        return await self._library.put(game_as_json(file), ["match"])

    async def close(self) -> None:
        """End all."""
        tasks = [match.task for match in self._matches.values() if match.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _told_of(end: State, turned: bool, record: str) -> dict[str, Any]:
    """A game that is over, for a client; `points` are the first player's."""
    assert end.reason is not None
    return {
        "turned": turned,
        "winner": end.winner,
        "points": 0.5 if end.winner is None else float(end.winner == int(turned)),
        "reason": end.reason,
        "words": said(end.game.words.reasons[end.reason]),
        "plies": len(end.history),
        "record": record,
    }


def plan_of(id: str, game: str, options: dict[str, str | int], players: list[str], games: int) -> Plan:
    """The plan of a match; its name decides the openings.

    :raises QilinError: where it can't be played.
    """
    first, second = players
    return Plan(game=game, options=options, first=first, second=second, games=games, seed=zlib.crc32(id.encode()))
