"""Analyses that go on while somebody waits for them; those who ask the same share one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from qilin.errors import QilinError
from qilin.state import State
from qilin.web.engines import Engines, Job
from qilin.web.errors import refusal_of
from qilin.web.limits import Limits
from qilin.web.lines import start_of
from qilin.web.roster import Roster

Hear = Callable[[int, dict[str, Any]], None]  # the number of the message, and what it says


def finished(found: dict[str, Any], to_move: int, *, done: bool) -> dict[str, Any]:
    """An engine's analysis with values for player 0."""
    lines = [{**line, "value": value_of(line, to_move)} for line in found["lines"]]
    return {**found, "to_move": to_move, "lines": lines, "value": lines[0]["value"] if lines else None, "done": done}


def value_of(line: dict[str, Any], to_move: int) -> float:
    """What a line is worth to player 0, a draw counted half."""
    mover = line["win"] + (line["draw"] or 0.0) / 2
    return float(mover if to_move == 0 else 1 - mover)


def analysis_job(state: State, roster: Roster, player: str, lines: int, seconds: float) -> Job:
    """What an engine is asked to analyse a state."""
    return Job(
        do="analyse",
        game=state.game.name,
        options=state.game.options,
        position=start_of(state),
        moves=state.history,
        player=roster.admit(roster.timed(player, seconds)),
        seed=0,
        owner="analysis",
        lines=lines,
        seconds=seconds + 1.0,
    )


async def analyse(state: State, engines: Engines, job: Job) -> dict[str, Any]:
    """One analysis to its end."""
    if state.to_move is None:
        return resting(state)
    return finished((await engines.ask(job))["analysis"], state.to_move, done=True)


def resting(state: State) -> dict[str, Any]:
    """The analysis of a position in which nobody is to move."""
    value = None if not state.is_over else 0.5 if state.winner is None else float(state.winner == 0)
    nothing: dict[str, Any] = {"lines": [], "heat": [], "depth": None, "nodes": None, "seconds": None}
    return {**nothing, "to_move": None, "value": value, "done": True}


@dataclass(slots=True, eq=False)
class Stream:
    """One analysis and who listens to it."""

    listeners: list[Hear] = field(default_factory=list)
    seq: int = 0
    latest: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None

    def tell(self, message: dict[str, Any]) -> None:
        """Say something to everybody who listens."""
        self.seq, self.latest = self.seq + 1, message
        for hear in list(self.listeners):
            hear(self.seq, message)


class Analyses:
    """All streams, by what is analysed."""

    def __init__(self, limits: Limits, engines: Engines, roster: Roster) -> None:
        """None yet."""
        self._limits, self._engines, self._roster = limits, engines, roster
        self._streams: dict[str, Stream] = {}

    def join(self, state: State, player: str, lines: int, seconds: float, hear: Hear, after: int = 0) -> Any:
        """Listen to the analysis of a state; answers what ends that. What came after number `after` is told at once."""
        job = analysis_job(state, self._roster, player, lines, seconds)
        key = json.dumps([job.game, job.options, job.position, job.moves, job.player, lines, seconds])
        stream = self._streams.get(key)
        if stream is None:
            stream = self._streams[key] = Stream(seq=after)
            stream.task = asyncio.create_task(self._go(key, stream, state, job))
        stream.listeners.append(hear)
        if stream.latest is not None and stream.seq > after:
            hear(stream.seq, stream.latest)
        return lambda: self._leave(key, stream, hear)

    def _leave(self, key: str, stream: Stream, hear: Hear) -> None:
        if hear in stream.listeners:
            stream.listeners.remove(hear)
        if not stream.listeners:
            asyncio.get_running_loop().call_later(self._limits.absent, self._end, key, stream)

    def _end(self, key: str, stream: Stream) -> None:
        if stream.listeners or self._streams.get(key) is not stream:
            return
        del self._streams[key]
        if stream.task is not None:
            stream.task.cancel()

    async def _go(self, key: str, stream: Stream, state: State, job: Job) -> None:
        mover = state.to_move
        try:
            if mover is None:
                said: dict[str, Any] = resting(state)
            else:
                found = await self._engines.ask(job, lambda said: self._improve(stream, said, mover))
                said = finished(found["analysis"], mover, done=True)
            stream.tell({"analysis": said})
        except QilinError as error:
            stream.tell({"refusal": refusal_of(error).as_json()})
        finally:
            if self._streams.get(key) is stream and not stream.listeners:
                del self._streams[key]

    @staticmethod
    def _improve(stream: Stream, said: dict[str, Any], mover: int) -> None:
        stream.tell({"analysis": finished(said["analysis"], mover, done=False)})

    async def close(self) -> None:
        """End all."""
        for stream in self._streams.values():
            if stream.task is not None:
                stream.task.cancel()
