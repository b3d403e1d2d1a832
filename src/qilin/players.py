"""Who plays: a name with options, the same in Python, on the command line and on the web.

>>> qilin.player("alphabeta:depth=4", seed=1).choose(qilin.game("connect_four").start())
'd'
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Protocol

from qilin import _core
from qilin.errors import BadSpec, IllegalMove
from qilin.spec import Spec, option, parse_spec, read_options, seconds, whole
from qilin.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of play, and what it is worth to the player to move."""

    moves: tuple[str, ...]  # best first; ends early where chance answers
    win: float  # probability
    draw: float | None = (
        None  # probability; None: the player can't tell draws apart, and counts them into `win` by half
    )
    ends: int | None = None  # plies to a proven win; negative: to a proven loss
    depth: int | None = None
    visits: int | None = None

    def worth(self) -> str:
        """The value in words."""
        if self.ends is not None:
            return f"{'wins' if self.ends >= 0 else 'loses'} in {abs(self.ends)}"
        return f"{self.win:.1%}" + (f" (draw {self.draw:.1%})" if self.draw is not None else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What a player thinks of a position: lines, best first."""

    lines: tuple[Line, ...]
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    stopped: str | None = None


Watch = Callable[[Analysis], None]


class Player(Protocol):
    """What every player can do. A player belongs to one game at a time; `forget` makes it as good as new."""

    @property
    def name(self) -> str:
        """What it was called."""

    def choose(self, state: State) -> str:
        """A legal move's text."""

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """Its opinion; `watch` is told of every improvement. A player without opinions answers no lines."""

    def stop(self) -> None:
        """End the search that is under way, from another thread: it answers with what it has."""

    def forget(self) -> None:
        """Begin a new game."""


@dataclass(slots=True, kw_only=True)
class Random:
    """Any legal move, all alike."""

    name: str = "random"
    seed: int = 0
    _rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Seed the choices."""
        self._rng = random.Random(self.seed)

    def choose(self, state: State) -> str:
        """A legal move by lot."""
        return self._rng.choice(_moves(state))

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """No opinion."""
        return Analysis(lines=())

    def stop(self) -> None:
        """Nothing to stop."""

    def forget(self) -> None:
        """Begin anew with the same seed."""
        self._rng = random.Random(self.seed)


@dataclass(slots=True, kw_only=True)
class Greedy:
    """The move after which the hand-written evaluation likes the position best; one ply deep, ties by lot."""

    name: str = "greedy"
    seed: int = 0
    _rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Seed the ties."""
        self._rng = random.Random(self.seed)

    def choose(self, state: State) -> str:
        """The best-looking move."""
        ranked = self._ranked(state)
        return self._rng.choice([move for win, move in ranked if win == ranked[0][0]])

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """The moves by what they promise."""
        return Analysis(
            lines=tuple(Line(moves=(move,), win=win, depth=1) for win, move in self._ranked(state)[:lines]), depth=1
        )

    def _ranked(self, state: State) -> list[tuple[float, str]]:
        promises = [(promise(state.play(move), _mover(state)), move) for move in _moves(state)]
        return sorted(promises, key=lambda pair: -pair[0])

    def stop(self) -> None:
        """Nothing to stop."""

    def forget(self) -> None:
        """Begin anew with the same seed."""
        self._rng = random.Random(self.seed)


def promise(state: State, player: int) -> float:
    """The unsearched win probability of `player`; chance is averaged over."""
    if state.is_chance:
        return sum(chance * promise(state.play(outcome), player) for outcome, chance in state.outcomes().items())
    if state.is_over:
        return 0.5 if state.winner is None else float(state.winner == player)
    return state.win_probability if state.to_move == player else 1 - state.win_probability


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaBetaOptions:
    """How far an alpha-beta search goes. Several limits: the first one reached ends it. None at all: one second."""

    time: float | None = field(
        default=None,
        metadata=option(seconds, "a time, as in 980ms or 1.5s", "time a move; the answer is there by then"),
    )
    depth: int | None = field(default=None, metadata=option(whole, "a whole number from 1 up", "plies to look ahead"))
    nodes: int | None = field(default=None, metadata=option(whole, "a whole number from 1 up", "positions to look at"))
    threads: int = field(default=1, metadata=option(whole, "a whole number from 1 up", "threads that search together"))
    table: int = field(default=16, metadata=option(whole, "MiB, from 1 up", "memory for positions seen, in MiB"))


@dataclass(slots=True, kw_only=True)
class AlphaBeta:
    """Alpha-beta search over the hand-written evaluation."""

    name: str
    options: AlphaBetaOptions
    seed: int = 0  # the search takes no chances; kept so that all players are made alike
    _rules: _core.Rules | None = field(init=False, default=None)
    _engine: _core.AlphaBeta | None = field(init=False, default=None)

    def choose(self, state: State) -> str:
        """The first move of the best line."""
        _moves(state)
        return self._search(state, 1, None).lines[0].moves[0]

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """The best lines; `watch` is told after every completed depth."""
        return self._search(state, lines, watch)

    def _search(self, state: State, lines: int, watch: Watch | None) -> Analysis:
        limits = self.options
        unlimited = limits.time is None and limits.depth is None and limits.nodes is None
        found = self._engine_for(state).search(
            state._position,
            depth=limits.depth,
            nodes=limits.nodes,
            time=1.0 if unlimited else limits.time,
            lines=lines,
            watch=(lambda found: watch(_analysis(found))) if watch else None,
        )
        return _analysis(found)

    def _engine_for(self, state: State) -> _core.AlphaBeta:
        rules = state.game._rules
        if self._engine is None or self._rules is not rules:
            self._engine = _core.AlphaBeta(rules, table_mib=self.options.table, threads=self.options.threads)
            self._rules = rules
        return self._engine

    def stop(self) -> None:
        """End the search; it answers with the last completed depth."""
        if self._engine is not None:
            self._engine.stop()

    def forget(self) -> None:
        """Empty the table."""
        if self._engine is not None:
            self._engine.forget()


def _analysis(found: _core.Found) -> Analysis:
    lines = tuple(Line(moves=tuple(line.moves), win=line.win, ends=line.ends, depth=line.depth) for line in found.lines)
    return Analysis(lines=lines, depth=found.depth, nodes=found.nodes, seconds=found.seconds, stopped=found.stopped)


def _moves(state: State) -> list[str]:
    moves = state.moves()
    if not moves:
        why = "chance is to answer" if state.is_chance else "the game is over"
        raise IllegalMove(f"no player can move in '{state}': {why}")
    return moves


def _mover(state: State) -> int:
    assert state.to_move is not None
    return state.to_move


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of player is made from a spec, and what `--help` says about it."""

    make: Callable[[str, Spec, int], Player]
    options: type | None
    summary: str


def _plain(make: Callable[..., Player]) -> Callable[[str, Spec, int], Player]:
    def made(name: str, spec: Spec, seed: int) -> Player:
        if spec.options:
            raise BadSpec(f"{spec.name} has no options, got {name!r}")
        return make(name=name, seed=seed)

    return made


def _with(make: Callable[..., Player], options: type) -> Callable[[str, Spec, int], Player]:
    return lambda name, spec, seed: make(name=name, seed=seed, options=read_options(options, spec))


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "random": Kind(_plain(Random), None, "any legal move"),
        "greedy": Kind(_plain(Greedy), None, "the move that looks best at once"),
        "alphabeta": Kind(
            _with(AlphaBeta, AlphaBetaOptions), AlphaBetaOptions, "alpha-beta over a hand-written evaluation"
        ),
    }
)


def player(spec: str, *, seed: int = 0) -> Player:
    """The player called `spec`, as in `random`, `greedy`, `alphabeta:time=1s`.

    :raises BadSpec: listing what is known.
    """
    parsed = parse_spec(spec)
    if parsed.name not in KINDS:
        raise BadSpec(f"no player is called {parsed.name!r}; the players are {', '.join(KINDS)}")
    if parsed.argument is not None:
        raise BadSpec(f"{spec!r}: {parsed.argument!r} is not understood, expected KEY=VALUE")
    return KINDS[parsed.name].make(spec, parsed, seed)


def describe() -> list[tuple[str, str]]:
    """Every kind of player and each of its options, with a summary: for `--help` and the docs."""
    rows: list[tuple[str, str]] = []
    for name, kind in KINDS.items():
        rows.append((name, kind.summary))
        for item in fields(kind.options) if kind.options else ():
            rows.append((f"  {item.name}=", item.metadata["help"] + _default(item.default)))
    return rows


def _default(value: Any) -> str:
    return "" if value is None else f" (default {value})"
