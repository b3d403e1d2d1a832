"""Lines of play that clients send, as states; and why a ply is not legal in one."""

from __future__ import annotations

import asyncio
from typing import Any

from qilin.errors import IllegalMove
from qilin.state import State, game
from qilin.view import cell_of, ends_of, moves_of, said, square_of
from qilin.web.errors import Invalid
from qilin.web.schemas import LineOfPlay
from qilin.web.table import draw_chance
from qilin.words import Text

LONG = 100  # plies; replaying more than this leaves the event loop

LEGAL = Text(en="That is legal.", zh="这步可以走。")
OVER = Text(en="The game is over.", zh="棋局已经结束。")
CHANCE = Text(en="Chance is to answer first.", zh="先要等翻子的结果。")
NO_SQUARE = Text(en="That is no square of this board.", zh="棋盘上没有这个位置。")
REPEATS = Text(en="The rules on repetition forbid it.", zh="循环规则禁止这步。")
UNKNOWN = Text(en="The rules do not allow it.", zh="规则不允许这步。")


def replay(line: LineOfPlay) -> State:
    """The state that a line leads to.

    :raises QilinError: quoting what is wrong.
    """
    of = game(line.game, **line.options)
    state = of.start() if line.position is None else of.parse(line.position)
    for number, move in enumerate(line.moves, 1):
        try:
            state = state.play(move)
        except IllegalMove as error:
            raise Invalid(f"text {number} of the line: {error}") from None
    return state


async def state_of(line: LineOfPlay) -> State:
    """The same, without holding up others."""
    return replay(line) if len(line.moves) < LONG else await asyncio.to_thread(replay, line)


def played(state: State, move: str, outcome: str | None = None) -> tuple[State, list[str]]:
    """The state after a ply, chance answered, and the texts that led there."""
    state, texts = state.play(move), [move]
    while state.is_chance:
        answer = outcome or draw_chance(state)
        state, outcome = state.play(answer), None
        texts.append(answer)
    if outcome is not None:
        raise Invalid(f"outcome is {outcome!r}, and chance does not answer {move!r}")
    return state, texts


def start_of(state: State) -> str:
    """The text of the position that a state's history follows."""
    while state.parent is not None:
        state = state.parent
    return str(state)


def explain(state: State, start: str | None, to: str | None, move: str | None) -> dict[str, Any]:
    """Whether a ply is legal, and why not: {legal, reason, words, squares}."""
    if move is not None:
        ends = ends_of(move)
        start, to = ends["from"], ends["to"]
    if state.is_over or state.is_chance:
        return _answer("over" if state.is_over else "chance", OVER if state.is_over else CHANCE)
    legal = moves_of(state)
    if any(known["text"] == move if move else (known["from"], known["to"]) == (start, to) for known in legal):
        return {**_answer(None, LEGAL), "legal": True}
    return _why(state, start, to)


def _why(state: State, start: str | None, to: str | None) -> dict[str, Any]:
    cells = [None if square is None else cell_of(state.game, square) for square in (start, to)]
    if cells[1] is None or (start is not None and cells[0] is None):
        return _answer("no_square", NO_SQUARE)
    found = state._position.why_not(-1 if cells[0] is None else cells[0], cells[1])
    if found is None:
        banned = any(ends_of(text)["to"] == to for text in state._position.banned())
        return _answer("repetition", REPEATS) if banned else _answer("rules", UNKNOWN)
    name = state.game._rules.why_names[found[0]]
    return _answer(name, state.game.words.whys[name], [square_of(state.game, cell) for cell in found[1]])


def _answer(reason: str | None, words: Text, squares: list[str] | None = None) -> dict[str, Any]:
    return {"legal": False, "reason": reason, "words": said(words), "squares": squares or []}
