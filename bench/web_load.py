"""Many games at once over WebSockets against a player of measured strength: no error, no lost move, flat memory.

    python bench/web_load.py --games 200 --minutes 5 --player level:3

A server is started on a free port of loopback, with as many engine processes as `--workers`. Every client plays random
moves; at random moments one loses its connection, comes back, and sends its last move again. At the end every game is
read again from its events and compared with what its client saw.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import result
from websockets.asyncio.client import ClientConnection, connect

START = """
import sys
from pathlib import Path
from qilin.web.hall import Settings
from qilin.web.limits import Limits
from qilin.web.serve import run
folder, workers = Path(sys.argv[1]), int(sys.argv[2])
settings = Settings(
    database=folder / "web.sqlite", models=folder, runs=folder, limits=Limits(workers=workers)
)
run(settings, "127.0.0.1", 0, opens=False, say=lambda address: print(address, flush=True))
"""


@dataclass(slots=True)
class Seen:
    """What all clients together have seen."""

    replies: list[float] = field(default_factory=list)  # seconds from a move to the engine's answer
    plies: int = 0
    games: int = 0
    reconnects: int = 0
    busy: int = 0
    errors: list[str] = field(default_factory=list)
    finished: list[tuple[str, list[str]]] = field(default_factory=list)


@dataclass(slots=True)
class Guest:
    """One client: a game after the other until the time is up."""

    url: str
    games: list[str]
    player: str
    until: float
    drops: float
    rng: random.Random
    seen: Seen
    pause: float
    socket: ClientConnection | None = None

    async def stay(self) -> None:
        """Play on."""
        try:
            await asyncio.sleep(self.rng.random() * 3)
            while time.monotonic() < self.until:
                await self.play()
        except Exception as error:  # every one of them is what this bench is to find
            self.seen.errors.append(f"{type(error).__name__}: {error}")
        finally:
            if self.socket is not None:
                await self.socket.close()

    async def play(self) -> None:
        """A whole game."""
        self.socket = self.socket or await connect(self.url, compression=None, max_size=None)
        seats = [{"player": "human"}, {"player": self.player}]
        opened = await self.ask({"type": "new", "id": "new", "game": self.rng.choice(self.games), "seats": seats})
        state, keys = opened["state"], opened["keys"]
        while not state["over"] and time.monotonic() < self.until:
            state = await self.turn(state, keys)
        self.seen.games += bool(state["over"])
        self.seen.finished.append((state["game"], [move["text"] for move in state["moves"]]))
        await self.ask({"type": "leave", "id": "leave", "game": state["game"]})

    async def turn(self, state: dict[str, Any], keys: list[str]) -> dict[str, Any]:
        """A move, and the wait for the next one."""
        known = [move["text"] for move in state["moves"]]
        if state["running"] == 0:
            await asyncio.sleep(self.rng.random() * 2 * self.pause)
            move = self.rng.choice(state["view"]["moves"])["text"]
            message = {
                "type": "move",
                "id": os.urandom(6).hex(),
                "game": state["game"],
                "ply": len(known),
                "move": move,
            }
            began = time.monotonic()
            await self.send(message)
            if self.rng.random() < self.drops:
                await self.come_back(state, keys)
                await self.send(message)
            state = await self.state_after(len(known))
            texts = [move["text"] for move in state["moves"]]
            if texts[: len(known) + 1] != [*known, move]:
                raise AssertionError(f"the game went {texts}, expected {[*known, move]} first")
            if state["running"] == 0 or state["over"]:
                return state  # a turn of several plies, or the end
            while state["running"] == 1 and not state["over"]:
                state = await self.state_after(len(state["moves"]))
            self.seen.replies.append(time.monotonic() - began)
            return state
        return await self.state_after(len(known))

    async def come_back(self, state: dict[str, Any], keys: list[str]) -> None:
        """Lose the connection, and resume."""
        assert self.socket is not None
        self.socket.transport.abort()
        self.seen.reconnects += 1
        self.socket = await connect(self.url, compression=None, max_size=None)
        await self.send({"type": "resume", "id": "again", "game": state["game"], "seq": state["seq"], "keys": keys})

    async def state_after(self, plies: int) -> dict[str, Any]:
        """The next state that has more plies."""
        while True:
            heard = await self.hear()
            state = heard.get("state")
            if heard["type"] in {"event", "game"} and state is not None and len(state["moves"]) > plies:
                self.seen.plies += len(state["moves"]) - plies
                return dict(state)

    async def send(self, message: dict[str, Any]) -> None:
        """Say something."""
        assert self.socket is not None
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message; a refusal is an error, unless it only asks for patience."""
        assert self.socket is not None
        heard: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), 60))
        self.seen.busy += heard["type"] == "busy"
        if heard["type"] == "refused":
            raise AssertionError(json.dumps(heard))
        return heard

    async def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Say something and hear the answer."""
        await self.send(message)
        while True:
            heard = await self.hear()
            if heard.get("re") == message["id"]:
                return heard


def memory_of(pid: int) -> tuple[float, float]:
    """MiB of a server, and of its engines together."""
    pids = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return resident(pid), sum(resident(child) for child in pids)


def resident(pid: int) -> float:
    """MiB of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


async def watch(pid: int, until: float, samples: list[tuple[float, float]]) -> None:
    """Memory, every few seconds."""
    while time.monotonic() < until:
        samples.append(memory_of(pid))
        await asyncio.sleep(5)


def compare(url: str, seen: Seen) -> int:
    """Games whose kept events are not what their clients saw."""
    lost = 0
    for game, texts in seen.finished:
        try:
            with urllib.request.urlopen(f"{url}api/library/{game}") as answer:
                kept = [step["move"] for step in json.load(answer)["document"]["moves"]]
        except urllib.error.HTTPError:
            continue  # not over when the time was up
        lost += kept != texts
    return lost


async def load(url: str, pid: int, args: argparse.Namespace) -> tuple[Seen, list[tuple[float, float]]]:
    """All guests at once."""
    seen, samples = Seen(), list[tuple[float, float]]()
    until = time.monotonic() + args.minutes * 60
    socket = url.replace("http", "ws", 1) + "ws"
    guests = [
        Guest(socket, args.game, args.player, until, args.drops, random.Random(i), seen, args.pause)
        for i in range(args.games)
    ]
    await asyncio.gather(watch(pid, until, samples), *(guest.stay() for guest in guests))
    return seen, samples


def main() -> None:
    """Serve, play, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--player", default="level:3")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--drops", type=float, default=0.01, help="share of moves that lose their connection")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds a person thinks, on average")
    parser.add_argument("--game", action="append", help="may be repeated; default: all games")
    result.add_keep(parser)
    args = parser.parse_args()
    if not args.game:
        import qilin

        args.game = qilin.games()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", START, folder, str(args.workers)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            seen, samples = asyncio.run(load(url, server.pid, args))
            lost = compare(url, seen)
            server.terminate()
    tell(args, seen, samples, lost)


def tell(args: argparse.Namespace, seen: Seen, samples: list[tuple[float, float]], lost: int) -> None:
    """For people, and for machines."""
    replies = sorted(seen.replies) or [0.0]
    at = {f"p{share}": round(replies[min(len(replies) - 1, len(replies) * share // 100)], 3) for share in (50, 95, 99)}
    third = len(samples) // 3
    memory = {"after a third": samples[third], "at the end": samples[-1]}
    print(f"{args.games} games at once, {args.minutes:g} minutes, against {args.player}")
    print(f"{seen.games} games ended, {seen.plies} plies, {seen.plies / args.minutes / 60:.0f} plies/s")
    print(
        f"replies: {at} s, the slowest {replies[-1]:.2f} s; {seen.reconnects} connections lost, {seen.busy} times busy"
    )
    print(f"memory (server, engines), MiB: {memory}")
    print(f"errors: {len(seen.errors)} {seen.errors[:3]}; games that differ: {lost}")
    figures = {
        "games": args.games,
        "ended": seen.games,
        "plies": seen.plies,
        "seconds": at,
        "errors": len(seen.errors),
        "lost": lost,
        "reconnects": seen.reconnects,
        "memory": {name: [round(part) for part in pair] for name, pair in memory.items()},
    }
    result.finish({"web_load": figures}, args.keep)
    sys.exit(bool(seen.errors or lost))


if __name__ == "__main__":
    main()
