"""How fast alpha-beta searches: positions a second of one thread, from the start and from the middle of each game.

    python bench/alphabeta.py [--keep [FILE]]

Processor time, the best of a few runs with an empty table. Every position that the search enters counts as one node,
those of quiescence too. The last row's number goes into the message of a commit that can change play: `Bench: <nodes>`
are the nodes of fixed depth searches from the same positions.
"""

import argparse
import time

import result
from rich.console import Console
from rich.table import Table

import qilin

NODES = 1_000_000
RUNS = 3
DEPTHS = {"ataxx": 7, "connect_four": 10, "dark_chess": 2, "liuzhou": 7, "popucom": 7, "xiangqi": 7}
OPTIONS = {"ataxx": {"rules": "uai"}}  # the rules of the peers
MIDDLE = {  # from games between searches of 20,000 nodes
    "ataxx": "oo3xx/o4x1/xx1ooo1/4oo1/1x5/xx5/xxx2oo x 1 21",
    "connect_four": "3o3/3xx2/3xo2/3ox2/3xo2/1o1ox2 x",
    "dark_chess": "????/CR1?/?A?K/?b1a r PPNBpprk 20 0 0 8",
    "liuzhou": "1ox1oo/xxoxxx/ooxxox/oxooxo/xoxxox/xooxoo o s 0 51 0",
    "popucom": "2w6/3w3o1/3owxxob/2xxow1b1/2o2xb2/2xoobxw1/2xoX1o1w/3b5/2b6 x 13",
    "xiangqi": "2bak4/4a2r1/4b1n2/p2npRp2/9/4P1P2/P1C6/4C4/9/2BAKAB2 w - - 4 21",
}


def positions(name: str) -> dict[str, qilin.State]:
    """Where the searches begin."""
    game = qilin.game(name, **OPTIONS.get(name, {}))
    return {"start": game.start(), "middle": game.parse(MIDDLE[name])}


def speed(state: qilin.State) -> tuple[float, int]:
    """Nodes a second in millions, and the depth that so many nodes reach. A game that is solved first ends sooner."""
    best, depth = 0.0, 0
    player = qilin.player(f"alphabeta:nodes={NODES}")
    player.choose(state)  # memory for the table is had before the clock matters
    for _ in range(RUNS):
        player.forget()
        began = time.process_time()
        found = player.analyse(state)
        best = max(best, (found.nodes or 0) / (time.process_time() - began) / 1e6)
        depth = found.depth or 0
    return best, depth


def fingerprint() -> int:
    """A number that changes when the search does."""
    found = [
        qilin.player(f"alphabeta:depth={DEPTHS[name]}").analyse(state).nodes
        for name in qilin.games()
        for state in positions(name).values()
    ]
    return sum(nodes or 0 for nodes in found)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_keep(parser)
    arguments = parser.parse_args()
    table = Table("game", "from", "M nodes/s", "depth", box=None)
    rows = []
    for name in qilin.games():
        for where, state in positions(name).items():
            mnps, depth = speed(state)
            table.add_row(name, where, f"{mnps:.2f}", str(depth))
            rows.append({"game": name, "from": where, "mnps": round(mnps, 2), "depth": depth})
    Console().print(table)
    nodes = fingerprint()
    print(f"Bench: {nodes}")
    result.finish({"alphabeta": rows, "bench": nodes}, arguments.keep)


if __name__ == "__main__":
    main()
