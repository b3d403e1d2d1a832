"""Xiangqi as people write it: 炮二平五, C2=5, H2-E2, h2e2.

Chinese and WXF notation name the piece, where it stands, how it goes and how far; files count from the mover's right.

    piece     帅仕相马车炮兵 for Red, 将士象马车炮卒 for Black       K A E H R C P
    stands    its file: 一 … 九 for Red, 1 … 9 for Black             1 … 9
              or its place among its like on one file                front +, rear -
    goes      进 forward, 退 back, 平 sideways                       + - =  (some write . for =)
    how far   the file it arrives on; along a file, the number of points

Tandem soldiers, as the World Xiangqi Federation writes them:

    two in a file     前兵 后兵                      P+ P-
    three             前兵 中兵 后兵                 P+ P3 P-  (the middle one by its file)
    four              前兵 二兵 三兵 后兵            ++ P+ P- --
    five              前兵 二兵 三兵 四兵 后兵       ++ P+ P3 P- --
    on two files      前三 中三 后三 …               3+ 33 3- …  (place and file, instead of the piece)

Advisors and elephants in one file never go in the same direction: they are written by their file, and 前 and 后 are
read as well.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from qilin.notations import Notation, Notations, Speller
from qilin.state import State
from qilin.words import Text

RED_DIGITS, BLACK_DIGITS = "一二三四五六七八九", "123456789"
RED_NAMES = dict(zip("KABNRCP", "帅仕相马车炮兵", strict=True))
BLACK_NAMES = dict(zip("KABNRCP", "将士象马车炮卒", strict=True))
WXF_NAMES = dict(zip("KABNRCP", "KAEHRCP", strict=True))
DIAGONAL = "ABN"  # their distance is the file they arrive on
ONE_WAY = "AB"  # two in a file never go in the same direction
PLACES = {2: "前后", 3: "前中后", 4: "前二三后", 5: "前二三四后"}
WXF_PLACES = {2: ("+", "-"), 3: ("+", "", "-"), 4: ("++", "+", "-", "--"), 5: ("++", "+", "", "-", "--")}
ALIKE = str.maketrans("車俥馬傌砲包帅帥將仕相兵進後—－．·", "车车马马炮炮将将将士象卒进后--..")


@dataclass(frozen=True, slots=True)
class Going:
    """A move as people see it, files and ranks counted by the mover: file 1 on the right, forward is up."""

    piece: str  # upper case, whoever's
    file: int
    to_file: int
    steps: int  # forward; negative: back
    place: int  # among its like on the file, the foremost is 0
    likes: int  # how many of its like stand on the file
    crowded: int  # files that hold two or more of its like

    @property
    def distance(self) -> int:
        """What is said last: the file it arrives on, or the number of points."""
        return self.to_file if self.piece in DIAGONAL or not self.steps else abs(self.steps)


def _board(state: State) -> dict[tuple[int, int], str]:
    """Pieces by file, counted from a = 0, and rank."""
    board = {}
    for up, row in enumerate(str(state).split(" ", 1)[0].split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            board[file, 9 - up] = letter
            file += 1
    return board


def _going(board: dict[tuple[int, int], str], move: str, red: bool) -> Going:
    file, rank, to_file, to_rank = (ord(move[0]) - 97, int(move[1]), ord(move[2]) - 97, int(move[3]))
    letter, forward = board[file, rank], 1 if red else -1
    squares = [square for square, other in board.items() if other == letter]
    files = [f for f, _ in squares]
    likes = sorted((forward * r for f, r in squares if f == file), reverse=True)
    return Going(
        piece=letter.upper(),
        file=9 - file if red else file + 1,
        to_file=9 - to_file if red else to_file + 1,
        steps=forward * (to_rank - rank),
        place=likes.index(forward * rank),
        likes=len(likes),
        crowded=sum(files.count(f) > 1 for f in set(files)),
    )


def _chinese(state: State) -> Speller:
    board, red = _board(state), state.to_move == 0
    names, digits = (RED_NAMES, RED_DIGITS) if red else (BLACK_NAMES, BLACK_DIGITS)

    def spell(move: str) -> tuple[str, ...]:
        going = _going(board, move, red)
        way = "平" if not going.steps else "进" if going.steps > 0 else "退"
        tail = way + digits[going.distance - 1]
        return tuple(head + tail for head in _chinese_heads(going, names[going.piece], digits[going.file - 1]))

    return spell


def _chinese_heads(going: Going, name: str, file: str) -> Iterable[str]:
    by_file = name + file
    if going.likes == 1:
        return (by_file,)
    place = PLACES[going.likes][going.place]
    if going.piece in ONE_WAY:
        return by_file, place + name
    if going.crowded > 1:
        return place + file, place + name + file, by_file
    return place + name, by_file


def _wxf(state: State) -> Speller:
    board, red = _board(state), state.to_move == 0

    def spell(move: str) -> tuple[str, ...]:
        going = _going(board, move, red)
        tail = ("=" if not going.steps else "+" if going.steps > 0 else "-") + str(going.distance)
        return tuple(head + tail for head in _wxf_heads(going, WXF_NAMES[going.piece]))

    return spell


def _wxf_heads(going: Going, name: str) -> Iterable[str]:
    file = str(going.file)
    by_file = name + file
    if going.likes == 1:
        return (by_file,)
    place = WXF_PLACES[going.likes][going.place]
    if going.piece in ONE_WAY:
        return by_file, name + place, place + name
    if going.crowded > 1:
        return (file + (place or file),)
    if len(place) == 2:
        return (place,)
    return (name + place, place + name) if place else (by_file,)


def _iccs(state: State) -> Speller:
    return lambda move: (f"{move[:2]}-{move[2:]}".upper(),)


def _ucci(state: State) -> Speller:
    return lambda move: (move,)


def _fold_chinese(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text.strip()).translate(ALIKE)
    return folded.translate(str.maketrans(RED_DIGITS, BLACK_DIGITS))


def _fold_wxf(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text.strip()).translate(ALIKE).upper().replace(".", "=")
    return folded.translate(str.maketrans("NB", "HE"))


def _fold_iccs(text: str) -> str:
    return text.strip().upper().replace("-", "")


NOTATIONS = Notations(
    pgn_game="Chinese Chess",
    named={
        "chinese": Notation(
            words=Text(en="Chinese (炮二平五)", zh="中文（炮二平五）"), spell=_chinese, fold=_fold_chinese
        ),
        "wxf": Notation(words=Text(en="WXF (C2=5)", zh="WXF（C2=5）"), spell=_wxf, fold=_fold_wxf),
        "iccs": Notation(words=Text(en="ICCS (H2-E2)", zh="ICCS（H2-E2）"), spell=_iccs, fold=_fold_iccs),
        "ucci": Notation(words=Text(en="UCCI (h2e2)", zh="UCCI（h2e2）"), spell=_ucci, fold=str.lower),
    },
)
