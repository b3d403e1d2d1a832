"""Clients that mean no good, or are not well: refused in words, let go in time, and nobody else notices."""

from __future__ import annotations

import json
import os
import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from web_server import Server, human, serving
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

PATIENCE = 1.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("hostile"), patience=PATIENCE, ping=1.0, outbox=64) as running:
        yield running
        assert "Traceback" not in running.log


@pytest.fixture(autouse=True)
def _nobody_else_notices(server: Server) -> Iterator[None]:
    """A game goes on, at its usual speed, whatever the test does beside it."""
    with server.client() as client:
        opened = client.ask(type="new", game="connect_four", seats=[human(), human()])
        yield
        began = time.monotonic()
        assert client.ask(type="move", game=opened["game"], ply=0, move="d")["type"] == "event"
        assert time.monotonic() - began < 2
    assert server.get("/api/health").json()["ok"]


def raw(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


def request(path: str = "/api/position", body: bytes = b"{}", headers: dict[str, str] | None = None) -> bytes:
    given = {"host": "127.0.0.1", "content-type": "application/json", "content-length": str(len(body))}
    lines = [f"{name}: {value}" for name, value in {**given, **(headers or {})}.items()]
    return "\r\n".join([f"POST {path} HTTP/1.1", *lines, "", ""]).encode() + body


def answer_of(connection: socket.socket) -> bytes:
    answer = b""
    with suppress(ConnectionResetError):  # what was sent was not read to its end
        while part := connection.recv(65536):
            answer += part
    return answer


def refused_handshake(server: Server, origin: str) -> int:
    url, headers = f"ws://127.0.0.1:{server.port}/ws", {"Origin": origin}
    with pytest.raises(InvalidStatus) as caught, connect(url, additional_headers=headers):
        pass
    return int(caught.value.response.status_code)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "0",
        '"move"',
        "{}",
        '{"type": "dance"}',
        '{"type": "move"}',
        '{"type": "new", "game": "ataxx"}',
        '{"type": "new", "game": 3, "seats": []}',
        '{"type": "new", "game": "ataxx", "seats": [{"player": "human"}, {"player": "human"}], "colour": 1}',
        '{"type": "analyse", "id": "a", "game": "ataxx", "lines": 1000}',
        '{"type": "analyse", "id": "a", "game": "ataxx", "seconds": NaN}',
        '{"type": "resume", "game": "\\ud800", "seq": 0}',
        '{"type": "move", "id": ' + "9" * 5000 + "}",
        "[" * 30000,
        '{"a":' * 10000,
    ],
)
def test_nonsense_is_refused_in_words(server: Server, text: str) -> None:
    with server.client() as client:
        client.socket.send(text)
        refused = client.hear()
        assert refused["type"] == "refused"
        assert refused["message"]
        assert refused["words"]["zh"]
        assert client.ask(type="stop", what="x")["type"] == "done"


def test_binary_is_refused_and_random_bytes_are_survived(server: Server) -> None:
    with server.client() as client:
        client.socket.send(os.urandom(1000))
        assert client.hear()["code"] == "unsupported"
    rng = random.Random(1)
    for _ in range(30):
        with raw(server) as connection:
            connection.sendall(rng.randbytes(rng.randrange(1, 4000)))
    for _ in range(30):
        with server.client() as client:
            client.socket.socket.sendall(rng.randbytes(rng.randrange(1, 400)))


def test_an_oversized_frame_is_cut_off(server: Server) -> None:
    with server.client() as client:
        client.socket.send("x" * (1 << 17))
        with pytest.raises(ConnectionClosed) as caught:
            client.hear()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009


def test_an_oversized_body_is_refused(server: Server) -> None:
    assert server.post("/api/position", {"game": "x" * (1 << 21)}).status_code == 413
    with raw(server) as connection:
        connection.sendall(request(headers={"content-length": "99999999999"}))
        assert b" 413 " in answer_of(connection)
    with raw(server) as connection:  # without saying how much
        chunked = request(body=b"", headers={"content-length": "", "transfer-encoding": "chunked"})
        connection.sendall(chunked.replace(b"content-length: \r\n", b""))
        try:
            for _ in range(100):
                connection.sendall(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
        except OSError:
            return  # cut off
        assert b" 413 " in answer_of(connection)


def test_forms_and_other_sites_are_refused(server: Server) -> None:
    import httpx

    form = httpx.post(f"{server.url}/api/library", data={"document": "x"})
    assert form.status_code == 415
    plain = httpx.post(f"{server.url}/api/position", content='{"game":"ataxx"}', headers={"content-type": "text/plain"})
    assert plain.status_code == 415
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"host": "evil.example"},
        {"host": f"evil.example:{server.port}"},
    ):
        assert server.post("/api/position", {"game": "ataxx"}, headers=headers).status_code == 403
    own = {"origin": server.url}
    assert server.post("/api/position", {"game": "ataxx"}, headers=own).status_code == 200
    assert "access-control-allow-origin" not in server.post("/api/position", {"game": "ataxx"}, headers=own).headers


def test_sockets_of_other_sites_are_refused(server: Server) -> None:
    assert refused_handshake(server, "http://evil.example") == 403
    assert refused_handshake(server, "null") == 403
    own_origin = Origin(f"http://127.0.0.1:{server.port}")
    with connect(f"ws://127.0.0.1:{server.port}/ws", origin=own_origin) as own:
        assert json.loads(own.recv(5))["type"] == "hello"


def test_a_slow_request_is_ended(server: Server) -> None:
    for sent in (b"", b"POST /api/pos", request()[:-1], request(headers={"content-length": "1000"})):
        with raw(server) as connection:
            connection.sendall(sent)
            began = time.monotonic()
            answer = answer_of(connection)
            assert time.monotonic() - began < PATIENCE * 8
            assert answer == b"" or b" 408 " in answer


def test_a_client_that_drips_is_ended(server: Server) -> None:
    with raw(server) as connection:
        connection.sendall(request(headers={"content-length": "1000"}))
        began = time.monotonic()
        try:
            while time.monotonic() - began < PATIENCE * 10:
                connection.sendall(b" ")
                time.sleep(0.2)
        except OSError:
            pass
        assert time.monotonic() - began < PATIENCE * 8


def test_half_closed_clients_are_let_go(server: Server) -> None:
    with raw(server) as connection:
        connection.sendall(request()[:-1])
        connection.shutdown(socket.SHUT_WR)
        answer_of(connection)
    with server.client() as client:
        client.ask(type="new", game="connect_four", seats=[human(), {"player": "random"}])
        client.socket.socket.shutdown(socket.SHUT_WR)
        client.until_closed(5)


def test_who_reads_nothing_is_let_go(server: Server) -> None:
    with raw(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client = handshake(connection)
        client(json.dumps({"type": "new", "game": "popucom", "seats": [human(), human()], "id": "n"}))
        before = len(descriptors(server))
        try:
            for _ in range(3000):  # each is answered with many kilobytes that nobody takes
                client(json.dumps({"type": "analyse", "id": "a", "game": "popucom", "lines": 99}))
        except OSError:
            return
        end = time.monotonic() + PATIENCE * 20
        while time.monotonic() < end:
            if len(descriptors(server)) < before:
                return
            time.sleep(0.2)
        raise AssertionError("a client that reads nothing is still connected")


def descriptors(server: Server) -> list[Path]:
    return list(Path(f"/proc/{server.pid}/fd").iterdir())


def handshake(connection: socket.socket) -> Callable[[str], None]:
    """A WebSocket by hand: its frames go out, and what comes in is not read."""
    connection.sendall(
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    connection.recv(200)

    def send(text: str) -> None:
        data = text.encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        connection.sendall(b"\x81" + size + b"\0\0\0\0" + data)

    return send


def test_streams_and_games_of_one_socket_are_bounded(server: Server) -> None:
    with server.client() as client:
        answers = [
            client.ask(type="analyse", id=f"s{i}", game="xiangqi", player="alphabeta", seconds=30)["type"]
            for i in range(5)
        ]
        assert answers.count("refused") == 1
        for _ in range(64):
            opened = client.ask(type="new", game="connect_four", seats=[human(), human()])
            assert opened["type"] == "game"
        full = client.ask(type="new", game="connect_four", seats=[human(), human()])
        assert (full["type"], full["code"]) == ("refused", "busy")
        assert full["retry"] > 0
    deadline = time.monotonic() + 15
    while server.get("/api/health").json()["running"] and time.monotonic() < deadline:
        time.sleep(0.2)
    assert server.get("/api/health").json()["running"] == 0


def test_a_client_that_leaves_cancels_its_search(server: Server) -> None:
    with raw(server) as connection:
        body = json.dumps({"game": "xiangqi", "player": "alphabeta", "seconds": 50}).encode()
        connection.sendall(request("/api/analyse", body))
        deadline = time.monotonic() + 10
        while not server.get("/api/health").json()["running"] and time.monotonic() < deadline:
            time.sleep(0.05)
    deadline = time.monotonic() + 8
    while server.get("/api/health").json()["running"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.get("/api/health").json()["running"] == 0
