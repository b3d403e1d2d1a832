"""A position as a board shows it: letters, legal moves and their changes, counters, phase. Plain values, as JSON has.

Everything comes from the rules; no game is known here. A page, a picture and a game file draw from the same view. What
lies under a face-down piece is in no view: a position does not hold it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypedDict

from qilin.words import Text

if TYPE_CHECKING:
    from qilin import _core
    from qilin.state import Game, State

SQUARE = re.compile(r"[a-z]\d+")


class Said(TypedDict):
    """Words in both languages."""

    en: str
    zh: str


class Change(TypedDict):
    """What a ply does to a square. `unknown`: chance decides what will be there; then `after` is None."""

    square: str
    before: str | None
    after: str | None
    unknown: bool


def said(text: Text) -> Said:
    """Words as JSON has them."""
    return {"en": text.en, "zh": text.zh}


def view_of(state: State, *, moves: bool = True) -> dict[str, Any]:
    """The view of a position; without its legal moves where nobody is to choose one."""
    position, game = state._position, state.game
    cells, sets = cells_of(state), sets_of(position, game)
    return {
        "game": game.name,
        "options": game.options,
        "text": str(state),
        "rows": rows_of(cells, game),
        "rank0": game._rules.first_rank,
        "sets": sets,
        "to_move": state.to_move,
        "chance": state.is_chance,
        "over": over_of(state),
        "phase": phase_of(state),
        "counters": [counter_of(counter, game) for counter in position.counters()],
        "pool": pool_of(position, game),
        "scores": scores_of(position),
        "moves": moves_of(state, cells) if moves else [],
        "banned": [ends_of(text) for text in position.banned()],
        "last": last_of(state),
        "ply": len(state.history),
        "key": f"{state.key:016x}",
        "check": sets["check"]["squares"][0] if "check" in sets else None,
    }


def cells_of(state: State) -> str:
    """The letters of the board, top rank first, '.' where nothing stands."""
    board = str(state).split(" ", maxsplit=1)[0]
    return "".join("." * int(letter) if letter.isdigit() else letter for letter in board if letter != "/")


def rows_of(cells: str, game: Game) -> list[list[str | None]]:
    """Letters by rank, top rank first; None where nothing stands."""
    cols = game.shape[2]
    letters = [None if letter == "." else letter for letter in cells]
    return [letters[at : at + cols] for at in range(0, len(letters), cols)]


def square_at(game: Game, place: int) -> str:
    """The name of a place in `cells_of`."""
    _, rows, cols = game.shape
    return f"{chr(ord('a') + place % cols)}{rows - 1 - place // cols + game._rules.first_rank}"


def square_of(game: Game, cell: int) -> str:
    """The name of a cell as the rules count them, from the lowest rank's first file."""
    _, rows, cols = game.shape
    return square_at(game, (rows - 1 - cell // cols) * cols + cell % cols)


def cell_of(game: Game, square: str) -> int | None:
    """The cell that a square's name means; None where there is no such square."""
    _, rows, cols = game.shape
    if not SQUARE.fullmatch(square):
        return None
    col, row = ord(square[0]) - ord("a"), int(square[1:4]) - game._rules.first_rank
    inside = 0 <= col < cols and 0 <= row < rows and square_of(game, row * cols + col) == square
    return row * cols + col if inside else None


def ends_of(text: str) -> dict[str, Any]:
    """Where a ply begins and ends, as far as its text says."""
    squares = SQUARE.findall(text)
    if "".join(squares) != text:
        squares = []
    return {"text": text, "from": squares[0] if len(squares) > 1 else None, "to": squares[-1] if squares else None}


def moves_of(state: State, cells: str | None = None) -> list[dict[str, Any]]:
    """Every legal ply: text, from (None for a ply of one square), to (None for a pass), kind, what it changes, and what
    it shoots over.

    Kinds: place, step, capture, take (of a stone that is chosen), flip, pass.
    """
    before = cells_of(state) if cells is None else cells
    return [_move(state, before, reply) for reply in state._position.replies()]


def _move(state: State, before: str, reply: _core.Reply) -> dict[str, Any]:
    changes = _unsettled(state, before, reply.text) if reply.is_chance else changes_of(state.game, before, reply.cells)
    move = ends_of(reply.text)
    if move["to"] is None and len(changes) == 1:
        move["to"] = changes[0]["square"]  # the text names no square, as a column does
    flips = reply.is_chance and move["from"] is None
    kind = "flip" if flips else _kind(move, changes, before, state.game)
    over = screens_of(state, move["from"], move["to"]) if move["from"] else []
    return {**move, "kind": kind, "chance": reply.is_chance, "changes": changes, "screens": over}


def screens_of(state: State, start: str, to: str) -> list[str]:
    """The squares that a legal ply shoots over."""
    first, last = cell_of(state.game, start), cell_of(state.game, to)
    assert first is not None
    assert last is not None
    return [square_of(state.game, cell) for cell in state._position.screens(first, last)]


def changes_of(game: Game, before: str, after: str) -> list[Change]:
    """The squares at which two boards differ."""
    return [
        {"square": square_at(game, place), "before": _letter(old), "after": _letter(new), "unknown": False}
        for place, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    ]


def _unsettled(state: State, before: str, text: str) -> list[Change]:
    """The changes of a ply that chance answers: unknown where they hang on the answer."""
    pending = state.play(text)
    boards = [cells_of(pending.play(outcome)) for outcome in pending.outcomes()]
    return [
        {
            "square": square_at(state.game, place),
            "before": _letter(old),
            "after": None if len(set(letters)) > 1 else _letter(letters[0]),
            "unknown": len(set(letters)) > 1,
        }
        for place, (old, letters) in enumerate(zip(before, zip(*boards, strict=True), strict=True))
        if set(letters) != {old}
    ]


def _letter(letter: str) -> str | None:
    return None if letter == "." else letter


def _kind(move: dict[str, Any], changes: list[Change], before: str, game: Game) -> str:
    if move["to"] is None:
        return "pass"
    target = next((change for change in changes if change["square"] == move["to"]), None)
    taken = before[_place(game, move["to"])] != "."
    if move["from"] is not None:
        return "capture" if taken else "step"
    return "take" if taken and target is not None else "place"


def _place(game: Game, square: str) -> int:
    _, rows, cols = game.shape
    cell = cell_of(game, square)
    assert cell is not None
    return (rows - 1 - cell // cols) * cols + cell % cols


def sets_of(position: _core.Position, game: Game) -> dict[str, Any]:
    """Sets of squares worth showing, by name, with words."""
    names, words = game._rules.set_names, game.words.sets
    return {
        names[index]: {"words": said(words[names[index]]), "squares": [square_of(game, cell) for cell in cells]}
        for index, cells in position.sets()
    }


def counter_of(counter: _core.Counter, game: Game) -> dict[str, Any]:
    """Something that is counted; at its limit something ends."""
    name = game._rules.counter_names[counter.name]
    words = said(game.words.counters[name])
    return {
        "name": name,
        "words": words,
        "player": counter.player,
        "value": counter.value,
        "limit": counter.limit,
    }


def phase_of(state: State) -> dict[str, Any] | None:
    """The part of a turn that the player is in, and how many plies of it are left, of how many."""
    found = state._position.phase()
    if found is None or state.is_over:
        return None
    index, left = found
    name = state.game._rules.phase_names[index]
    return {
        "name": name,
        "words": said(state.game.words.phases[name]),
        "left": left or None,
        "of": left + _done(state) if left else None,
    }


def _done(state: State) -> int:
    """How many plies of this phase the player has made already."""
    now, parent, done = state._position.phase(), state.parent, 0
    while now is not None and parent is not None and parent.to_move == state.to_move:
        then = parent._position.phase()
        if then is None or then[0] != now[0]:
            break
        done, parent = done + 1, parent.parent
    return done


def pool_of(position: _core.Position, game: Game) -> list[dict[str, Any]]:
    """What chance may still turn up: letters, how many there are, and the probability of each."""
    names, pool = game._rules.outcome_names, position.pool()
    total = sum(count for _, count in pool)
    return [{"letter": names[index], "count": count, "probability": count / total} for index, count in pool]


def scores_of(position: _core.Position) -> list[int] | None:
    """What each player has."""
    scores = position.scores()
    return None if scores is None else list(scores)


def over_of(state: State) -> dict[str, Any] | None:
    """How the game ended by the rules; None while it goes on."""
    if state.reason is None:
        return None
    words = said(state.game.words.reasons[state.reason])
    return {"winner": state.winner, "reason": state.reason, "words": words, "margin": state.margin}


def last_of(state: State) -> dict[str, Any] | None:
    """The ply, or the answer of chance, that led here."""
    parent = state.parent
    if parent is None:
        return None
    text = state.history[-1]
    changes = changes_of(state.game, cells_of(parent), cells_of(state))
    if parent.is_chance:
        return {**_turned(parent), "text": text, "by": None, "changes": changes}
    ends = ends_of(text)
    if ends["to"] is None and len(changes) == 1:
        ends["to"] = changes[0]["square"]
    return {**ends, "by": parent.to_move, "changes": changes}


def _turned(state: State) -> dict[str, Any]:
    """Where the ply that chance answers went; it has a `from` where a piece went to take what was hidden."""
    return {"from": None, "to": None} if state.parent is None else ends_of(state.history[-1])
