"""Two networks, or a network and a player, over many games at once: the gate's games, and quick looks at a run.

Games come in pairs on one opening and one hidden layout, seats swapped. Same seed, same games.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from qilin.forest import Forest, search
from qilin.openings import Deck, opening
from qilin.players import Player
from qilin.rating import Pairs
from qilin.state import Game, State
from qilin.train.judge import Judge


class Mover(Protocol):
    """Moves for many games at once."""

    def moves(self, states: Sequence[State]) -> list[str]:
        """A move for each state; the player to move may be either."""


@dataclass(frozen=True, slots=True)
class ByNetwork:
    """A network with a search."""

    judge: Judge
    simulations: int
    seed: int = 0

    def moves(self, states: Sequence[State]) -> list[str]:
        """The most visited moves."""
        forest = Forest(states[0].game, trees=len(states), search=search(simulations=self.simulations), seed=self.seed)
        for tree, state in enumerate(states):
            forest.reset(tree, state)
        while len(planes := forest.leaves()):
            logits, values = self.judge(planes)
            forest.grow(logits.float().cpu(), values.cpu(), "logits")
        return [forest.choose(tree) for tree in range(len(states))]


@dataclass(frozen=True, slots=True)
class ByPlayer:
    """Any player, one game after the other."""

    player: Player

    def moves(self, states: Sequence[State]) -> list[str]:
        """What the player chooses."""
        return [self.player.choose(state) for state in states]


def contest(game: Game, first: Mover, second: Mover, games: int, *, opening_plies: int, seed: int) -> Pairs:
    """How the first does against the second."""
    starts = [_start(game, opening_plies, f"{seed}/{pair}") for pair in range(games // 2)]
    decks = [Deck(random.Random(f"{seed}/{pair}/deck")) for pair in range(games // 2)]
    # Game 2p has the first mover in seat 0, game 2p + 1 in seat 1.
    states = [start for start in starts for _ in range(2)]
    movers = (first, second)
    while any(not state.is_over for state in states):
        _settle(states, decks)
        for number, mover in enumerate(movers):
            turns = [
                i for i, state in enumerate(states) if state.to_move is not None and _seat(i, number) == state.to_move
            ]
            chosen = mover.moves([states[i] for i in turns]) if turns else []
            for i, move in zip(turns, chosen, strict=True):
                states[i] = states[i].play(move)
            _settle(states, decks)
    return _pairs(states)


def _start(game: Game, plies: int, seed: str) -> State:
    return game.parse(str(opening(game.start(), plies, seed, None)))


def _seat(index: int, number: int) -> int:
    """Which seat a mover has in a game."""
    return number ^ (index % 2)


def _settle(states: list[State], decks: list[Deck]) -> None:
    for i, state in enumerate(states):
        states[i] = decks[i // 2].settle(state)


def _pairs(ends: list[State]) -> Pairs:
    points = [0.5 if end.winner is None else float(end.winner == _seat(i, 0)) for i, end in enumerate(ends)]
    pairs = Pairs()
    for i in range(0, len(points), 2):
        pairs = pairs.add(points[i] + points[i + 1])
    return pairs
