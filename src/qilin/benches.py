"""`qilin bench`: how fast this machine makes games of self-play, beside what its network could do alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from qilin.contests import GameName, Settings, options_of
from qilin.errors import QilinError

WORDS = {"after": "after the network", "beside": "beside it", "first": "beside it, first in line"}  # when trees grow
bench = typer.Typer(help="Measure this machine; a table for people, a line of JSON for machines.", no_args_is_help=True)
console = Console(highlight=False)


@bench.callback()
def group() -> None:
    """Measure this machine; a table for people, a line of JSON for machines."""


@bench.command()
def selfplay(
    game: GameName,
    net: Annotated[str, typer.Option(help="The network's size: CHANNELSxBLOCKS.")] = "64x5",
    trees: Annotated[int, typer.Option(min=1, help="Games side by side: the network's batch.")] = 16384,
    simulations: Annotated[int, typer.Option(min=1, help="Of a search.")] = 200,
    kind: Annotated[str, typer.Option(help="puct or gumbel.")] = "puct",
    seconds: Annotated[float, typer.Option(min=0.1, help="How long the games are played for the measurement.")] = 20.0,
    reuse: Annotated[bool, typer.Option(help="Keep the subtree of the move played.")] = False,
    first: Annotated[
        int, typer.Option(min=0, help="At most so many random plies before the first games: all stages of a game.")
    ] = 0,
    compiled: Annotated[bool, typer.Option(help="Compile the network with torch.compile.")] = True,
    settings: Settings = None,
) -> None:
    """Self-play on the card: positions, simulations and evaluations a second, and the network alone in the same run."""
    from qilin import cuda

    if reason := cuda.why_not():
        raise QilinError(f"self-play on a card can't be measured here: {reason}")
    found = measure(
        game, options_of(settings), net=net, trees=trees, simulations=simulations, kind=kind, seconds=seconds,
        reuse=reuse, first=first, compiled=compiled,
    )  # fmt: skip
    console.print(table_of(found))
    print(json.dumps(found))


def measure(game: str, options: Mapping[str, str | int], **how: Any) -> dict[str, Any]:
    """Play for a while; answers everything that was measured."""
    import torch

    from qilin import _core, cuda
    from qilin.forest import search
    from qilin.state import game as game_of
    from qilin.train.cardnet import CardNetwork
    from qilin.train.network import NetConfig, build
    from qilin.train.oncard import CardGames

    device, played = torch.device("cuda"), game_of(game, **options)
    config = NetConfig.from_dial(how["net"])
    torch.manual_seed(1)
    network = CardNetwork(played, config, build(played, config).state_dict(), device)
    play = _core.Play()
    play.reuse, play.first_plies = how["reuse"], how["first"]
    settings = search(kind=how["kind"], simulations=how["simulations"], noise_weight=0.25)
    games = CardGames(
        played, settings, play, trees=how["trees"], network=network, device=device, compiled=how["compiled"]
    )
    alone = games.judge_alone()
    before = rate(alone, games.rows, 1.0)
    games.run(50)
    numbers: dict[str, Any] = played_for(games, how["seconds"])
    after = rate(alone, games.rows, 1.0)
    network_alone = (before + after) / 2
    numbers |= {
        "network_alone": network_alone,
        "share": numbers["evaluations"] / network_alone,
        "batch": games.rows,
        "ms": milliseconds(games.parts(games.halves[0])),
        "step_ms": games.timed,
        "gib": {"games": games.bytes / 2**30, "peak": torch.cuda.max_memory_reserved() / 2**30},
    }
    return {"game": game, "options": dict(played.options), "settings": how, "card": cuda.device(), **numbers}


def played_for(games: Any, seconds: float) -> dict[str, float]:
    """Rates over so many seconds of play."""
    before, began, steps = games.given(), time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < seconds:
        games.run(100)
        steps += 100
        after = games.given()
    passed = time.perf_counter() - began
    rates = {
        name: (getattr(after, name) - getattr(before, name)) / passed
        for name in ("plies", "simulations", "evaluations", "games")
    }
    return {"positions": rates.pop("plies"), **rates, "steps": steps / passed, "refused": float(after.refused)}


def rate(replay: Callable[[], None], rows: int, seconds: float) -> float:
    """Evaluations a second of the network alone."""
    import torch

    torch.cuda.synchronize()
    began, runs = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        for _ in range(50):
            replay()
        torch.cuda.synchronize()
        runs += 50
    return runs * rows / (time.perf_counter() - began)


def milliseconds(parts: Sequence[tuple[str, Callable[[], None]]], steps: int = 50) -> dict[str, float]:
    """Of each part of a step, on average over steps outside a graph."""
    import torch

    event: Any = torch.cuda.Event
    marks = [[event(enable_timing=True) for _ in range(len(parts) + 1)] for _ in range(steps)]
    with torch.inference_mode():
        for row in marks:
            for mark, (_, part) in zip(row, parts, strict=False):
                mark.record()
                part()
            row[-1].record()
    torch.cuda.synchronize()
    found = {}
    for i, (name, _) in enumerate(parts):
        found[name] = sum(row[i].elapsed_time(row[i + 1]) for row in marks) / steps
    return found


def table_of(found: Mapping[str, Any]) -> Table:
    """For people."""
    how = found["settings"]
    asked = f"{how['trees']:,} games, {how['simulations']} simulations, {how['kind']}"
    title = f"{found['game']} {how['net']}, {asked}, {found['card']}"
    table = Table(title=title, box=None, show_header=False, title_justify="left", min_width=len(title))
    table.add_column(style="dim")
    table.add_column(justify="right")
    for name in ("positions", "simulations", "evaluations", "games", "network_alone"):
        table.add_row(f"{name.replace('_', ' ')}/s", f"{found[name]:,.0f}")
    table.add_row("share of the network's own speed", f"{found['share']:.1%}")
    for name, ms in found["ms"].items():
        table.add_row(f"ms in {name}", f"{ms:.3f}")
    for way, ms in found["step_ms"].items():
        table.add_row(f"ms of a step, trees grown {WORDS[way]}", f"{ms:.3f}")
    table.add_row("GiB of games", f"{found['gib']['games']:.1f}")
    return table
