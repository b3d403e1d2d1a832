"""The page's files: right types on every system, and a tag by which a browser knows that it has the newest."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from qilin.web.errors import NotFound

ROOT = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
}


def page_file(request: Request) -> Response:
    """A file of the page; `/` is its index."""
    path = found(request.path_params.get("path") or "index.html")
    if path is None:
        raise NotFound(f"there is no page at {request.url.path[:100]!r}")
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body: Any = b"" if request.method == "HEAD" else content
    return Response(body, media_type=TYPES[path.suffix], headers=headers)


def found(name: str) -> Path | None:
    """The file of that name, if it is one of the page's."""
    try:
        path = (ROOT / name).resolve()
        is_ours = path.is_relative_to(ROOT.resolve()) and path.suffix in TYPES and path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return None
    return path if is_ours else None
