"""Training runs, read while they are written. Nothing in a run's folder is ever changed from here."""

from __future__ import annotations

import json
import re
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qilin.train.health import warnings
from qilin.train.history import read
from qilin.view import said
from qilin.web.errors import NotFound

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,80}")
LIVE = 300.0  # seconds since the last line of metrics
PORTION = 1 << 20  # bytes read at a time
BEST = "best"


@dataclass(frozen=True, slots=True)
class Run:
    """One run's folder."""

    path: Path

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.name

    def recipe(self) -> dict[str, Any]:
        """The resolved recipe; empty where there is none yet, or a damaged one."""
        try:
            return tomllib.loads((self.path / "recipe.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def metrics(self, after: int) -> dict[str, Any]:
        """The whole lines of metrics.jsonl from byte `after` on, some at a time, and where to go on."""
        try:
            with (self.path / "metrics.jsonl").open("rb") as file:
                size = file.seek(0, 2)
                file.seek(after if after <= size else 0)  # a resumed run may have taken lines back
                begin, portion = file.tell(), file.read(PORTION)
        except OSError:
            return {"rows": [], "next": 0}
        whole = portion[: portion.rfind(b"\n") + 1]
        return {"rows": rows_of(whole), "next": begin + len(whole)}

    def last(self) -> dict[str, Any] | None:
        """The last whole line."""
        try:
            with (self.path / "metrics.jsonl").open("rb") as file:
                file.seek(max(0, file.seek(0, 2) - PORTION))
                lines = rows_of(file.read(PORTION))
        except OSError:
            return None
        return lines[-1] if lines else None

    def games(self, after: int, most: int) -> dict[str, Any]:
        """The last games of the newest iteration, if it is newer than `after`."""
        files = sorted((self.path / "games").glob("*.jsonl"))
        newest = max((iteration_of(path) for path in files), default=0)
        if newest <= after:
            return {"games": [], "next": after}
        found: list[dict[str, Any]] = []
        for path in files:
            if iteration_of(path) == newest:
                found += rows_of(_tail(path))[-most:]
        return {"games": found[-most:], "next": newest}

    def checkpoints(self) -> list[dict[str, Any]]:
        """The networks that can be played, the newest first."""
        names = [path.parent.name for path in self.path.glob("checkpoints/*/network.safetensors")]
        numbers = sorted((int(name) for name in names if name.isdecimal()), reverse=True)
        best = [BEST] if (self.path / "best.safetensors").is_file() else []
        return [{"name": str(name), "player": f"net:{self.name}@{name}"} for name in [*best, *numbers]]

    def summary(self) -> dict[str, Any]:
        """The run on a page of its own."""
        last = self.last()
        return {
            **self.line(),
            "recipe": self.recipe(),
            "metrics": [] if last is None else [last],
            "checkpoints": self.checkpoints(),
            "warnings": [{"kind": one.kind, "words": said(one.words)} for one in warnings(read(self.path))],
            "games": self.games(0, 12)["games"],
        }

    def line(self) -> dict[str, Any]:
        """The run in a list."""
        last, recipe = self.last() or {}, self.recipe()
        written = last.get("time")
        return {
            "name": self.name,
            "game": recipe.get("game"),
            "iterations": last.get("iteration", 0),
            "seconds": last.get("seconds"),
            "updated": written,
            "live": isinstance(written, int | float) and time.time() - written < LIVE,
        }


class Runs:
    """The runs of a folder. A run is a folder with a recipe; it is named, never a path."""

    def __init__(self, folder: Path) -> None:
        """Look there each time anew."""
        self._folder = folder

    def all(self) -> list[Run]:
        """Every run, by name."""
        return [Run(path.parent) for path in sorted(self._folder.glob("*/recipe.toml")) if self._is_run(path.parent)]

    def run(self, name: str) -> Run:
        """The run of that name."""
        path = self._folder / name
        if not NAME.fullmatch(name) or not self._is_run(path):
            raise NotFound(f"no run is called {name!r}; GET /api/runs lists them")
        return Run(path)

    def _is_run(self, path: Path) -> bool:
        inside = path.resolve().is_relative_to(self._folder.resolve())
        return bool(NAME.fullmatch(path.name)) and inside and (path / "recipe.toml").is_file()


def iteration_of(path: Path) -> int:
    """The iteration that a file of games is of."""
    digits = path.name.split("-")[0]
    return int(digits) if digits.isdecimal() else 0


def _tail(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - PORTION))
            return file.read(PORTION)
    except OSError:
        return b""


def rows_of(lines: bytes) -> list[dict[str, Any]]:
    """The lines that are whole; NaN and infinities, which JSON does not know, become null."""
    rows = []
    for line in lines.split(b"\n"):
        try:
            row = json.loads(line, parse_constant=lambda _: None)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows
