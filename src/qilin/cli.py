"""The command line: `qilin games | show | perft | play`. Each command says what it does with `--help`."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

import qilin
from qilin.benches import bench
from qilin.contests import GameName, Settings, ladder, match, options_of
from qilin.doctor import doctor
from qilin.drawing import picture
from qilin.exporting import export
from qilin.games import GAMES
from qilin.players.analysis import Analysis
from qilin.results import evaluate, plot, runs
from qilin.scoresheets import convert, replay, show_levels
from qilin.training import train
from qilin.web.command import serve
from qilin.web.shelf import library

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
console = Console(highlight=False)

PositionText = Annotated[str | None, typer.Option("--position", "-p", help="A position's text; default: the start.")]


def main() -> None:
    """Run the command line; what a person did wrong becomes one line, not a traceback."""
    try:
        app()
    except qilin.QilinError as error:
        Console(stderr=True, highlight=False).print(f"[red]error:[/] {escape(str(error))}", soft_wrap=True)
        sys.exit(2)


def _tell_version(asked: bool) -> None:
    if asked:
        console.print(f"qilin {metadata.version('qilin')}")
        raise typer.Exit


@app.callback()
def qilin_itself(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Qilin 棋林: play, search and study Chinese board games."""


def escape(text: str) -> str:
    """Keep `[…]` of a message from being read as markup."""
    from rich.markup import escape as rich_escape

    return rich_escape(text)


def state_of(name: str, settings: list[str] | None, position: str | None) -> qilin.State:
    """The state that GAME, --set and --position name."""
    game = qilin.game(name, **options_of(settings))
    return game.start() if position is None else game.parse(position)


@app.command()
def games() -> None:
    """List the games, their options and sizes."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("name", "game", "board", "moves", "options"):
        table.add_column(column)
    for name in qilin.games():
        game = qilin.game(name)
        _, rows, cols = game.shape
        options = "\n".join(_option_line(option, game.options[option.name]) for option in game._rules.options)
        words = GAMES[name]
        table.add_row(name, f"{words.title.en} {words.title.zh}", f"{cols}×{rows}", str(game.policy_size), options)
    console.print(table)


def _option_line(option: qilin._core.Option, default: str | int) -> str:
    values = "|".join(option.choices) if option.choices else f"{option.least}…{option.most}"
    return f"{option.name}={values} (default {default})"


@app.command()
def show(
    game: GameName,
    position: PositionText = None,
    settings: Settings = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture instead.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write a picture of pixels; needs qilin\\[picture].")] = None,
    width: Annotated[int, typer.Option(min=16, max=8192, help="Of the PNG, in pixels.")] = 720,
    flipped: Annotated[bool, typer.Option(help="Seen from the other side.")] = False,
) -> None:
    """Draw a position, with its text and its legal moves; or as a picture."""
    state = state_of(game, settings, position)
    if svg or png:
        _write_pictures(state, svg, png, width, flipped)
        return
    console.print(picture(state))
    console.print(f"[dim]text [/] {escape(str(state))}", soft_wrap=True)
    if state.is_chance:
        chances = "  ".join(f"{name} {chance:.4f}" for name, chance in state.outcomes().items())
        console.print(f"[dim]chance[/] {chances}")
    else:
        moves = state.moves()
        console.print(f"[dim]{len(moves)} legal[/] {' '.join(moves)}", soft_wrap=True)


def _write_pictures(state: qilin.State, svg: Path | None, png: Path | None, width: int, flipped: bool) -> None:
    from qilin import pictures

    drawn = pictures.svg(state, flipped=flipped)
    if svg:
        svg.write_text(drawn, encoding="utf-8")
    if png:
        png.write_bytes(pictures.png(drawn, width=width))


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, metavar="DEPTH", help="Plies to look ahead.")],
    position: PositionText = None,
    settings: Settings = None,
    divide: Annotated[bool, typer.Option(help="Show the count behind every move.")] = True,
) -> None:
    """Count the positions DEPTH plies away: the number that tells whether two rules engines agree."""
    state = state_of(game, settings, position)
    began = time.perf_counter()
    nodes = 0
    if divide and depth > 0 and not state.is_chance:
        for move in state.moves():
            below = state.play(move).perft(depth - 1)
            nodes += below
            console.print(f"{move:8}{below:>16,}")
    else:
        nodes = state.perft(depth)
    seconds = time.perf_counter() - began
    console.print(f"[bold]{nodes:,}[/] nodes, {seconds:.3f} s, {nodes / max(seconds, 1e-9) / 1e6:,.1f} M nodes/s")


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The game; asked for where it is missing.")
    ] = None,
    against: Annotated[str, typer.Option(help="The opponent; `qilin players` lists them.")] = "alphabeta:time=1s",
    seat: Annotated[str, typer.Option(help="Your seat: first, second, both, or none to watch.")] = "first",
    position: PositionText = None,
    settings: Settings = None,
    seed: Annotated[int | None, typer.Option(help="Makes chance and random players repeatable.")] = None,
) -> None:
    """Play in the terminal. Type a move, or: ? legal moves, undo, hint, text, quit."""
    from qilin import terminal
    from qilin.players import player

    mine = {"first": {0}, "second": {1}, "both": {0, 1}, "none": set[int]()}
    if seat not in mine:
        raise qilin.BadSpec(f"--seat is {seat!r}, expected one of: {', '.join(mine)}")
    state = state_of(game or _ask_game(), settings, position)
    rivals = {number: player(against, seed=(seed or 0) + number) for number in {0, 1} - mine[seat]}
    terminal.play(state, rivals, console, seed=seed, hint=player("alphabeta:time=1s"))


def _ask_game() -> str:
    names = qilin.games()
    for number, name in enumerate(names, 1):
        console.print(f"  {number}  {GAMES[name].title.en} {GAMES[name].title.zh}  [dim]{GAMES[name].summary.en}[/]")
    try:
        typed = console.input("which game? ").strip()
    except EOFError:
        raise qilin.UnknownGame("no game was named: `qilin play GAME`; `qilin games` lists them") from None
    return names[int(typed) - 1] if typed.isdecimal() and 0 < int(typed) <= len(names) else typed


@app.command()
def players() -> None:
    """List the kinds of players and their options: NAME or NAME:KEY=VALUE,…"""
    from qilin.players import describe

    table = Table(box=None, pad_edge=False, show_header=False)
    for name, summary in describe():
        table.add_row(name, summary)
    console.print(table)


@app.command()
def analyse(
    game: GameName,
    position: PositionText = None,
    settings: Settings = None,
    by: Annotated[
        str, typer.Option("--player", help="Who analyses; `qilin players` lists them.")
    ] = "alphabeta:time=2s",
    lines: Annotated[int, typer.Option(min=1, help="How many lines.")] = 3,
) -> None:
    """Show what a player thinks of a position: its best lines and their values, as they get better.

    Ctrl-C ends the search, and leaves what was found: alphabeta:depth=100 goes on until then.
    """
    from qilin.players import player

    state, who = state_of(game, settings, position), player(by)
    console.print(picture(state))
    with Live(console=console) as live, suppress(KeyboardInterrupt):
        live.update(_lines(who.analyse(state, lines=lines, watch=lambda found: live.update(_lines(found)))))


def _lines(analysis: Analysis) -> Table:
    """What an analysis found, as far as it got."""
    table = Table(box=None, pad_edge=False, header_style="dim", caption_justify="left")
    for column in ("value", "depth", "visits", "line"):
        table.add_column(column)
    for line in analysis.lines:
        table.add_row(line.worth(), str(line.depth or ""), str(line.visits or ""), " ".join(line.moves))
    if analysis.nodes and analysis.seconds:
        speed = analysis.nodes / analysis.seconds / 1e6
        table.caption = f"{analysis.nodes:,} nodes, {analysis.seconds:.2f} s, {speed:.1f} M nodes/s"
    return table


app.command()(serve)
app.command()(match)
app.command()(ladder)
app.command()(convert)
app.command()(replay)
app.command("levels")(show_levels)
app.add_typer(library, name="library")
app.add_typer(bench, name="bench")
app.command()(doctor)
app.command()(train)
app.command()(runs)
app.command()(plot)
app.command("eval")(evaluate)
app.command()(export)
