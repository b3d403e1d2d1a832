"""A tree that follows a game: what the players that search with the forest have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from qilin.forest import Forest, search
from qilin.players.analysis import Analysis, Line
from qilin.state import Game, State

MEMORY = 512 << 20  # bytes of a tree that grows by the clock, where nobody allows more


@dataclass(slots=True)
class Rooted:
    """A forest of one tree, rooted where the game stands: grown on where it went, planted anew elsewhere."""

    plant: Callable[[Game], Forest]
    _forest: Forest | None = field(init=False, default=None)

    def at(self, state: State) -> Forest:
        """The forest with its tree at `state`."""
        forest = self._forest
        if forest is None or forest.game != state.game:
            forest = self._forest = self.plant(state.game)
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

    def forget(self) -> None:
        """Cut the tree down."""
        self._forest = None


def room_for(game: Game, simulations: int, memory: int = MEMORY) -> int:
    """As many simulations as fit into `memory`: how many a clock will allow is not known when a tree is planted.

    A tree that is full stops growing.
    """
    trial = 100
    each = Forest(game, search=search(simulations=trial)).bytes / trial
    return max(trial, min(simulations, int(memory / each)))


def tree_analysis(forest: Forest, lines: int) -> Analysis:
    """The moves a search looked at, best first."""
    report = forest[0]
    variation = _until_chance(forest.roots[0], report.variation)
    found = []
    for move in [move for move in report.moves if move.visits]:
        ends = None if not move.proof or move.ends is None else move.ends * move.proof
        best = bool(variation) and move.text == variation[0]
        found.append(
            Line(
                moves=variation if best else (move.text,),
                win=move.win,
                draw=move.draw,
                ends=ends,
                visits=move.visits,
                prior=move.prior,
            )
        )
    return Analysis(lines=tuple(found[:lines]), tried=tuple(found), nodes=report.visits)


def _until_chance(state: State, moves: Sequence[str]) -> tuple[str, ...]:
    line: list[str] = []
    for move in moves:
        if state.is_chance:
            break
        line.append(move)
        state = state.play(move)
    return tuple(line)
