"""Self-play on a card: thousands of games, their trees, the network and the samples, which never wait for the host.

A step plays the plies of searches that are done, shows the next leaves to the network, and takes its answers home:

    turn ──▶ look ──▶ network ──▶ learn        one CUDA graph, replayed; the host only looks at counters now and then

>>> games = CardGames(game, search, play, trees=4096, network=CardNetwork(game, config, weights), device=device)
>>> games.run(1000)
>>> games.given().plies
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from qilin import _core, cuda_selfplay
from qilin.cuda_selfplay import Barn, Yield
from qilin.errors import BadEvaluation, BadSpec, NoRoom
from qilin.state import Game
from qilin.train.cardnet import CardNetwork

WARM = 3  # runs of the network before its graph is captured
TIMED = 8  # steps of each way through a step, to find the quickest one
WAYS = {"after": None, "beside": 0, "first": -1}  # trees grow after the network, or in a stream of this priority


class Field:
    """Games with their trees and rings, and what goes to the network and comes back."""

    def __init__(
        self,
        game: Game,
        search: _core.Search,
        play: _core.Play,
        *,
        trees: int,
        seed: int,
        rooms: tuple[int, int],
        network: CardNetwork,
        device: torch.device,
    ) -> None:
        """Begin a game for every tree. `rooms`: for samples, and for games that have ended."""
        sizes = cuda_selfplay.sizes(game.name, search, trees)
        self.game, self.network, self.device, self.rooms = game, network, device, rooms
        self._memory = torch.empty(sizes.all + 64, dtype=torch.uint8, device=device)
        self.samples = torch.zeros(rooms[0], sizes.sample, dtype=torch.uint8, device=device)
        self.ended = torch.zeros(rooms[1], sizes.game, dtype=torch.uint8, device=device)
        barn = Barn(
            samples=self.samples.data_ptr(), games=self.ended.data_ptr(), sample_room=rooms[0], game_room=rooms[1]
        )
        self.games = cuda_selfplay.SelfPlay(
            game.name, search, play, trees=trees, memory=-(-self._memory.data_ptr() // 64) * 64, size=sizes.all,
            barn=barn, seed=seed, settings=game.options, on="gpu" if device.type == "cuda" else "cpu",
        )  # fmt: skip
        self.planes = network.planes(trees * search.leaves, device)
        self.said: tuple[Tensor, Tensor]

    def turn(self) -> None:
        """Play a ply wherever a search is done."""
        self.games.turn(stream_of(self.device))

    def look(self) -> None:
        """Show the next leaves to the network."""
        network, stream = self.network, stream_of(self.device)
        self.games.forest.look(self.planes.data_ptr(), number=network.number, channels=network.channels, stream=stream)

    def learn(self) -> None:
        """Take the network's answers home."""
        logits, values = self.said
        rows, width = len(self.planes), self.network.width
        if logits.shape[0] != rows or logits.shape[1] < width or values.shape != (rows, 3):
            raise BadEvaluation(
                f"the network answered logits {tuple(logits.shape)} and values {tuple(values.shape)}, "
                f"expected {rows} rows, at least {width} logits and 3 values"
            )
        places = self.network.places
        self.games.forest.learn(
            logits.data_ptr(), values.data_ptr(), strides=(logits.stride(0), values.stride(0)), number="float32",
            form="logits", places=0 if places is None else places.data_ptr(), stream=stream_of(self.device),
        )  # fmt: skip

    def given(self) -> Yield:
        """What the games have given so far. Waits for the card.

        :raises BadEvaluation: where the network has answered what is no number.
        """
        found = self.games.given()
        if broken := self.games.forest.broken():
            raise BadEvaluation(f"the network answered NaN or infinity for {broken} positions")
        return found

    def taken(self, first: int, last: int) -> Tensor:
        """Samples first … last - 1 of all that were given, on the device: (rows, bytes)."""
        return self.samples[ring(first, last, self.rooms[0], "samples", self.device)]

    def told(self, first: int, last: int) -> list[_core.GameTold]:
        """Games first … last - 1, played once more by the rules on the host."""
        rows: NDArray[np.uint8] = self.ended[ring(first, last, self.rooms[1], "games", self.device)].cpu().numpy()
        return _core.told_games(self.game.start()._position, rows.reshape(-1))


class CardGames:
    """Games on the card, in two halves: while the network judges one, the trees of the other may grow.

    network A ─────────▶ network B ─────────▶ …
    B: turn, look        A: learn, turn, look     B: learn

    Side by side is quicker where the network is small, and slower where it fills the card: all ways are timed once.
    """

    def __init__(
        self,
        game: Game,
        search: _core.Search,
        play: _core.Play,
        *,
        trees: int,
        network: CardNetwork,
        device: torch.device,
        seed: int = 0,
        sample_room: int | None = None,
        compiled: bool = True,
    ) -> None:
        """Begin a game for every tree, an even number. `sample_room`: of the rings; None: a few for every game.

        :raises NoRoom: where the card's memory does not hold them, saying what it would hold.
        """
        if trees < 2 or trees % 2:
            raise BadSpec(f"{trees} games on a card, expected an even number: they are played in two halves")
        self.network, self.device, half = network, device, trees // 2
        rooms = max(2048, (sample_room or 64 * trees) // 2), max(1024, 2 * trees)
        check_room(game, trees, bytes_of(game, search, trees, rooms), device)
        self.halves = tuple(
            Field(
                game, search, play, trees=half, seed=2 * seed + number, rooms=rooms, network=network, device=device
            )
            for number in range(2)
        )  # fmt: skip
        self.bytes = bytes_of(game, search, trees, rooms)
        self._judge: Callable[[Tensor], tuple[Tensor, Tensor]] = network
        if compiled and device.type == "cuda":
            self._judge = torch.compile(network, dynamic=False)
        self._graph: torch.cuda.CUDAGraph | None = None
        self.timed: dict[str, float] = {}  # milliseconds of a step, each way
        self._alone: tuple[Tensor, Tensor]
        self._boosts: tuple[float, ...] = ()

    @property
    def rows(self) -> int:
        """The network's batch."""
        return len(self.halves[0].planes)

    def run(self, steps: int) -> None:
        """So many steps of both halves. On a card this waits for nothing; ask `given` now and then."""
        if self.device.type == "cuda":
            if self._graph is None:
                self._capture()
            assert self._graph is not None
            for _ in range(steps):
                self._graph.replay()
            return
        with torch.inference_mode():
            for _ in range(steps):
                for half in self.halves:
                    self.step(half)

    def step(self, half: Field) -> None:
        """One step of a half, part by part."""
        for _, part in self.parts(half):
            part()

    def parts(self, half: Field) -> list[tuple[str, Callable[[], None]]]:
        """What a step consists of."""
        return [
            ("turn", half.turn),
            ("look", half.look),
            ("network", lambda: self._ask(half)),
            ("learn", half.learn),
        ]

    def _ask(self, half: Field) -> None:
        half.said = self._judge(half.planes)

    def _capture(self) -> None:
        """Warm the network up, then capture a step of both halves."""
        first = self.halves[0]
        side = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]  # torch's stub
        side.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(side), torch.inference_mode():
            for _ in range(WARM):
                self._judge(first.planes)
            first.turn()
            first.look()
        torch.cuda.synchronize(self.device)
        graphs = {way: self._captured(way) for way in WAYS}
        self.timed = {way: self._milliseconds(graph) for way, graph in graphs.items()}
        self._graph = graphs[min(self.timed, key=lambda way: self.timed[way])]

    def _captured(self, way: str) -> torch.cuda.CUDAGraph:
        """A step of both halves."""
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph), torch.inference_mode():
            self.rounds(way)
        return graph

    def rounds(self, way: str) -> None:
        """A step of both halves. It begins and ends where the first half waits for the network."""
        first, second = self.halves
        self._judge_and_grow(first, [second.turn, second.look], way)
        self._judge_and_grow(second, [first.learn, first.turn, first.look], way)
        second.learn()

    def _milliseconds(self, graph: torch.cuda.CUDAGraph) -> float:
        event: Any = torch.cuda.Event
        begin, end = event(enable_timing=True), event(enable_timing=True)
        graph.replay()
        begin.record()
        for _ in range(TIMED):
            graph.replay()
        end.record()
        torch.cuda.synchronize(self.device)
        return float(begin.elapsed_time(end))

    def _judge_and_grow(self, half: Field, growing: Sequence[Callable[[], None]], way: str) -> None:
        """Let the network judge a half, and the trees of the other grow."""
        if WAYS[way] is None:
            self._ask(half)
            for part in growing:
                part()
            return
        main = torch.cuda.current_stream(self.device)
        side = torch.cuda.Stream(self.device, priority=WAYS[way])  # type: ignore[no-untyped-call]  # torch's stub
        side.wait_stream(main)
        with torch.cuda.stream(side):
            for part in growing:
                part()
        self._ask(half)
        main.wait_stream(side)

    def judge_alone(self) -> Callable[[], None]:
        """The network alone over the rows of a half, as a graph to replay: what it could do without any search."""
        if self._graph is None:
            self._capture()
        alone = torch.cuda.CUDAGraph()
        with torch.cuda.graph(alone), torch.inference_mode():
            self._alone = self._judge(self.halves[0].planes)
        return alone.replay

    def forget(self, boosts: Sequence[float] = ()) -> None:
        """The network is new: every tree begins anew. Boosts are part of what a graph holds."""
        self._graph = None if tuple(boosts) != self._boosts else self._graph
        self._boosts = tuple(boosts)
        for half in self.halves:
            half.games.forget(boosts, stream_of(self.device))
        if self._graph is not None:  # it begins with the network's look at the first half
            self.halves[0].turn()
            self.halves[0].look()

    def given(self) -> Yield:
        """What both halves have given so far. Waits for the card."""
        found = [half.given() for half in self.halves]
        return Yield(**{item.name: sum(getattr(one, item.name) for one in found) for item in fields(Yield)})


def stream_of(device: torch.device) -> int:
    """The stream that torch works on."""
    return torch.cuda.current_stream(device).cuda_stream if device.type == "cuda" else 0


def bytes_of(game: Game, search: _core.Search, trees: int, rooms: tuple[int, int]) -> int:
    """Memory of trees, games and rings."""
    half = cuda_selfplay.sizes(game.name, search, trees // 2)
    return 2 * (half.all + rooms[0] * half.sample + rooms[1] * half.game)


def ring(first: int, last: int, room: int, what: str, device: torch.device) -> Tensor:
    """Where things first … last - 1 lie."""
    if last - first > room:
        raise NoRoom(f"{last - first} {what} were given since the last harvest, and there is room for {room}")
    return torch.arange(first, last, device=device) % room


def check_room(game: Game, trees: int, needed: int, device: torch.device) -> None:
    """Refuse what does not fit, and say what would."""
    if device.type != "cuda":
        return
    free, whole = torch.cuda.mem_get_info(device)
    if needed <= 0.9 * free:
        return
    fitting, gib = int(trees * 0.9 * free / needed) // 2 * 2, 1 << 30
    raise NoRoom(
        f"{trees} games of {game.name} need {needed / gib:.1f} GiB on the card, of whose {whole / gib:.1f} GiB "
        f"{free / gib:.1f} are free: expected at most {fitting} games, or fewer simulations"
    )
