"""The commands that play many games: `qilin match`, `qilin ladder`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from qilin.errors import BadSpec, QilinError
from qilin.ladder import ANCHOR, Rung, pairings, play_ladder, plot, ratings
from qilin.match import Plan, Standing, run_match
from qilin.rating import Sprt
from qilin.record import default_path, open_record

console = Console(highlight=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name; `qilin games` lists them.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", "-s", metavar="KEY=VALUE", help="An option of the game; may be repeated.")
]
Games = Annotated[int, typer.Option(min=2, help="Games, in pairs: the same opening twice, seats swapped.")]
Seed = Annotated[int, typer.Option(help="Decides openings and the players' dice.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes; default: one a core.")]
Database = Annotated[Path | None, typer.Option("--db", help=f"Where games are kept; default {default_path()}.")]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Write the result for machines.")]
OpeningPlies = Annotated[int, typer.Option(min=0, help="Random plies before the players take over.")]


def options_of(settings: list[str] | None) -> dict[str, str | int]:
    """What --set says."""
    options: dict[str, str | int] = {}
    for setting in settings or []:
        key, equals, value = setting.partition("=")
        if not equals:
            raise BadSpec(f"--set {setting!r}: expected KEY=VALUE, as in --set rules=uai")
        options[key] = value
    return options


@contextmanager
def progress(total: int, label: str) -> Iterator[Callable[[Standing], None]]:
    """A bar with the running score."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[score]}"),
        console=console,
    )
    with bar:
        task = bar.add_task(label, total=total, score="")
        yield lambda standing: bar.update(task, completed=standing.games, score=running(standing))


def running(standing: Standing) -> str:
    """The score in one short line."""
    elo = f"Elo {standing.pairs.elo()}" if standing.pairs.size else ""
    llr = f"  LLR {standing.llr:+.2f}" if standing.llr is not None else ""
    return f"+{standing.wins} ={standing.draws} -{standing.losses}  {elo}{llr}"


def match(
    game: GameName,
    first: Annotated[str, typer.Argument(help="A player; `qilin players` lists them.")],
    second: Annotated[str, typer.Argument(help="Its rival.")],
    games: Games = 400,
    sprt: Annotated[
        tuple[float, float] | None, typer.Option(help="Stop once it is clear which of two Elo differences holds.")
    ] = None,
    seed: Seed = 1,
    workers: Workers = None,
    opening_plies: OpeningPlies = 4,
    position: Annotated[str | None, typer.Option(help="Openings start from this position.")] = None,
    settings: Settings = None,
    database: Database = None,
    resume: Annotated[bool, typer.Option(help="Go on with a match that was interrupted.")] = False,
    json_file: JsonFile = None,
) -> None:
    """Let two players meet, many times, and say how much stronger the first one is.

    Openings are short random starts, played twice with seats swapped; in games with hidden pieces both games have the
    same layout. Every game is kept: Ctrl-C loses only the games in the air, and --resume goes on.
    """
    plan = Plan(
        game=game,
        options=options_of(settings),
        first=first,
        second=second,
        games=games,
        seed=seed,
        opening_plies=opening_plies,
        position=position,
    )
    test = _sprt(sprt)
    with open_record(database) as record, progress(games, f"{first} – {second}") as watch:
        try:
            standing = run_match(plan, record, workers=workers, sprt=test, resume=resume, watch=watch)
        except KeyboardInterrupt:
            raise QilinError("the match was interrupted; its games are kept: go on with --resume") from None
    report(plan, standing, test)
    if json_file:
        json_file.write_text(json.dumps({"plan": json.loads(plan.identity()), **standing.as_json()}, indent=2) + "\n")


def _sprt(bounds: tuple[float, float] | None) -> Sprt | None:
    if bounds is None:
        return None
    try:
        return Sprt(elo0=bounds[0], elo1=bounds[1])
    except ValueError as error:
        raise BadSpec(f"--sprt: {error}") from None


def report(plan: Plan, standing: Standing, test: Sprt | None) -> None:
    """What the match says, for people."""
    pairs = standing.pairs
    table = Table(box=None, show_header=False, pad_edge=False)
    rows = {
        "games": f"{standing.games}: +{standing.wins} ={standing.draws} -{standing.losses} for {plan.first}",
        "pairs": " ".join(map(str, pairs.counts)) + "  (0, ½, 1, 1½, 2 points)",
        "score": f"{pairs.score:.1%}",
        "Elo": f"{pairs.elo()}  (95 %)",
        "stronger": f"with probability {pairs.superiority():.2%}",
    }
    if test and standing.llr is not None:
        low, high = test.bounds
        verdicts = {True: f"at least {test.elo1:g} Elo", False: f"at most {test.elo0:g} Elo", None: "not clear yet"}
        rows["SPRT"] = f"LLR {standing.llr:+.2f} in [{low:.2f}, {high:.2f}]: {verdicts[standing.verdict]}"
    for name, value in rows.items():
        table.add_row(f"[dim]{name}[/]", value)
    console.print(table)


def ladder(
    game: GameName,
    players: Annotated[list[str] | None, typer.Argument(help="Who plays; none: only rate the games kept.")] = None,
    games: Games = 100,
    gauntlet: Annotated[bool, typer.Option(help="The first player against all others, not all against all.")] = False,
    anchor: Annotated[str, typer.Option(help="Who stands at 0.")] = ANCHOR,
    seed: Seed = 1,
    workers: Workers = None,
    opening_plies: OpeningPlies = 4,
    settings: Settings = None,
    database: Database = None,
    json_file: JsonFile = None,
    plot_file: Annotated[Path | None, typer.Option("--plot", help="Draw the ladder, as PNG or SVG.")] = None,
) -> None:
    """Rate many players against each other. Ratings are computed from the kept games, with intervals."""
    options = options_of(settings)
    plans = [
        Plan(game=game, options=options, first=a, second=b, games=games, seed=seed, opening_plies=opening_plies)
        for a, b in (pairings(players, gauntlet) if players else [])
    ]
    with open_record(database) as record:
        for plan in plans:
            with progress(games, f"{plan.first} – {plan.second}") as watch:
                play_ladder([plan], record, workers=workers, watch=lambda _, standing: watch(standing))
        rungs = ratings(record, game, options, anchor)
    _show(rungs)
    if json_file:
        json_file.write_text(json.dumps(_as_json(game, options, rungs), indent=2) + "\n")
    if plot_file:
        plot(rungs, f"{game} ladder", plot_file)


def _as_json(game: str, options: dict[str, str | int], rungs: list[Rung]) -> dict[str, Any]:
    return {"game": game, "options": options, "ladder": [rung.as_json() for rung in rungs]}


def _show(rungs: list[Rung]) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("player", "Elo", "95 %", "games", "score"):
        table.add_column(column, justify="left" if column == "player" else "right")
    for rung in rungs:
        interval = f"{rung.rating.low:+.0f} … {rung.rating.high:+.0f}"
        table.add_row(rung.player, f"{rung.rating.value:+.0f}", interval, str(rung.games), f"{rung.score:.1%}")
    console.print(table)
