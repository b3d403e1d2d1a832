"""Games over the WebSocket: whole, resumed, undone, clocked; no move is lost or made twice."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_server import Client, Server, human, serving

import qilin


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("games")) as running:
        yield running
        assert "Traceback" not in running.log


def begin(client: Client, name: str, *players: str, **more: Any) -> dict[str, Any]:
    seats = [{"player": player} for player in players]
    opened = client.ask(type="new", game=name, seats=seats, **more)
    assert opened["type"] == "game", opened
    return opened


def play_on(client: Client, state: dict[str, Any], rng: random.Random, most: int = 1200) -> dict[str, Any]:
    """Play random moves for the person until the game is over."""
    while not state["over"] and most > 0:
        most -= 1
        if state["running"] is not None and state["seats"][state["running"]]["player"] == "human":
            move = rng.choice(state["view"]["moves"])["text"]
            client.say(type="move", game=state["game"], ply=len(state["moves"]), move=move)
        heard = client.until(lambda heard: heard["type"] in {"event", "refused"} and heard.get("state") is not None)
        assert heard["type"] == "event", heard
        state = heard["state"]
    return state


@pytest.mark.parametrize("name", qilin.games())
def test_a_whole_game_against_an_engine(server: Server, name: str) -> None:
    with server.client() as client:
        opened = begin(client, name, "human", "random")
        end = play_on(client, opened["state"], random.Random(1))
        assert end["over"]
        line = {"game": name, "options": end["options"], "position": end["start"]}
        replayed = server.post("/api/position", {**line, "moves": [move["text"] for move in end["moves"]]}).json()
        assert replayed["text"] == end["view"]["text"]
        assert replayed["over"]["reason"] == end["over"]["reason"]
        kept = server.get(f"/api/library/{end['game']}").json()
        assert kept["summary"]["plies"] == len(end["moves"])


def test_a_move_sent_twice_is_played_once(server: Server) -> None:
    with server.client() as client:
        game = begin(client, "connect_four", "human", "human")["game"]
        for _ in range(3):
            answer = client.ask(type="move", id="same", game=game, ply=0, move="d")
            assert (answer["type"], answer["seq"]) == ("event", 2)
            assert len(answer["state"]["moves"]) == 1


def test_a_stale_or_illegal_move_is_refused_in_words(server: Server) -> None:
    with server.client() as client:
        game = begin(client, "connect_four", "human", "human")["game"]
        client.ask(type="move", game=game, ply=0, move="d")
        stale = client.ask(type="move", game=game, ply=0, move="e")
        assert (stale["type"], stale["code"]) == ("refused", "stale")
        wrong = client.ask(type="move", game=game, ply=1, move="z")
        assert (wrong["type"], wrong["code"]) == ("refused", "invalid")
        assert "'z' is not legal" in wrong["message"]
        assert wrong["words"]["zh"]


def test_who_has_no_key_watches(server: Server) -> None:
    with server.client() as owner, server.client() as guest:
        opened = begin(owner, "connect_four", "human", "human")
        seen = guest.ask(type="resume", game=opened["game"], seq=0)
        assert [seat["mine"] for seat in seen["state"]["seats"]] == [False, False]
        assert "keys" not in seen
        for message in ({"type": "move", "ply": 0, "move": "d"}, {"type": "resign", "seat": 0}, {"type": "undo"}):
            assert guest.ask(game=opened["game"], **message)["code"] == "forbidden"
        owner.ask(type="move", game=opened["game"], ply=0, move="d")
        assert guest.until(lambda heard: heard["type"] == "event")["event"]["move"] == "d"
        half = guest.ask(type="resume", game=opened["game"], seq=0, keys=[opened["keys"][1]])
        assert [seat["mine"] for seat in half["state"]["seats"]] == [False, True]
        assert guest.ask(type="move", game=opened["game"], ply=1, move="d")["type"] == "event"


def test_undo_goes_back_to_the_last_own_decision(server: Server) -> None:
    with server.client() as client:
        opened = begin(client, "connect_four", "human", "greedy")
        game = opened["game"]
        client.ask(type="move", game=game, ply=0, move="d")
        client.until(lambda heard: heard["type"] == "event" and heard["event"].get("by") == 1)
        undone = client.ask(type="undo", game=game)
        assert (undone["event"]["kind"], undone["event"]["removed"]) == ("undo", 2)
        assert undone["state"]["moves"] == []
        assert undone["state"]["can_undo"] is False
        assert client.ask(type="undo", game=game)["code"] == "invalid"


def test_two_people_agree_to_take_back_and_to_a_draw(server: Server) -> None:
    with server.client() as first, server.client() as second:
        opened = begin(first, "connect_four", "human", "human")
        game, keys = opened["game"], opened["keys"]
        first.ask(type="resume", game=game, seq=0, keys=keys[:1])
        second.ask(type="resume", game=game, seq=0, keys=keys[1:])
        first.ask(type="move", game=game, ply=0, move="d")
        assert first.ask(type="undo", game=game)["code"] == "forbidden"
        first.ask(type="offer", game=game, seat=0, what="undo")
        undone = second.ask(type="accept", game=game, seat=1, what="undo")
        assert undone["event"]["removed"] == 1
        assert second.ask(type="accept", game=game, seat=1, what="draw")["code"] == "invalid"
        first.ask(type="offer", game=game, seat=0, what="draw")
        over = second.ask(type="accept", game=game, seat=1, what="draw")
        assert over["state"]["over"]["reason"] == "agreement"


def test_nothing_turned_up_is_taken_back(server: Server) -> None:
    with server.client() as client:
        opened = begin(client, "dark_chess", "human", "human")
        client.say(type="move", game=opened["game"], ply=0, move="a1")
        turned = client.until(lambda heard: heard["type"] == "event" and heard["state"] is not None)
        assert turned["event"]["kind"] == "chance"
        assert turned["state"]["can_undo"] is False
        assert client.ask(type="undo", game=opened["game"])["code"] == "invalid"


def test_a_chain_is_taken_back_by_ply_or_by_turn(server: Server) -> None:
    # x puts b2 and has a square: it is to mark a stone of o.
    position = "6/6/6/3ooo/1xx3/2x3 x p 0 6 0"
    with server.client() as client:
        opened = begin(client, "liuzhou", "human", "human", position=position)
        game = opened["game"]
        marking = client.ask(type="move", game=game, ply=0, move="b1")["state"]
        assert marking["view"]["phase"]["name"] == "mark"
        assert client.ask(type="undo", game=game, by="turn")["event"]["removed"] == 1
        client.ask(type="move", game=game, ply=0, move="b1")
        client.ask(type="move", game=game, ply=1, move="d3")
        assert client.ask(type="undo", game=game, by="turn")["state"]["moves"] == []


def test_a_clock_runs_and_falls(server: Server) -> None:
    with server.client() as client:
        opened = begin(client, "connect_four", "human", "human", clock={"seconds": 1.0, "increment": 0.5})
        game = opened["game"]
        time.sleep(0.2)
        clocks = client.ask(type="move", game=game, ply=0, move="d")["state"]["clocks"]
        assert 1.1 < clocks[0] < 1.4
        over = client.until(lambda heard: heard["type"] == "event" and heard["event"]["kind"] == "over")
        assert (over["event"]["winner"], over["event"]["reason"]) == (0, "time")
        assert over["event"]["clocks"][1] == 0


def test_byoyomi_gives_back_the_period_in_which_a_turn_ends(server: Server) -> None:
    with server.client() as client:
        clock = {"seconds": 0.2, "periods": 3, "period": 0.5}
        opened = begin(client, "connect_four", "human", "human", clock=clock)
        assert opened["state"]["clocks"] == pytest.approx([1.7, 1.7], abs=0.05)
        game = opened["game"]
        first = client.ask(type="move", game=game, ply=0, move="d")["state"]["clocks"]
        assert 1.5 < first[0] < 1.7  # within the main time
        time.sleep(0.85)  # the main time, one period, and a part of the second
        second = client.ask(type="move", game=game, ply=1, move="d")["state"]["clocks"]
        assert second[1] == 1.0
        over = client.until(lambda heard: heard["type"] == "event" and heard["event"]["kind"] == "over")
        assert (over["event"]["winner"], over["event"]["reason"]) == (1, "time")
        for wrong in ({"seconds": 0}, {"seconds": 5, "periods": 3}, {"seconds": 5, "period": 3}, {"seconds": -1}):
            seats = [{"player": "human"}] * 2
            refused = client.ask(type="new", game="connect_four", seats=seats, clock=wrong)
            assert (refused["type"], refused["code"]) == ("refused", "invalid")


def test_a_resting_game_waits(server: Server) -> None:
    with server.client() as client:
        opened = begin(client, "ataxx", "random", "random")
        client.ask(type="pause", game=opened["game"])
        with pytest.raises(TimeoutError):
            client.until(lambda heard: heard["type"] == "event", timeout=1.0)
        assert client.ask(type="go", game=opened["game"])["state"]["paused"] is False
        client.until(lambda heard: heard["type"] == "event" and heard["event"]["kind"] == "move")


def test_a_killed_socket_and_a_killed_server_lose_nothing(tmp_path: Path) -> None:
    rng = random.Random(7)
    with serving(tmp_path) as server:
        with server.client() as client:
            opened = begin(client, "dark_chess", "human", "random")
        game, keys, seq, texts = opened["game"], opened["keys"], 0, list[str]()
        over = None
        for number in range(60):
            if number % 7 == 3:
                server.kill()
                server.start()
            with server.client() as client:
                again = client.ask(type="resume", game=game, seq=seq, keys=keys)
                state = again["state"]
                assert [event["seq"] for event in again["events"]] == list(range(seq + 1, again["seq"] + 1))
                assert [move["text"] for move in state["moves"]][: len(texts)] == texts
                while state["running"] != 0 and not state["over"]:
                    heard = client.until(lambda heard: heard["type"] == "event" and heard["state"] is not None)
                    state = heard["state"]
                over = state["over"]
                if over:
                    break
                move = rng.choice(state["view"]["moves"])["text"]
                id = f"try-{number}"
                client.say(type="move", id=id, game=game, ply=len(state["moves"]), move=move)
                if number % 2:
                    client.socket.close_socket()  # nobody knows whether it arrived
            with server.client() as client:
                client.ask(type="resume", game=game, seq=seq, keys=keys)
                sent = client.ask(type="move", id=id, game=game, ply=len(state["moves"]), move=move)
                assert sent["type"] == "event", sent
                now = sent["state"] or client.until(lambda heard: heard.get("state") is not None)["state"]
                texts = [move["text"] for move in now["moves"]]
                assert texts.count(move) >= 1
                assert texts[len(state["moves"])] == move
                seq = now["seq"]
        assert seq > 20
        assert "Traceback" not in server.log
    del over


def test_engines_play_each_other_while_somebody_watches(server: Server) -> None:
    with server.client() as client:
        opened = begin(client, "connect_four", "random", "greedy")
        first = client.until(lambda heard: heard["type"] == "event" and heard["event"]["kind"] == "move")
        assert first["event"]["by"] == 0
        sat = client.ask(type="seat", game=opened["game"], seat=0, player="human", name="me")
        assert sat["state"]["seats"][0]["player"] == "human"


def test_an_unknown_game_or_player_is_refused(server: Server) -> None:
    with server.client() as client:
        seats = [human(), human()]
        assert client.ask(type="new", game="go", seats=seats)["code"] == "invalid"
        assert client.ask(type="new", game="ataxx", seats=[human(), {"player": "nobody"}])["code"] == "invalid"
        greedy = {"player": "alphabeta:threads=64"}
        assert client.ask(type="new", game="ataxx", seats=[human(), greedy])["code"] == "forbidden"
        assert client.ask(type="resume", game="none", seq=0)["code"] == "not_found"
        assert client.ask(type="move", game="none", ply=0, move="a1")["code"] == "not_found"
