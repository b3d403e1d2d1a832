"""The forest: many search trees that grow together, with a network's evaluations or with evaluators of our own.

>>> forest = qilin.Forest(qilin.game("ataxx"), trees=64, search=qilin.search(simulations=200))
>>> while len(planes := forest.leaves()):  # (rows, planes, rows, cols)
...     logits, values = network(planes)
...     forest.grow(logits, values)
>>> forest[0].best.text
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

from qilin import _core
from qilin.errors import BadEvaluation, BadSpec, IllegalMove
from qilin.state import Game, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Evaluator = Literal["uniform", "handwritten", "playout"]
Values = Literal["scalar", "odds", "logits"]


def search(**settings: Any) -> _core.Search:
    """How a forest searches: `search(kind="gumbel", simulations=200)`. What is not given has its default.

    :raises BadSpec: naming the unknown setting and the ones there are.
    """
    made = _core.Search()
    known = [name for name in dir(made) if not name.startswith("_")]
    for name, value in settings.items():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BadSpec(f"a search has no setting {name!r}; it has {', '.join(known)}{hint}")
        try:
            setattr(made, name, _kind(value) if name == "kind" else value)
        except TypeError:
            raise BadSpec(f"search: {name} is {value!r}, expected a value like {getattr(made, name)!r}") from None
    return made


def _kind(value: str | _core.Kind) -> _core.Kind:
    kinds = {"puct": _core.Kind.puct, "gumbel": _core.Kind.gumbel}
    if isinstance(value, _core.Kind):
        return value
    if value not in kinds:
        raise BadSpec(f"search: kind is {value!r}, expected 'puct' or 'gumbel'")
    return kinds[value]


class Forest:
    """Trees of one game. Every tree begins at the game's start; `reset` roots it elsewhere.

    The same seed gives the same trees, on any number of threads and whatever else grows beside them.
    """

    __slots__ = ("_forest", "_roots", "game", "search")

    def __init__(
        self, game: Game, *, trees: int = 1, search: _core.Search | None = None, seed: int = 0, threads: int = 1
    ) -> None:
        """Plant `trees` trees.

        :raises BadSpec: for settings out of range, or more than this machine's memory holds.
        """
        self.game = game
        self.search = search or _core.Search()
        root = game.start()
        try:
            self._forest = _core.Forest(root._position, self.search, trees, seed, threads)
        except ValueError as error:
            raise BadSpec(f"{game.name}: {error}") from None
        self._roots = [root] * trees

    def __len__(self) -> int:
        """How many trees."""
        return len(self._forest)

    def __getitem__(self, tree: int) -> _core.TreeReport:
        """What the search of a tree has found so far."""
        if not 0 <= tree < len(self):
            raise IndexError(f"tree {tree} of a forest of {len(self)}")
        return self._forest.report(tree)

    @property
    def roots(self) -> Sequence[State]:
        """The position at every tree's root."""
        return tuple(self._roots)

    @property
    def bytes(self) -> int:
        """Memory of all trees."""
        return self._forest.bytes

    def reset(self, tree: int, state: State) -> None:
        """Forget a tree, and root it at `state`, whose past is seen by repetition rules."""
        self._forest.reset(tree, state._position)
        self._roots[tree] = state

    def advance(self, tree: int, move: str) -> None:
        """Play a move (where chance is to answer, an outcome) at a root; what was found below it is kept."""
        root = self._roots[tree]
        after = root.play(move)
        names = self.game._rules.outcome_names
        self._forest.advance(tree, names.index(move) if root.is_chance else root.index(move))
        self._roots[tree] = after

    def begin(self, tree: int, simulations: int) -> None:
        """Another search of the same root, on top of what is known."""
        try:
            self._forest.begin(tree, simulations)
        except ValueError as error:
            raise BadSpec(f"{self.game.name}: {error}") from None

    def leaves(self) -> NDArray[np.float32]:
        """The next positions to evaluate, of all trees: (rows, planes, rows, cols). No rows: every search is done."""
        return self._forest.leaves()

    def more(self) -> NDArray[np.float32]:
        """The leaves after those, while somebody evaluates them: whose evaluations come next, after theirs.

        No rows: nothing can be said before those are there. Two batches may wait at a time.
        """
        try:
            return self._forest.more()
        except ValueError as error:
            raise BadEvaluation(f"{self.game.name}: {error}") from None

    def grow(self, logits: ArrayLike, values: ArrayLike, form: Values = "scalar") -> None:
        """Bring the evaluations of the last `leaves`, or of the older of two batches.

        Logits are (rows, policy_size), values those of the player to move.

        `form`: "scalar" (rows,) between -1 and +1; "odds" (rows, 3), probabilities of win, draw, loss; "logits", the
        same before the softmax.

        :raises BadEvaluation: for a wrong size, NaN or a value out of range; then nothing has changed.
        """
        import numpy as np

        try:
            self._forest.grow(
                np.ascontiguousarray(logits, dtype=np.float32), np.ascontiguousarray(values, dtype=np.float32), form
            )
        except ValueError as error:
            raise BadEvaluation(f"{self.game.name}: {error}") from None

    def run(self, evaluator: Evaluator = "handwritten") -> None:
        """Finish all searches without a network."""
        try:
            self._forest.run(evaluator)
        except ValueError as error:
            raise BadSpec(f"{self.game.name}: {error}") from None

    def is_done(self, tree: int) -> bool:
        """Whether a tree's search has had its simulations, or has nothing left to find."""
        return self._forest.is_done(tree)

    def choose(self, tree: int, temperature: float = 0.0) -> str:
        """The best move, or at a temperature above 0 one drawn by the policy.

        :raises IllegalMove: where the game is over, or nothing is known yet.
        """
        move = self._forest.choose(tree, temperature)
        if move is None:
            raise IllegalMove(f"nothing can be chosen in '{self._roots[tree]}': the game is over, or the tree is empty")
        return self._roots[tree].move_text(move)

    def seal(self, tree: int) -> int:
        """A number that two trees share if they are the same to the last bit, whatever machine they grew on."""
        return self._forest.seal(tree)

    def text(self, tree: int, *, depth: int = 2, visits: int = 1) -> str:
        """A tree for people: moves with visits, Q and prior, to `depth` plies, those with `visits` visits or more."""
        return self._forest.print(tree, depth, visits, False)

    def json(self, tree: int, *, depth: int = 2, visits: int = 1) -> str:
        """A tree as JSON."""
        return self._forest.print(tree, depth, visits, True)
