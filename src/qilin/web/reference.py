"""The OpenAPI description as a page to read: plain HTML without any script."""

from __future__ import annotations

import json
from html import escape
from typing import Any


def reference(description: dict[str, Any]) -> str:
    """The page at /docs."""
    title = escape(description["info"]["title"])
    routes = "\n".join(
        _route(method, path, route)
        for path, methods in description["paths"].items()
        for method, route in methods.items()
    )
    schemas = "\n".join(
        f"<h3 id='{escape(name)}'>{escape(name)}</h3><pre>{escape(json.dumps(schema, indent=1))}</pre>"
        for name, schema in description.get("components", {}).get("schemas", {}).items()
    )
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{title}: API</title>"
        f"<meta name='viewport' content='width=device-width'><h1>{title}: API</h1>"
        f"<p>{escape(description['info']['description'])} <a href='/openapi.json'>openapi.json</a></p>"
        f"{routes}<h2>What is sent</h2>{schemas}</html>"
    )


def _route(method: str, path: str, route: dict[str, Any]) -> str:
    query = ", ".join(escape(parameter["name"]) for parameter in route.get("parameters", []))
    body = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    name = str(body.get("$ref", "")).rpartition("/")[2]
    sent = f"<p>Body: <a href='#{escape(name)}'>{escape(name)}</a></p>" if name else ""
    asked = f"<p>Parameters: {query}</p>" if query else ""
    words = escape(route.get("description") or route.get("summary", ""))
    return f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{words}</p>{asked}{sent}"
