"""Every page, theme and language: axe finds nothing serious, no word is in the other language, nothing is cut off."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from visitor import Visit, Visitor

AXE = Path(__file__).parents[2] / "build/npm/node_modules/axe-core/axe.min.js"  # `make test` puts it there
LINES: dict[str, str] = json.loads((Path(__file__).parent / "games.json").read_text())


def begun(game: str, plies: int) -> Callable[[Visitor], Any]:
    """A game under way."""
    moves = LINES.get(game, "").split()[:plies]
    return lambda visitor: visitor.sit(game, ["human", "human"], moves=moves) and None


def tab(game: str, name: str) -> Callable[[Visitor], None]:
    """A tab of the analysis page."""

    def go(visitor: Visitor) -> None:
        visitor.open(f"analyse/{game}?moves={','.join(LINES[game].split()[:20])}", ".grid")
        visitor.do(f"tab.{name}")

    return go


def engine_at_work(visitor: Visitor) -> None:
    visitor.open(f"analyse/xiangqi?moves={','.join(LINES['xiangqi'].split()[:9])}", ".grid")
    visitor.page.get_by_role("switch").first.click()
    visitor.sees(".pv")


def finished(visitor: Visitor) -> None:
    begun("connect_four", 6)(visitor)
    visitor.click("d1")
    visitor.sees("dialog[open]")


def match(visitor: Visitor) -> None:
    visitor.open("match/seen?game=connect_four&first=greedy&second=random&games=4", ".match-games a")
    visitor.until(lambda: visitor.page.locator(".match-games a").count() == 4, "the end of the match", seconds=60)


def dark_chess(visitor: Visitor) -> None:
    visitor.sit("dark_chess", ["human", "human"])
    visitor.click("b2")
    visitor.sees(".ply")


def pressed(name: str) -> Callable[[Visitor], None]:
    """What opens on a button of the header."""

    def go(visitor: Visitor) -> None:
        visitor.open("play", ".card")
        visitor.do(name)
        visitor.sees("dialog[open]")

    return go


def bring_in(visitor: Visitor) -> None:
    visitor.open("games", '[data-do="library.import"]').click()
    visitor.sees("dialog[open]")


SCREENS: dict[str, Callable[[Visitor], Any]] = {
    "home": lambda visitor: visitor.open("play", ".card svg"),
    "setup": lambda visitor: visitor.open("play/liuzhou", "form.setup"),
    "game": begun("liuzhou", 13),
    "face down": dark_chess,
    "over": finished,
    "match": match,
    "engine": engine_at_work,
    "replay": tab("popucom", "moves"),
    "editor": tab("ataxx", "edit"),
    "share": tab("xiangqi", "share"),
    "library": lambda visitor: visitor.open("games", ".record"),
    "bring in": bring_in,
    "rules": lambda visitor: visitor.open("rules", ".card svg"),
    "rules of one": lambda visitor: visitor.open("rules/xiangqi", ".prose h2"),
    "training": lambda visitor: visitor.open("training", ".record"),
    "run": lambda visitor: visitor.open("training/night", ".live svg"),
    "settings": pressed("preferences"),
    "help": pressed("help"),
}
PAGES = [(language, theme) for language in ("en", "zh") for theme in ("light", "dark")]


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm was not found by `make test`")
@pytest.mark.parametrize(("language", "theme"), PAGES)
def test_nothing_keeps_anybody_out(visit: Visit, language: str, theme: str) -> None:
    """Neither serious nor critical violations, as axe-core counts them."""
    visitor = visit(language=language, theme=theme)
    found = []
    for name, show in SCREENS.items():
        look(visitor, show)
        if not visitor.page.evaluate("'axe' in window"):
            visitor.page.evaluate(AXE.read_text())
        answer = visitor.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        found += [
            (name, each["id"], each["nodes"][0]["html"][:160], each["nodes"][0]["failureSummary"][:200])
            for each in answer["violations"]
            if each["impact"] in {"serious", "critical"}
        ]
    assert found == []


FOREIGN = """(language) => {
  const other = language === "zh" ? /[A-Za-z]{2,}/ : /[\\u3400-\\u9fff]/;
  const names = /Qilin|JSON|PGN|WXF|ICCS|UCCI|SVG|PNG|HTML|XQF|UBB|MCTS|Alpha-beta|ICCS|FEN|UAI|Botzone|Elo/gi;
  const ours = (shown) => !shown.closest("svg, [translate=no], [lang]:not(html)") && shown.getClientRects().length;
  const found = [];
  const look = (text, element) => other.test(text.replace(names, "")) && ours(element) && found.push(text.trim());
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) look(walker.currentNode.data, walker.currentNode.parentElement);
  for (const element of document.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "placeholder", "alt"])
      if (element.hasAttribute(name)) look(element.getAttribute(name), element);
  look(document.title, document.body);
  return [...new Set(found)];
}"""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_word_is_in_the_language_of_the_page(visit: Visit, language: str) -> None:
    visitor = visit(language=language)
    left = {}
    for name, show in SCREENS.items():
        look(visitor, show)
        if words := visitor.page.evaluate(FOREIGN, language):
            left[name] = words
    assert left == {}


@pytest.mark.parametrize("width", [360, 800])
def test_nothing_is_wider_than_the_screen(visit: Visit, width: int) -> None:
    visitor = visit(language="en", width=width, touch=width == 360)
    for name, show in SCREENS.items():
        look(visitor, show)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, name


def look(visitor: Visitor, show: Callable[[Visitor], Any]) -> None:
    """Show a screen, with no dialog left open from before."""
    if visitor.page.locator("dialog[open]").count():
        visitor.page.keyboard.press("Escape")
    show(visitor)
