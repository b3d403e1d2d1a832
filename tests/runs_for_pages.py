"""Training runs for pages that show them: one that goes well, one that has something to complain about."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

from metrics_of_a_run import record, write_run

import qilin
from qilin.train.network import NetConfig, build
from qilin.train.weights import save_network


def write_runs(folder: Path, iterations: int = 40) -> None:
    """Two runs in `folder`, with games and checkpoints."""
    for name, game in (("evening", "ataxx"), ("night", "connect_four")):
        run = write_run(folder / name, iterations, game)
        drawn = {"selfplay__draws": 256, "selfplay__wins": 2, "selfplay__losses": 2} if name == "night" else {}
        lines = [
            record(number, time=time.time() - 8 * (iterations - number), **drawn) for number in range(1, iterations + 1)
        ]
        (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        write_games(run / "games" / f"{iterations:06d}-0.jsonl", game, 8)
        write_network(run / "checkpoints" / f"{iterations:06d}" / "network.safetensors", game)


def write_network(path: Path, game: str) -> None:
    """A small network that has learned nothing."""
    made, config = qilin.game(game), NetConfig(channels=8, blocks=1)
    path.parent.mkdir(parents=True)
    save_network(path, build(made, config), config, {"game": game, "options": made.options, "iteration": 1})


def write_games(path: Path, game: str, count: int) -> None:
    """Random games as self-play keeps them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(json.dumps({"game": game, "moves": random_game(game, seed)}) + "\n" for seed in range(count))
    )


def random_game(game: str, seed: int) -> list[str]:
    """A game of a game without chance."""
    rng, state, moves = random.Random(seed), qilin.game(game).start(), list[str]()
    while not state.is_over and len(moves) < 150:
        moves.append(rng.choice(state.moves()))
        state = state.play(moves[-1])
    return moves
