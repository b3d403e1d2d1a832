"""One big search with its network on a card: simulations a second, by how many leaves the network sees at a time.

    python bench/gpu_search.py [--seconds 2] [--keep]

The tree grows on the host, as for the player `net:…,device=cuda`. Beside it, in the same run: the same tree in the
card's memory, grown by one warp, and the network alone with the copies of its input and output.
"""

import argparse
import time
from typing import Any

import result
import torch
from rich.console import Console
from rich.table import Table

import qilin
from qilin import cuda
from qilin.forest import Forest, search
from qilin.networks.files import Facts
from qilin.networks.oncard import CardJudge
from qilin.train.cardnet import CardNetwork
from qilin.train.network import NetConfig, build

ROWS = [("connect_four", "64x5"), ("ataxx", "64x5"), ("xiangqi", "64x5"), ("xiangqi", "128x10")]
LEAVES = (64, 256, 1024)
SIMULATIONS = 100_000


def judge_of(name: str, net: str) -> CardJudge:
    """A network that knows nothing."""
    game, config = qilin.game(name), NetConfig.from_dial(net)
    torch.manual_seed(1)
    weights = build(game, config).state_dict()
    return CardJudge(CardNetwork(game, config, weights, torch.device("cuda")), Facts(game=name))


def on_host(judge: CardJudge, leaves: int, seconds: float) -> float:
    """Simulations a second of a tree on the host, which grows on while the card thinks."""
    forest = Forest(judge.network.game, search=search(simulations=SIMULATIONS, leaves=leaves))
    began, done, planes = time.perf_counter(), 0, forest.leaves()
    while time.perf_counter() - began < seconds and len(planes):
        answer = judge.ask(planes)
        ahead = forest.more()
        forest.grow(*answer(), "logits")
        done += len(planes)
        planes = ahead if len(ahead) else forest.leaves()
    return done / (time.perf_counter() - began)


def alone(judge: CardJudge, leaves: int, seconds: float) -> float:
    """Evaluations a second of the network with its copies."""
    began, done = time.perf_counter(), 0
    empty = torch.zeros(leaves, *judge.network.game.shape).numpy()
    while time.perf_counter() - began < seconds:
        judge(empty)
        done += leaves
    return done / (time.perf_counter() - began)


class OnCard:
    """A tree on the card."""

    def __init__(self, judge: CardJudge, leaves: int) -> None:
        """Plant it, and capture a step."""
        self.network, name = judge.network, judge.network.game.name
        how, device = search(simulations=SIMULATIONS, leaves=leaves), torch.device("cuda")
        size = cuda.forest_bytes(name, how, 1)
        self.memory = torch.empty(size, dtype=torch.uint8, device=device)
        self.forest = cuda.Forest(name, how, trees=1, memory=self.memory.data_ptr(), size=size)
        self.planes = self.network.planes(leaves, device)
        side = torch.cuda.Stream(device)
        with torch.cuda.stream(side):
            self._step()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self._step()

    def _step(self) -> None:
        stream, network = torch.cuda.current_stream().cuda_stream, self.network
        self.forest.look(self.planes.data_ptr(), number=network.number, channels=network.channels, stream=stream)
        logits, values = network(self.planes)
        self.forest.learn(
            logits.data_ptr(), values.data_ptr(), strides=(logits.stride(0), values.stride(0)), number="float32",
            form="logits", places=0 if network.places is None else network.places.data_ptr(), stream=stream,
        )  # fmt: skip

    def visits(self) -> int:
        """Of the root."""
        torch.cuda.synchronize()
        return int(self.forest.text(0, depth=0, json=True).split('"visits":')[1].split(",")[0].strip(" }"))

    def rate(self, seconds: float) -> float:
        """Simulations a second."""
        before, began = self.visits(), time.perf_counter()
        while time.perf_counter() - began < seconds:
            self.graph.replay()
            torch.cuda.synchronize()
        return (self.visits() - before) / (time.perf_counter() - began)


def measure(name: str, net: str, leaves: int, seconds: float) -> dict[str, Any]:
    """All three, one after the other."""
    judge = judge_of(name, net)
    alone(judge, leaves, 0.1)
    rates = {"host": on_host(judge, leaves, seconds), "network_alone": alone(judge, leaves, seconds / 2)}
    with torch.inference_mode():
        rates["card"] = OnCard(judge, leaves).rate(seconds)
    return {"game": name, "net": net, "leaves": leaves, **rates}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    result.add_keep(parser)
    given = parser.parse_args()
    if why := cuda.why_not():
        raise SystemExit(f"no GPU to measure: {why}")
    table = Table("game", "network", "leaves", "tree on the host", "tree on the card", "network alone", box=None)
    rows = [measure(name, net, leaves, given.seconds) for name, net in ROWS for leaves in LEAVES]
    for row in rows:
        rates = [f"{row[key]:,.0f}/s" for key in ("host", "card", "network_alone")]
        table.add_row(row["game"], row["net"], str(row["leaves"]), *rates)
    Console().print(table)
    result.finish({"search": rows, "card": cuda.device()}, given.keep)


if __name__ == "__main__":
    main()
