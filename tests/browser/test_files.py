"""Games leave the page and come back: files, pictures, the library, and the page that opens from disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from visitor import Visit, Visitor

SCRIPTS: dict[str, str] = json.loads((Path(__file__).parent / "games.json").read_text())
PARTS = {"liuzhou": 30, "popucom": 30, "xiangqi": 16}


def study(visitor: Visitor, game: str) -> list[str]:
    moves = SCRIPTS[game].split()[: PARTS.get(game)]
    visitor.open(f"analyse/{game}?moves={','.join(moves)}", ".grid")
    visitor.until(lambda: visitor.plies() == len(moves), "the moves")
    return moves


def downloaded(visitor: Visitor, name: str, folder: Path) -> Path:
    """Press a button that gives a file."""
    with visitor.page.expect_download() as download:
        visitor.do(name)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def exported(visitor: Visitor, form: str, folder: Path) -> Path:
    visitor.do("tab.share")
    visitor.page.get_by_label("File", exact=True).select_option(form)
    return downloaded(visitor, "share.download", folder)


def pieces(visitor: Visitor) -> list[str]:
    """What stands on each square; who may move is not told of a game that is over."""
    return [", ".join(name.split(", ")[:2]) for name in visitor.board().values()]


def bring_in(visitor: Visitor, path: Path) -> None:
    visitor.open("games", '[data-do="library.import"]').click()
    visitor.page.locator("dialog input[type=file]").set_input_files(path)
    visitor.until(lambda: visitor.page.locator("dialog textarea").input_value(), "the file's text")
    known = visitor.page.locator(".shelf > .shelf > p, .empty").inner_text()
    visitor.do("import.read")
    visitor.until(lambda: visitor.page.locator(".shelf > .shelf > p").inner_text() != known, "one more game")


@pytest.mark.parametrize(
    ("game", "form"), [(game, "json") for game in SCRIPTS] + [("xiangqi", "pgn"), ("xiangqi", "ubb")]
)
def test_a_game_goes_out_and_comes_in(visit: Visit, tmp_path: Path, game: str, form: str) -> None:
    visitor = visit()
    moves = study(visitor, game)
    if form == "json":  # with a variation, which a file keeps
        visitor.page.keyboard.press("Home")
        visitor.until(lambda: visitor.page.locator(".ply.here").count() == 0, "the start")
        visitor.do("engine.best")
        visitor.until(lambda: visitor.page.locator(".ply.here").count() == 1, "another first move")
    listed = visitor.page.locator(".ply").all_inner_texts()
    bring_in(visitor, exported(visitor, form, tmp_path))
    visitor.sees(".record a").click()
    visitor.sees(".grid")
    visitor.until(lambda: visitor.page.locator(".ply").all_inner_texts() == listed, "the same tree")
    assert set(moves) <= set(listed)


def test_what_cannot_be_read_is_refused_in_words(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "nonsense.pgn"
    path.write_text("\0\0 this is no game {{{")
    visitor = visit()
    visitor.open("games", '[data-do="library.import"]').click()
    visitor.page.locator("dialog input[type=file]").set_input_files(path)
    visitor.do("import.read")
    visitor.sees(".notice.bad")


def test_the_library_finds_and_forgets(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.sit("connect_four", ["human", "human"], moves=SCRIPTS["connect_four"].split()[:6])
    visitor.click("d1")
    visitor.until(lambda: visitor.state["over"], "the end")
    visitor.open("games", ".record")
    page.get_by_label("Game", exact=True).select_option("connect_four")
    page.get_by_label("Result").select_option("first")
    visitor.until(lambda: page.locator(f'[data-record="{visitor.state["game"]}"]').count() == 1, "the game")
    page.get_by_label("Search names").fill("nobody of that name")
    visitor.sees(".empty")
    page.get_by_label("Search names").fill("")
    record = visitor.sees(f'[data-record="{visitor.state["game"]}"]')
    record.locator('[data-do="library.delete"]').click()
    page.locator("dialog .danger").click()
    visitor.until(lambda: page.locator(f'[data-record="{visitor.state["game"]}"]').count() == 0, "its absence")


def test_pictures_are_pictures(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    study(visitor, "xiangqi")
    visitor.do("tab.share")
    svg = downloaded(visitor, "share.svg", tmp_path).read_text()
    assert svg.startswith("<svg")
    assert svg.count('class="glyph"') == sum("empty" not in name for name in visitor.board().values())
    assert "<script" not in svg
    png = downloaded(visitor, "share.png", tmp_path).read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(png) > 50_000


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("game", ["xiangqi", "liuzhou"])
def test_a_game_opens_from_disk(chromium: Any, visit: Visit, tmp_path: Path, game: str, language: str) -> None:
    """One file, no server, no network: it is stepped through, plays by itself, and speaks both languages."""
    visitor = visit()
    moves = study(visitor, game)
    path = exported(visitor, "html", tmp_path)
    reader = Visitor.arrive(chromium, path.as_uri(), language=language)
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url))
    reader.page.goto(path.as_uri())
    reader.sees(".grid")
    assert reader.page.evaluate("document.documentElement.lang")[:2] == language
    reader.until(lambda: reader.plies() == len(moves), "the moves")
    reader.page.keyboard.press("Home")
    for _ in moves:
        reader.page.keyboard.press("ArrowRight")
    reader.until(lambda: language == "zh" or pieces(reader) == pieces(visitor), "the last position")
    reader.page.keyboard.press("Home")
    reader.page.keyboard.press(" ")
    reader.until(lambda: reader.page.locator(".ply.here").count(), "autoplay")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert reader.troubles == []
    reader.go()
