"""Where match games begin, and how chance answers them: the same for both games of a pair."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from qilin.errors import QilinError
from qilin.state import State

TRIES = 1000  # random starts looked at before the request is given up


def opening(start: State, plies: int, seed: str, balance: float | None = 0.2) -> State:
    """A random position `plies` plies after `start`, the same for the same seed.

    `balance`: how far the win probability of the player to move may lie from ½, as the hand-written evaluation sees the
    position and all its replies; None: any position that is not over.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        state = _random_plies(start, plies, rng)
        if not state.is_over and not state.is_chance and (balance is None or abs(_promise(state) - 0.5) <= balance):
            return state
    raise QilinError(
        f"{TRIES} random starts of {plies} plies from '{start}' gave no balanced open position: expected fewer plies, "
        "or another start"
    )


def _random_plies(state: State, plies: int, rng: random.Random) -> State:
    deck = Deck(rng)
    while plies > 0 and not state.is_over:
        state = deck.settle(state.play(rng.choice(state.indices())))
        plies -= 1
    return state


def _promise(state: State) -> float:
    """The win probability of the player to move, one ply deep; chance answers count as the position before them."""
    mover = state.to_move
    best = 0.0
    for index in state.indices():
        after = state.play(index)
        chance = after.win_probability
        best = max(best, chance if after.to_move == mover or after.is_chance else 1 - chance)
    return best


@dataclass(slots=True)
class Deck:
    """Answers chance as a hidden layout would: what lies on a square is decided once, by whichever game asks first.

    Drawing from the pool that is left, square by square, is the same as laying out all pieces before the game; so two
    games that share a deck are played on one layout, though they turn the squares in different orders.
    """

    rng: random.Random
    layout: dict[str, int] = field(default_factory=dict)
    pool: dict[int, int] = field(default_factory=dict)

    def settle(self, state: State) -> State:
        """The state after all that chance has to answer."""
        while state.is_chance:
            state = state.play(self.answer(state))
        return state

    def answer(self, state: State) -> str:
        """What turns up, for the square that the last move names last."""
        weights = dict(state._position.outcomes())
        square = re.findall(r"[a-z]\d+", state.history[-1] if state.history else "")[-1:]
        if not square:
            return state.outcome_name(self.rng.choices(list(weights), list(weights.values()))[0])
        if not self.pool:
            self.pool = dict(weights)
        if square[0] not in self.layout:
            left = {piece: n for piece, n in self.pool.items() if n > 0 and piece in weights}
            piece = self.rng.choices(list(left), list(left.values()))[0]
            self.layout[square[0]] = piece
            self.pool[piece] -= 1
        return state.outcome_name(self.layout[square[0]])
