"""Who plays: a name with options, the same in Python, on the command line and on the web.

>>> qilin.player("alphabeta:depth=4", seed=1).choose(qilin.game("connect_four").start())
'd'
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Protocol

from qilin import _core
from qilin.errors import BadSpec, IllegalMove
from qilin.forest import Evaluator, Forest, search
from qilin.spec import Spec, one_of, option, parse_spec, read_options, seconds, whole
from qilin.state import Game, State


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
            try:
                self._engine = _core.AlphaBeta(rules, table_mib=self.options.table, threads=self.options.threads)
            except ValueError as error:
                raise BadSpec(f"{self.name!r}: {error}") from None
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOptions:
    """How a tree search plays."""

    sims: int = field(default=800, metadata=option(whole, "a whole number from 1 up", "simulations a move"))
    time: float | None = field(
        default=None, metadata=option(seconds, "a time, as in 980ms or 1.5s", "time a move, instead of simulations")
    )
    eval: Evaluator = field(
        default="handwritten",
        metadata=option(
            one_of("handwritten", "playout", "uniform"), "handwritten, playout or uniform", "who judges leaves"
        ),
    )
    kind: str = field(
        default="puct", metadata=option(one_of("puct", "gumbel"), "puct or gumbel", "how moves are chosen")
    )
    threads: int = field(default=1, metadata=option(whole, "a whole number from 1 up", "threads that search together"))


@dataclass(slots=True, kw_only=True)
class TreeSearch:
    """Tree search without a network. The tree is kept from move to move."""

    name: str
    options: TreeOptions
    seed: int = 0
    _forest: Forest | None = field(init=False, default=None)
    _stop: bool = field(init=False, default=False)

    def choose(self, state: State) -> str:
        """The move the search trusts most."""
        _moves(state)
        return self._search(state, None).choose(0)

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """The moves it looked at, best first; `watch` is told a few times a second."""
        _moves(state)
        return _tree_analysis(self._search(state, watch), lines)

    def _search(self, state: State, watch: Watch | None) -> Forest:
        forest = self._rooted(state)
        self._stop = False
        began = time.perf_counter()
        for portion in self._portions(forest):
            forest.begin(0, portion)
            forest.run(self.options.eval)
            out_of_time = self.options.time is not None and time.perf_counter() - began > self.options.time * 0.95
            if self._stop or out_of_time or forest[0].proof is not None or forest[0].refused:
                break
            if watch is not None:
                watch(_tree_analysis(forest, 1))
        return forest

    def _portions(self, forest: Forest) -> Iterator[int]:
        """Simulations, some at a time where the clock is to be looked at or somebody watches.

        Gumbel plans its race for all simulations at once, so it gets them at once.
        """
        if self.options.time is None:
            total = max(1, self.options.sims - forest[0].visits) if self.options.kind == "puct" else self.options.sims
            yield from (PORTION for _ in range(total // PORTION)) if self.options.kind == "puct" else ()
            rest = total % PORTION if self.options.kind == "puct" else total
            if rest:
                yield rest
            return
        while True:
            yield PORTION

    def _rooted(self, state: State) -> Forest:
        """The forest with its tree at `state`: grown on where the game went, planted anew elsewhere."""
        forest = self._forest
        if forest is None or forest.game != state.game:
            forest = self._forest = self._planted(state.game)
        old = forest.roots[0]
        moves: list[str] = []
        ancestor: State | None = state
        while ancestor is not None and ancestor is not old:
            moves += ancestor.history[-1:]
            ancestor = ancestor.parent
        if ancestor is old:
            for move in reversed(moves):
                forest.advance(0, move)
        else:
            forest.reset(0, state)
        return forest

    def _planted(self, game: Game) -> Forest:
        limit = (
            self.options.sims if self.options.time is None else max(self.options.sims, round(self.options.time * 2e5))
        )
        leaves = 1 if self.options.threads == 1 else 4 * self.options.threads
        settings = search(kind=self.options.kind, simulations=limit, leaves=leaves, gumbel_noise=0.0)
        return Forest(game, search=settings, seed=self.seed, threads=self.options.threads)

    def stop(self) -> None:
        """End the search after the simulations that are under way."""
        self._stop = True

    def forget(self) -> None:
        """Cut the tree down."""
        self._forest = None


PORTION = 200  # simulations between two looks at the clock


def _tree_analysis(forest: Forest, lines: int) -> Analysis:
    report = forest[0]
    variation = _until_chance(forest.roots[0], report.variation)
    found = []
    for move in [move for move in report.moves if move.visits][:lines]:
        ends = None if not move.proof or move.ends is None else move.ends * move.proof
        best = bool(variation) and move.text == variation[0]
        found.append(
            Line(
                moves=variation if best else (move.text,),
                win=move.win,
                draw=move.draw,
                ends=ends,
                visits=move.visits,
            )
        )
    return Analysis(lines=tuple(found), nodes=report.visits)


def _until_chance(state: State, moves: Sequence[str]) -> tuple[str, ...]:
    line: list[str] = []
    for move in moves:
        if state.is_chance:
            break
        line.append(move)
        state = state.play(move)
    return tuple(line)


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
        "mcts": Kind(_with(TreeSearch, TreeOptions), TreeOptions, "tree search without a network"),
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
