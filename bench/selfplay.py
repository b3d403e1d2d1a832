"""Where the time of self-play goes: in the network, or in all else that the loop does for it.

    python bench/selfplay.py [GAME …] [--net 64x5] [--seconds 10] [--threads 1] [--set SECTION.KEY=VALUE]

The recipe of each game with a network of the given size, on one thread: games are played for a while, with the same
code that `qilin train` runs. The share is of wall-clock time; the rest is trees, rules, planes and samples.
"""

import argparse
import time
from contextlib import suppress

import result
import torch

import qilin
from qilin.train.again import recipe_of
from qilin.train.learner import Learner
from qilin.train.playing import HostPlaying
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe, make_recipe, read_recipe

WANTED = 0.9  # of the time in the network


class Enough(Exception):  # nothing is wrong
    """The time is up."""


def measured(recipe: Recipe, seconds: float) -> dict[str, float]:
    """Play for some seconds, after a start that does not count."""
    ranks = Ranks(0, 1, torch.device("cpu"))
    torch.set_num_threads(recipe.run.threads)
    playing = HostPlaying(recipe, ranks)
    playing.begin(1, Learner(recipe, ranks).average)
    spent = {}
    for stretch in (seconds / 5, seconds):
        began, seen, network = time.perf_counter(), 0, playing.network_seconds

        def tell(evaluations: int, ends: float = began + stretch) -> None:
            nonlocal seen
            seen = evaluations
            if time.perf_counter() > ends:
                raise Enough

        with suppress(Enough):
            playing.play(1 << 30, tell)
        whole = time.perf_counter() - began
        spent = {"share": (playing.network_seconds - network) / whole, "evaluations": seen / whole}
    return spent


def main() -> None:
    """Measure, and say so."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=qilin.games())
    parser.add_argument("--net", default="64x5")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], dest="changes")
    result.add_keep(parser)
    given = parser.parse_args()
    found = {}
    print(f"{'game':14}{'network':>9}{'else':>9}{'evaluations/s':>16}")
    for name in given.games or qilin.games():
        changes = [f"net={given.net}", f"run.threads={given.threads}", *given.changes]
        origin = recipe_of(name)
        recipe = read_recipe(origin, changes) if origin else make_recipe({"game": name}, changes)
        found[name] = measured(recipe, given.seconds)
        share, rate = found[name]["share"], found[name]["evaluations"]
        print(f"{name:14}{share:>9.1%}{1 - share:>9.1%}{rate:>16,.0f}", flush=True)
    least = min(one["share"] for one in found.values())
    print(f"least {least:.1%}, wanted {WANTED:.0%}: {'reached' if least >= WANTED else 'MISSED'}")
    result.finish({"net": given.net, "threads": given.threads, "games": found, "wanted": WANTED}, given.keep)


if __name__ == "__main__":
    main()
