"""A trained network with a tree search around it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from qilin.errors import BadEvaluation, BadNetwork, BadSpec
from qilin.forest import Forest, search
from qilin.networks import Network, load
from qilin.players.analysis import Analysis, Watch, moves_of
from qilin.players.rooted import Rooted, room_for, tree_analysis
from qilin.spec import Spec, one_of, option, read_options, seconds, whole
from qilin.state import Game, State

TELL = 0.25  # seconds between two reports to who watches
FEW, MANY = 4, 256  # leaves that a network sees at a time, where nobody says how many: on a CPU, and on a card at most
WAVES = 32  # and at least so many times in a search on a card: the leaves of one time know nothing of each other


@dataclass(frozen=True, slots=True)
class Room:
    """What a time limit makes room for: a tree that is full stops growing."""

    fastest: int  # simulations a second
    memory: int  # bytes


ROOMS = {"cpu": Room(20_000, 512 << 20), "cuda": Room(300_000, 4 << 30)}


@dataclass(frozen=True, slots=True, kw_only=True)
class NetOptions:
    """How a network plays. No noise and no temperature: always the move it trusts most."""

    sims: int = field(default=200, metadata=option(whole, "a whole number from 1 up", "simulations a move"))
    time: float | None = field(
        default=None,
        metadata=option(seconds, "a time, as in 980ms or 1.5s", "time a move, instead of simulations"),
    )
    leaves: int | None = field(
        default=None,
        metadata=option(
            whole, "a whole number from 1 up", "positions of the tree that the network sees at a time; else as suits it"
        ),
    )
    kind: str = field(
        default="puct", metadata=option(one_of("puct", "gumbel"), "puct or gumbel", "how moves are chosen")
    )
    backend: str | None = field(
        default=None,
        metadata=option(one_of("onnx", "torch"), "onnx or torch", "who runs the network; else onnx, on a card torch"),
    )
    device: str = field(default="cpu", metadata=option(one_of("cpu", "cuda"), "cpu or cuda", "where it runs"))
    threads: int = field(default=1, metadata=option(whole, "a whole number from 1 up", "threads of the network"))

    @property
    def runs(self) -> str:
        """Who runs the network."""
        return self.backend or ("torch" if self.device == "cuda" else "onnx")

    @property
    def wave(self) -> int:
        """Leaves that go to the network together."""
        if self.leaves is not None:
            return self.leaves
        if self.device == "cpu":
            return FEW
        return MANY if self.time is not None else max(FEW, min(MANY, self.sims // WAVES))


@dataclass(slots=True, kw_only=True)
class NetPlayer:
    """Tree search with a network. The tree is kept from move to move."""

    name: str
    options: NetOptions
    network: Network
    seed: int = 0
    _tree: Rooted = field(init=False)
    _stop: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        """Nothing is planted before a game is known."""
        self._tree = Rooted(self._planted)

    def choose(self, state: State) -> str:
        """The move the search trusts most."""
        moves_of(state)
        return self._search(state, None).choose(0)

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """The moves it looked at, best first; `watch` is told a few times a second."""
        moves_of(state)
        return tree_analysis(self._search(state, watch, lines), lines)

    def _search(self, state: State, watch: Watch | None, lines: int = 1) -> Forest:
        forest = self._tree.at(state)
        self._stop = False
        forest.begin(0, self._simulations(forest))
        began = told = time.perf_counter()
        on_card, planes = self.options.device == "cuda", forest.leaves()
        while not self._stop and len(planes):
            answer = self.network.ask(planes)
            ahead = forest.more() if on_card else planes[:0]  # the tree grows on while a card thinks
            self._grow(forest, *answer())
            planes = ahead if len(ahead) else forest.leaves()
            now = time.perf_counter()
            if self.options.time is not None and now - began > self.options.time * 0.95:
                break
            if watch is not None and now - told > TELL:
                watch(tree_analysis(forest, lines))
                told = now
        return forest

    def _grow(self, forest: Forest, logits: object, values: object) -> None:
        try:
            forest.grow(logits, values, "logits")  # type: ignore[arg-type]  # whatever a network says is checked there
        except BadEvaluation as error:
            raise BadEvaluation(f"{self.name!r} can't be played with: {error}") from None

    def _simulations(self, forest: Forest) -> int:
        """What is missing of a search; Gumbel's race and a clock begin anew."""
        if self.options.time is not None:
            return max(1, forest.search.simulations)
        return max(1, self.options.sims - forest[0].visits) if self.options.kind == "puct" else self.options.sims

    def _planted(self, game: Game) -> Forest:
        own = self.network.facts.game
        if own != game.name:
            raise BadNetwork(f"{self.name!r} plays {own}, and the game here is {game.name}")
        limit = self.options.sims if self.options.time is None else self._room(game, self.options.time)
        settings = search(kind=self.options.kind, simulations=limit, leaves=self.options.wave, gumbel_noise=0.0)
        return Forest(game, search=settings, seed=self.seed)

    def _room(self, game: Game, seconds: float) -> int:
        room = ROOMS[self.options.device]
        return room_for(game, round(seconds * room.fastest), room.memory)

    def stop(self) -> None:
        """End the search after the evaluation that is under way."""
        self._stop = True

    def forget(self) -> None:
        """Cut the tree down."""
        self._tree.forget()


def net_player(name: str, spec: Spec, seed: int) -> NetPlayer:
    """The player `net:PATH,…`.

    :raises BadSpec: where no network is named. BadNetwork: where it can't be used.
    """
    if spec.argument is None:
        raise BadSpec(f"{name!r} names no network, expected net:PATH, as in net:RUN,sims=200")
    options = read_options(NetOptions, spec)
    network = load(Path(spec.argument), options.runs, threads=options.threads, device=options.device)
    return NetPlayer(name=name, options=options, network=network, seed=seed)
