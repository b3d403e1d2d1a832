"""The commands that read and write games: `qilin convert`, `qilin replay`, `qilin levels`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import qilin
from qilin.convert import formats, games_at, write_game_as
from qilin.errors import BadRecord
from qilin.game_file import GameFile
from qilin.players.level import Level, levels

console = Console(highlight=False)

Source = Annotated[
    Path, typer.Argument(metavar="FILE", help="A game file, a file of matches, a training run's folder or its games.")
]
Number = Annotated[int | None, typer.Option("--number", "-n", min=0, help="Which game, where there are many.")]
Name = Annotated[str | None, typer.Option("--game", help="The game, if the file does not say, as in ataxx:rules=uai.")]


def chosen(source: Path, name: str | None, number: int | None) -> GameFile:
    """The one game that is meant."""
    games = games_at(source, game=name, number=number)
    first = next(games, None)
    if first is None:
        raise BadRecord(f"{source} holds no game" + ("" if number is None else f" number {number}"))
    if next(games, None) is not None:
        raise BadRecord(f"{source} holds several games: say which with --number")
    return first


def convert(
    source: Source,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where it goes; default: the terminal.")] = None,
    to: Annotated[str | None, typer.Option(help="The kind of file; default: by the output's ending.")] = None,
    notation: Annotated[str | None, typer.Option(help="How moves are written, as in chinese, wxf, iccs, ucci.")] = None,
    number: Number = None,
    name: Name = None,
) -> None:
    """Turn games into files of another kind: our own JSON, PGN, for xiangqi DhtmlXQ (东萍 UBB).

    Reads those, the games of a training run and those that `qilin match` keeps. PGN may hold many games, others one.
    """
    kind = to or _kind_of(output)
    if kind == "pgn" and number is None:
        text = "\n".join(write_game_as(file, kind, notation=notation) for file in games_at(source, game=name))
    else:
        text = write_game_as(chosen(source, name, number), kind, notation=notation)
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


def _kind_of(output: Path | None) -> str:
    if output is None:
        return "json"
    able = {form.suffix: kind for kind, form in formats().items() if form.write}
    if output.suffix not in able:
        raise BadRecord(f"{output.name}: what kind of file is {output.suffix!r}? Expected {', '.join(able)}, or --to")
    return able[output.suffix]


def replay(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page.")] = Path("game.html"),
    number: Number = None,
    name: Name = None,
) -> None:
    """Make one page of a game, which opens from disk: board, moves with variations, win-rate graph, autoplay.

    `qilin replay runs/ataxx --number 17` takes a game of a training run.
    """
    from qilin.replay import html

    output.write_text(html(chosen(source, name, number)), encoding="utf-8")
    console.print(f"{output}: open it in a browser")


def show_levels(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name; `qilin games` lists them.")],
) -> None:
    """List the eight opponents of a game, with their measured strength."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("player", "Elo", "95 %", "against the one below", "how it plays"):
        table.add_column(column)
    for level in levels(qilin.game(game).name):
        table.add_row(*_row(level))
    console.print(table)


def _row(level: Level) -> tuple[str, str, str, str, str]:
    elo = interval = step = ""
    if level.rating is not None:
        elo, interval = f"{level.rating[1]:+.0f}", f"{level.rating[0]:+.0f} … {level.rating[2]:+.0f}"
    if level.step is not None:
        step = f"{level.step[1]:.0%} ({level.step[0]:.0%} … {level.step[2]:.0%})"
    return f"level:{level.number}", elo, interval, step, level.spec
