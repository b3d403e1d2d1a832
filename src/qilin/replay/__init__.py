"""A game as one page that opens from disk: board, moves with variations, graph, autoplay, in both languages.

Everything is in the file: the page's own modules, styles and font, the game, and what the rules say of its every
position. The page's content-security policy allows no request, to nobody.
"""

from __future__ import annotations

import base64
import json
import posixpath
import re
from functools import cache
from importlib.resources import files
from typing import Any

from qilin.errors import QilinError
from qilin.game_file import AGREED, GameFile, Step
from qilin.notations import NATIVE, notations, write_move
from qilin.state import State
from qilin.view import said, view_of

ENTRY = "replay/replay.js"  # paths are those in the package
STYLES = [*(f"web/static/css/{name}.css" for name in ("tokens", "page", "board", "panels")), "replay/replay.css"]
SKIN = "qilin/skin"  # what the entry calls the skin of its game
IMPORT = re.compile(r"""((?:^|\n)(?:import|export)[^;"']*?\bfrom\s*|(?:^|\n)import\s*)(["'])([^"']+)\2""")
ASSET = re.compile(r"""url\(["']?([^"')]+)["']?\)""")
LEFT_OUT = ("game", "options", "rows", "moves", "banned", "key")  # of a view: the page knows them, or needs them not
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; font-src data:; img-src data:"
)

PAGE = """<!doctype html>
<html lang="en" data-language="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Qilin">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}
</style>
<script type="application/json" id="game">{data}</script>
<script type="importmap">{modules}</script>
<script type="module">import {entry};</script>
</head>
<body></body>
</html>
"""


def html(file: GameFile) -> str:
    """The page of a game."""
    skin = f"web/static/skins/{file.game.name}.js"
    if not _path(skin).is_file():
        raise QilinError(f"{file.game.name} has no skin: a page of a game needs one, in {skin}")
    title = " – ".join(seat.name or seat.player or "?" for seat in file.seats)
    return PAGE.format(
        policy=POLICY,
        title=f"{_escaped(title)} · {file.game.words.title.en} {file.game.words.title.zh}",
        style="\n".join(_style(path) for path in STYLES),
        data=_embedded(_data(file)),
        modules=_embedded({"imports": _modules(skin)}),
        entry=json.dumps(_name(ENTRY)),
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _embedded(value: Any) -> str:
    """JSON that ends no script, whatever texts it holds."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _path(path: str) -> Any:
    return files("qilin").joinpath(*path.split("/"))


@cache
def _text(path: str) -> str:
    return str(_path(path).read_text(encoding="utf-8"))


def _style(path: str) -> str:
    """A style sheet with its assets in it."""

    def inline(found: re.Match[str]) -> str:
        if found[1].startswith(("#", "data:")):
            return found[0]
        raw = _path(posixpath.normpath(posixpath.join(posixpath.dirname(path), found[1]))).read_bytes()
        return f"url(data:font/woff2;base64,{base64.b64encode(raw).decode()})"

    return ASSET.sub(inline, _text(path))


def _name(path: str) -> str:
    """What a module is called in the page."""
    return f"qilin/{path}"


def _modules(skin: str) -> dict[str, str]:
    """The import map: every module that the entry needs, by name, as a data address."""
    found: dict[str, str] = {}
    waiting = [ENTRY, skin]
    while waiting:
        path = waiting.pop()
        if _name(path) not in found:
            text, needs = _renamed(path)
            found[_name(path)] = "data:text/javascript;base64," + base64.b64encode(text.encode()).decode()
            waiting += needs
    return {**found, SKIN: found.pop(_name(skin))}


def _renamed(path: str) -> tuple[str, list[str]]:
    """A module's text with its imports by name, and the paths of what it imports."""
    needs: list[str] = []

    def rename(found: re.Match[str]) -> str:
        if not found[3].startswith("."):
            return found[0]
        needs.append(posixpath.normpath(posixpath.join(posixpath.dirname(path), found[3])))
        return f"{found[1]}{json.dumps(_name(needs[-1]))}"

    return IMPORT.sub(rename, _text(path)), needs


def _data(file: GameFile) -> dict[str, Any]:
    """All that the page shows."""
    words, start = file.game.words, file.game.parse(file.start)
    ways = {name: how for name, how in notations(file.game.name).items() if name != NATIVE} or notations(file.game.name)
    steps = [(step, state) for _, step, state in file.walk()]
    return {
        "document": {**file.as_json(), "date": file.date, "event": file.event, "comment": file.comment},
        "game": {
            "name": file.game.name,
            "title": said(words.title),
            "players": [said(player) for player in words.players],
        },
        "views": [_seen(start), *(_seen(state) for _, state in steps)],
        "names": [{}, *(_names(step, state, list(ways)) for step, state in steps)],
        "notations": [{"name": name, "words": said(how.words)} for name, how in ways.items()],
        "result": _told(file),
    }


def _seen(state: State) -> dict[str, Any]:
    return {key: value for key, value in view_of(state, moves=False).items() if key not in LEFT_OUT}


def _names(step: Step, after: State, ways: list[str]) -> dict[str, str]:
    """The move in every notation that is not its own text."""
    before = after.parent
    assert before is not None
    written = {way: write_move(before, step.move, way) for way in ways}
    return {way: text for way, text in written.items() if text != step.move}


def _told(file: GameFile) -> dict[str, Any] | None:
    """How the game ended, where the rules did not end it."""
    if file.result is None or file.result.reason not in AGREED:
        return None
    return {"winner": file.result.winner, "words": said(AGREED[file.result.reason])}
