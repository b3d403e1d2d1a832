"""A game as a file: moves with variations, comments, analyses and clocks. For other programs: docs/game_file.md.

    GameFile   game, start, seats, result, …
     └── Step   a move or an answer of chance, what is said about it, and what could have been played instead

What is read is checked: no unknown key, no wrong type, and every move of every variation is legal where it stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from qilin.errors import BadRecord
from qilin.players.analysis import Line
from qilin.state import Game, State
from qilin.words import Text

FORMAT, VERSION = "qilin-game", 1
MOST_STEPS = 20_000  # of one file, variations included
DEEPEST = 60  # variations within variations
LONGEST = 20_000  # characters of a comment

# Why a game ended that the rules did not end.
AGREED: Mapping[str, Text] = {
    "resignation": Text(en="the other side resigned", zh="对方认输"),
    "time": Text(en="the other side's time is up", zh="对方超时"),
    "agreement": Text(en="draw agreed", zh="双方同意和棋"),
    "adjudication": Text(en="adjudicated", zh="裁定"),
    "recorded": Text(en="as the record says", zh="据棋谱所载"),
    "abandoned": Text(en="the game was left", zh="对局中止"),
}
CONTRADICTIONS = {("resignation", True), ("agreement", False)}  # reason, and whether there is no winner


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who played."""

    name: str = ""
    player: str | None = None  # as `qilin.player` knows it; None: a person, or unknown
    rating: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What somebody thought of a position."""

    first: float | None = None  # the expected score of player 0, a draw counted half
    draw: float | None = None
    by: str = ""
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    lines: tuple[Line, ...] = ()  # best first; their `win` is that of the player to move


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The mover's time, in seconds."""

    used: float | None = None
    left: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A move, or an answer of chance."""

    move: str
    comment: str = ""
    marks: tuple[str, ...] = ()  # "!", "?", "!?", …
    opinion: Opinion | None = None  # of the position after the move
    clock: Clock | None = None
    variations: tuple[tuple[Step, ...], ...] = ()  # what could have been played instead of this move


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How the game ended: a reason of the rules, or one of AGREED."""

    winner: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFile:
    """A game with all that is known about it."""

    game: Game
    start: str
    steps: tuple[Step, ...] = ()
    seats: tuple[Seat, Seat] = (Seat(), Seat())
    result: Result | None = None  # None: not finished
    date: str = ""  # ISO 8601, as far as it is known
    event: str = ""
    comment: str = ""  # before the first move
    opinion: Opinion | None = None  # of the start
    time_control: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)  # what a source says beyond that

    def states(self) -> list[State]:
        """The positions of the game as it was played, the start first."""
        states = [self.game.parse(self.start)]
        for number, step in enumerate(self.steps):
            states.append(_played(states[-1], step, f"moves[{number}]"))
        return states

    def walk(self) -> Iterator[tuple[str, Step, State]]:
        """Every step of every variation, with where it stands in the file and the position it leads to."""
        yield from _walk(self.steps, self.game.parse(self.start), "moves")

    def as_json(self) -> dict[str, Any]:
        """The file as plain values: what stands at its default is left out."""
        from qilin.game_json import game_as_json

        return game_as_json(self)


def _played(state: State, step: Step, where: str) -> State:
    try:
        return state.play(step.move)
    except ValueError as error:
        raise BadRecord(f"{where}: {error}") from None


def _walk(steps: tuple[Step, ...], state: State, where: str, depth: int = 0) -> Iterator[tuple[str, Step, State]]:
    if depth > DEEPEST:
        raise BadRecord(f"{where}: expected at most {DEEPEST} variations within each other")
    for number, step in enumerate(steps):
        here = f"{where}[{number}]"
        after = _played(state, step, here)
        yield here, step, after
        for other, variation in enumerate(step.variations):
            yield from _walk(variation, state, f"{here}.variations[{other}]", depth + 1)
        state = after


def checked(file: GameFile) -> GameFile:
    """The same file, played through.

    :raises BadRecord: naming the place, what stands there and what was expected.
    """
    for count, (where, step, state) in enumerate(file.walk()):
        if count >= MOST_STEPS:
            raise BadRecord(f"the file has more than {MOST_STEPS} moves: expected at most so many")
        _check_opinion(step.opinion, state, f"{where}.opinion")
    end = file.states()[-1]
    _check_opinion(file.opinion, file.game.parse(file.start), "opinion")
    _check_result(file.result, end)
    return file


def _check_opinion(opinion: Opinion | None, state: State, where: str) -> None:
    for number, line in enumerate(opinion.lines if opinion else ()):
        after = state
        for move in line.moves:
            try:
                after = after.play(move)
            except ValueError as error:
                raise BadRecord(f"{where}.lines[{number}]: {error}") from None


def _check_result(result: Result | None, end: State) -> None:
    if not end.is_over:
        if result is not None and result.reason not in AGREED:
            raise BadRecord(
                f"result: the reason is {result.reason!r}, but by the rules the game is not over; expected one of "
                + ", ".join(AGREED)
            )
        if result is not None and (result.reason, result.winner is None) in CONTRADICTIONS:
            raise BadRecord(f"result: winner {result.winner} by {result.reason!r}: these exclude each other")
        return
    if result is not None and (result.winner, result.reason) != (end.winner, end.reason):
        raise BadRecord(
            f"result: winner {result.winner}, reason {result.reason!r}; by the rules it is "
            f"winner {end.winner}, reason {end.reason!r}"
        )


def file_of(state: State, *, opinions: Mapping[int, Opinion] | None = None, **known: Any) -> GameFile:
    """The game that led to `state`, from the position it was parsed or started from.

    `opinions`: of the positions after so many plies. `known`: fields of GameFile; where there is no `result` and the
    game is over, it is the rules'.
    """
    said = opinions or {}
    steps = tuple(Step(move=move, opinion=said.get(ply)) for ply, move in enumerate(state.history, 1))
    root = state
    while root.parent is not None:
        root = root.parent
    known.setdefault("result", result_of(state))
    return checked(GameFile(game=state.game, start=str(root), steps=steps, opinion=said.get(0), **known))


def result_of(state: State) -> Result | None:
    """How the rules ended the game; None while it is open."""
    return Result(winner=state.winner, reason=state.reason) if state.reason is not None else None


def opinion_of(state: State, lines: tuple[Line, ...], **known: Any) -> Opinion:
    """An opinion from lines of the player to move."""
    best = lines[0] if lines else None
    score = None if best is None else best.win + (best.draw or 0.0) / 2
    first = score if score is None or state.to_move == 0 else 1 - score
    return Opinion(first=first, draw=best.draw if best else None, lines=lines, **known)


def read_game(data: str | bytes) -> GameFile:
    """A game from the text of a file."""
    from qilin.game_json import game_from_json

    try:
        table = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"this is no JSON: {error}") from None
    return game_from_json(table)


def write_game(file: GameFile) -> str:
    """The text of a file: one line for each move of the game, so that changes can be read."""
    table = file.as_json()
    moves = table.pop("moves")
    head = json.dumps(table, ensure_ascii=False, indent=1).removesuffix("\n}")
    lines = ",\n".join("  " + json.dumps(step, ensure_ascii=False) for step in moves)
    return f'{head},\n "moves": [\n{lines}\n ]\n}}\n'
