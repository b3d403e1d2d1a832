"""Positions, moves, engines: what is computed. What is read and kept: reading.py."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Request

from qilin.errors import QilinError
from qilin.notations import notations, write_move
from qilin.state import State
from qilin.view import said, view_of
from qilin.web import schemas
from qilin.web.analyses import analyse as analysed
from qilin.web.analyses import analysis_job
from qilin.web.engines import Job
from qilin.web.errors import Invalid, Refusal
from qilin.web.hall import Hall
from qilin.web.lines import explain, played, replay, start_of, state_of

T = TypeVar("T")
Answer = dict[str, Any]
MOST_VIEWS = 1200  # of one line
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"description": words}
    for status, words in (
        (400, "not understood"),
        (403, "not allowed"),
        (404, "there is no such thing"),
        (408, "it took too long"),
        (409, "the game went on"),
        (413, "too large"),
        (415, "not JSON"),
        (422, "not valid"),
        (503, "busy: see Retry-After"),
    )
}
ROUTER = APIRouter(prefix="/api", responses=REFUSALS)


def hall_of(request: Request) -> Hall:
    """The server's parts."""
    hall = request.app.state.hall
    assert isinstance(hall, Hall)
    return hall


Parts = Annotated[Hall, Depends(hall_of)]


class Gone(Refusal):
    """Nobody is there to hear the answer."""

    code, status = "gone", 499


async def while_waited_for(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, which is cancelled when the client leaves."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when="FIRST_COMPLETED")
        if not working.done():
            raise Gone("the client left")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


@ROUTER.post("/position")
async def position(line: schemas.LineOfPlay) -> Answer:
    """The view of a position; what is wrong with it, in words, where it can not be."""
    return view_of(await state_of(line))


@ROUTER.post("/line")
async def views(line: schemas.LineOfPlay) -> Answer:
    """The view of every position of a line; only the last one has its moves."""
    if len(line.moves) > MOST_VIEWS:
        raise Invalid(f"a line of {len(line.moves)} texts, expected {MOST_VIEWS} at most")
    last = await state_of(line)
    return {"views": await asyncio.to_thread(_views, last)}


def _views(last: State) -> list[Answer]:
    states = [last]
    while (parent := states[-1].parent) is not None:
        states.append(parent)
    return [view_of(state, moves=state is last) for state in reversed(states)]


@ROUTER.post("/move")
async def move(asked: schemas.MoveRequest) -> Answer:
    """Play a move. Chance answers by its probabilities, or as `outcome` says."""
    after, texts = played(await state_of(asked), asked.move, asked.outcome)
    return {"played": texts, "view": view_of(after)}


@ROUTER.post("/ai-move")
async def ai_move(asked: schemas.AiMoveRequest, hall: Parts, request: Request) -> Answer:
    """Have a player find a move, and play it."""
    state = await state_of(asked)
    if state.to_move is None:
        raise Invalid(f"nobody is to move in '{state}'")
    began = time.monotonic()
    job = Job(
        do="choose",
        game=state.game.name,
        options=state.game.options,
        position=start_of(state),
        moves=state.history,
        player=hall.roster.admit(asked.player),
        seed=time.monotonic_ns() & (2**62 - 1),
        owner=f"once/{time.monotonic_ns()}",
        seconds=hall.limits.move_seconds,
    )
    answer = await while_waited_for(request, hall.engines.ask(job))
    after, texts = played(state, answer["move"])
    millis = round((time.monotonic() - began) * 1e3)
    return {"played": texts, "player": asked.player, "millis": millis, "view": view_of(after)}


@ROUTER.post("/analyse")
async def analyse(asked: schemas.AnalyseRequest, hall: Parts, request: Request) -> Answer:
    """What a player thinks of a position: its best lines and their values. Streams: the WebSocket."""
    state = await state_of(asked)
    seconds = min(asked.seconds, hall.limits.analysis_seconds)
    job = analysis_job(state, hall.roster, asked.player, asked.lines, seconds)
    return await while_waited_for(request, analysed(state, hall.engines, job))


@ROUTER.post("/hint")
async def hint(asked: schemas.HintRequest, hall: Parts, request: Request) -> Answer:
    """A good move, in two steps: first where it begins (`squares`), then all of it."""
    state = await state_of(asked)
    if state.to_move is None:
        raise Invalid(f"nobody is to move in '{state}'")
    job = analysis_job(state, hall.roster, asked.player, 1, hall.limits.analysis_seconds)
    found = await while_waited_for(request, analysed(state, hall.engines, job))
    if not found["lines"]:
        raise Invalid(f"{asked.player!r} has no opinions, and so no hints")
    line = found["lines"][0]
    shown = next(known for known in view_of(state)["moves"] if known["text"] == line["move"])
    squares = [square for square in (shown["from"] or shown["to"],) if square]
    return {
        "move": line["move"],
        "from": shown["from"],
        "to": shown["to"],
        "squares": squares,
        "line": line["moves"],
        "value": line["value"],
    }


@ROUTER.post("/explain")
async def why(asked: schemas.ExplainRequest) -> Answer:
    """Why a ply is not legal, in words."""
    if (asked.move is None) == (asked.to is None):
        raise Invalid("expected either 'move', or 'to' (and 'from' where the ply has one)")
    return explain(await state_of(asked), asked.start, asked.to, asked.move)


@ROUTER.post("/notation")
async def notation(line: schemas.LineOfPlay) -> Answer:
    """A line in every notation of its game; answers of chance stand as they are."""
    last = await state_of(line)
    return {"notations": await asyncio.to_thread(_notations, last)}


def _notations(last: State) -> list[Answer]:
    steps: list[tuple[State, str]] = []
    state = last
    while state.parent is not None:
        steps.append((state.parent, state.history[-1]))
        state = state.parent
    return [
        {"name": name, "words": said(known.words), "moves": [_written(*step, name) for step in reversed(steps)]}
        for name, known in notations(last.game.name).items()
    ]


def _written(before: State, text: str, name: str) -> str:
    return text if before.is_chance else write_move(before, text, name)


@ROUTER.post("/load-model")
async def load_model(asked: schemas.LoadRequest, hall: Parts, request: Request) -> Answer:
    """See whether a network can be played with; by its name in the list, never by a path."""
    network = hall.roster.network(asked.name)
    meta = network.facts()
    spec = f"net:{network.name}"
    if "game" in meta:
        await while_waited_for(request, hall.engines.ask(_trial(meta, hall.roster.admit(f"{spec},sims=1"))))
    return {"name": network.name, "game": meta.get("game"), "player": spec, "meta": meta}


def _trial(meta: dict[str, Any], player: str) -> Job:
    try:
        state = schemas.LineOfPlay(game=meta["game"], options=meta.get("options", {}))
    except ValueError as error:
        raise QilinError(f"the network does not say what it plays: {error}") from None
    start = replay(state)
    return Job(
        do="choose",
        game=start.game.name,
        options=start.game.options,
        position=str(start),
        moves=(),
        player=player,
        seed=0,
        owner="trial",
        seconds=30.0,
    )
