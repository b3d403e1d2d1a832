"""A whole game of each game: with the mouse, with the keyboard alone, with fingers on a small screen."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from visitor import Visit, Visitor

import qilin

HERE = Path(__file__).parent
SCRIPTS: dict[str, str] = json.loads((HERE / "games.json").read_text())
SHORTER: dict[str, dict[str, int]] = {"xiangqi": {"max_plies": 60}, "liuzhou": {"max_plies": 80}}


def liveliest(view: dict[str, Any]) -> dict[str, Any]:
    """The move that changes most: games with it are short."""
    return max(view["moves"], key=lambda move: (len(move["changes"]), move["text"]))


def make(visitor: Visitor, move: dict[str, Any], press: Callable[[str], None]) -> None:
    """Press what a person presses for a move, and wait until the page shows that it was made."""
    known = len(visitor.state["moves"])
    if move["to"] is None:
        visitor.do("act.pass")
    if move["from"]:
        press(move["from"])
    if move["to"]:
        press(move["to"])
    visitor.until(lambda: len(visitor.state["moves"]) > known, f"the answer to {move['text']}")


def play(visitor: Visitor, press: Callable[[str], None]) -> None:
    """The person's side of a game against somebody at the server."""
    while True:
        visitor.until(lambda: visitor.state["over"] or visitor.state["running"] == 0, "the person's turn")
        if visitor.state["over"]:
            break
        make(visitor, liveliest(visitor.state["view"]), press)
    visitor.sees("dialog[open]")
    visitor.until(lambda: visitor.plies() == len(visitor.state["moves"]), "every ply in the list")
    shows_what_the_server_says(visitor)


def shows_what_the_server_says(visitor: Visitor) -> None:
    """Each square is called what stands on it."""
    rows, names = visitor.state["view"]["rows"], visitor.board()
    rank0 = visitor.state["view"]["rank0"]
    assert len(names) == len(rows) * len(rows[0])
    for row, letters in enumerate(rows):
        for col, letter in enumerate(letters):
            square = f"{chr(97 + col)}{rank0 + len(rows) - 1 - row}"
            assert names[square].startswith(square)
            assert ("empty" in names[square]) == (letter is None), (square, letter, names[square])


def set_up(visitor: Visitor, name: str) -> None:
    """The form of the setup page, filled in with the mouse, against who plays at random."""
    visitor.open("play", f'[data-game="{name}"]').click()
    visitor.sees("form.setup")
    visitor.page.get_by_label("Opponent").select_option("random")
    for option, value in SHORTER.get(name, {}).items():
        visitor.page.locator(f'[name="{option}"]').fill(str(value))
    visitor.do("start")
    visitor.sees(".grid")
    visitor.until(lambda: visitor.states, "the game")


@pytest.mark.parametrize("name", qilin.games())
def test_with_the_mouse(visit: Visit, name: str) -> None:
    visitor = visit()
    set_up(visitor, name)
    play(visitor, visitor.click)


@pytest.mark.parametrize("name", qilin.games())
def test_with_fingers(visit: Visit, name: str) -> None:
    visitor = visit(width=360, touch=True)
    set_up(visitor, name)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") == 360
    play(visitor, visitor.tap)


@pytest.mark.parametrize("name", SCRIPTS)
def test_with_the_keyboard_alone(visit: Visit, name: str) -> None:
    """From the first page to the end, and what was said on the way is in spoken/NAME.txt."""
    visitor = visit()
    begin_by_keys(visitor, name)
    said = [visitor.spoken[-1]]
    for text in SCRIPTS[name].split():
        move = next(move for move in visitor.state["view"]["moves"] if move["text"] == text)
        make(visitor, move, visitor.key)
        visitor.until(lambda: len(visitor.board()) and visitor.plies() == len(visitor.state["moves"]), "the page")
        said += [f"{text:5} {visitor.spoken[-2 if visitor.state['over'] else -1]}"]
    assert visitor.state["over"]
    visitor.sees("dialog[open]")
    shows_what_the_server_says(visitor)
    golden, words = HERE / "spoken" / f"{name}.txt", "\n".join([*said, *visitor.spoken[-1:]]) + "\n"
    if "QILIN_REWRITE" in os.environ:  # then read them as prose before they are committed
        golden.write_text(words)
    assert words == golden.read_text()


def test_dark_chess_with_the_keyboard_alone(visit: Visit) -> None:
    """Chance has a say in it, so the words are known only by their kind."""
    visitor = visit()
    begin_by_keys(visitor, "dark_chess")
    while not visitor.state["over"]:
        make(visitor, liveliest(visitor.state["view"]), visitor.key)
        visitor.until(lambda: visitor.plies() == len(visitor.state["moves"]), "the page")
        words = visitor.spoken[-2 if visitor.state["over"] else -1]
        turned = r"(red|black) \w+ is turned up on [a-d][1-4]"
        moved = r"(Red|Black): (red|black) \w+ from [a-d][1-4] to [a-d][1-4](, 1 taken)?"
        shot = r"(red|black) cannon from [a-d][1-4] to [a-d][1-4], (red|black) \w+ is turned up there, and taken"
        assert re.match(rf"({turned}|{moved}|{shot})(\. |$)", words), words
    visitor.sees("dialog[open]")
    shows_what_the_server_says(visitor)


def begin_by_keys(visitor: Visitor, name: str) -> None:
    """Two people at one screen, and not one press of a mouse."""
    keyboard = visitor.page.keyboard
    visitor.open("play", ".card")
    visitor.tab_to(f'[data-game="{name}"]')
    keyboard.press("Enter")
    visitor.sees("form.setup")
    visitor.tab_to("form.setup [type=radio]")
    while not visitor.page.evaluate("document.activeElement.value === 'both'"):
        keyboard.press("ArrowRight")
    visitor.tab_to('[data-do="start"]')
    keyboard.press("Enter")
    visitor.sees(".grid")
    visitor.until(lambda: visitor.states, "the game")
    visitor.tab_to(".cell")
