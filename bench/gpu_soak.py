"""Self-play on a card for a long time: no error, no more memory, every game what the CPU's rules make of it.

    python bench/gpu_soak.py GAME [--seconds 615] [--trees 4096] [--keep FILE]

A small network that knows nothing plays with everything switched on: first games that begin anywhere, fast searches
between full ones, resigning, noise. Every game that has ended is played once more by the rules on the host, which
raise an error where a move is illegal, or the end is another one than the card's.
"""

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

import result
import torch

import qilin
from qilin import _core, cuda
from qilin.forest import search
from qilin.train.cardnet import CardNetwork
from qilin.train.network import NetConfig, build
from qilin.train.oncard import CardGames

LOOK = 20.0  # seconds between two looks at memory
KINDS = {"popucom": "gumbel", "connect_four": "gumbel"}  # the others: puct


def games_of(name: str, trees: int) -> CardGames:
    """Games with everything switched on."""
    game, config, device = qilin.game(name), NetConfig.from_dial("32x2"), torch.device("cuda")
    torch.manual_seed(1)
    network = CardNetwork(game, config, build(game, config).state_dict(), device)
    play = _core.Play()
    play.first_plies, play.opening_plies, play.full_share, play.fast_simulations = 60, 4, 0.5, 16
    play.resign_below, play.resign_check = -0.9, 0.5
    how = search(
        kind=KINDS.get(name, "puct"), simulations=64, noise_weight=0.25, forced_playouts=2.0, root_temperature=1.1
    )
    return CardGames(game, how, play, trees=trees, network=network, device=device, compiled=False)


def memory() -> tuple[int, int]:
    """MiB on the card that torch holds, and of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return torch.cuda.memory_reserved() >> 20, pages * 4096 >> 20


def soak(name: str, trees: int, seconds: float) -> dict[str, Any]:
    """Play, and have every game told by the host."""
    games, told, reasons = games_of(name, trees), [0, 0], Counter[str]()
    seen: list[tuple[int, int]] = []
    began = looked = time.perf_counter()
    while (now := time.perf_counter()) - began < seconds:
        games.run(100)
        for number, half in enumerate(games.halves):
            ended = half.given().games
            for first in range(told[number], ended, 1024):
                reasons.update(one.reason for one in half.told(first, min(first + 1024, ended)))
            told[number] = ended
        if now - looked > LOOK:
            looked = now
            seen.append(memory())
    given = games.given()
    return {
        "game": name, "kind": KINDS.get(name, "puct"), "card": cuda.device(), "seconds": round(now - began),
        "games": given.games, "replayed": sum(told), "plies": given.plies, "evaluations": given.evaluations,
        "samples": given.samples, "refused": given.refused, "left_out": given.left_out, "reasons": dict(reasons),
        "card_mib": [seen[0][0], seen[-1][0]], "host_mib": [seen[0][1], seen[-1][1]],
    }  # fmt: skip


def main() -> None:
    """Soak one game; several processes may share a card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", metavar="GAME", choices=qilin.games())
    parser.add_argument("--seconds", type=float, default=615.0)
    parser.add_argument("--trees", type=int, default=4096)
    result.add_keep(parser)
    given = parser.parse_args()
    if why := cuda.why_not():
        raise SystemExit(f"no GPU to play on: {why}")
    result.finish({"soak": [soak(given.game, given.trees, given.seconds)]}, given.keep)


if __name__ == "__main__":
    main()
