"""The forest as a player: one tree, no network."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from qilin.forest import Evaluator, Forest, search
from qilin.players.analysis import Analysis, Watch, moves_of
from qilin.players.rooted import Rooted, room_for, tree_analysis
from qilin.spec import one_of, option, seconds, whole
from qilin.state import Game, State

PORTION = 200  # simulations between two looks at whether to stop
FIRST = 20  # simulations before the first look at the clock; by then it is known how long they take
LOOK = 0.002  # seconds between two looks at the clock
FASTEST = 2_000_000  # simulations a second that a time limit makes room for; a tree that is full stops growing
PLAYOUT_SCALE = 0.1  # how much Gumbel trusts values: a playout is won or lost, and says little alone
TELL = 0.1  # seconds between two reports to who watches


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
        began = told = time.perf_counter()
        forest = self._tree.at(state)
        self._stop = False
        for portion in self._portions(forest, began):
            forest.begin(0, portion)
            forest.run(self.options.eval)
            if self._stop or forest[0].proof is not None or forest[0].refused:
                break
            if watch is not None and time.perf_counter() - told > TELL:
                watch(tree_analysis(forest, lines))
                told = time.perf_counter()
        return forest

    def _portions(self, forest: Forest, began: float) -> Iterator[int]:
        """Simulations, some at a time where the clock is to be looked at or somebody watches.

        Gumbel plans its race for all simulations at once, so it gets them at once.
        """
        if self.options.time is not None:
            yield from self._hasty(began + self.options.time * 0.95)
            return
        total = max(1, self.options.sims - forest[0].visits) if self.options.kind == "puct" else self.options.sims
        yield from (PORTION for _ in range(total // PORTION)) if self.options.kind == "puct" else ()
        rest = total % PORTION if self.options.kind == "puct" else total
        if rest:
            yield rest

    def _hasty(self, end: float) -> Iterator[int]:
        """As many simulations at a time as fit between two looks at the clock, and before the end."""
        portion, now = FIRST, time.perf_counter()
        while now < end:
            yield portion
            before, now = now, time.perf_counter()
            each = (now - before) / portion
            portion = max(1, int(min(LOOK, end - now) / each))  # one, where the machine was busy with something else

    def _planted(self, game: Game) -> Forest:
        limit = self.options.sims if self.options.time is None else room_for(game, round(self.options.time * FASTEST))
        leaves = 1 if self.options.threads == 1 else 4 * self.options.threads
        scale = PLAYOUT_SCALE if self.options.eval == "playout" else 1.0
        settings = search(
            kind=self.options.kind, simulations=limit, leaves=leaves, gumbel_noise=0.0, gumbel_scale=scale
        )
        return Forest(game, search=settings, seed=self.seed, threads=self.options.threads)

    def stop(self) -> None:
        """End the search after the simulations that are under way."""
        self._stop = True

    def forget(self) -> None:
        """Cut the tree down."""
        self._tree.forget()
