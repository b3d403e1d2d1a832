"""The application: routes, errors in words, the page's files. Nothing runs before its lifespan begins."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp

from qilin.errors import QilinError
from qilin.web import api, files, reading
from qilin.web.errors import Invalid, NotFound, Refusal, refusal_of
from qilin.web.guard import Guard
from qilin.web.hall import Settings, open_hall
from qilin.web.reference import reference
from qilin.web.socket import Client

VERSION = "1"


def create_app(settings: Settings) -> ASGIApp:
    """The server as an ASGI application."""
    return Guard(application(settings), settings.hosts, settings.limits)


def application(settings: Settings) -> FastAPI:
    """The same without its guard."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_hall(settings) as hall:
            app.state.hall = hall
            yield

    app = FastAPI(
        title="Qilin",
        version=VERSION,
        description="Chinese board games: positions, moves, engines, games. The WebSocket: docs/web_api.md.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    for router in (api.ROUTER, reading.ROUTER):
        app.include_router(router)
    _add_errors(app)
    _add_pages(app)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    return app


def _add_pages(app: FastAPI) -> None:
    async def socket(socket: WebSocket) -> None:
        await Client(socket, socket.app.state.hall).serve()

    async def docs() -> HTMLResponse:
        return HTMLResponse(reference(app.openapi()))

    app.add_api_websocket_route("/ws", socket)
    app.add_api_route("/docs", docs, include_in_schema=False)
    app.router.routes.append(Route("/{path:path}", files.page_file, methods=["GET", "HEAD"]))


def _add_errors(app: FastAPI) -> None:
    app.add_exception_handler(QilinError, _qilin)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)


def answer(refusal: Refusal) -> JSONResponse:
    """A refusal as a response."""
    retry = getattr(refusal, "retry", None)
    headers = {} if retry is None else {"retry-after": str(max(1, round(retry)))}
    return JSONResponse({"error": refusal.as_json()}, status_code=refusal.status, headers=headers)


async def _qilin(request: Request, error: Any) -> JSONResponse:
    return answer(refusal_of(error))


async def _validation(request: Request, error: Any) -> JSONResponse:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    got = repr(first.get("input"))
    return answer(Invalid(f"{where}: {first['msg']} (got {got if len(got) <= 80 else got[:80] + '…'})"))


async def _http(request: Request, error: Any) -> JSONResponse:
    refusal: Refusal = NotFound(f"there is nothing at {request.url.path[:100]!r}")
    if error.status_code != 404:
        refusal = Refusal(f"{request.method} {request.url.path[:100]!r}: {error.detail}")
        refusal.status = error.status_code
    response = answer(refusal)
    response.headers.update(error.headers or {})
    return response
