"""What is there: games, players, networks, the library, training runs, kinds of files."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query, Response
from pydantic import Field

from qilin.convert import formats, read_games, write_game_as
from qilin.game_json import game_as_json, game_from_json
from qilin.games import GAMES
from qilin.notations import notations
from qilin.pictures import png, svg
from qilin.replay import html
from qilin.state import game as game_of
from qilin.state import games as game_names
from qilin.view import said
from qilin.web import schemas
from qilin.web.api import REFUSALS, Answer, Parts
from qilin.web.errors import Invalid
from qilin.web.lines import state_of

ROUTER = APIRouter(prefix="/api", responses=REFUSALS)
PAGES = Path(__file__).parent / "rules"  # in a wheel
SOURCES = Path(__file__).parents[3] / "docs/games"  # beside the source

Id = Annotated[str, Field(min_length=1, max_length=64)]
Word = Annotated[str, Query(max_length=200)]


@ROUTER.get("/games")
async def games() -> Answer:
    """Every game: its words, board and options."""
    return {"games": [_game(name) for name in game_names()]}


def _game(name: str) -> Answer:
    game, words = game_of(name), GAMES[name]
    _, rows, cols = game.shape
    return {
        "name": name,
        "title": said(words.title),
        "summary": said(words.summary),
        "how": said(words.moves),
        "players": [said(player) for player in words.players],
        "letters": list(words.letters),
        "outcomes": game._rules.outcome_names,
        "options": [_option(name, i) for i in range(len(game._rules.options))],
        "rows": rows,
        "cols": cols,
        "rank0": game._rules.first_rank,
        "symmetries": game.symmetries,
        "has_chance": game.has_chance,
        "reasons": {reason: said(text) for reason, text in words.reasons.items()},
        "notations": [{"name": key, "words": said(known.words)} for key, known in notations(name).items()],
    }


def _option(name: str, number: int) -> Answer:
    rules = game_of(name)._rules
    option, words = rules.options[number], GAMES[name]
    presets = rules.options[0].choices or [""]
    values = [rules.defaults(preset)[number] for preset in range(len(presets))]
    shown = [option.choices[value] if option.choices else value for value in values]
    return {
        "name": option.name,
        "help": option.help,
        "words": said(words.options[option.name]),
        "choices": option.choices or None,
        "choice_words": {choice: said(words.choices[choice]) for choice in option.choices},
        "least": None if option.choices else option.least,
        "most": None if option.choices else option.most,
        "default": shown[0],
        "defaults": dict(zip(presets, shown, strict=True)),  # under each choice of the first option
    }


@ROUTER.get("/rules/{game}")
async def rules(game: Id) -> Answer:
    """A game's rules, for people."""
    name = game_of(game).name
    english, chinese = (_page(place) for place in (f"{name}.md", f"zh/{name}.md"))
    return {"game": name, "markdown": {"en": english, "zh": chinese}}


def _page(place: str) -> str | None:
    for folder in (PAGES, SOURCES):
        if (folder / place).is_file():
            return (folder / place).read_text(encoding="utf-8")
    return None


@ROUTER.get("/players")
async def players(hall: Parts, game: Word) -> Answer:
    """Who can be played against, the weakest first as far as that is known."""
    name = game_of(game).name
    found = await asyncio.to_thread(hall.roster.players, name)
    return {"players": found, "default": found[0]["spec"]}


@ROUTER.get("/networks")
async def networks(hall: Parts) -> Answer:
    """The networks that are there."""
    found = await asyncio.to_thread(hall.roster.networks)
    return {"networks": [_network(one.name, one.path, one.facts()) for one in found]}


def _network(name: str, path: Path, meta: Answer) -> Answer:
    return {
        "name": name,
        "player": f"net:{name}",
        "game": meta.get("game"),
        "bytes": path.stat().st_size,
        "meta": meta,
    }


# The library.


@ROUTER.get("/library")
async def library(
    hall: Parts,
    game: Word = "",
    query: Word = "",
    player: Word = "",
    result: Literal["", "first", "second", "draw", "open"] = "",
    position: Annotated[str, Query(max_length=400)] = "",
    moves: Annotated[str, Query(max_length=2000)] = "",
    order: Literal["newest", "oldest", "longest", "shortest"] = "newest",
    limit: Annotated[int, Query(ge=0, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Answer:
    """Games of the library: by game, words, player, result, a position they passed, or their first moves."""
    wanted = {"game": game, "query": query, "player": player, "result": result, "moves": moves}
    if position:
        if not game:
            raise Invalid("a position is of a game: name it with 'game'")
        wanted["position"] = f"{game_of(game).parse(position).key:016x}"
    return await hall.library.search(wanted, order, limit, offset)


@ROUTER.post("/library", status_code=201)
async def save(asked: schemas.Saved, hall: Parts) -> Answer:
    """Keep a game file."""
    return {"id": await hall.library.put(asked.document, asked.tags)}


@ROUTER.get("/library/{id}")
async def saved(id: Id, hall: Parts) -> Answer:
    """A game of the library."""
    summary, document = await hall.library.game(id)
    return {"summary": summary, "document": document}


@ROUTER.get("/library/{id}/replay", response_class=Response)
async def replay_of(id: Id, hall: Parts) -> Response:
    """A game of the library as one page that opens from disk."""
    _, document = await hall.library.game(id)
    page = await asyncio.to_thread(lambda: html(game_from_json(document)))
    headers = {"content-disposition": 'attachment; filename="game.html"'}
    return Response(page, media_type="text/html; charset=utf-8", headers=headers)


@ROUTER.post("/replay")
async def replay(asked: schemas.Saved) -> Answer:
    """A game file as one page that opens from disk."""
    page = await asyncio.to_thread(lambda: html(game_from_json(asked.document)))
    return {"text": page, "mime": "text/html", "name": "game.html"}


@ROUTER.post("/picture", response_class=Response)
async def picture(asked: schemas.PictureRequest) -> Response:
    """A position as a picture."""
    state = await state_of(asked)
    drawn = await asyncio.to_thread(svg, state, flipped=asked.flipped, coordinates=asked.coordinates)
    if asked.form == "svg":
        return Response(drawn, media_type="image/svg+xml")
    return Response(await asyncio.to_thread(png, drawn, width=asked.width), media_type="image/png")


@ROUTER.put("/library/{id}")
async def change(id: Id, asked: schemas.Saved, hall: Parts) -> Answer:
    """Keep a newer version of a game."""
    return {"id": await hall.library.put(asked.document, asked.tags, id)}


@ROUTER.delete("/library/{id}", status_code=204)
async def delete(id: Id, hall: Parts) -> Response:
    """Take a game out of the library."""
    await hall.library.delete(id)
    return Response(status_code=204)


# Kinds of files.


@ROUTER.get("/convert")
async def kinds() -> Answer:
    """The kinds of files that games can come from and go to."""
    return {
        "formats": [
            {
                "name": name,
                "words": said(kind.words),
                "suffix": kind.suffix,
                "mime": kind.mime,
                "writes": kind.write is not None,
                "games": None if kind.games is None else list(kind.games),
            }
            for name, kind in formats().items()
        ]
    }


@ROUTER.post("/convert")
async def convert(
    text: Annotated[str, Body(max_length=1 << 20)],
    to: Annotated[str, Body(max_length=40, examples=["json"])] = "json",
    form: Annotated[str | None, Body(alias="from", max_length=40)] = None,
    game: Annotated[str | None, Body(max_length=60)] = None,
    notation: Annotated[str | None, Body(max_length=40)] = None,
) -> Answer:
    """Games of one kind of file as another. `from` may be missing: most kinds are recognised."""
    return await asyncio.to_thread(_converted, text, to, form, game, notation)


def _converted(text: str, to: str, form: str | None, game: str | None, notation: str | None) -> Answer:
    files = read_games(text, form=form, game=game)
    if to not in formats():
        raise Invalid(f"no kind of file is called {to!r}; there are {', '.join(formats())}")
    kind = formats()[to]
    texts = [write_game_as(file, to, notation=notation) for file in files]
    return {
        "text": texts[0] if len(texts) == 1 else "\n".join(texts),
        "documents": [game_as_json(file) for file in files],
        "mime": kind.mime,
        "name": f"game{kind.suffix}",
    }


# Training runs.


@ROUTER.get("/runs")
async def runs(hall: Parts) -> Answer:
    """The training runs of this machine's folder."""
    return {"runs": await asyncio.to_thread(lambda: [run.line() for run in hall.runs.all()])}


@ROUTER.get("/runs/{run}")
async def run(run: Id, hall: Parts) -> Answer:
    """A run: its recipe, its last figures, its checkpoints, and warnings in words."""
    found = hall.runs.run(run)
    return await asyncio.to_thread(found.summary)


@ROUTER.get("/runs/{run}/metrics")
async def metrics(run: Id, hall: Parts, after: Annotated[int, Query(ge=0, le=10**15)] = 0) -> Answer:
    """Lines of metrics from byte `after` on."""
    found = hall.runs.run(run)
    return await asyncio.to_thread(found.metrics, after)


@ROUTER.get("/runs/{run}/games")
async def run_games(
    run: Id,
    hall: Parts,
    after: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 12,
) -> Answer:
    """The last games of the newest iteration, if it is newer than `after`."""
    found = hall.runs.run(run)
    return await asyncio.to_thread(found.games, after, limit)


@ROUTER.get("/health")
async def health(hall: Parts) -> dict[str, Any]:
    """How busy the server is."""
    return {
        "ok": True,
        "version": version("qilin"),
        "workers": hall.limits.workers,
        "running": hall.engines.running,
        "waiting": hall.engines.waiting,
        "tables": len(hall.house),
    }
