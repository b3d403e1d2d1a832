"""Connections fail and servers end; the game goes on, and no move is lost or made twice."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from visitor import Visit, Visitor
from web_server import serving

TWO = ["human", "human"]
DROP = "async () => (await import('/socket.js')).connection().drop()"
COLUMNS = "abcdefg"


def texts(visitor: Visitor) -> list[str]:
    return [move["text"] for move in visitor.state["moves"]]


def test_a_killed_socket_loses_and_doubles_nothing(visit: Visit) -> None:
    """Cut before, while and after moves are sent, at random: every press is one move."""
    visitor, rng = visit(), random.Random(3)
    visitor.sit("popucom", TWO)
    played: list[str] = []
    while len(played) < 14:
        square = rng.choice([move["text"] for move in visitor.state["view"]["moves"]])
        if rng.random() < 0.5:
            visitor.page.evaluate(DROP)
        visitor.click(square)
        if rng.random() < 0.5:
            visitor.page.evaluate(DROP)
        played.append(square)
        visitor.until(lambda: visitor.plies() == len(played), "the move on the page")
        assert texts(visitor) == played
    assert visitor.page.locator("body.offline").count() == 0


def test_a_restarted_server_goes_on_with_the_game(chromium: Any, tmp_path: Path) -> None:
    """It is killed in the middle; the page says that it is alone, waits, and plays on."""
    with serving(tmp_path) as server:
        visitor = Visitor.arrive(chromium, server.url)
        visitor.sit("connect_four", ["human", "level:1"])
        visitor.click("d1")
        visitor.until(lambda: len(texts(visitor)) == 2, "the answer")
        before = texts(visitor)
        server.kill()
        visitor.sees("body.offline")
        server.start()
        visitor.until(lambda: visitor.page.locator("body.offline").count() == 0, "the connection")
        visitor.click("a1")
        visitor.until(lambda: len(texts(visitor)) == 4, "the next answer")
        assert texts(visitor)[:2] == before
        visitor.page.reload()  # and the keys of the seats are still this browser's
        visitor.sees(".grid")
        visitor.click("g1")
        visitor.until(lambda: len(texts(visitor)) == 6, "another answer")
        visitor.go()
        assert "Traceback" not in server.log


def test_who_was_given_the_link_watches(visit: Visit) -> None:
    """Another browser sees every move, and can make none."""
    host, guest = visit(), visit()
    id = host.sit("connect_four", TWO)
    guest.open(f"game/{id}", ".grid")
    host.click("d1")
    guest.until(lambda: guest.states and texts(guest) == ["d"], "the move of the other")
    guest.click("c1")
    guest.page.wait_for_timeout(50)
    assert texts(host) == ["d"]
    assert guest.page.locator('[data-do="act.resign"]').count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_unknown_game_is_told_in_words(visit: Visit, theme: str) -> None:
    visitor = visit(theme=theme)
    visitor.open("game/nothing-like-this", ".trouble")
