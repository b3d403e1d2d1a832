"""What stands between the net and the application: whose requests are taken, how long, how large; what pages may do.

A plain ASGI wrapper. A page of another site can neither send us a form nor open a socket here (Origin), nor pretend to
be us by a name of its own that leads to this machine (Host).
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
import traceback
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qilin.web.errors import Failed, Forbidden, Refusal, TooLarge, Unsupported
from qilin.web.limits import Limits
from qilin.words import Text

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
SAFE = {"GET", "HEAD", "OPTIONS"}


class Timeout(Refusal):
    """The request did not come in whole."""

    code, status = "timeout", 408
    words = Text(en="The request took too long.", zh="请求超时。")


class Guard:
    """The wrapper."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], limits: Limits) -> None:
        """`hosts`: the names that this server goes by, without port; empty: any name."""
        self._app, self._hosts, self._limits = app, frozenset(hosts), limits
        self._sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a request, or refuse it in words."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._check(scope, headers)
        except Refusal as refusal:
            return await refuse(scope, receive, send, refusal)
        if scope["type"] == "websocket":
            return await self._socket(scope, receive, send)
        return await self._request(scope, receive, send, headers)

    def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._hosts and name_of(host) not in self._hosts:
            raise Forbidden(
                f"host {host[:100]!r} is not this server's name; it goes by {', '.join(sorted(self._hosts))}"
            )
        if origin is not None and origin.partition("://")[2] != host:
            raise Forbidden(f"origin {origin[:100]!r} is another site's; only the server's own pages may ask")
        if scope["type"] == "http" and scope["method"] not in SAFE:
            self._check_body(headers)

    def _check_body(self, headers: dict[str, str]) -> None:
        if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
            raise Forbidden("a request from another site; only the server's own pages may ask")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 18 or int(length) > self._limits.body:
            raise TooLarge(f"a body of {length[:20]} bytes, expected {self._limits.body} at most")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        has_body = length != "0" or "transfer-encoding" in headers
        if has_body and kind != "application/json":
            raise Unsupported(f"content-type is {kind[:60]!r}, expected application/json")

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._sockets >= self._limits.sockets:
            return await refuse(scope, receive, send, Forbidden("too many sockets are open"))
        self._sockets += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets -= 1

    async def _request(self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        body = Body(receive, self._limits)
        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if body.refusal is not None and not begun:
                raise body.refusal  # whatever the application made of a body that did not come whole
            if message["type"] == "http.response.start":
                begun = True
                message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
            await asyncio.wait_for(send(message), self._limits.patience * 3)

        try:
            await self._app(scope, body.receive, with_headers)
        except Refusal as refusal:
            if not begun:
                await refuse(scope, receive, send, refusal)
        except TimeoutError:
            return
        except Exception:
            if body.refusal is None:
                traceback.print_exc(file=sys.stderr)
            if not begun:
                failed = Failed("the server made a mistake; its log says which")
                await refuse(scope, receive, send, body.refusal or failed)


class Body:
    """A request's body on its way in: not too large, and not too slow."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        """Nothing has come yet."""
        self._receive, self._limits = receive, limits
        self._size, self._whole = 0, False
        self.refusal: Refusal | None = None
        self._until = time.monotonic() + limits.patience

    async def receive(self) -> Message:
        """The next part."""
        if self._whole:
            return await self._receive()  # the client leaves, some time
        try:
            message = await asyncio.wait_for(self._receive(), max(0.0, self._until - time.monotonic()))
        except TimeoutError:
            self.refusal = Timeout(f"the body did not come within {self._limits.patience:g} s")
            raise self.refusal from None
        self._size += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._size > self._limits.body:
            self.refusal = TooLarge(f"a body of more than {self._limits.body} bytes")
            raise self.refusal
        return message


def name_of(host: str) -> str:
    """A host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()


async def refuse(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    """Say no: to a request with a body of words, to a socket before it opens."""
    body = json.dumps({"error": refusal.as_json()}, ensure_ascii=False).encode()
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            return await send({"type": "websocket.close", "code": 1008})
        prefix = "websocket.http.response"
    else:
        prefix = "http.response"
    more: list[tuple[bytes, bytes]] = [(b"connection", b"close")]
    if hasattr(refusal, "retry"):
        more.append((b"retry-after", str(max(1, round(refusal.retry))).encode()))
    headers: Any = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *more,
        *HEADERS,
    ]
    await send({"type": f"{prefix}.start", "status": refusal.status, "headers": headers})
    await send({"type": f"{prefix}.body", "body": body})
    return None
