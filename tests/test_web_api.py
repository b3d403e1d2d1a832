"""The REST side: positions, moves, explanations, the library, files, players and networks by name."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_server import Server, serving

import qilin
from qilin.web.command import serve
from qilin.web.serve import hosts_for


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("api")
    (folder / "models").mkdir()
    (folder / "models/small.onnx").write_bytes(b"not a network")
    (folder / "secret.onnx").write_bytes(b"outside")
    (folder / "models/link.onnx").symlink_to(folder / "secret.onnx")
    with serving(folder) as running:
        yield running
        assert "Traceback" not in running.log


def ask(server: Server, path: str, **body: Any) -> dict[str, Any]:
    answer = server.post(path, body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def refused(server: Server, path: str, status: int, **body: Any) -> dict[str, Any]:
    answer = server.post(path, body)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["message"]
    assert error["words"]["en"]
    assert error["words"]["zh"]
    return dict(error)


def test_every_game_tells_what_it_is(server: Server) -> None:
    games = server.get("/api/games").json()["games"]
    assert [game["name"] for game in games] == qilin.games()
    for game in games:
        assert game["title"]["zh"]
        for option in game["options"]:
            assert option["words"]["zh"]
            assert set(option["choice_words"]) == set(option["choices"] or [])
            assert option["default"] == qilin.game(game["name"]).options[option["name"]]
        rules = server.get(f"/api/rules/{game['name']}").json()
        assert len(rules["markdown"]["en"]) > 500
        assert len(rules["markdown"]["zh"]) > 250


@pytest.mark.parametrize("name", qilin.games())
def test_positions_and_moves(server: Server, name: str) -> None:
    view = ask(server, "/api/position", game=name)
    assert view["text"] == str(qilin.game(name).start())
    moved = ask(server, "/api/move", game=name, move=view["moves"][0]["text"])
    assert moved["view"]["ply"] == len(moved["played"])
    views = ask(server, "/api/line", game=name, moves=moved["played"])["views"]
    assert [one["ply"] for one in views] == list(range(len(moved["played"]) + 1))
    answered = ask(server, "/api/ai-move", game=name, moves=moved["played"], player="level:1")
    assert answered["view"]["ply"] == len(moved["played"]) + len(answered["played"])


def test_outcomes_can_be_named_on_an_analysis_board(server: Server) -> None:
    moved = ask(server, "/api/move", game="dark_chess", move="a1", outcome="K")
    assert moved["played"] == ["a1", "K"]
    assert moved["view"]["rows"][3][0] == "K"
    error = refused(server, "/api/move", 422, game="dark_chess", move="a1", outcome="x")
    assert "can not turn up" in error["message"]


def test_what_is_wrong_is_quoted(server: Server) -> None:
    assert "'nonsense'" in refused(server, "/api/position", 422, game="ataxx", position="nonsense")["message"]
    assert "did you mean 'ataxx'" in refused(server, "/api/position", 422, game="atax")["message"]
    assert "no option 'size'" in refused(server, "/api/position", 422, game="ataxx", options={"size": 3})["message"]
    assert "text 2 of the line" in refused(server, "/api/position", 422, game="ataxx", moves=["a6", "zz"])["message"]
    assert "unknown" not in refused(server, "/api/position", 422, game="ataxx", colour="red")["message"]
    assert "colour" in refused(server, "/api/position", 422, game="ataxx", colour="red")["message"]


WHY = [
    # game, position, moves, from, to, reason
    ("xiangqi", None, [], "c0", "e1", "elephant_moves"),
    ("xiangqi", None, [], "b0", "d1", "horse_leg"),
    ("xiangqi", None, [], "a0", "a4", "path_blocked"),
    ("xiangqi", "3k5/9/9/9/r8/p8/9/p8/9/C3K4 w - - 0 1", [], "a0", "a5", "many_screens"),
    ("xiangqi", None, [], "a3", "b3", "soldier_river"),
    ("xiangqi", None, [], "e0", "e1", None),
    ("xiangqi", None, [], "h9", "g7", "not_yours"),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1", [], "e1", "f2", "generals_face"),
    ("xiangqi", "3k5/9/9/9/9/4r4/9/9/4A4/4K4 w - - 0 1", [], "e1", "f2", "exposes"),
    ("xiangqi", "3k5/9/9/9/9/4r4/9/9/9/2B1K4 w - - 0 1", [], "c0", "a2", "still_check"),
    ("xiangqi", "3k5/9/9/9/9/5r3/9/9/9/4K4 w - - 0 1", [], "e0", "f0", "into_check"),
    ("xiangqi", "3k5/9/9/9/9/9/9/9/3N5/2B1K4 w - - 0 1", [], "c0", "e2", "elephant_eye"),
    ("ataxx", None, [], None, "d4", "too_far"),
    ("ataxx", None, [], "a7", "a6", "beside"),
    ("popucom", None, ["e5"], None, "e5", "taken"),
    ("connect_four", None, ["d", "d", "d", "d", "d", "d"], None, "d6", "column_full"),
    ("connect_four", None, [], None, "d3", "not_the_landing"),
    ("dark_chess", "PC2/??2/4/4 r pp 0 100 0 20", [], "b4", "c4", "cannon_screen"),
    ("liuzhou", None, ["a1"], None, "a1", "taken"),
    ("liuzhou", None, [], "a1", "a2", "place_only"),
]


@pytest.mark.parametrize(("game", "position", "moves", "start", "to", "reason"), WHY)
def test_why_a_ply_is_not_legal(
    server: Server, game: str, position: str | None, moves: list[str], start: str | None, to: str, reason: str | None
) -> None:
    line = {"game": game, "moves": moves} | ({} if position is None else {"position": position})
    if game == "dark_chess":
        line["position"] = dark_position()
        start, to = "a1", "d1"
    told = ask(server, "/api/explain", **line, **{"from": start, "to": to})
    assert (told["legal"], told["reason"]) == (reason is None, reason)
    assert told["words"]["en"]
    assert told["words"]["zh"]


def dark_position() -> str:
    """A position in which red's cannon on a1 stands alone on its rank with an empty square at its end."""
    state = qilin.game("dark_chess").start()
    for move in ("a1", "C", "d1", "p"):
        state = state.play(move)
    return str(state)


def test_every_refused_ply_has_a_reason(server: Server) -> None:
    """For each pair of squares of some positions: legal exactly where the rules say so, and else with words."""
    from qilin.web.lines import explain

    for name in qilin.games():
        state = qilin.game(name).start()
        for _ in range(3):
            _, rows, cols = state.game.shape
            first = state.game._rules.first_rank
            squares = [f"{chr(97 + col)}{row + first}" for row in range(rows) for col in range(cols)]
            legal = {(move["from"], move["to"]) for move in ask_moves(state)}
            for to in squares[::2]:
                for start in (None, *squares[::9]):
                    told = explain(state, start, to, None)
                    assert told["legal"] == ((start, to) in legal)
                    assert told["legal"] or (told["reason"] and told["words"]["zh"])
            if state.is_over:
                break
            state = state.play(state.moves()[len(state.moves()) // 2])
            while state.is_chance:
                state = state.play(next(iter(state.outcomes())))


def ask_moves(state: qilin.State) -> list[dict[str, Any]]:
    from qilin.view import view_of

    return list(view_of(state)["moves"])


def test_analysis_and_hint(server: Server) -> None:
    found = ask(server, "/api/analyse", game="connect_four", moves=["d", "a", "d", "a", "d"], lines=2, seconds=0.3)
    assert found["to_move"] == 1
    assert found["lines"][0]["moves"][0] == "d"
    assert 0 <= found["value"] <= 1
    assert found["done"]
    tree = ask(server, "/api/analyse", game="ataxx", player="mcts", lines=2, seconds=0.3)
    assert sum(move["share"] for move in tree["heat"]) == pytest.approx(1)
    hint = ask(server, "/api/hint", game="xiangqi", player="alphabeta:depth=2")
    assert hint["squares"] == [hint["from"]]
    won = ask(server, "/api/analyse", game="connect_four", moves=["d", "a", "d", "a", "d", "a", "d"])
    assert (won["lines"], won["value"], won["to_move"]) == ([], 1.0, None)
    refused(server, "/api/hint", 422, game="connect_four", moves=["d", "a", "d", "a", "d", "a", "d"])


def test_a_line_in_every_notation(server: Server) -> None:
    told = ask(server, "/api/notation", game="xiangqi", moves=["h2e2", "h9g7"])["notations"]
    moves = {notation["name"]: notation["moves"] for notation in told}
    assert moves["native"] == ["h2e2", "h9g7"]
    assert moves["chinese"][0] == "炮二平五"


def test_a_position_as_a_picture(server: Server) -> None:
    drawn = server.post("/api/picture", {"game": "xiangqi", "moves": ["h2e2"], "flipped": True})
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")


def test_the_library(server: Server) -> None:
    document = {"format": "qilin-game", "version": 1}
    file = ask(server, "/api/convert", text='[Game "connect_four"]\n\n1. d d 2. e *', to="json")["documents"][0]
    assert refused(server, "/api/library", 422, document=document)["message"]
    kept = server.post("/api/library", {"document": file, "tags": ["mine", "50%"]})
    assert kept.status_code == 201
    id = kept.json()["id"]
    assert server.get(f"/api/library/{id}").json()["document"] == file
    after = str(qilin.game("connect_four").start().play("d").play("d"))
    for query, count in (
        ({"query": "mine"}, 1),
        ({"query": "50%"}, 1),
        ({"query": "5_%"}, 0),
        ({"moves": "d d"}, 1),
        ({"moves": "d e"}, 0),
        ({"game": "connect_four", "position": after}, 1),
        ({"result": "open"}, 1),
        ({"result": "first"}, 0),
        ({"player": "'; DROP TABLE library; --"}, 0),
    ):
        found = server.get("/api/library", params=query).json()
        assert (query, found["total"], len(found["games"])) == (query, count, count)
    page = server.get(f"/api/library/{id}/replay")
    assert page.headers["content-disposition"].startswith("attachment")
    assert "<!doctype html>" in page.text
    assert ask(server, "/api/replay", document=file)["text"] == page.text
    changed = {**file, "event": "A cup"}
    assert server.get(f"/api/library/{id}").json()["summary"]["title"] != "A cup"
    assert httpx.put(f"{server.url}/api/library/{id}", json={"document": changed}).status_code == 200
    assert server.get(f"/api/library/{id}").json()["summary"]["title"] == "A cup"
    assert httpx.delete(f"{server.url}/api/library/{id}").status_code == 204
    assert server.get(f"/api/library/{id}").status_code == 404


def test_networks_are_named_never_pathed(server: Server) -> None:
    names = [network["name"] for network in server.get("/api/networks").json()["networks"]]
    assert names == ["small"]
    for name in ("../secret", "/etc/passwd", "link", "small.onnx", "..", "models/small", "small\x00"):
        assert server.post("/api/load-model", {"name": name}).status_code in {404, 422}
        assert server.post("/api/ai-move", {"game": "ataxx", "player": f"net:{name}"}).status_code in {404, 422}
    failed = server.post("/api/ai-move", {"game": "ataxx", "player": "net:small"})
    assert failed.status_code == 503
    assert "Traceback" not in failed.text


def test_greedy_specs_are_refused(server: Server) -> None:
    for spec in (
        "alphabeta:threads=8",
        "alphabeta:table=9999",
        "alphabeta:time=1h",
        "mcts:sims=1e9",
        "nobody",
        "x" * 150,
    ):
        assert server.post("/api/ai-move", {"game": "ataxx", "player": spec}).status_code in {403, 422}


def test_players_are_listed_weakest_first(server: Server) -> None:
    players = server.get("/api/players", params={"game": "ataxx"}).json()["players"]
    assert [player["level"] for player in players[:8]] == list(range(1, 9))
    assert {player["spec"] for player in players} >= {"random", "level:3", "net:small"}


def test_the_pages_have_headers_and_types(server: Server) -> None:
    page = server.get("/")
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    again = server.get("/", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304
    script = next(path for path in (Path(qilin.__file__).parent / "web/static").glob("*.js"))
    assert server.get(f"/{script.name}").headers["content-type"] == "text/javascript; charset=utf-8"
    for path in ("/../serve.py", "/..%2fserve.py", "/%2e%2e/serve.py", "/nothing", "/api/nothing", "/static%00.js"):
        assert server.get(path).status_code in {400, 404}
    assert "<script" not in server.get("/docs").text


def test_judgement_and_analysis_stream(server: Server) -> None:
    line = {"game": "connect_four", "moves": ["d", "a", "d", "a", "d", "b"]}
    with server.client() as client:
        id = client.say(type="judge", **line, seconds=0.1)
        points = []
        while True:
            heard = client.hear()
            if heard["type"] == "report":
                break
            points.append(heard["point"])
            assert (heard["re"], heard["seq"], heard["of"]) == (id, len(points), 6)
        assert points[1]["mark"] == "blunder"  # the middle is given up
        assert heard["report"]["players"][1]["blunders"] >= 1
        assert heard["report"]["players"][0]["accuracy"] > heard["report"]["players"][1]["accuracy"]
        assert [point["by"] for point in points] == [0, 1, 0, 1, 0, 1]
        id = client.say(type="analyse", game="ataxx", player="mcts", seconds=1.5)
        numbers = []
        while True:
            heard = client.hear()
            assert heard["re"] == id
            numbers.append(heard["seq"])
            if heard["analysis"]["done"]:
                break
        assert numbers == sorted(set(numbers))
        assert len(numbers) > 2
        client.say(type="analyse", id="long", game="xiangqi", player="alphabeta", seconds=30)
        client.until(lambda heard: heard["type"] == "analysis")
        assert client.ask(type="stop", what="long")["type"] == "done"


def test_an_analysis_goes_on_where_it_was_after_a_lost_connection(server: Server) -> None:
    asked = {"type": "analyse", "id": "a", "game": "xiangqi", "player": "mcts", "seconds": 8}
    with server.client() as client:
        client.say(**asked)
        before = client.until(lambda heard: heard["type"] == "analysis" and heard["seq"] >= 3)
        client.socket.close_socket()
    with server.client() as client:
        client.say(**asked, seq=before["seq"])
        after = client.until(lambda heard: heard["type"] == "analysis")
        assert after["seq"] > before["seq"]
        assert after["analysis"]["nodes"] >= before["analysis"]["nodes"]


def test_a_run_is_followed_while_it_writes(server: Server) -> None:
    run = server.folder / "runs/first"
    (run / "games").mkdir(parents=True)
    (run / "recipe.toml").write_text('game = "ataxx"\n')
    (run / "metrics.jsonl").write_text('{"iteration": 1, "time": 1.0, "loss": {"total": NaN}}\n{"iteration": 2, "ti')
    assert [one["name"] for one in server.get("/api/runs").json()["runs"]] == ["first"]
    rows = server.get("/api/runs/first/metrics").json()
    assert [row["iteration"] for row in rows["rows"]] == [1]
    assert rows["rows"][0]["loss"]["total"] is None
    with server.client() as client:
        client.say(type="follow", id="f", run="first")
        assert client.until(lambda heard: heard["type"] == "rows")["rows"][0]["iteration"] == 1
        with (run / "metrics.jsonl").open("a") as file:
            file.write('me": 2.0}\n')
        (run / "games/000002-00.jsonl").write_text(json.dumps({"moves": ["a6"], "result": 1.0}) + "\n")
        heard = client.until(lambda heard: heard["type"] == "rows" and bool(heard["rows"]))
        assert heard["rows"][0]["iteration"] == 2
        assert client.ask(type="follow", id="g", run="../first")["code"] == "not_found"
    assert server.get("/api/runs/first").json()["recipe"] == {"game": "ataxx"}
    assert server.get("/api/runs/..%2fruns%2ffirst").status_code == 404


def test_it_is_bound_to_loopback_unless_told_otherwise() -> None:
    assert signature(serve).parameters["host"].default == "127.0.0.1"
    assert hosts_for("127.0.0.1") == ("localhost", "127.0.0.1", "[::1]", "127.0.0.1")


def test_a_kept_connection_answers_at_once(server: Server) -> None:
    """A client's late acknowledgement, of 40 ms, holds up no second piece of an answer."""
    with httpx.Client(base_url=server.url) as kept:
        times = []
        for _ in range(20):
            began = time.perf_counter()
            kept.get("/api/health")
            times.append(time.perf_counter() - began)
    assert min(times) < 0.03
