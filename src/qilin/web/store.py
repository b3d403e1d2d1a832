"""Everything that outlives the server, in one SQLite file: the events of running games, and the library.

One connection, one thread (`Keeper` sees to it); write-ahead logging, each call one transaction.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from qilin.errors import BadRecord
from qilin.web.clock import Clock
from qilin.web.errors import NotFound
from qilin.web.table import Event, Seat, Setup

T = TypeVar("T")

SCHEMA = """
CREATE TABLE IF NOT EXISTS running (
    id      TEXT PRIMARY KEY,
    setup   TEXT NOT NULL,             -- JSON: qilin.web.table.Setup
    touched REAL NOT NULL,             -- unix time
    over    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS running_touched ON running (touched);
CREATE TABLE IF NOT EXISTS event (
    running TEXT NOT NULL REFERENCES running (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    event   TEXT NOT NULL,             -- JSON
    PRIMARY KEY (running, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS library (
    id       TEXT PRIMARY KEY,
    game     TEXT NOT NULL,
    options  TEXT NOT NULL,            -- JSON
    title    TEXT NOT NULL,
    first    TEXT NOT NULL,            -- the players' names
    second   TEXT NOT NULL,
    winner   INTEGER,                  -- 0, 1; NULL: a draw, or open
    result   TEXT NOT NULL,            -- first, second, draw, open
    reason   TEXT,
    plies    INTEGER NOT NULL,
    start    TEXT NOT NULL,
    moves    TEXT NOT NULL,            -- of the main line, each between spaces: prefixes can be searched
    tags     TEXT NOT NULL,            -- JSON list
    created  REAL NOT NULL,
    updated  REAL NOT NULL,
    document TEXT NOT NULL             -- the game file
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS library_updated ON library (updated);
CREATE TABLE IF NOT EXISTS passed (    -- the positions that games of the library passed through
    key  TEXT NOT NULL,
    game TEXT NOT NULL REFERENCES library (id) ON DELETE CASCADE,
    PRIMARY KEY (key, game)
) STRICT, WITHOUT ROWID;
"""

COLUMNS = "id, game, options, title, first, second, winner, result, reason, plies, start, tags, created, updated"
ORDERS = {
    "newest": "updated DESC, id",
    "oldest": "updated, id",
    "longest": "plies DESC, id",
    "shortest": "plies, id",
}


class Store:
    """The open file. All calls from one thread."""

    def __init__(self, path: Path) -> None:
        """Open `path`, making it where there is none."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=30)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.executescript(SCHEMA)
        except (sqlite3.DatabaseError, OSError) as error:
            raise BadRecord(f"{path} can't be used for games: {error}") from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # Running games.

    def open_table(self, setup: Setup, events: Sequence[Event], most: int) -> None:
        """Keep a new game with its first events; the longest untouched unfinished ones go when there are too many."""
        with self._db:
            self._db.execute(
                "INSERT INTO running (id, setup, touched) VALUES (?, ?, ?)",
                (setup.id, json.dumps(asdict(setup)), time.time()),
            )
            self._add(setup.id, events)
            self._db.execute(
                "DELETE FROM running WHERE id IN (SELECT id FROM running ORDER BY touched DESC LIMIT -1 OFFSET ?)",
                (most,),
            )

    def add_events(self, id: str, events: Sequence[Event]) -> None:
        """Keep what happened, all of it or nothing."""
        with self._db:
            self._add(id, events)
            over = any(event["kind"] == "over" for event in events)
            self._db.execute("UPDATE running SET touched = ?, over = ? WHERE id = ?", (time.time(), over, id))

    def _add(self, id: str, events: Sequence[Event]) -> None:
        rows = [(id, event["seq"], json.dumps(event, ensure_ascii=False)) for event in events]
        self._db.executemany("INSERT INTO event VALUES (?, ?, ?)", rows)

    def table(self, id: str) -> tuple[Setup, list[Event]]:
        """A game as it was kept."""
        row = self._db.execute("SELECT setup FROM running WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise NotFound(f"no game is called {id!r}")
        query = "SELECT event FROM event WHERE running = ? ORDER BY seq"
        return setup_from(json.loads(row[0])), [json.loads(text) for (text,) in self._db.execute(query, (id,))]

    # The library.

    def put(self, row: dict[str, Any], keys: Sequence[str]) -> None:
        """Keep a game, or a newer version of it."""
        with self._db:
            created = self._db.execute("SELECT created FROM library WHERE id = ?", (row["id"],)).fetchone()
            now = time.time()
            full = {**row, "created": created[0] if created else now, "updated": now}
            self._db.execute("DELETE FROM library WHERE id = ?", (row["id"],))
            names = ", ".join(full)
            marks = ", ".join(f":{name}" for name in full)
            self._db.execute(f"INSERT INTO library ({names}) VALUES ({marks})", full)
            self._db.executemany("INSERT OR IGNORE INTO passed VALUES (?, ?)", [(key, row["id"]) for key in keys])

    def game(self, id: str) -> tuple[dict[str, Any], str]:
        """A game's summary and its file."""
        query = f"SELECT {COLUMNS}, document FROM library WHERE id = ?"
        row = self._db.execute(query, (id,)).fetchone()
        if row is None:
            raise NotFound(f"the library has no game {id!r}")
        return summary(row[:-1]), str(row[-1])

    def has(self, id: str) -> bool:
        """Whether the library has this game."""
        return self._db.execute("SELECT 1 FROM library WHERE id = ?", (id,)).fetchone() is not None

    def delete(self, id: str) -> None:
        """Take a game out."""
        with self._db:
            if not self._db.execute("DELETE FROM library WHERE id = ?", (id,)).rowcount:
                raise NotFound(f"the library has no game {id!r}")

    def search(self, wanted: dict[str, Any], order: str, limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
        """Summaries of the games that fit, and how many there are in all."""
        clauses, values = conditions(wanted)
        where = " AND ".join(clauses) or "1"
        total = self._db.execute(f"SELECT COUNT(*) FROM library WHERE {where}", values).fetchone()[0]
        query = f"SELECT {COLUMNS} FROM library WHERE {where} ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?"
        return [summary(row) for row in self._db.execute(query, (*values, limit, offset))], int(total)


def conditions(wanted: dict[str, Any]) -> tuple[list[str], list[Any]]:
    """What a search asks for, in SQL with its values apart."""
    clauses: list[str] = []
    values: list[Any] = []
    for key, clause, made in (
        ("game", "game = ?", str),
        ("result", "result = ?", str),
        ("player", "(first LIKE ? ESCAPE '\\' OR second LIKE ? ESCAPE '\\')", _within),
        ("moves", "moves LIKE ? ESCAPE '\\'", _from_the_start),
        ("position", "id IN (SELECT game FROM passed WHERE key = ?)", str),
    ):
        if wanted.get(key):
            clauses.append(clause)
            values += [made(wanted[key])] * clause.count("?")
    for word in (wanted.get("query") or "").split()[:8]:
        fields = ("title", "first", "second", "reason", "tags", "game")
        clauses.append("(" + " OR ".join(f"{field} LIKE ? ESCAPE '\\'" for field in fields) + ")")
        values += [_within(word)] * len(fields)
    return clauses, values


def _plain(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _within(text: str) -> str:
    return f"%{_plain(text)}%"


def _from_the_start(text: str) -> str:
    return f" {_plain(' '.join(text.split()))} %"


def summary(row: Sequence[Any]) -> dict[str, Any]:
    """A row of the library for a client."""
    named = dict(zip(COLUMNS.split(", "), row, strict=True))
    players = [named.pop("first"), named.pop("second")]
    return {
        **named,
        "options": json.loads(named["options"]),
        "tags": json.loads(named["tags"]),
        "players": players,
    }


def setup_from(table: dict[str, Any]) -> Setup:
    """A setup as `asdict` wrote it."""
    first, second = (Seat(**seat) for seat in table["seats"])
    clock = table["clock"]
    key, other = table["keys"]
    return Setup(
        **{
            **table,
            "keys": (key, other),
            "moves": tuple(table["moves"]),
            "seats": (first, second),
            "clock": None if clock is None else Clock(**clock),
        }
    )


class Keeper:
    """The store for tasks of an event loop: each call runs in the store's own thread."""

    def __init__(self, path: Path) -> None:
        """Open the file."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._store = self._thread.submit(Store, path).result()

    async def do(self, call: Callable[[Store], T]) -> T:
        """What `call` answers. Once begun it is done, even where nobody waits any longer."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, call, self._store))

    def close(self) -> None:
        """Write what is left, and let go."""
        self._thread.submit(self._store.close).result()
        self._thread.shutdown()


@contextmanager
def open_keeper(path: Path) -> Iterator[Keeper]:
    """A keeper that is closed in the end."""
    keeper = Keeper(path)
    try:
        yield keeper
    finally:
        keeper.close()
