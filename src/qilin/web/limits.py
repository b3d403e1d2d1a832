"""How much the server gives to whom."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


def _workers() -> int:
    return max(2, min(os.cpu_count() or 2, 8))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Every bound of the server, in one place. Times in seconds, sizes in bytes."""

    body: int = 1 << 20  # of a request
    frame: int = 1 << 16  # of a WebSocket message from a client
    patience: float = 10.0  # for a request to come in whole, and for a slow reader to take what is sent
    ping: float = 20.0
    connections: int = 1500
    sockets: int = 1000
    streams: int = 4  # analyses, judgements, matches and followed runs of one socket
    outbox: int = 256  # messages that wait for a slow client before it is let go

    tables: int = 2000  # games in memory; idle ones are read again from the file when they are wanted
    matches: int = 16  # between engines, in memory
    kept: int = 20_000  # unfinished games in the file; the longest untouched go first
    plies: int = 5000  # texts in one line of play

    workers: int = field(default_factory=_workers)  # engine processes, one thread each
    waiting: int = 400  # moves that wait for a worker
    analyses: int = 16  # analyses that wait for a worker
    move_seconds: float = 60.0
    analysis_seconds: float = 60.0
    share: float = 3.0  # an analysis gives way after this long when others wait
    grace: float = 2.0  # for a stopped search to answer, before its process is ended
    memory: int = 2 << 30  # of an engine process
    table_mib: int = 64  # of a search's table
    simulations: int = 200_000

    absent: float = 5.0  # an engine goes on thinking this long for clients that may come back
