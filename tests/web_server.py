"""A server for tests: a real one on a free port of loopback, in a process of its own; and a client that talks to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

STARTS = """
import sys, json
from pathlib import Path
from qilin.web.hall import Settings
from qilin.web.limits import Limits
from qilin.web.serve import run
folder, port, limits = Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
settings = Settings(
    database=folder / "web.sqlite", models=folder / "models", runs=folder / "runs", limits=Limits(workers=2, **limits)
)
run(settings, "127.0.0.1", port, opens=False, say=lambda address: print(address, flush=True))
"""


@dataclass(slots=True)
class Server:
    """A running server; it can be killed and started again on the same files and port."""

    folder: Path
    limits: dict[str, Any] = field(default_factory=dict)
    port: int = 0
    _process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Begin, and wait until it listens."""
        command = [sys.executable, "-c", STARTS, str(self.folder), str(self.port), json.dumps(self.limits)]
        with (self.folder / "log").open("a") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self._process.stdout is not None
        address = self._process.stdout.readline().strip()
        assert address, (self.folder / "log").read_text()
        self.port = int(address.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """End it without a word."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """What it has complained about."""
        return (self.folder / "log").read_text()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def post(self, path: str, body: Any, **more: Any) -> httpx.Response:
        """A request with a body."""
        return httpx.post(self.url + path, json=body, timeout=60, **more)

    def get(self, path: str, **more: Any) -> httpx.Response:
        """A request without one."""
        return httpx.get(self.url + path, timeout=60, **more)

    @contextmanager
    def client(self, **more: Any) -> Iterator[Client]:
        """A client with an open WebSocket."""
        with connect(f"ws://127.0.0.1:{self.port}/ws", compression=None, **more) as socket:
            client = Client(socket)
            assert client.hear()["type"] == "hello"
            yield client

    def children(self) -> list[int]:
        """Its engine processes."""
        path = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        return [int(child) for child in path.read_text().split()] if path.exists() else []


@dataclass(slots=True)
class Client:
    """One end of a WebSocket."""

    socket: ClientConnection
    number: int = 0

    def say(self, **message: Any) -> str:
        """Send a message; answers its id."""
        self.number += 1
        message.setdefault("id", f"m{self.number}-{os.urandom(4).hex()}")
        self.socket.send(json.dumps(message))
        return str(message["id"])

    def hear(self, timeout: float = 20) -> dict[str, Any]:
        """The next message."""
        heard = json.loads(self.socket.recv(timeout))
        assert isinstance(heard, dict)
        assert {"type", "seq"} <= heard.keys()
        return heard

    def until(self, wanted: Callable[[dict[str, Any]], bool], timeout: float = 20) -> dict[str, Any]:
        """The first message that is wanted; others are passed over."""
        end = time.monotonic() + timeout
        while True:
            heard = self.hear(max(0.01, end - time.monotonic()))
            if wanted(heard):
                return heard

    def until_closed(self, timeout: float) -> None:
        """Hear everything until the server hangs up."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                self.hear(timeout)
            except (ConnectionClosed, EOFError):
                return
        raise AssertionError(f"the connection is still open after {timeout} s")

    def ask(self, **message: Any) -> dict[str, Any]:
        """The answer to a message."""
        id = self.say(**message)
        return self.until(lambda heard: heard.get("re") == id)


def human(name: str = "") -> dict[str, str]:
    """A person's seat."""
    return {"player": "human", "name": name}


@contextmanager
def serving(folder: Path, **limits: Any) -> Iterator[Server]:
    """A server while it is needed."""
    server = Server(folder, limits)
    server.start()
    try:
        yield server
    finally:
        server.stop()
