"""The commands `qilin library …`: the games that the server keeps, without the server."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from qilin.convert import games_at, write_game_as
from qilin.errors import BadRecord
from qilin.game_file import read_game
from qilin.web.library import passed, row_of
from qilin.web.places import home
from qilin.web.store import ORDERS, Store

console = Console(highlight=False)
library = typer.Typer(help="The games that `qilin serve` keeps: list, search, add, get, remove.", no_args_is_help=True)

Database = Annotated[
    Path | None, typer.Option("--db", help="Where games are kept; default: where the server keeps them.")
]
Id = Annotated[str, typer.Argument(metavar="ID", help="A game's name in the library.")]


@contextmanager
def _open(database: Path | None) -> Iterator[Store]:
    store = Store(database or home() / "web.sqlite")
    try:
        yield store
    finally:
        store.close()


@library.command("list")
def list_games(
    query: Annotated[str | None, typer.Argument(help="Words to be found in titles, players, tags.")] = None,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    player: Annotated[str | None, typer.Option(help="Only with this player.")] = None,
    result: Annotated[str | None, typer.Option(help="first, second, draw or open.")] = None,
    order: Annotated[str, typer.Option(help=f"One of {', '.join(ORDERS)}.")] = "newest",
    limit: Annotated[int, typer.Option(min=1, help="How many.")] = 20,
    database: Database = None,
) -> None:
    """List the games that fit."""
    if order not in ORDERS:
        raise BadRecord(f"--order is {order!r}, expected one of {', '.join(ORDERS)}")
    wanted = {"query": query, "game": game, "player": player, "result": result}
    with _open(database) as store:
        found, total = store.search(wanted, order, limit, 0)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("id", "game", "players", "result", "plies", "title"):
        table.add_column(column)
    for row in found:
        table.add_row(
            row["id"], row["game"], " – ".join(row["players"]), row["result"], str(row["plies"]), row["title"]
        )
    console.print(table)
    console.print(f"[dim]{len(found)} of {total}[/]")


@library.command()
def add(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="Any file of games, or a training run.")],
    tag: Annotated[list[str] | None, typer.Option(help="A word to find them by; may be repeated.")] = None,
    name: Annotated[str | None, typer.Option("--game", help="The game, where the file does not say.")] = None,
    database: Database = None,
) -> None:
    """Keep all games of a file."""
    with _open(database) as store:
        for file in games_at(source, game=name):
            id = secrets.token_hex(6)  # no dash in front, which a command line would take for an option
            store.put(row_of(id, file, tag or []), passed(file))
            console.print(id, markup=False)


@library.command()
def get(
    id: Id,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where it goes; default: the terminal.")] = None,
    to: Annotated[str, typer.Option(help="The kind of file.")] = "json",
    notation: Annotated[str | None, typer.Option(help="How moves are written.")] = None,
    database: Database = None,
) -> None:
    """Write a game to a file."""
    with _open(database) as store:
        _, document = store.game(id)
    text = write_game_as(read_game(document), to, notation=notation)
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


@library.command()
def remove(id: Id, database: Database = None) -> None:
    """Take a game out of the library."""
    with _open(database) as store:
        store.delete(id)
