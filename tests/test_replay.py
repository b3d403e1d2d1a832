"""The page of a game: one file, no request to anybody, everything in it works when it is opened from disk."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import qilin
from qilin.convert import read_games, write_game_as
from qilin.game_file import GameFile, Seat, file_of, opinion_of
from qilin.players import player
from qilin.replay import html

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PGN = """[Game "Chinese Chess"]
[Red "Ann </script><b>"]
[Black "乙"]
[Event "春季赛"]

1. 炮二平五 {central </script> cannon} 马8进7 (1... 炮8平5 {顺炮} 2. 马二进三) 2. 马二进三 $2 车9平8 3. 车一平二 1-0
"""


def a_game() -> GameFile:
    [file] = read_games(PGN)
    return file


def judged(name: str) -> GameFile:
    """A short game with an opinion of every position."""
    mover, state = player("alphabeta:depth=2"), qilin.game(name).start()
    opinions = {}
    for ply in range(14):
        if not state.is_chance and not state.is_over:
            opinions[ply] = opinion_of(state, mover.analyse(state).lines, by=mover.name)
        state = state.play((state.moves() or list(state.outcomes()))[0])
    return file_of(state, opinions=opinions, seats=(Seat(name="A"), Seat(player="level:3")))


def test_the_page_is_whole() -> None:
    page = html(a_game())
    assert len(page) < 600_000
    assert not re.search(r"""(src|href)=["']""", page)
    assert not re.search(r"https?://(?!www\.w3\.org)", re.sub(r"base64,[\w+/=]+", "", page))
    assert page.count("</script>") == 3
    data = json.loads(re.findall(r'<script type="application/json" id="game">(.*?)</script>', page)[0])
    assert data["document"]["players"][0]["name"] == "Ann </script><b>"
    assert [names.get("chinese") for names in data["names"][1:3]] == ["炮二平五", "马8进7"]


@pytest.mark.parametrize("name", qilin.games())
def test_every_game_has_its_page(name: str) -> None:
    page = html(judged(name))
    data = json.loads(re.findall(r'<script type="application/json" id="game">(.*?)</script>', page)[0])
    assert len(data["views"]) == len(data["names"]) == len(judged(name).steps) + 1


@pytest.mark.parametrize("kind", ["json", "pgn"])
def test_pages_on_the_command_line(tmp_path: Path, kind: str) -> None:
    source, page = tmp_path / f"game.{kind}", tmp_path / "game.html"
    source.write_text(write_game_as(a_game(), kind), encoding="utf-8")
    command = [sys.executable, "-m", "qilin", "replay", str(source), "-o", str(page)]
    subprocess.run(command, check=True, timeout=60)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.fixture
def page(chromium: "Browser") -> Iterator["Page"]:
    """A page that fails its test over any error or request."""
    context = chromium.new_context(locale="en-GB", reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    opened, wrong = context.new_page(), list[str]()
    opened.on("console", lambda message: wrong.append(message.text))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith("file:") else wrong.append(request.url))
    yield opened
    assert not wrong
    context.close()


def show(page: "Page", file: GameFile, folder: Path) -> None:
    path = folder / "game.html"
    path.write_text(html(file), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector(".board .grid .cell")


def here(page: "Page") -> str:
    marked = page.query_selector(".ply.here")
    return marked.inner_text() if marked else ""


def test_a_game_is_walked_by_keyboard(page: "Page", tmp_path: Path) -> None:
    show(page, a_game(), tmp_path)
    assert page.inner_text("h1") == "Ann </script><b> – 乙"
    for key, move in [
        ("ArrowRight", "炮二平五"),
        ("ArrowRight", "马8进7"),
        ("ArrowDown", "炮8平5"),
        ("ArrowRight", "马二进三"),
    ]:
        page.keyboard.press(key)
        assert here(page) == move
    page.keyboard.press("ArrowLeft")
    assert page.inner_text(".remark") == "顺炮"
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert here(page) == ""
    page.keyboard.press("ArrowRight")
    assert "red cannon" in page.inner_text("#spoken")
    assert page.inner_text(".remark") == "central </script> cannon"
    page.keyboard.press("f")
    page.keyboard.press("End")
    assert page.inner_text(".status").count("as the record says") == 1


def test_moves_are_jumped_to_and_written_as_one_likes(page: "Page", tmp_path: Path) -> None:
    show(page, a_game(), tmp_path)
    page.click(".ply >> text=车9平8")
    assert here(page) == "车9平8"
    page.select_option("select >> nth=1", "wxf")
    assert here(page) == "R9=8"
    page.click("[data-do='step.back']")
    assert here(page) == "H2+3?"


def test_both_languages_and_themes(page: "Page", tmp_path: Path) -> None:
    show(page, a_game(), tmp_path)
    assert "Red to move" in page.inner_text(".status")
    page.click("[data-do='language']")
    assert "红" in page.inner_text(".status")
    assert page.get_attribute("html", "lang") == "zh-Hans"
    assert not re.search(
        "[a-z]{4}", page.inner_text(".panel-side").replace("Ann </script><b>", "").replace("Home End", "")
    )
    before = page.get_attribute("html", "data-theme")
    page.click("[data-do='theme']")
    assert page.get_attribute("html", "data-theme") != before


def test_autoplay_runs_to_the_end(page: "Page", tmp_path: Path) -> None:
    show(page, a_game(), tmp_path)
    page.select_option("select >> nth=0", "0.3")
    page.keyboard.press(" ")
    page.wait_for_selector(".ply.here >> text=车一平二", timeout=8000)
    page.wait_for_selector("[data-do='replay'][aria-pressed='false']")


@pytest.mark.parametrize("name", qilin.games())
def test_every_game_is_shown_with_its_graph(page: "Page", tmp_path: Path, name: str) -> None:
    show(page, judged(name), tmp_path)
    box = page.query_selector(".graph")
    assert box is not None
    size = box.bounding_box()
    assert size is not None
    box.click(position={"x": size["width"] - 2, "y": 10})
    assert page.locator(".ply.here").get_attribute("data-node") == "14"
    for _ in range(14):
        page.keyboard.press("ArrowLeft")
    assert here(page) == ""


@pytest.mark.parametrize("width", [360, 800, 1440])
def test_the_page_fits(page: "Page", tmp_path: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 760})
    show(page, a_game(), tmp_path)
    page.keyboard.press("End")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("scrollY") == 0
    board = page.locator(".board").bounding_box()
    assert board is not None
    assert board["y"] >= 0
    assert board["width"] >= min(width, 800) * 0.6
