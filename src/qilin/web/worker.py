"""An engine process: reads jobs as lines of JSON, thinks with one thread, answers as lines of JSON.

All that an engine knows of a game is in its job: the public line of play. `python -m qilin.web.worker MEMORY`.

    -> {"job": 7, "do": "choose", "game": …, "options": …, "position": …, "moves": […], "player": …, …}
    -> {"job": 8, "do": "analyse", …, "lines": 3}
    -> {"stop": 8}
    <- {"job": 8, "analysis": …}            as it gets better
    <- {"job": 8, "analysis": …, "done": true}
    <- {"job": 7, "move": …, "done": true}  or {"job": 7, "error": …, "done": true}
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from collections import OrderedDict
from typing import Any

import qilin
from qilin.players import Analysis, Line, Player, player
from qilin.view import moves_of

Ends = dict[str, dict[str, Any]]  # the legal moves by their texts: where each begins and ends

PLAYERS = 2  # kept, with their tables and networks
STATES = 256  # kept, so that a long game is not replayed for every ply
PAUSE = 0.1  # seconds between two improvements of an analysis


class Desk:
    """The jobs of one engine process."""

    def __init__(self) -> None:
        """Nothing to do yet."""
        self._jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._players: OrderedDict[tuple[str, str, str], Player] = OrderedDict()
        self._owners: dict[int, str] = {}
        self._states: OrderedDict[tuple[str, str, str, str], qilin.State] = OrderedDict()
        self._now: tuple[int, Player] | None = None
        self._stopped: set[int] = set()

    def read(self) -> None:
        """Take in lines until the server has gone; then end at once, whatever is being thought about."""
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "stop" in message:
                self._stop(int(message["stop"]))
            else:
                self._jobs.put(message)
        os._exit(0)

    def _stop(self, job: int) -> None:
        self._stopped.add(job)
        if self._now is not None and self._now[0] == job:
            self._now[1].stop()

    def work(self) -> None:
        """Do one job after the other."""
        while True:
            job = self._jobs.get()
            number = int(job["job"])
            try:
                said = self._do(number, job)
            except (qilin.QilinError, MemoryError, RuntimeError, OSError) as error:
                said = {"error": str(error) or type(error).__name__, "kind": type(error).__name__}
            self._now = None
            self._stopped.discard(number)
            say({"job": number, **said, "done": True})

    def _do(self, number: int, job: dict[str, Any]) -> dict[str, Any]:
        state = self._state(job)
        one = self._player(job)
        self._now = (number, one)
        if job["do"] == "choose":
            return {"move": one.choose(state)}
        return self._analyse(number, one, state, int(job["lines"]))

    def _state(self, job: dict[str, Any]) -> qilin.State:
        """The position of a job: reached from where its owner's last one was, if the game has gone on from there."""
        key = (job["owner"], job["game"], json.dumps(job["options"]), job["position"])
        state, moves = self._states.pop(key, None), tuple(job["moves"])
        if state is None or moves[: len(state.history)] != state.history:
            state = qilin.game(job["game"], **job["options"]).parse(job["position"])
        for move in moves[len(state.history) :]:
            state = state.play(move)
        self._states[key] = state
        while len(self._states) > STATES:
            self._states.popitem(last=False)
        return state

    def _player(self, job: dict[str, Any]) -> Player:
        key = (job["player"], job["game"], json.dumps(job["options"]))
        one = self._players.pop(key, None) or player(job["player"], seed=job["seed"])
        self._players[key] = one
        while len(self._players) > PLAYERS:
            _, gone = self._players.popitem(last=False)
            self._owners.pop(id(gone), None)
            gone.forget()  # its tree goes now: a player and its tree know each other, and would wait for the collector
        if self._owners.get(id(one)) != job["owner"]:
            one.seed = job["seed"]
            one.forget()
            self._owners[id(one)] = job["owner"]
        return one

    def _analyse(self, number: int, one: Player, state: qilin.State, lines: int) -> dict[str, Any]:
        told, ends = 0.0, {move["text"]: move for move in moves_of(state)}

        def watch(found: Analysis) -> None:
            nonlocal told
            if number in self._stopped:
                one.stop()
            if time.monotonic() - told >= PAUSE:
                told = time.monotonic()
                say({"job": number, "analysis": as_json(found, lines, ends)})

        return {"analysis": as_json(one.analyse(state, lines=lines, watch=watch), lines, ends)}


def as_json(found: Analysis, lines: int, ends: Ends) -> dict[str, Any]:
    """An analysis for the player to move, as JSON."""
    return {
        "lines": [line_json(line, ends) for line in found.lines[:lines]],
        "heat": heat_json(found.tried, ends),
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def line_json(line: Line, ends: Ends) -> dict[str, Any]:
    """One line; what it loses is what is left, where draws are told apart."""
    return {
        "moves": list(line.moves),
        **_named(line, ends),
        "win": line.win,
        "draw": line.draw,
        "loss": max(0.0, 1 - line.win - (line.draw or 0.0)),
        "ends": line.ends,
        "depth": line.depth,
        "visits": line.visits,
    }


def heat_json(tried: tuple[Line, ...], ends: Ends) -> list[dict[str, Any]]:
    """How often each move was tried."""
    total = sum(line.visits or 0 for line in tried) or 1
    return [
        {
            **_named(line, ends),
            "visits": line.visits or 0,
            "share": (line.visits or 0) / total,
            "prior": line.prior,
        }
        for line in tried
    ]


def _named(line: Line, ends: Ends) -> dict[str, Any]:
    move = ends[line.moves[0]]
    return {"move": move["text"], "from": move["from"], "to": move["to"]}


def say(message: dict[str, Any]) -> None:
    """One line to the server."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def limit_memory(most: int) -> None:
    """Let an allocation fail rather than the machine; where the system has no such limit there is none."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def main() -> None:
    """Work until the server has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(int(sys.argv[1]))
    desk = Desk()
    threading.Thread(target=desk.read, daemon=True).start()
    desk.work()


if __name__ == "__main__":
    main()
