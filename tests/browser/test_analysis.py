"""The analysis page: engine, arrows, heat, graph, variations, editor, links."""

from __future__ import annotations

import re

import pytest
from visitor import Visit, Visitor

OPENING = "h2e2,h9g7,h0g2,i9h9"


def study(visitor: Visitor, game: str = "xiangqi", moves: str = OPENING) -> None:
    visitor.open(f"analyse/{game}?moves={moves}", ".grid")
    visitor.until(lambda: visitor.plies() == len(moves.split(",")) if moves else True, "the moves")


def think(visitor: Visitor) -> None:
    visitor.page.keyboard.press("e")
    visitor.sees(".pv")


def test_the_engine_shows_lines_arrows_and_heat(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    study(visitor)
    think(visitor)
    visitor.until(lambda: page.locator(".opinion").count(), "an arrow")
    assert 1 <= page.locator(".pv").count() <= 3
    assert re.search(r"\d+%", visitor.sees(".engine-value").inner_text())
    assert "wins" in (page.locator(".chance-bar").get_attribute("aria-label") or "")
    page.locator(".pv").first.hover()
    visitor.until(lambda: page.locator(".preview").count(), "the line's first move")
    page.mouse.move(5, 5)
    page.keyboard.press("v")
    visitor.until(lambda: page.locator(".heat.visits").count(), "the heat of visits")
    page.keyboard.press("v")
    page.keyboard.press("v")
    page.keyboard.press("a")
    visitor.until(lambda: page.locator(".opinion").count() == 0, "no arrows")
    page.keyboard.press(" ")
    visitor.until(lambda: visitor.plies() == 5, "the best move")
    page.keyboard.press("e")
    visitor.until(lambda: page.locator(".pv").count() == 0, "silence")


def test_a_judged_game_has_a_graph_to_jump_in(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    study(visitor, "connect_four", "d,a,d,b,d,g,d")
    visitor.do("engine.judge")
    visitor.sees(".report")
    assert page.locator(".ply.blunder, .ply.mistake").count() > 0
    assert page.locator(".graph .dot").count() > 0
    box = visitor.sees(".graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    visitor.until(lambda: page.locator(".ply.here").count() == 0, "the start")
    page.get_by_label("Move on the win-rate graph").fill("3")
    visitor.until(lambda: page.locator(".ply.here").inner_text().startswith("d"), "the third move")


def test_variations_grow_turn_and_are_cut(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    study(visitor)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    visitor.until(lambda: visitor.board()["g2"].startswith("g2, empty"), "two moves back")
    visitor.click("b0")
    visitor.click("c2")
    visitor.until(lambda: page.locator(".variation .ply.here").inner_text() == "b0c2", "the variation")
    page.keyboard.press("ArrowUp")
    visitor.until(lambda: page.locator(".ply.here").inner_text() == "h0g2", "its sibling")
    page.keyboard.press("ArrowDown")
    visitor.do("tab.moves")
    visitor.do("variation.promote")
    visitor.until(lambda: page.locator(".variation .ply").all_inner_texts()[0] == "h0g2", "the other as variation")
    visitor.do("variation.cut")
    visitor.until(lambda: "b0c2" not in page.locator(".ply").all_inner_texts(), "the cut")
    page.keyboard.press("Home")
    visitor.do("replay.start")
    visitor.until(lambda: page.locator(".ply.here").inner_text() == "i9h9", "the end of the replay", seconds=30)


def test_moves_are_written_as_one_likes(visit: Visit) -> None:
    for notation, first in (("chinese", "炮二平五"), ("wxf", "C2=5"), ("iccs", "H2-E2")):
        visitor = visit(notation=notation)
        study(visitor)
        visitor.until(lambda: visitor.page.locator(".ply").first.inner_text() == first, first)  # noqa: B023 - called at once


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("RED's R stands on 3 squares.", "It ends before the side to move.", "red chariot")),
        ("zh", ("红方的车有 3 个，过多。", "局面文本不完整，缺少行棋方。", "红车")),
    ],
)
def test_the_editor_judges_in_words(visit: Visit, language: str, words: tuple[str, str, str]) -> None:
    visitor = visit(language=language)
    page = visitor.page
    study(visitor, moves="")
    visitor.do("tab.edit")
    page.locator('.palette [data-letter="R"]').click()
    visitor.click("e5")
    assert visitor.sees(".verdict.bad").inner_text() == words[0]
    assert page.locator('[data-do="edit.use"]').is_disabled()
    text = page.locator(".editor textarea")
    text.fill("4k4/9/9/9/9/9/9/9/4R4/3K5")
    visitor.until(lambda: visitor.sees(".verdict.bad").inner_text() == words[1], words[1])
    text.fill("4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1")
    visitor.sees(".verdict.good")
    visitor.do("edit.use")
    for _ in range(2):
        visitor.until(lambda: "position=" in page.url and words[2] in visitor.board().get("e1", ""), "the position")
        page.reload()


def test_a_link_shows_the_same_line(visit: Visit) -> None:
    visitor = visit()
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    study(visitor)
    visitor.page.keyboard.press("ArrowLeft")
    visitor.until(lambda: visitor.page.locator(".ply.here").inner_text() == "h0g2", "one move back")
    visitor.do("tab.share")
    visitor.do("share.link")
    visitor.sees(".notice")
    link = str(visitor.page.evaluate("navigator.clipboard.readText()"))
    visitor.do("share.position")
    visitor.until(
        lambda: visitor.page.evaluate("navigator.clipboard.readText()").startswith("rnbakab1r/9/1c4nc1"),
        "the position",
    )
    other = visit()
    other.page.goto(link)
    other.sees(".grid")
    other.until(lambda: other.page.locator(".ply.here").inner_text() == "h0g2", "the same move")
    assert other.board() == visitor.board()


def test_a_position_is_played_from(visit: Visit) -> None:
    visitor = visit()
    study(visitor)
    visitor.do("tab.moves")
    visitor.do("play.from_here")
    visitor.sees("form.setup")
    visitor.page.get_by_text("Both sides", exact=True).click()
    visitor.do("start")
    visitor.until(lambda: visitor.states and len(visitor.state["moves"]) == 4, "the game with its past")
    assert [move["text"] for move in visitor.state["moves"]] == OPENING.split(",")
