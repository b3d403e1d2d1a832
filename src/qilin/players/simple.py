"""Players that do not search."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from qilin.players.analysis import Analysis, Line, Watch, moves_of
from qilin.state import State

DOUBT = 1e-9  # an opinion, however sure, counts for less than a game that is won


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
        return self._rng.choice(moves_of(state))

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
        promises = [(promise(state.play(move), _mover(state)), move) for move in moves_of(state)]
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
    opinion = min(max(state.win_probability, DOUBT), 1 - DOUBT)
    return opinion if state.to_move == player else 1 - opinion


def _mover(state: State) -> int:
    assert state.to_move is not None
    return state.to_move
