"""What happens at a table beside moving: taking back, turning the board, hints, offers, clocks, watching."""

from __future__ import annotations

import re
from typing import Any

from visitor import Visit, Visitor

TWO = ["human", "human"]


def moves(visitor: Visitor) -> list[str]:
    return [move["text"] for move in visitor.state["moves"]]


def test_a_turn_is_taken_back_with_all_its_plies(visit: Visit) -> None:
    """Against an engine both plies go; a mark of Liuzhou goes alone, or with the stone that earned it."""
    visitor = visit()
    visitor.sit("connect_four", ["human", "random"])
    visitor.click("d1")
    visitor.until(lambda: len(moves(visitor)) == 2, "the answer")
    visitor.do("act.undo")
    visitor.until(lambda: moves(visitor) == [], "the empty board")
    assert visitor.plies() == 0
    script = ["c3", "b6", "d4", "d3", "d2", "e3", "b4", "e5", "c5", "d5", "c4", "e2"]
    visitor.sit("liuzhou", TWO, moves=script)
    visitor.click("b3")
    banner = visitor.sees('[data-phase="mark"]')
    assert "mark an enemy stone" in banner.inner_text()
    assert banner.locator(".pip").count() == visitor.state["view"]["phase"]["of"]
    visitor.do("act.undo_ply")
    visitor.until(lambda: moves(visitor) == script, "the ply before")
    visitor.click("b3")
    visitor.sees('[data-phase="mark"]')
    visitor.click("d3")
    visitor.until(lambda: visitor.state["view"]["phase"]["name"] != "mark", "the end of the turn")
    assert "marked white stone" in visitor.board()["d3"]


def test_what_was_turned_up_stays(visit: Visit) -> None:
    visitor = visit()
    visitor.sit("dark_chess", TWO)
    visitor.click("b2")
    visitor.until(lambda: len(visitor.states) and visitor.state["moves"], "the flip")
    assert visitor.page.locator('[data-do="act.undo"]').is_disabled()
    pool = visitor.page.locator(".pool li")
    assert sum(each["count"] for each in visitor.state["view"]["pool"]) == 15
    assert pool.count() == len(visitor.state["view"]["pool"])
    assert re.search(r"×\d\s*\d+%", pool.first.inner_text())


def test_the_board_turns_and_stays_playable(visit: Visit) -> None:
    visitor = visit()
    visitor.sit("xiangqi", TWO)
    before = visitor.where("a0")
    visitor.page.keyboard.press("f")
    after = visitor.where("a0")
    assert after[0] > before[0]
    assert after[1] < before[1]
    visitor.click("h2")
    visitor.click("e2")
    visitor.until(lambda: moves(visitor) == ["h2e2"], "the move")


def test_a_piece_is_dragged(visit: Visit) -> None:
    visitor = visit()
    visitor.sit("xiangqi", TWO)
    mouse = visitor.page.mouse
    mouse.move(*visitor.where("h2"))
    mouse.down()
    mouse.move(*visitor.where("g2"), steps=4)
    mouse.move(*visitor.where("e2"), steps=4)
    mouse.up()
    visitor.until(lambda: moves(visitor) == ["h2e2"], "the move")
    mouse.move(*visitor.where("h7"))  # and one that is let go where it may not stand
    mouse.down()
    mouse.move(*visitor.where("g6"), steps=4)
    mouse.up()
    visitor.page.wait_for_timeout(50)
    assert moves(visitor) == ["h2e2"]


def test_targets_and_previews_say_what_a_move_does(visit: Visit) -> None:
    """Dots, rings, leaps; and over a target what would turn, be taken, be painted."""
    visitor = visit()
    page = visitor.page
    visitor.sit("ataxx", TWO, position="7/7/7/2xo3/7/7/o5x x 0 1")
    visitor.click("c4")
    assert page.locator(".target.dot").count() > 0
    assert page.locator(".target.leap").count() > 0
    page.mouse.move(*visitor.where("e4"))
    visitor.until(lambda: page.locator(".preview.turn").count() == 1, "the stone that would turn")
    visitor.sit("xiangqi", TWO, moves=["h2e2", "h9g7"])
    visitor.click("e2")
    assert page.locator(".target.ring").count() == 1
    page.mouse.move(*visitor.where("e6"))
    visitor.until(lambda: page.locator(".preview.take").count() == 1, "the piece that would be taken")
    visitor.sit("dark_chess", TWO, position="?CP?/?Nk?/?b?n/???? r PRBAKppcra 0 0 0 6")
    visitor.click("b4")
    assert page.locator(".faint > .screen").count() == 2, "what a cannon can shoot over"
    assert {square for square, name in visitor.board().items() if "screen of a shot" in name} == {"b3", "c4"}
    page.mouse.move(*visitor.where("b2"))
    visitor.until(lambda: page.locator(".screen").count() == 1, "the screen of this shot")
    visitor.sit("popucom", TWO, moves=["c5", "a1", "d5", "a3"])
    page.mouse.move(*visitor.where("e5"))
    visitor.until(lambda: page.locator(".preview.paint").count() > 3, "the floor that would be painted")


def test_why_a_move_is_not_legal(visit: Visit) -> None:
    """In the rules' words, seen and spoken, in both languages."""
    for language, words in (("en", "would face each other"), ("zh", "照面")):
        visitor = visit(language=language)
        visitor.sit("xiangqi", TWO, position="4k4/9/9/9/9/4N4/9/9/9/4K4 w - - 0 1")
        visitor.click("e4")
        visitor.click("d6")
        visitor.until(lambda: any(words in said for said in visitor.spoken), words)  # noqa: B023 - called at once


def test_a_hint_comes_in_two_steps(visit: Visit) -> None:
    visitor = visit()
    visitor.sit("connect_four", TWO, moves=["d", "a", "d", "a", "d", "a"][:5])
    visitor.do("act.hint")
    visitor.until(lambda: any("Ask again" in said for said in visitor.spoken), "where to look")
    assert moves(visitor)[-1] != "d"[1:]
    visitor.do("act.hint")
    visitor.until(lambda: any(said.startswith("Try ") for said in visitor.spoken), "the move")


def test_people_offer_draws_and_resign(visit: Visit) -> None:
    visitor = visit()
    visitor.sit("connect_four", TWO)
    visitor.click("d1")
    visitor.until(lambda: moves(visitor) == ["d"], "the move")
    visitor.do("act.draw")
    visitor.do("offer.decline")
    visitor.until(lambda: not visitor.state["offers"], "no offer")
    visitor.do("act.draw")
    visitor.do("offer.accept")
    assert "Draw" in visitor.sees("dialog[open]").inner_text()
    visitor.do("end.again")
    visitor.until(lambda: not visitor.state["over"], "another game")
    visitor.do("act.resign")
    visitor.page.locator("dialog .danger").click()
    visitor.until(lambda: visitor.state["over"], "the end")
    assert visitor.state["over"]["reason"] == "resignation"


def test_a_game_that_was_left_says_nothing_more(visit: Visit) -> None:
    """Who has gone to another page before the end was announced is not called back."""
    visitor = visit()
    visitor.sit("connect_four", TWO, moves=list("ecfcgf"))
    visitor.click("d1")
    visitor.until(lambda: visitor.state["over"], "the end")
    visitor.page.locator('nav [href="#/rules"]').click()
    visitor.sees(".card")
    visitor.page.wait_for_timeout(900)
    assert visitor.page.locator("dialog[open]").count() == 0


def test_clocks_run_and_fall(visit: Visit) -> None:
    visitor = visit()
    visitor.sit("connect_four", TWO, clock={"seconds": 1, "increment": 0})
    shown = visitor.sees('[data-clock="0"]')
    visitor.click("d1")
    visitor.until(
        lambda: visitor.page.locator(".clock.running").get_attribute("data-clock") == "1", "the other's clock"
    )
    assert re.fullmatch(r"\d\.\d", shown.inner_text())
    visitor.until(lambda: visitor.state["over"], "the flag")
    assert visitor.state["over"]["winner"] == 0


def test_byoyomi_is_counted_down_and_said(visit: Visit) -> None:
    visitor = visit()
    visitor.open("play/connect_four", "form.setup")
    visitor.page.get_by_label("Clock").select_option("60+0+3x20")
    visitor.sit("connect_four", TWO, clock={"seconds": 1, "periods": 2, "period": 2})
    shown = visitor.sees('[data-clock="0"]')
    assert shown.locator("small").inner_text() == "2 × 2 s"
    visitor.until(lambda: "2 periods left" in visitor.spoken, "the end of the main time")
    visitor.until(lambda: "1 period left" in visitor.spoken, "the end of a period")
    assert shown.locator("small").inner_text() == "1 × 2 s"
    visitor.click("d1")
    visitor.until(lambda: visitor.state["running"] == 1, "the other's turn")
    assert visitor.state["clocks"][0] == 2


def test_engines_play_each_other_pause_and_go_on(visit: Visit) -> None:
    visitor = visit()
    visitor.open("play/connect_four", "form.setup")
    visitor.page.get_by_text("Watch", exact=True).click()
    selects = visitor.page.locator("form.setup select")
    for index in range(2):
        selects.nth(index).select_option("greedy")
    visitor.do("start")
    visitor.until(lambda: visitor.states and len(moves(visitor)) > 2, "some moves")
    visitor.do("act.pause")
    visitor.until(lambda: visitor.state["paused"], "the pause")
    seen = len(moves(visitor))
    visitor.page.wait_for_timeout(300)
    assert len(moves(visitor)) == seen
    visitor.do("act.go")
    visitor.until(lambda: visitor.state["over"], "the end", seconds=40)
    visitor.sees("dialog[open]")


def test_engines_play_a_match_with_statistics(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.open("play/connect_four", "form.setup")
    page.get_by_text("Watch", exact=True).click()
    for index, player in enumerate(("greedy", "random")):
        page.locator("form.setup select").nth(index).select_option(player)
    page.get_by_label("Games").select_option("10")
    assert page.get_by_label("Clock").count() == 0
    visitor.do("start")
    visitor.until(lambda: len(visitor.spoken) >= 2, "two games said", seconds=60)
    assert re.fullmatch(r"Game 1: (Greedy|Random) wins: four in a row|Game 1: Draw: .*", visitor.spoken[0])
    page.reload()
    visitor.until(lambda: page.locator(".match-games li").count() == 10, "the whole match", seconds=120)
    facts = visitor.sees(".numbers").inner_text()
    won, drawn, lost = map(int, re.search(r"(\d+) / (\d+) / (\d+)", facts).groups())  # type: ignore[union-attr]
    assert won + drawn + lost == 10
    assert won > lost
    assert re.search(r"[+>]\s?\+?\d+", facts), "Elo, or that it is more than something"
    assert "95 %" in facts
    assert "stronger" in page.locator(".panel").first.inner_text()
    first = page.locator(".match-games a").last
    assert first.inner_text() == "Greedy – Random"
    first.click()
    visitor.until(lambda: page.url.count("record=") and visitor.plies() > 4, "the game in the analysis")


def test_settings_hold_and_are_kept(visit: Visit) -> None:
    """Language, theme, colours, letters on the pieces; and they are there after the page was loaded anew."""
    visitor = visit()
    page = visitor.page
    visitor.sit("xiangqi", TWO)
    visitor.do("preferences")
    for label in ("Dark", "Orange and blue (colour-blind safe)", "Off"):
        page.locator("dialog").get_by_text(label, exact=True).click()
    page.locator("dialog").get_by_text("Letters instead of characters on the pieces").click()
    page.keyboard.press("Escape")
    visitor.do("language")
    root = "document.documentElement"
    for _ in range(2):
        visitor.sees(".grid")
        data: dict[str, Any] = page.evaluate(f"({{ ...{root}.dataset, lang: {root}.lang }})")
        assert (data["theme"], data["palette"], data["lang"]) == ("dark", "safe", "zh-Hans")
        assert page.locator(".glyph.western").count() == 32
        page.reload()


def test_motion_can_be_reduced_and_sound_muted(visit: Visit) -> None:
    """A move is animated for 200 ms, not at all where the system asks for rest; a muted page makes no sound."""
    visitor = visit(motion="full", sound=True)
    page = visitor.page
    count = "document.getAnimations().filter((each) => each.effect.target.closest('.board')).length"
    page.add_init_script(
        "const real = AudioContext.prototype.createOscillator; window.tones = 0;"
        "AudioContext.prototype.createOscillator = function () { window.tones++; return real.call(this) }"
    )
    visitor.sit("xiangqi", TWO)
    visitor.click("h2")
    visitor.click("e2")
    visitor.until(lambda: page.evaluate(count) > 0, "the piece to slide")
    visitor.until(lambda: page.evaluate(count) == 0, "the piece to stand", seconds=5)
    heard = visitor.until(lambda: page.evaluate("window.tones"), "a sound")
    visitor.do("sound")
    page.emulate_media(reduced_motion="reduce")
    visitor.click("h7")
    visitor.click("e7")
    visitor.until(lambda: len(moves(visitor)) == 2, "the move")
    visitor.until(lambda: visitor.plies() == 2, "the page")
    assert page.evaluate(count) == 0
    assert page.evaluate("window.tones") == heard
