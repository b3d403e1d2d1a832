"""Xiangqi games of other programs: DhtmlXQ, also known as 东萍 UBB, below; and XQStudio's XQF (qilin.convert.xqf).

[DhtmlXQ_binit]8979…[/DhtmlXQ_binit]             where the 32 men stand: file from left, rank from top; 99: gone
[DhtmlXQ_movelist]77477062…[/DhtmlXQ_movelist]   from and to, four digits a move
[DhtmlXQ_move_0_3_1]…[/DhtmlXQ_move_0_3_1]       variation 1 leaves line 0, the game, and replaces its move 3
[DhtmlXQ_comment1_3]…[/DhtmlXQ_comment1_3]       after move 3, in line 1; comment2: in the game; || is a new line
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from qilin.convert.format import Format, decoded
from qilin.convert.xqf import MAGIC, TREE, Node, read_xqf
from qilin.errors import BadRecord
from qilin.game_file import DEEPEST, GameFile, Result, Seat, Step, checked, result_of
from qilin.state import State, game
from qilin.words import Text

GAME = "xiangqi"
MEN = "RNBAKABNRCCPPPPP"  # the order of binit, Red's first
GONE = "99"
FIELD = re.compile(r"\[DhtmlXQ_(\w+)\](.*?)\[/DhtmlXQ_\1\]", re.DOTALL)
RESULTS = {"红胜": 0, "红方胜": 0, "黑胜": 1, "黑方胜": 1, "和棋": None, "和局": None, "先和": None}
STUDIO_RESULTS = {1: 0, 2: 1, 3: None}
FROM_PLACE, TO_LINE = "||", "\n"


def looks_like_ubb(data: bytes) -> bool:
    """Whether it has fields of this kind."""
    return b"[DhtmlXQ" in data[:4096]


def read_ubb(data: bytes, name: str | None = None) -> list[GameFile]:
    """The game of a file."""
    said = {key: text.strip() for key, text in FIELD.findall(decoded(data))}
    lines = {0: (0, 1, _moves(said.pop("movelist", ""), "movelist"))}
    for key in [key for key in said if re.fullmatch(r"move_\d+_\d+_\d+", key)]:
        parent, ply, number = (int(part) for part in key.split("_")[1:])
        lines[number] = (parent, ply, _moves(said.pop(key), key))
    start = _start(said.pop("binit", ""), lines[0][2])
    comments = {key: said.pop(key) for key in list(said) if re.fullmatch(r"comment\d+(_\d+)?", key)}
    builder = _Builder(lines, {_where(key): text.replace(FROM_PLACE, TO_LINE) for key, text in comments.items()})
    file = GameFile(
        game=start.game,
        start=str(start),
        steps=builder.line(0, 1),
        seats=(Seat(name=said.pop("red", "")), Seat(name=said.pop("black", ""))),
        comment=builder.comments.get((0, 0), ""),
        event=said.pop("event", ""),
        date=said.pop("date", ""),
    )
    score = said.pop("result", "")
    return [checked(replace(file, result=_result(file, score), tags={k: v for k, v in said.items() if v}))]


def _moves(text: str, where: str) -> list[str]:
    digits = re.sub(r"\s", "", text)
    if not re.fullmatch(r"(\d{4})*", digits):
        raise BadRecord(f"{where} is {digits[:40]!r}, expected four digits a move")
    return [_square(*digits[i : i + 2]) + _square(*digits[i + 2 : i + 4]) for i in range(0, len(digits), 4)]


def _square(file: str, from_top: str) -> str:
    return "abcdefghij"[int(file)] + str(9 - int(from_top))


def _where(key: str) -> tuple[int, int]:
    """Line and ply of a comment."""
    numbers = [int(part) for part in key.removeprefix("comment").split("_")]
    return (0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])


def _start(places: str, moves: list[str]) -> State:
    played = game(GAME)
    if not places:
        return played.start()
    if not re.fullmatch(r"\d{64}", places):
        raise BadRecord(f"binit is {places[:70]!r}, expected 64 digits, two for each of 32 men")
    board: dict[str, str] = {}
    for number, man in enumerate(MEN + MEN.lower()):
        place = places[2 * number : 2 * number + 2]
        if place != GONE:
            board[_square(*place)] = man
    return _position(board, moves)


def _position(board: dict[str, str], moves: list[str]) -> State:
    """A position; whose turn it is shows in whose man moves first."""
    first = board.get(moves[0][:2], "R") if moves else "R"
    return game(GAME).parse(f"{_rows(board)} {'w' if first.isupper() else 'b'} - - 0 1")


def _rows(board: dict[str, str]) -> str:
    rows = ("".join(board.get(f"{file}{rank}", ".") for file in "abcdefghi") for rank in range(9, -1, -1))
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)


def _result(file: GameFile, score: str) -> Result | None:
    by_rules = result_of(file.states()[-1])
    return by_rules if by_rules or score not in RESULTS else Result(winner=RESULTS[score], reason="recorded")


@dataclass(slots=True)
class _Builder:
    """Hangs the variations where they belong."""

    lines: dict[int, tuple[int, int, list[str]]]  # parent, ply of the first move, moves
    comments: dict[tuple[int, int], str]
    _depth: int = field(init=False, default=0)

    def line(self, number: int, first: int) -> tuple[Step, ...]:
        """The steps of a line, which begins with ply `first`."""
        if self._depth > DEEPEST:
            raise BadRecord(f"variation {number}: expected at most {DEEPEST} variations within each other")
        self._depth += 1
        steps = tuple(self._step(number, ply, move) for ply, move in enumerate(self.lines[number][2], first))
        self._depth -= 1
        return steps

    def _step(self, number: int, ply: int, move: str) -> Step:
        leaving = [other for other, (parent, at, _) in self.lines.items() if other and (parent, at) == (number, ply)]
        variations = tuple(self.line(other, ply) for other in sorted(leaving))
        return Step(move=move, comment=self.comments.get((number, ply), ""), variations=variations)


def write_ubb(file: GameFile, notation: str | None = None) -> str:
    """The text of such a file."""
    fields = {
        "title": file.event or f"{file.seats[0].name} – {file.seats[1].name}",
        "event": file.event,
        "date": file.date,
        "red": file.seats[0].name,
        "black": file.seats[1].name,
        "result": _score(file),
        "binit": _places(file.start),
        "movelist": _digits(file.steps),
        "comment0": file.comment,
        **dict(_fields(file.steps)),
    }
    body = "\n".join(
        f"[DhtmlXQ_{key}]{text.replace(TO_LINE, FROM_PLACE)}[/DhtmlXQ_{key}]" for key, text in fields.items() if text
    )
    return f"[DhtmlXQ]\n{body}\n[/DhtmlXQ]\n"


def _score(file: GameFile) -> str:
    if file.result is None:
        return ""
    return next(text for text, winner in RESULTS.items() if winner == file.result.winner)


def _digits(steps: tuple[Step, ...]) -> str:
    return "".join(_place(step.move[:2]) + _place(step.move[2:]) for step in steps)


def _place(square: str) -> str:
    return f"{ord(square[0]) - 97}{9 - int(square[1])}"


def _places(start: str) -> str:
    places: dict[str, list[str]] = {}
    for from_top, row in enumerate(start.split(" ", 1)[0].split("/")):
        for file, letter in enumerate(re.sub(r"\d", lambda run: "." * int(run[0]), row)):
            places.setdefault(letter, []).append(f"{file}{from_top}")
    red = "".join(_next(places.get(man), -1) for man in MEN)
    return red + "".join(_next(places.get(man), 0) for man in MEN.lower())


def _next(places: list[str] | None, which: int) -> str:
    return places.pop(which) if places else GONE


def _fields(game_steps: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
    """Comments and variations, every variation with a number of its own."""
    number = 0
    waiting = [(0, 1, game_steps)]
    while waiting:
        line, first, steps = waiting.pop(0)
        for ply, step in enumerate(steps, first):
            if step.comment:
                yield f"comment{line}_{ply}" if line else f"comment{ply}", step.comment
            for variation in step.variations:
                number += 1
                yield f"move_{line}_{ply}_{number}", _digits(variation)
                waiting.append((number, ply, variation))


def read_studio(data: bytes, name: str | None = None) -> list[GameFile]:
    """The game of an XQF file."""
    found = read_xqf(data)
    board = {_numbered(at): man for man, at in zip(MEN + MEN.lower(), found.men, strict=True) if at is not None}
    steps = _studio_line(found.root)
    start = _position(board, [step.move for step in steps])
    texts = {key: text for key, text in found.texts.items() if text}
    file = GameFile(
        game=start.game,
        start=str(start),
        steps=steps,
        seats=(Seat(name=texts.pop("first", "")), Seat(name=texts.pop("second", ""))),
        event=texts.pop("event", ""),
        date=texts.pop("date", ""),
        comment=_one_line_ends(found.root.comment),
        tags=texts,
    )
    by_rules = result_of(file.states()[-1])
    said = Result(winner=STUDIO_RESULTS[found.result], reason="recorded") if found.result in STUDIO_RESULTS else None
    return [checked(replace(file, result=by_rules or said))]


def _numbered(square: int) -> str:
    return "abcdefghi"[square // 10] + str(square % 10) if square <= 89 else f"square {square}"


def _studio_line(node: Node, depth: int = 0) -> tuple[Step, ...]:
    """The moves below a node: first children one after the other, their siblings as variations."""
    if depth > DEEPEST:
        raise BadRecord(f"expected at most {DEEPEST} variations within each other")
    steps = []
    while node.children:
        node, *others = node.children
        variations = tuple((_studio_step(other), *_studio_line(other, depth + 1)) for other in others)
        steps.append(replace(_studio_step(node), variations=variations))
    return tuple(steps)


def _studio_step(node: Node) -> Step:
    return Step(move=_numbered(node.origin) + _numbered(node.target), comment=_one_line_ends(node.comment))


def _one_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


FORMATS = {
    "xqf": Format(
        words=Text(en="XQStudio (XQF)", zh="象棋演播室 XQF"),
        suffix=".xqf",
        mime="application/octet-stream",
        recognise=lambda data: data.startswith(MAGIC) and len(data) > TREE,
        read=read_studio,
        games=(GAME,),
    ),
    "ubb": Format(
        words=Text(en="DhtmlXQ (东萍 UBB)", zh="东萍 UBB 棋谱"),
        suffix=".ubb",
        mime="text/plain",
        recognise=looks_like_ubb,
        read=read_ubb,
        write=write_ubb,
        games=(GAME,),
    ),
}
