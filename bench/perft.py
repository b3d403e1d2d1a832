"""How fast the rules count positions, one thread, bulk-counted at the last ply; beside peers in the same run.

    python bench/perft.py [--keep] [--peer LABEL:GAME:COMMAND …]

A peer's COMMAND is run by the shell and counts the same positions, from the start to the depth of the table below. Its
time is that on the wall less that of `--idle LABEL:COMMAND`, what it needs to start and end. Best of three runs each.
"""

import argparse
import subprocess
import time

import result
from rich.console import Console
from rich.table import Table

import qilin

DEPTHS = {"ataxx": 6, "connect_four": 9, "dark_chess": 3, "liuzhou": 4, "popucom": 4, "xiangqi": 5}
OPTIONS = {"ataxx": {"rules": "uai"}}  # the rules of the peers
RUNS = 3


def best(work: object) -> float:
    """Seconds of the fastest of a few runs."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()  # type: ignore[operator]  # any callable
        times.append(time.perf_counter() - began)
    return min(times)


def shell(command: str) -> float:
    """Seconds that a command takes."""
    return best(lambda: subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", action="append", default=[], metavar="LABEL:GAME:COMMAND")
    parser.add_argument("--idle", action="append", default=[], metavar="LABEL:COMMAND")
    result.add_keep(parser)
    arguments = parser.parse_args()
    idle = {label: shell(command) for label, command in (item.split(":", 1) for item in arguments.idle)}

    table = Table("game", "who", "depth", "nodes", "M nodes/s", "ours / theirs", box=None)
    rows = []
    for name, depth in DEPTHS.items():
        state = qilin.game(name, **OPTIONS.get(name, {})).start()
        nodes = state.perft(depth)
        ours = nodes / best(lambda state=state, depth=depth: state.perft(depth)) / 1e6
        rows.append({"game": name, "who": "qilin", "depth": depth, "nodes": nodes, "mnps": round(ours, 1)})
        table.add_row(name, "qilin", str(depth), f"{nodes:,}", f"{ours:,.0f}", "")
        for label, game, command in (peer.split(":", 2) for peer in arguments.peer):
            if game == name:
                theirs = nodes / (shell(command) - idle.get(label, 0.0)) / 1e6
                rows.append({"game": name, "who": label, "depth": depth, "mnps": round(theirs, 1)})
                table.add_row("", label, "", "", f"{theirs:,.0f}", f"{ours / theirs:.2f}")
    Console().print(table)
    result.finish({"perft": rows}, arguments.keep)


if __name__ == "__main__":
    main()
