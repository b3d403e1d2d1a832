"""The forest as a player: one tree, no network."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from qilin.forest import Evaluator, Forest, search
from qilin.players.analysis import Analysis, Line, Watch, moves_of
from qilin.spec import one_of, option, seconds, whole
from qilin.state import Game, State

PORTION = 200  # simulations between two looks at the clock


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
        moves_of(state)
        return self._search(state, None).choose(0)

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """The moves it looked at, best first; `watch` is told a few times a second."""
        moves_of(state)
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
