"""A game in the terminal: the board, a prompt, an opponent."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from rich.console import Console

from qilin.drawing import picture
from qilin.errors import IllegalMove
from qilin.players import Player
from qilin.state import State

HELP = "type a move ({moves}), or: ? legal moves · undo · hint · text · quit"


class Quit(Exception):
    """The person has had enough."""


def play(
    state: State,
    players: Mapping[int, Player],
    console: Console,
    *,
    seed: int | None = None,
    hint: Player | None = None,
) -> State:
    """Play from `state` to its end; seats that are not in `players` are asked at the prompt. Answers the last state."""
    rng = random.Random(seed)
    console.print(f"[bold]{state.game.words.title.en}[/] {state.game.words.title.zh}")
    console.print(f"[dim]{HELP.format(moves=state.game.words.moves.en)}[/]")
    try:
        while not state.is_over:
            state = _step(state, players, console, rng, hint)
    except (Quit, KeyboardInterrupt):
        console.print("[dim]the game was left at[/] " + str(state), soft_wrap=True)
        return state
    console.print(picture(state))
    return state


def _step(
    state: State, players: Mapping[int, Player], console: Console, rng: random.Random, hint: Player | None
) -> State:
    if state.is_chance:
        names, chances = zip(*state.outcomes().items(), strict=True)
        outcome = rng.choices(names, chances)[0]
        glyph = state.game.words.letters[outcome]
        console.print(f"  chance turns up [bold]{outcome}[/] {glyph.text}")
        return state.play(outcome)
    assert state.to_move is not None
    if state.to_move not in players:
        console.print(picture(state))
        return _ask(state, players, console, hint)
    move = players[state.to_move].choose(state)
    console.print(f"  {state.game.words.players[state.to_move].en} plays [bold]{move}[/]")
    return state.play(move)


def _ask(state: State, players: Mapping[int, Player], console: Console, hint: Player | None) -> State:
    commands: dict[str, Callable[[], None]] = {
        "?": lambda: console.print(" ".join(state.moves()), soft_wrap=True),
        "text": lambda: console.print(str(state), soft_wrap=True),
        "hint": lambda: console.print(
            f"  {hint.name} would play [bold]{hint.choose(state)}[/]" if hint else "no hints"
        ),
    }
    while True:
        typed = _read(console)
        if typed in {"quit", "exit", "q"}:
            raise Quit
        if typed == "undo":
            return _undo(state, players)
        if typed in commands:
            commands[typed]()
        elif typed:
            try:
                return state.play(typed)
            except IllegalMove:
                near = [move for move in state.moves() if move.startswith(typed)]
                console.print(f"  {typed!r} is not legal here; {_known(near or state.moves())}", markup=False)


def _read(console: Console) -> str:
    try:
        return console.input("> ").strip()
    except EOFError:
        raise Quit from None


def _known(moves: list[str], most: int = 12) -> str:
    shown = " ".join(moves[:most])
    return f"try {shown}" + (f" … ({len(moves)} in all: type ?)" if len(moves) > most else "")


def _undo(state: State, players: Mapping[int, Player]) -> State:
    """The last state before this in which a person was to move; the first one if there is none."""
    parent = state.parent
    while parent is not None:
        if parent.to_move is not None and parent.to_move not in players:
            return parent
        parent = parent.parent
    return state
