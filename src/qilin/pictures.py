"""A position as an SVG picture: the page's drawings and colours, without a page.

>>> svg(qilin.game("xiangqi").start())[:4]
'<svg'

What the skins draw comes as data (tests/web/drawings.mjs); the brush font's glyphs are outlines (docs/draw_glyphs.py):
a picture needs no font for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from qilin.drawing import standing
from qilin.errors import QilinError
from qilin.state import State
from qilin.stylesheet import Compound, Stylesheet, read, resolved
from qilin.view import view_of

CELL = 64  # pixels
BRUSH = "Qilin Brush"  # the font whose glyphs are kept as outlines

Drawing = dict[str, Any]  # {"tag", "attrs", "children"}, as the skins make them


@cache
def _static(path: str) -> str:
    return (files("qilin") / "web" / "static" / path).read_text(encoding="utf-8")


@cache
def _drawings() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(_static("skins/drawings.json"))
    return loaded


@cache
def _stylesheet(game: str) -> Stylesheet:
    return read(_static("css/tokens.css"), _static("css/board.css"), classes=_outermost(game)[1])


def _outermost(game: str) -> Compound:
    """The element of a whole board, as the page has it: its classes choose the colours."""
    skin = _drawings()["games"][game]
    return "svg", frozenset({"board", skin["className"], skin["grid"]})


@cache
def _glyphs() -> dict[str, Any]:
    """Outlines of the brush font: {"em", "glyphs": {letter: {"advance", "d"}}}, upwards."""
    loaded: dict[str, Any] = json.loads(_static("skins/glyphs.json"))
    return loaded


def svg(state: State, *, flipped: bool = False, coordinates: bool = True, last: bool = True) -> str:
    """The picture of a position. `last`: show the last move; `coordinates`: name files and ranks."""
    name = state.game.name
    if name not in _drawings()["games"]:
        raise QilinError(f"{name} has no skin to be drawn with; there are {', '.join(_drawings()['games'])}")
    skin, margin = _drawings()["games"][name], _drawings()["margin"]
    _, rows, cols = state.game.shape
    width, height = cols + 2 * margin, rows + 2 * margin
    box = f"{-margin} {-margin} {width:g} {height:g}"
    parts = [_drawings()["definitions"], *_layers(state, skin, flipped, coordinates, last)]
    body = "".join(_written(part, [_outermost(name)], _stylesheet(name)) for part in parts)
    title = escape(f"{state.game.words.title.en} {state.game.words.title.zh}: {state}. {standing(state)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width * CELL:g}" height="{height * CELL:g}" '
        f'role="img"><title>{title}</title>{body}</svg>\n'
    )


def png(drawn: str, *, width: int) -> bytes:
    """An SVG picture in pixels.

    :raises QilinError: without the package that draws them.
    """
    try:
        import resvg_py
    except ImportError:
        raise QilinError("a PNG picture needs resvg: pip install 'qilin[picture]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, width=width))


def _layers(state: State, skin: dict[str, Any], flipped: bool, coordinates: bool, last: bool) -> Iterator[Drawing]:
    """All that is drawn, from the bottom up."""
    board = skin["flipped" if flipped else "upright"]
    for drawing in board["surface"]:
        if coordinates or drawing["attrs"].get("class") != "coordinate":
            yield drawing
    view = view_of(state, moves=False)
    yield from _standing_there(view, skin["floor"], flipped)
    marks = _drawings()["marks"]
    if last and view["last"]:
        yield from (_at(view, view["last"][end], marks[end], flipped) for end in ("from", "to") if view["last"][end])
    yield from _standing_there(view, skin["pieces"], flipped)
    yield from board["front"]
    if view["check"]:
        yield _at(view, view["check"], marks["check"], flipped)


def _standing_there(view: dict[str, Any], drawings: dict[str, Drawing], flipped: bool) -> Iterator[Drawing]:
    for down, row in enumerate(view["rows"]):
        for right, letter in enumerate(row):
            if letter in drawings:
                yield _moved(view, down, right, drawings[letter], flipped)


def _at(view: dict[str, Any], square: str, drawing: Drawing, flipped: bool) -> Drawing:
    down = view["rank0"] + len(view["rows"]) - 1 - int(square[1:])
    return _moved(view, down, ord(square[0]) - ord("a"), drawing, flipped)


def _moved(view: dict[str, Any], down: int, right: int, drawing: Drawing, flipped: bool) -> Drawing:
    """The drawing in the middle of a cell."""
    if flipped:
        down, right = len(view["rows"]) - 1 - down, len(view["rows"][0]) - 1 - right
    return {"tag": "g", "attrs": {"transform": f"translate({right + 0.5} {down + 0.5})"}, "children": [drawing]}


def _written(drawing: Drawing, ancestors: Sequence[Compound], style: Stylesheet) -> str:
    """A drawing as SVG, with the attributes that the stylesheet gives it."""
    given = {key: value for key, value in drawing["attrs"].items() if value is not None}
    attrs = {key: resolved(value, _values()) if isinstance(value, str) else value for key, value in given.items()}
    own: Compound = (drawing["tag"], frozenset(str(attrs.pop("class", "")).split()))
    looks = style.look(own, ancestors)
    if own[0] == "text" and looks.get("font-family", "").strip("'").startswith(BRUSH):
        outlined = _outlined(attrs, drawing["children"], looks)
        if outlined is not None:
            return outlined
    inner = [*ancestors, own]
    children = (
        escape(child) if isinstance(child, str) else _written(child, inner, style) for child in drawing["children"]
    )
    return _element(own[0], {**attrs, **looks}, "".join(children))


def _element(tag: str, attrs: dict[str, Any], inner: str) -> str:
    written = "".join(f" {key}={quoteattr(str(value))}" for key, value in attrs.items())
    return f"<{tag}{written}>{inner}</{tag}>" if inner else f"<{tag}{written}/>"


@cache
def _values() -> dict[str, str]:
    """The custom properties of the light theme."""
    from qilin.stylesheet import COMMENT, RULE

    root = next(
        body
        for selector, body in RULE.findall(COMMENT.sub("", _static("css/tokens.css")))
        if selector.strip() == ":root"
    )
    pairs = (line.partition(":") for line in root.split(";") if "--" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _outlined(attrs: dict[str, Any], children: list[Any], looks: dict[str, str]) -> str | None:
    """A word in brush writing as the outlines of its glyphs; None where one has none."""
    glyphs, word = _glyphs()["glyphs"], "".join(child for child in children if isinstance(child, str))
    if not word or any(letter not in glyphs for letter in word):
        return None
    scale = float(looks["font-size"]) / _glyphs()["em"]
    width = sum(glyphs[letter]["advance"] for letter in word) * scale
    x = float(attrs.get("x", 0)) - (width / 2 if attrs.get("text-anchor") == "middle" else 0)
    y = float(attrs.get("y", 0)) + float(attrs.get("dy", 0))
    paint = {key: value for key, value in looks.items() if not key.startswith("font")}
    paths = []
    for letter in word:
        at = f"translate({x:.4f} {y:.4f}) scale({scale:.6f} {-scale:.6f})"
        paths.append(_element("path", {**paint, "transform": at, "d": glyphs[letter]["d"]}, ""))
        x += glyphs[letter]["advance"] * scale
    return "".join(paths)
