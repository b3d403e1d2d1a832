"""Engine processes and the jobs that wait for them: bounded in number, time and memory; nobody waits, nobody thinks."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from qilin.web.errors import Busy, EngineFailed
from qilin.web.limits import Limits

Told = Callable[[dict[str, Any]], None]
FRAME = 1 << 22  # bytes of one answer of an engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What an engine is asked; nothing else reaches it."""

    do: str  # choose, or analyse
    game: str
    options: dict[str, str | int]
    position: str
    moves: tuple[str, ...]
    player: str
    seed: int
    owner: str  # players remember from job to job of one owner
    lines: int = 1
    seconds: float  # then it is stopped

    def as_json(self, number: int) -> bytes:
        """The line that an engine reads."""
        said = {
            "job": number,
            "do": self.do,
            "game": self.game,
            "options": self.options,
            "position": self.position,
            "moves": list(self.moves),
            "player": self.player,
            "seed": self.seed,
            "owner": self.owner,
            "lines": self.lines,
        }
        return json.dumps(said).encode() + b"\n"


@dataclass(slots=True, eq=False)
class Ticket:
    """A job and who waits for it."""

    job: Job
    told: Told | None
    answer: asyncio.Future[dict[str, Any]]
    wanted: asyncio.Event = field(default_factory=asyncio.Event)  # set: nobody waits any longer
    began: float | None = None


@dataclass(slots=True)
class Queues:
    """Moves of games come before analyses."""

    moves: deque[Ticket] = field(default_factory=deque)
    analyses: deque[Ticket] = field(default_factory=deque)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    def of(self, job: Job) -> deque[Ticket]:
        """Where a job waits."""
        return self.moves if job.do == "choose" else self.analyses


class Engines:
    """A few processes, each with one thread and one job at a time. The first one never analyses: moves always go on."""

    def __init__(self, limits: Limits) -> None:
        """Start with `start`."""
        self.limits = limits
        self._queues = Queues()
        self._tasks: list[asyncio.Task[None]] = []
        self._number = 0
        self._took = 0.2  # seconds a job, of late
        self.running = 0

    @property
    def waiting(self) -> int:
        """Jobs that no engine has begun."""
        return len(self._queues.moves) + len(self._queues.analyses)

    async def start(self) -> None:
        """Have the processes ready."""
        self._tasks = [asyncio.create_task(self._run(first=i == 0)) for i in range(self.limits.workers)]

    async def close(self) -> None:
        """End all processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def ask(self, job: Job, told: Told | None = None) -> dict[str, Any]:
        """The answer of an engine. Cancelled: the search is stopped.

        :raises Busy: where too many wait already.
        :raises EngineFailed: with what the engine said.
        """
        queue = self._queues.of(job)
        most = self.limits.waiting if job.do == "choose" else self.limits.analyses
        if len(queue) >= most:
            raise Busy(self._retry(len(queue)))
        ticket = Ticket(job, told, asyncio.get_running_loop().create_future())
        async with self._queues.changed:
            queue.append(ticket)
            self._queues.changed.notify_all()
        try:
            return await ticket.answer
        finally:
            ticket.wanted.set()
            if ticket in queue:
                queue.remove(ticket)

    def _retry(self, waiting: int) -> float:
        return round(min(30.0, max(1.0, waiting * self._took / self.limits.workers)), 1)

    async def _run(self, *, first: bool) -> None:
        engine: Engine | None = None
        try:
            while True:
                engine = await self._fit(engine)
                ticket = await self._next(first=first)
                if ticket.answer.done():
                    continue
                self.running += 1
                try:
                    stays = not engine.has_ended and await self._serve(engine, ticket)
                finally:
                    self.running -= 1
                if not stays:
                    await engine.end()
                if not ticket.answer.done():  # the engine had ended while it was idle: another one does the job
                    self._queues.of(ticket.job).appendleft(ticket)
        finally:
            if engine is not None:
                await engine.end()

    async def _fit(self, engine: Engine | None) -> Engine:
        """The engine, or a new one where it has ended; a machine that has no room for one now may have it soon."""
        while engine is None or engine.has_ended:
            try:
                engine = await Engine.started(self.limits.memory)
            except OSError as error:
                print(f"no engine could be started: {error}", file=sys.stderr)
                await asyncio.sleep(1.0)
        return engine

    async def _next(self, *, first: bool) -> Ticket:
        queues = self._queues
        async with queues.changed:
            await queues.changed.wait_for(lambda: queues.moves or (queues.analyses and not first))
            return (queues.moves or queues.analyses).popleft()

    async def _serve(self, engine: Engine, ticket: Ticket) -> bool:
        """Have a job done; answers whether the engine is still fit for another one."""
        self._number += 1
        began = time.monotonic()
        try:
            await engine.tell(ticket.job.as_json(self._number))
        except OSError:
            return False
        try:
            said = await self._listen(engine, ticket, self._number)
        except (EngineFailed, OSError, ValueError, AssertionError) as error:
            if not ticket.answer.done():
                ticket.answer.set_exception(EngineFailed(str(error)))
            return False
        self._took += 0.1 * (time.monotonic() - began - self._took)
        if ticket.answer.done():
            return True
        if "error" in said:
            ticket.answer.set_exception(EngineFailed(said["error"]))
            return bool(said["kind"] != "MemoryError")
        ticket.answer.set_result(said)
        return True

    async def _listen(self, engine: Engine, ticket: Ticket, number: int) -> dict[str, Any]:
        """What an engine says about a job, to its last word; it is stopped when its time is up or nobody waits."""
        ticket.began = time.monotonic()
        stopped: float | None = None
        while True:
            said = await engine.hear(within=0.1 if stopped else 0.25, unless=ticket.wanted)
            now = time.monotonic()
            if said is not None and said.get("job") == number:
                if said.get("done"):
                    return said
                if ticket.told is not None and not ticket.wanted.is_set():
                    ticket.told(said)
            if stopped is None and not self._may_go_on(ticket, now):
                stopped = now
            if stopped is not None:
                await engine.tell(json.dumps({"stop": number}).encode() + b"\n")
                if now - stopped > self.limits.grace:
                    raise EngineFailed("the engine did not answer in time")

    def _may_go_on(self, ticket: Ticket, now: float) -> bool:
        assert ticket.began is not None
        seconds = now - ticket.began
        gives_way = ticket.job.do == "analyse" and bool(self._queues.analyses) and seconds > self.limits.share
        return not ticket.wanted.is_set() and seconds < ticket.job.seconds and not gives_way


class Engine:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Use `Engine.started`."""
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._in, self._out = process, process.stdin, process.stdout
        self._reading: asyncio.Task[bytes] | None = None

    @classmethod
    async def started(cls, memory: int) -> Engine:
        """A new process. It thinks with one thread, and lets the server go first."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "qilin.web.worker", str(memory)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=FRAME,
            start_new_session=True,
        )
        return cls(process)

    @property
    def has_ended(self) -> bool:
        """Whether the process is no more."""
        return self._process.returncode is not None or self._out.at_eof()

    async def tell(self, line: bytes) -> None:
        """Send a line."""
        self._in.write(line)
        await self._in.drain()

    async def hear(self, *, within: float, unless: asyncio.Event) -> dict[str, Any] | None:
        """The next line; None where there is none yet, or when nobody waits any longer."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._out.readline())
        waits = {self._reading}
        gone: asyncio.Task[Any] | None = None
        if not unless.is_set():
            gone = asyncio.create_task(unless.wait())
        try:
            await asyncio.wait({*waits, *([gone] if gone else [])}, timeout=within, return_when="FIRST_COMPLETED")
        finally:
            if gone is not None:
                gone.cancel()
        if not self._reading.done():
            return None
        line, self._reading = self._reading.result(), None
        if not line:
            raise EngineFailed("the engine's process ended")
        said = json.loads(line)
        assert isinstance(said, dict)
        return said

    async def end(self) -> None:
        """End the process."""
        if self._reading is not None:
            self._reading.cancel()
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
