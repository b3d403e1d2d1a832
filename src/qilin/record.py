"""The games that were played, in one SQLite file: every move, why it ended, how long each ply took.

Ratings are computed from these games, never stored: they can be computed anew at any time.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qilin.errors import BadRecord
from qilin.rating import Meeting, Pairs

SCHEMA = """
CREATE TABLE IF NOT EXISTS match (
    id      INTEGER PRIMARY KEY,
    plan    TEXT NOT NULL UNIQUE,  -- JSON: all that decides the games, see qilin.match.Plan
    game    TEXT NOT NULL,
    options TEXT NOT NULL,         -- JSON
    first   TEXT NOT NULL,         -- players, as they were named
    second  TEXT NOT NULL,
    began   TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) STRICT;
CREATE TABLE IF NOT EXISTS game (
    match   INTEGER NOT NULL REFERENCES match (id),
    pair    INTEGER NOT NULL,      -- both games of a pair begin alike
    turned  INTEGER NOT NULL,      -- 0: the first player has seat 0; 1: seats swapped
    opening TEXT NOT NULL,         -- the position the players took over
    moves   TEXT NOT NULL,         -- JSON: moves and the answers of chance, from there
    millis  TEXT NOT NULL,         -- JSON: time for every move of a player
    winner  INTEGER,               -- seat 0 or 1; NULL: a draw
    reason  TEXT NOT NULL,
    points  REAL NOT NULL,         -- of the match's first player: 1, 0.5, 0
    PRIMARY KEY (match, pair, turned)
) STRICT, WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One finished game."""

    pair: int
    turned: bool
    opening: str
    moves: tuple[str, ...]
    millis: tuple[float, ...]
    winner: int | None
    reason: str
    points: float


def default_path() -> Path:
    """`$QILIN_HOME/games.sqlite`, or in the user's data folder."""
    home = os.environ.get("QILIN_HOME")
    data = os.environ.get("XDG_DATA_HOME", "~/.local/share")
    return (Path(home) if home else Path(data).expanduser() / "qilin") / "games.sqlite"


class Record:
    """An open file of games. One transaction a pair: what is written is whole, whatever happens to the process."""

    def __init__(self, path: Path) -> None:
        """Open `path`, making it where there is none."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=30)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(SCHEMA)
        except (sqlite3.DatabaseError, OSError) as error:
            raise BadRecord(f"{path} can't be used as a file of games: {error}") from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def match(self, plan: str, game: str, options: dict[str, Any], first: str, second: str) -> int:
        """The number of the match with this plan; the same plan is the same match."""
        with self._db:
            self._db.execute(
                "INSERT OR IGNORE INTO match (plan, game, options, first, second) VALUES (?, ?, ?, ?, ?)",
                (plan, game, json.dumps(options), first, second),
            )
        return int(self._db.execute("SELECT id FROM match WHERE plan = ?", (plan,)).fetchone()[0])

    def has(self, plan: str) -> bool:
        """Whether games of this plan are kept."""
        query = "SELECT 1 FROM game JOIN match ON match.id = game.match WHERE plan = ? LIMIT 1"
        return self._db.execute(query, (plan,)).fetchone() is not None

    def add(self, match: int, games: list[Played]) -> None:
        """Keep the games of one pair, all or none."""
        rows = [
            (
                match,
                game.pair,
                int(game.turned),
                game.opening,
                json.dumps(game.moves),
                json.dumps(game.millis),
                game.winner,
                game.reason,
                game.points,
            )
            for game in games
        ]
        with self._db:
            self._db.executemany("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def games(self, match: int) -> Iterator[Played]:
        """The games of a match, in the order of its plan."""
        query = (
            "SELECT pair, turned, opening, moves, millis, winner, reason, points FROM game "
            "WHERE match = ? ORDER BY pair, turned"
        )
        for pair, turned, opening, moves, millis, winner, reason, points in self._db.execute(query, (match,)):
            yield Played(
                pair=pair,
                turned=bool(turned),
                opening=opening,
                moves=tuple(json.loads(moves)),
                millis=tuple(json.loads(millis)),
                winner=winner,
                reason=reason,
                points=points,
            )

    def pairs(self, match: int) -> Pairs:
        """The finished pairs of a match, counted by score."""
        query = "SELECT SUM(points) FROM game WHERE match = ? GROUP BY pair HAVING COUNT(*) = 2"
        found = Pairs()
        for (points,) in self._db.execute(query, (match,)):
            found = found.add(points)
        return found

    def matches(self) -> list[tuple[int, dict[str, Any]]]:
        """Every match: its number and its plan."""
        rows = self._db.execute("SELECT id, plan FROM match ORDER BY id")
        return [(number, json.loads(plan)) for number, plan in rows]

    def meetings(self, game: str, options: dict[str, Any]) -> list[Meeting]:
        """All results of a game under these options, by pair of players."""
        query = """
            SELECT first, second, SUM(points = 1), SUM(points = 0.5), SUM(points = 0)
            FROM game JOIN match ON match.id = game.match
            WHERE match.game = ? AND match.options = ? AND first <> second
            GROUP BY first, second ORDER BY first, second
        """
        return [Meeting(*row) for row in self._db.execute(query, (game, json.dumps(options)))]


@contextmanager
def open_record(path: Path | None) -> Iterator[Record]:
    """The record at `path`, or at its usual place, closed in the end."""
    record = Record(path or default_path())
    try:
        yield record
    finally:
        record.close()
