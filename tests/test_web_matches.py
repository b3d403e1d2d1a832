"""Matches between engines over the WebSocket: pairs, statistics, records; taken up again; over when nobody listens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_server import Client, Server, serving

from qilin.rating import Pairs


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("matches")) as running:
        yield running
        assert "Traceback" not in running.log


def wanted(name: str, *players: str, game: str = "connect_four", games: int = 4, **more: Any) -> dict[str, Any]:
    return {"type": "match", "match": name, "game": game, "players": list(players), "games": games, **more}


def to_the_end(client: Client, id: str) -> list[dict[str, Any]]:
    heard: list[dict[str, Any]] = []
    while not heard or not heard[-1]["done"]:
        heard.append(client.until(lambda message: message.get("re") == id and message["type"] == "match", 60))
    return heard


@pytest.mark.parametrize("game", ["connect_four", "dark_chess", "liuzhou"])
def test_a_match_is_played_in_pairs_and_counted(server: Server, game: str) -> None:
    with server.client() as client:
        heard = to_the_end(client, client.say(**wanted(f"whole-{game}", "greedy", "random", game=game)))
    games = [each for message in heard for each in message["games"]]
    assert len(games) == 4
    assert [each["turned"] for each in games] == [False, True, False, True]
    assert [message["seq"] for message in heard] == sorted(message["seq"] for message in heard)
    standing = heard[-1]["standing"]
    points = [each["points"] for each in games]
    assert (standing["wins"], standing["draws"], standing["losses"]) == tuple(map(points.count, (1.0, 0.5, 0.0)))
    pairs = Pairs().add(points[0] + points[1]).add(points[2] + points[3])
    assert standing["pentanomial"] == list(pairs.counts)
    assert standing["elo"] == pairs.elo().as_json()
    kept = [server.get(f"/api/library/{each['record']}").json() for each in games]
    starts = [one["document"]["start"] for one in kept]
    assert starts[0] == starts[1]
    assert starts[2] == starts[3]
    assert kept[1]["summary"]["players"] == ["random", "greedy"]
    assert all(one["summary"]["tags"] == ["match"] for one in kept)
    assert [one["summary"]["plies"] for one in kept] == [each["plies"] for each in games]


def test_who_comes_back_hears_what_was_missed(server: Server) -> None:
    asked = wanted("again", "random", "random", games=20)
    with server.client() as client:
        id = client.say(**asked)
        client.until(lambda message: message.get("re") == id and message["seq"] >= 2)
    with server.client() as client:
        heard = to_the_end(client, client.say(**asked, seq=1))
    assert heard[0]["seq"] - len(heard[0]["games"]) == 1, "all that came after the first game"
    assert sum(len(message["games"]) for message in heard) == 19
    with server.client() as client:
        whole = to_the_end(client, client.say(**asked))
    assert len(whole[0]["games"]) == 20


def test_nobody_listens_nobody_plays(tmp_path: Path) -> None:
    with serving(tmp_path, absent=0.2, matches=1) as running, running.client() as client:
        id = client.say(**wanted("left", "alphabeta:time=5s", "random", games=2))
        client.until(lambda message: message.get("re") == id)
        refused = client.ask(**wanted("one too many", "random", "random"))
        assert (refused["type"], refused["code"]) == ("refused", "busy")
        client.ask(type="stop", what=id)
        end = time.monotonic() + 10
        while (health := running.get("/api/health").json())["running"] and time.monotonic() < end:
            time.sleep(0.05)
        assert health["running"] == health["waiting"] == 0
        assert to_the_end(client, client.say(**wanted("now", "random", "random", games=2)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 3},
        {"games": 0},
        {"players": ["random"]},
        {"players": ["random", "human"]},
        {"players": ["random", "no such player"]},
        {"game": "no such game"},
        {"options": {"size": 3}},
        {"position": "7/7/7/7/7/7 x"},
    ],
)
def test_what_can_not_be_played_is_refused(server: Server, wrong: dict[str, Any]) -> None:
    with server.client() as client:
        refused = client.ask(**{**wanted("wrong", "random", "random"), **wrong})
        assert (refused["type"], refused["code"]) == ("refused", "invalid"), refused
