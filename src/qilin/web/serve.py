"""Run the server: on this machine's loopback unless told otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import webbrowser
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from qilin.errors import QilinError
from qilin.web.app import create_app
from qilin.web.hall import Settings

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class PatientHttp(H11Protocol):
    """HTTP that closes connections on which nothing, or half a request, comes for too long."""

    patience = 10.0
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Give it some time."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A part of a request: the rest is to follow soon."""
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        answering = self.cycle is not None and not self.cycle.response_complete
        if self._late is not None and answering:
            self._late.cancel()
            self._late = None
        elif self._late is None and not answering:
            self._late = self.loop.call_later(self.patience, self._is_late)

    def _is_late(self) -> None:
        self._late = None
        answering = self.cycle is not None and not self.cycle.response_complete
        if self.transport.get_protocol() is self and not answering:  # else it has become a WebSocket
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """It went by itself."""
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)


class PatientSocket(WebSocketsSansIOProtocol):
    """A WebSocket that is cut off when its client takes nothing any longer: closing alone would wait for it."""

    patience = 10.0

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Everything is said."""
        super().on_task_complete(task)
        self.loop.call_later(self.patience, self._cut)

    def _cut(self) -> None:
        if not self.disconnected:
            self.transport.abort()


def hosts_for(host: str) -> tuple[str, ...]:
    """The names under which a server bound to `host` may be addressed: any, where it listens to everybody."""
    if host in {"0.0.0.0", "::", ""}:
        return ()
    return (*LOOPBACK, f"[{host}]" if ":" in host else host.lower())


def configured(settings: Settings, host: str, port: int) -> uvicorn.Config:
    """Uvicorn as we need it."""
    limits = settings.limits
    patience = {"patience": limits.patience}
    return uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        http=type("Http", (PatientHttp,), patience),
        ws=type("Socket", (PatientSocket,), patience),
        ws_max_size=limits.frame,
        ws_ping_interval=limits.ping,
        ws_ping_timeout=limits.ping,
        ws_per_message_deflate=False,
        limit_concurrency=limits.connections,
        h11_max_incomplete_event_size=16 << 10,
        timeout_keep_alive=int(limits.patience),
        timeout_graceful_shutdown=3,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        date_header=False,
    )


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there.

    :raises QilinError: where that is not possible.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP: else asyncio does not know that it may send small pieces at once, and each second one waits 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise QilinError(f"can't listen at {host}:{port}: {error}; try another --port") from None
    return listening


class Announced(uvicorn.Server):
    """A server that tells when it is ready."""

    ready: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started and self.ready is not None:
            self.ready()


def run(settings: Settings, host: str, port: int, *, opens: bool, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C."""
    listening = bound(host, port)
    server = Announced(configured(settings, host, port))
    shown = "127.0.0.1" if host in {"0.0.0.0", "::", ""} else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{listening.getsockname()[1]}/"

    def ready() -> None:
        say(address)
        if opens:
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)

    server.ready = ready
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
