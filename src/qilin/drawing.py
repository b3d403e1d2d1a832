"""A position drawn for people: glyphs from the game's descriptor, ranks and files around them."""

from __future__ import annotations

import sys
from io import StringIO
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from qilin.words import Glyph

if TYPE_CHECKING:
    from qilin.state import State


def draw(state: State, *, colour: bool | None = None) -> str:
    """The board with its coordinates, and a line that says how the game stands."""
    out = StringIO()
    in_colour = sys.stdout.isatty() if colour is None else colour
    console = Console(file=out, force_terminal=in_colour, color_system="standard" if in_colour else None, width=200)
    console.print(picture(state), end="")
    return out.getvalue()


def picture(state: State) -> Text:
    """The same as a rich text, for consoles that are there already."""
    words = state.game.words
    rows = _rows(state)
    width = max(cell_len(glyph.text) for glyph in (*words.letters.values(), words.empty))
    text = Text()
    first = state.game._rules.first_rank
    for rank, row in zip(range(first + len(rows) - 1, first - 1, -1), rows, strict=True):
        text.append(f"{rank:>3}", "dim")
        gap = 1
        for glyph in row:
            text.append(" " * gap)
            text.append(glyph.text, glyph.style)
            gap = width - cell_len(glyph.text) + 1
        text.append("\n")
    files = "abcdefghijklmnopqrstuvwxyz"[: len(rows[0])]
    text.append("    " + "".join(file.ljust(width + 1) for file in files).rstrip() + "\n", "dim")
    text.append(standing(state) + "\n")
    return text


def standing(state: State) -> str:
    """How the game stands, in one sentence."""
    words = state.game.words
    if state.is_chance:
        return "chance is to answer"
    if state.to_move is not None:
        return f"{words.players[state.to_move].en} to move"
    assert state.reason is not None
    why = words.reasons[state.reason].en
    margin = f" ({state.margin:+d})" if state.margin is not None else ""
    if state.winner is None:
        return f"draw: {why}{margin}"
    return f"{words.players[state.winner].en} wins: {why}{margin}"


def _rows(state: State) -> list[list[Glyph]]:
    words = state.game.words
    rows = []
    for rank in str(state).split(" ", maxsplit=1)[0].split("/"):
        row: list[Glyph] = []
        for letter in rank:
            row += [words.empty] * int(letter) if letter.isdigit() else [words.letters[letter]]
        rows.append(row)
    return rows
