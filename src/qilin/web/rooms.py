"""Running games with people around them: who listens, whose clock runs, which engine thinks."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from qilin.errors import QilinError
from qilin.web.engines import Engines, Job
from qilin.web.errors import Busy, refusal_of
from qilin.web.limits import Limits
from qilin.web.roster import Roster
from qilin.web.store import Keeper
from qilin.web.table import Event, Setup, Table, table_from

PACE = 0.4  # seconds a ply at least, where only engines play: people watch


class Listener(Protocol):
    """Somebody who is told what happens at a table."""

    def post(self, text: str) -> None:
        """Take a message; never waits."""


Asked = tuple[Listener, Any]  # who asked for something, and the id of the message that did
Over = Callable[[Table], Any]


class Room:
    """A table, those who listen, and what goes on beside it."""

    def __init__(self, table: Table, house: House) -> None:
        """Begin where the table's events ended: no time has passed since."""
        self.table = table
        self.listeners: dict[Listener, frozenset[int]] = {}
        self._house = house
        self._lock = asyncio.Lock()
        last = table.events[-1]["millis"] / 1e3 if table.events else 0.0
        self._born = time.monotonic() - last
        self._aim: tuple[int, int, str] | None = None  # the ply, seat and player that is thought about
        self._thinking: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None

    @property
    def now(self) -> float:
        """Seconds since the game began, those without a server left out."""
        return time.monotonic() - self._born

    @property
    def is_idle(self) -> bool:
        """Whether nothing would be lost if the room was closed."""
        runs = self.table.clocks is not None and self.table.to_act is not None
        return not self.listeners and self._thinking is None and not runs and not self._lock.locked()

    def enter(self, listener: Listener, keys: frozenset[int]) -> None:
        """Tell this listener from now on."""
        self.listeners[listener] = keys
        self.nudge()

    def leave(self, listener: Listener) -> None:
        """Tell it no more. When nobody is left, engines get tired after a while."""
        if self.listeners.pop(listener, None) is not None and not self.listeners:
            asyncio.get_running_loop().call_later(self._house.limits.absent, self._rest_alone)

    def _rest_alone(self) -> None:
        if not self.listeners:
            self._stop_thinking()
            self._house.close_idle()

    async def act(self, make: Callable[[float], list[Event]], asked: Asked | None = None) -> list[Event]:
        """Make events, keep them, let them happen, tell everybody. Once begun it is done."""
        return await asyncio.shield(self._act(make, asked))

    async def _act(self, make: Callable[[float], list[Event]], asked: Asked | None) -> list[Event]:
        async with self._lock:
            events = make(self.now)
            if events:
                await self._house.keeper.do(lambda store: store.add_events(self.table.setup.id, events))
            for event in events:
                self.table.take(event)
            self._tell(events, asked)
        if any(event["kind"] == "over" for event in events):
            self._house.over(self.table)
        self.nudge()
        return events

    def _tell(self, events: list[Event], asked: Asked | None) -> None:
        shown: dict[frozenset[int], dict[str, Any]] = {}
        for listener, keys in list(self.listeners.items()):
            state = shown.setdefault(keys, self.state_for(keys))
            for event in events:
                message = {"type": "event", "game": self.table.setup.id, "seq": event["seq"], "event": event}
                if asked is not None and listener is asked[0]:
                    message["re"] = asked[1]
                message["state"] = state if event is events[-1] else None
                listener.post(json.dumps(message, ensure_ascii=False))

    def state_for(self, keys: frozenset[int]) -> dict[str, Any]:
        """STATE of the protocol."""
        return {**self.table.shown(keys, self.now), "watchers": len(self.listeners)}

    def announce(self, kind: str, **more: Any) -> None:
        """Something that passes and is no event."""
        message = {"type": kind, "game": self.table.setup.id, "seq": self.table.seq, **more}
        for listener in list(self.listeners):
            listener.post(json.dumps(message, ensure_ascii=False))

    def nudge(self) -> None:
        """Have the engine think that is to move, if somebody waits for it; let the right clock run."""
        self._set_flag()
        aim = self._next_aim()
        if aim == self._aim:
            return  # it is thought about already, though they that wait may have gone for a moment
        self._stop_thinking()
        if aim is not None and self.listeners:
            self._aim = aim
            self._thinking = asyncio.create_task(self._think(aim))

    def _next_aim(self) -> tuple[int, int, str] | None:
        seat = self.table.to_act
        if seat is None or self.table.seats[seat].is_human:
            return None
        return self.table.ply, seat, self.table.seats[seat].player

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
        self._thinking = self._aim = None

    async def _think(self, aim: tuple[int, int, str]) -> None:
        ply, seat, player = aim
        began = time.monotonic()
        try:
            move = await self._choice(seat, player)
            if not any(one.is_human for one in self.table.seats):
                await asyncio.sleep(PACE - (time.monotonic() - began))
        except QilinError as error:
            self._aim = self._thinking = None
            self.announce("refused", re=None, **refusal_of(error).as_json())
            await self.act(lambda now: self.table.rest(now, paused=True))
            return
        if self._aim == aim:
            self._aim = self._thinking = None
            await self._play_found(seat, ply, move)

    async def _play_found(self, seat: int, ply: int, move: str) -> None:
        try:
            await self.act(lambda now: self.table.move(seat, ply, move, now))
        except QilinError:  # the game went on, or ended, while the move was on its way
            self.nudge()

    async def _choice(self, seat: int, player: str) -> str:
        while True:
            asking = asyncio.create_task(self._house.engines.ask(self._job(seat, player)))
            try:
                done, _ = await asyncio.wait({asking}, timeout=0.1)
                if not done:
                    self.announce("thinking", seat=seat, player=player, since=round(self.now, 3))
                answer = await asking
                return str(answer["move"])
            except Busy as busy:
                self.announce("busy", seat=seat, retry=busy.retry)
                await asyncio.sleep(busy.retry)
            finally:
                asking.cancel()

    def _job(self, seat: int, player: str) -> Job:
        table, limits = self.table, self._house.limits
        return Job(
            do="choose",
            game=table.setup.game,
            options=table.setup.options,
            position=table.setup.position,
            moves=table.state.history,
            player=self._house.roster.admit(player),
            seed=hash((table.setup.id, seat, table.ply)) & (2**62 - 1),
            owner=f"{table.setup.id}/{seat}",
            seconds=min(limits.move_seconds, table.share(self.now)),
        )

    def _set_flag(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        left = self.table.time_left(self.now)
        if left is not None:
            self._flag = asyncio.get_running_loop().call_later(max(0.0, left) + 0.01, self._fall)

    def _fall(self) -> None:
        left, seat = self.table.time_left(self.now), self.table.to_act
        if left is None or seat is None or left > 0:
            return self._set_flag()
        self._house.spawn(self._lose_on_time(seat))
        return None

    async def _lose_on_time(self, seat: int) -> None:
        left = self.table.time_left(self.now)
        if self.table.to_act == seat and left is not None and left <= 0:
            await self.act(lambda now: self.table.end(1 - seat, "time", now))

    def close(self) -> None:
        """Stop what goes on beside the table."""
        self._stop_thinking()
        if self._flag is not None:
            self._flag.cancel()


class House:
    """All rooms. A game that nobody attends leaves memory; its events stay in the file."""

    def __init__(self, limits: Limits, engines: Engines, keeper: Keeper, roster: Roster, over: Over) -> None:
        """`over` is told of every game that ends."""
        self.limits, self.engines, self.keeper, self.roster = limits, engines, keeper, roster
        self._over = over
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._errands: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        """How many rooms are open."""
        return len(self._rooms)

    async def open(self, setup: Setup) -> Room:
        """A new game.

        :raises Busy: where there are too many already.
        """
        self._make_room()
        table = Table(setup)
        events = table.begin(0.0)
        await self.keeper.do(lambda store: store.open_table(setup, events, self.limits.kept))
        for event in events:
            table.take(event)
        room = self._rooms[setup.id] = Room(table, self)
        return room

    async def room(self, id: str) -> Room:
        """The room of a game, opened again if it was closed, or the server was."""
        if id in self._rooms:
            return self._rooms[id]
        if id not in self._opening:
            self._make_room()
            self._opening[id] = asyncio.create_task(self._reopen(id))
        try:
            return await asyncio.shield(self._opening[id])
        finally:
            self._opening.pop(id, None)

    async def _reopen(self, id: str) -> Room:
        setup, events = await self.keeper.do(lambda store: store.table(id))
        room = self._rooms[id] = Room(table_from(setup, events), self)
        return room

    def _make_room(self) -> None:
        if len(self._rooms) >= self.limits.tables:
            self.close_idle()
        if len(self._rooms) >= self.limits.tables:
            raise Busy(30.0, f"{len(self._rooms)} games are being played")

    def close_idle(self) -> None:
        """Close the rooms that nobody is in."""
        for id, room in list(self._rooms.items()):
            if room.is_idle:
                room.close()
                del self._rooms[id]

    def over(self, table: Table) -> None:
        """A game has ended."""
        self.spawn(self._over(table))

    def spawn(self, errand: Any) -> None:
        """Have something done beside; what goes wrong there is not lost."""
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def close(self) -> None:
        """Close all rooms, and finish what was begun."""
        for room in self._rooms.values():
            room.close()
        await asyncio.gather(*self._errands, return_exceptions=True)
