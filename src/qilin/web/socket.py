"""One client's WebSocket: what it says, what it is told. See docs/web_api.md."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from qilin.errors import QilinError
from qilin.state import game as game_of
from qilin.web import schemas
from qilin.web.clock import Clock
from qilin.web.errors import Busy, Failed, Forbidden, NotFound, Refusal, TooLarge, Unsupported, refusal_of
from qilin.web.hall import Hall
from qilin.web.judge import Judge, report_of
from qilin.web.lines import start_of, state_of
from qilin.web.matches import plan_of
from qilin.web.rooms import Room
from qilin.web.table import HUMAN, Event, Seat, Setup, fresh_keys

HEARD: TypeAdapter[Any] = TypeAdapter(schemas.Heard)
POLICY, TOO_BIG, SLOW = 1008, 1009, 1013  # reasons to close


class Client:
    """A connected client. Its messages are answered one after the other; streams go on beside."""

    def __init__(self, socket: WebSocket, hall: Hall) -> None:
        """Serve it with `serve`."""
        self._socket, self._hall = socket, hall
        self._outbox: asyncio.Queue[str] = asyncio.Queue(hall.limits.outbox)
        self._rooms: dict[str, Room] = {}
        self._streams: dict[str, Callable[[], None]] = {}  # by their ids: how to end them
        self._slow = asyncio.Event()

    def post(self, text: str) -> None:
        """Have a message sent. A client that takes none for long is let go."""
        try:
            self._outbox.put_nowait(text)
        except asyncio.QueueFull:
            self._slow.set()

    def say(self, **message: Any) -> None:
        """The same, of a message that is not JSON yet."""
        self.post(json.dumps(message, ensure_ascii=False))

    async def serve(self) -> None:
        """Until the client has gone, or is let go."""
        await self._socket.accept()
        self.say(type="hello", seq=0, protocol=1, ping=self._hall.limits.ping)
        tasks = [asyncio.create_task(work()) for work in (self._hear, self._send, self._slow.wait)]
        try:
            await asyncio.wait(tasks, return_when="FIRST_COMPLETED")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._part()
            await self._close(SLOW if self._slow.is_set() else 1000)

    def _part(self) -> None:
        for room in self._rooms.values():
            room.leave(self)
        for end in list(self._streams.values()):
            end()

    async def _close(self, code: int) -> None:
        if self._socket.client_state is WebSocketState.CONNECTED is self._socket.application_state:
            try:
                await asyncio.wait_for(self._socket.close(code), 1.0)
            except (TimeoutError, RuntimeError, OSError):
                return

    async def _send(self) -> None:
        while True:
            text = await self._outbox.get()
            try:
                await asyncio.wait_for(self._socket.send_text(text), self._hall.limits.patience)
            except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
                return

    async def _hear(self) -> None:
        while True:
            try:
                message = await self._socket.receive()
            except (WebSocketDisconnect, RuntimeError):
                return
            if message["type"] != "websocket.receive":
                return
            await self._answer(message)

    async def _answer(self, message: Any) -> None:
        re: Any = None
        try:
            text = message.get("text")
            if text is None:
                raise Unsupported("a binary message, expected JSON as text")
            if len(text.encode()) > self._hall.limits.frame:
                raise TooLarge(f"a message of {len(text)} characters, expected {self._hall.limits.frame} bytes at most")
            said = json.loads(text)
            re = said.get("id") if isinstance(said, dict) and isinstance(said.get("id"), str) else None
            await self._do(HEARD.validate_python(said))
        except ValidationError as error:
            self._refuse(re, refusal_of(QilinError(words_of(error))))
        except QilinError as error:
            self._refuse(re, refusal_of(error))
        except (ValueError, RecursionError):
            self._refuse(re, Refusal("the message is no JSON that can be read"))
        except Exception:
            traceback.print_exc(file=sys.stderr)
            self._refuse(re, Failed("the server made a mistake; its log says which"))

    def _refuse(self, re: Any, refusal: Refusal) -> None:
        self.say(type="refused", re=re, seq=0, **refusal.as_json())

    async def _do(self, said: Any) -> None:
        deeds: dict[str, Callable[[Any], Awaitable[None]]] = {
            "new": self._new,
            "resume": self._resume,
            "move": self._move,
            "leave": self._leave,
            "analyse": self._analyse,
            "judge": self._judge,
            "match": self._match,
            "follow": self._follow,
            "stop": self._stop,
        }
        await deeds.get(said.type, self._ask_room)(said)

    # Games.

    async def _new(self, said: schemas.New) -> None:
        root = await state_of(said)
        for seat in said.seats:
            if seat.player != HUMAN:
                self._hall.roster.admit(seat.player)
        first, second = (Seat(player=seat.player, name=seat.name) for seat in said.seats)
        id, keys = fresh_keys()
        setup = Setup(
            id=id,
            keys=keys,
            game=root.game.name,
            options=root.game.options,
            position=start_of(root),
            moves=root.history,
            seats=(first, second),
            clock=None if said.clock is None else Clock(**said.clock.model_dump()),
            undo=said.undo,
        )
        room = await self._hall.house.open(setup)
        self._enter(room, frozenset({0, 1}), said.id, room.table.events, list(keys))

    async def _resume(self, said: schemas.Resume) -> None:
        room = await self._hall.house.room(said.game)
        self._enter(room, room.table.seats_of(said.keys), said.id, room.table.events[said.seq :], None)

    def _enter(self, room: Room, keys: frozenset[int], re: Any, events: list[Event], given: list[str] | None) -> None:
        id = room.table.setup.id
        if len(self._rooms) >= 64 and id not in self._rooms:
            raise Busy(1.0, "one socket can follow 64 games; leave one first")
        self._rooms[id] = room
        room.listeners[self] = keys
        more = {} if given is None else {"keys": given}
        self.say(
            type="game", re=re, game=id, seq=room.table.seq, **more, state=room.state_for(keys), events=list(events)
        )
        room.enter(self, keys)

    def _room(self, id: str) -> Room:
        if id not in self._rooms:
            raise NotFound(f"this socket is not in game {id!r}: resume it first")
        return self._rooms[id]

    async def _move(self, said: schemas.Move) -> None:
        room = self._room(said.game)
        table, keys = room.table, room.listeners[self]

        def make(now: float) -> list[Event]:
            if said.id in table.ids:
                return []  # it was played already, and the answer was lost on its way
            seat = table.state.to_move
            if seat is not None and not (seat in keys and table.seats[seat].is_human) and said.ply == table.ply:
                raise Forbidden(f"{said.move!r}: this client may not move for the side whose turn it is")
            return table.move(seat if seat is not None else 0, said.ply, said.move, now, id=said.id)

        if not await room.act(make, (self, said.id)):
            event = table.events[table.ids[str(said.id)] - 1]
            seen = {"game": said.game, "seq": event["seq"], "event": event, "state": room.state_for(keys)}
            self.say(type="event", re=said.id, again=True, **seen)

    async def _ask_room(self, said: Any) -> None:
        room = self._room(said.game)
        table, keys = room.table, room.listeners[self]
        if not keys or ("seat" in said.model_fields_set and said.seat not in keys):
            raise Forbidden(f"{said.type}: this client has no key for that seat")
        deeds: dict[str, Callable[[float], list[Event]]] = {
            "undo": lambda now: table.undo(keys, said.by, now),
            "resign": lambda now: table.end(1 - said.seat, "resignation", now),
            "offer": lambda now: table.offer(said.seat, said.what, now),
            "accept": lambda now: table.accept(said.seat, said.what, now),
            "decline": lambda now: table.decline(said.seat, said.what, now),
            "pause": lambda now: table.rest(now, paused=True),
            "go": lambda now: table.rest(now, paused=False),
            "seat": lambda now: table.sit(said.seat, said.player, said.name, now),
        }
        if said.type == "seat" and said.player != HUMAN:
            self._hall.roster.admit(said.player)
        if not await room.act(deeds[said.type], (self, said.id)):
            self.say(type="done", re=said.id, game=said.game, seq=table.seq)

    async def _leave(self, said: schemas.Rest) -> None:
        room = self._room(said.game)
        del self._rooms[said.game]
        room.leave(self)
        self.say(type="done", re=said.id, game=said.game, seq=room.table.seq)

    # Streams.

    async def _analyse(self, said: schemas.Analyse) -> None:
        state = await state_of(said)
        self._may_stream(said.id)

        def hear(seq: int, message: dict[str, Any]) -> None:
            if "refusal" in message:
                self.say(type="refused", re=said.id, seq=seq, **message["refusal"])
            else:
                self.say(type="analysis", re=said.id, seq=seq, **message)
            if "refusal" in message or message["analysis"]["done"]:
                asyncio.get_running_loop().call_soon(self._end, said.id)

        join = self._hall.analyses.join
        self._streams[said.id] = join(state, said.player, said.lines, said.seconds, hear, said.seq)

    async def _judge(self, said: schemas.Judge) -> None:
        state = await state_of(said)
        self._may_stream(said.id)
        self._hall.roster.admit(said.player)
        judge = Judge(self._hall.engines, self._hall.roster, said.player, said.seconds)

        async def go() -> None:
            points: list[dict[str, Any]] = []
            async for point, of in judge.points(state):
                points.append(point)
                self.say(type="judged", re=said.id, seq=len(points), ply=point["ply"], of=of, point=point)
            self.say(type="report", re=said.id, seq=len(points) + 1, report=report_of(points))

        self._stream(said.id, go())

    async def _match(self, said: schemas.Match) -> None:
        self._may_stream(said.id)
        for player in said.players:
            self._hall.roster.admit(player)
        options = game_of(said.game, **said.options).options
        plan = plan_of(said.match, said.game, options, said.players, said.games)

        def hear(message: dict[str, Any]) -> None:
            if "refusal" in message:
                self.say(type="refused", re=said.id, seq=0, **message["refusal"])
            else:
                self.say(type="match", re=said.id, **message)

        self._streams[said.id] = self._hall.matches.join(said.match, plan, hear, said.seq)

    async def _follow(self, said: schemas.Follow) -> None:
        self._may_stream(said.id)
        run = self._hall.runs.run(said.run)

        async def go() -> None:
            after, seq, games = said.after, 0, 0
            while True:
                found = await asyncio.to_thread(run.metrics, after)
                last = await asyncio.to_thread(run.games, games, 12)
                if found["rows"] or last["next"] != games:
                    seq += 1
                    after, games = found["next"], last["next"]
                    self.say(type="rows", re=said.id, seq=seq, rows=found["rows"], next=after, games=last["games"])
                await asyncio.sleep(1.0)

        self._stream(said.id, go())

    def _may_stream(self, id: str) -> None:
        if id in self._streams:
            self._end(id)
        if len(self._streams) >= self._hall.limits.streams:
            raise Busy(1.0, f"one socket can have {self._hall.limits.streams} streams; stop one first")

    def _stream(self, id: str, work: Any) -> None:
        async def go() -> None:
            try:
                await work
            except QilinError as error:
                self._refuse(id, refusal_of(error))
            finally:
                self._streams.pop(id, None)

        task = asyncio.create_task(go())
        self._streams[id] = task.cancel  # type: ignore[assignment]  # whether it could be cancelled does not matter

    def _end(self, id: str) -> None:
        end = self._streams.pop(id, None)
        if end is not None:
            end()

    async def _stop(self, said: schemas.Stop) -> None:
        self._end(said.what)
        self.say(type="done", re=said.id, seq=0)


def words_of(error: ValidationError) -> str:
    """The first thing that is wrong, quoting it."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the message"
    got = repr(first.get("input"))
    return f"{where}: {first['msg']} (got {got if len(got) <= 80 else got[:80] + '…'})"
