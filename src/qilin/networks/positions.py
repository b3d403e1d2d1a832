"""Positions as a network meets them: for calibration and for measuring."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qilin.networks.load import Network
from qilin.state import Game, State

SIDE_BY_SIDE = 32  # games at a time


def from_games(folder: Path, game: Game, number: int, seed: int = 1) -> list[State]:
    """Positions of a run's self-play, from its newest games: one of each game, again and again until they suffice."""
    rng = random.Random(seed)
    lines: list[str] = []
    for file in sorted(folder.glob("*.jsonl"), reverse=True):
        lines += file.read_text(encoding="utf-8").splitlines()
        if len(lines) >= number:
            break
    found: list[State] = []
    while lines and len(found) < number:
        rng.shuffle(lines)
        found += [state for line in lines[: number - len(found)] for state in _one_of(line, game, rng)]
    return found


def _one_of(line: str, game: Game, rng: random.Random) -> Iterator[State]:
    """A position of a game where a player is to move; none where there is none."""
    told = json.loads(line)
    state = game.parse(told["start"])
    states = [state]
    for move in told["moves"]:
        state = state.play(move)
        states.append(state)
    open_ones = [one for one in states if one.to_move is not None]
    if open_ones:
        yield rng.choice(open_ones)


def by_playing(network: Network, game: Game, number: int, seed: int = 1) -> list[State]:
    """Positions of games in which a network's bare policy plays itself, drawing moves by their probability."""
    rng = np.random.default_rng(seed)
    states = [game.start() for _ in range(SIDE_BY_SIDE)]
    found: list[State] = []
    while len(found) < number:
        states = [_settled(state, rng) for state in states]
        found += states
        policy, _ = network(np.stack([state.planes() for state in states]))
        states = [_drawn(state, logits, rng) for state, logits in zip(states, policy, strict=True)]
    return found[:number]


def _settled(state: State, rng: np.random.Generator) -> State:
    """A state where a player is to move: chance answered, a game that is over begun anew."""
    while state.to_move is None:
        if state.is_over:
            state = state.game.start()
        else:
            chances = state.outcomes()
            state = state.play(str(rng.choice(list(chances), p=list(chances.values()))))
    return state


def _drawn(state: State, logits: NDArray[np.float32], rng: np.random.Generator) -> State:
    legal = state.indices()
    odds = np.exp((logits[legal] - logits[legal].max()).astype(np.float64))
    return state.play(int(rng.choice(legal, p=odds / odds.sum())))
