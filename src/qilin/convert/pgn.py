"""Portable game notation, for every game: tags, moves in any of the game's notations, comments, variations, marks.

    [Game "Chinese Chess"]
    [Red "Ann"]

    1. 炮二平五 {central cannon} 马8进7 (1... 炮8平5) 2. 马二进三 1-0

Files of older programs in GBK are read too. PGN holds less than our own files: analyses, clocks, reasons and marks of
one's own are left out, and a `}` in a comment is written `)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from qilin.convert.format import decoded
from qilin.errors import BadRecord, IllegalMove, QilinError
from qilin.game_file import DEEPEST, GameFile, Result, Seat, Step, checked, result_of
from qilin.games import GAMES
from qilin.notations import NATIVE, pgn_game, understood, write_move
from qilin.spec import parse_spec
from qilin.state import Game, State, game

WIDTH = 100  # of a line of moves
SCORES = {"1-0": 0, "0-1": 1, "1/2-1/2": None}
OPEN = "*"
TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|\(|\)|\$\d+|[^\s(){};]+")
TAG = re.compile(r'^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
NUMBER = re.compile(r"^\d+\.+")
MARKS = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}
CODES = {mark: code for code, mark in MARKS.items()}
MARKED = re.compile(r"([!?]{1,2})$")


def looks_like_pgn(data: bytes) -> bool:
    """Whether there is a tag at the beginning."""
    first = data.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0].strip()
    return bool(re.match(rb'\[\s*\w+\s+"', first))


def read_pgn(data: bytes, name: str | None = None) -> list[GameFile]:
    """All games of a file; `name`: the game, for files that do not name it."""
    files = []
    for number, (tags, moves) in enumerate(_split(decoded(data)), 1):
        try:
            files.append(_read(tags, moves, name))
        except QilinError as error:
            raise BadRecord(f"game {number}: {error}") from None
    if not files:
        raise BadRecord('the file holds no game: expected tags like [Game "…"] and moves')
    return files


def _split(text: str) -> Iterator[tuple[dict[str, str], str]]:
    """Tags and moves of every game; a tag after moves begins the next one."""
    tags: dict[str, str] = {}
    moves: list[str] = []
    in_comment = False
    for line in text.splitlines():
        found = None if in_comment else TAG.match(line)
        if found:
            if moves:
                yield tags, "\n".join(moves)
                tags, moves = {}, []
            tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        elif in_comment or (line.strip() and not line.startswith("%")):
            moves.append(line)
            in_comment = line.rfind("{") > line.rfind("}") or (in_comment and "}" not in line)
    if tags or moves:
        yield tags, "\n".join(moves)


def _read(tags: dict[str, str], moves: str, name: str | None) -> GameFile:
    left = dict(tags)
    played = _game(left, name)
    fen = left.pop("FEN", None)
    for written_anew in ("SetUp", "Format"):
        left.pop(written_anew, None)
    start = played.start() if fen is None else played.parse(fen)
    reader = _Reader(list(TOKEN.findall(moves)))
    steps = reader.line(start)
    score = left.pop("Result", OPEN) if reader.score is None else reader.score
    left.pop("Result", None)
    file = GameFile(
        game=played,
        start=str(start),
        steps=steps,
        seats=_seats(played, left),
        comment=reader.opening,
        tags=left,
        date=left.pop("Date", "").replace(".??", "").replace(".", "-").strip("?"),
        event=left.pop("Event", "").strip("?"),
        time_control=left.pop("TimeControl", ""),
    )
    return checked(replace(file, result=_result(file, score)))


def _game(tags: dict[str, str], name: str | None) -> Game:
    said = tags.pop("Game", "")
    options = dict(parse_spec(f":{tags.pop('Options', '')}").options)
    for known, words in GAMES.items():
        if said.lower() in {known, words.title.en.lower(), words.title.zh, pgn_game(known).lower()}:
            return game(known, **options)
    if name is None:
        raise BadRecord(f"the tag Game is {said!r}: expected one of {', '.join(GAMES)}")
    return game(name, **options)


def _seat_tags(played: Game) -> tuple[str, str]:
    """The tags that name the players: the seats' own names."""
    first, second = (words.en.split(" ")[0] for words in played.words.players)
    return first, second


def _seats(played: Game, tags: dict[str, str]) -> tuple[Seat, Seat]:
    first, second = _seat_tags(played)
    if first not in tags and "White" in tags and second != "White":
        first = "White"  # as chess programs call whoever begins
    names = [tags.pop(tag, "").strip("?") for tag in (first, second)]
    return Seat(name=names[0]), Seat(name=names[1])


def _result(file: GameFile, score: str) -> Result | None:
    by_rules = result_of(file.states()[-1])
    if score not in SCORES:
        return by_rules
    if by_rules is None:
        return Result(winner=SCORES[score], reason="recorded")
    if by_rules.winner != SCORES[score]:
        raise BadRecord(f"the result is {score!r}; by the rules it is winner {by_rules.winner}, {by_rules.reason!r}")
    return by_rules


@dataclass(slots=True)
class _Reader:
    """Reads tokens into steps."""

    tokens: list[str]
    at: int = 0
    prefer: str = NATIVE  # the notation that was understood last
    score: str | None = None
    opening: str = ""  # what is said before the first move

    def line(self, state: State, depth: int = 0) -> tuple[Step, ...]:
        """A line of moves up to its end, its variations in it. Depth 0 is the game, the rest stands in brackets."""
        if depth > DEEPEST:
            raise BadRecord(f"expected at most {DEEPEST} variations within each other")
        steps: list[Step] = []
        before = state
        for token in self._tokens_of_a_line(depth):
            if token == "(":
                self._variation(steps, before, depth)
            elif token[0] in "{;":
                self._comment(steps, token[1 : -1 if token[0] == "{" else None].strip())
            elif token.startswith("$"):
                self._mark(steps, MARKS.get(token, token))
            elif token in SCORES or token == OPEN:
                self.score = self.score if depth else token
            elif (read := self._move(state, token)) is not None:
                before, (state, step) = state, read
                steps.append(step)
        return tuple(steps)

    def _tokens_of_a_line(self, depth: int) -> Iterator[str]:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token == ")":
                if depth:
                    return
                raise BadRecord("a ')' closes a variation that was not opened")
            yield token
        if depth:
            raise BadRecord("a variation '(' is never closed: expected ')'")

    def _variation(self, steps: list[Step], before: State, depth: int) -> None:
        if not steps:
            raise BadRecord("a variation '(' stands before any move: expected it after the move it replaces")
        variation = self.line(before, depth + 1)
        steps[-1] = replace(steps[-1], variations=(*steps[-1].variations, variation))

    def _mark(self, steps: list[Step], mark: str) -> None:
        if steps:
            steps[-1] = replace(steps[-1], marks=(*steps[-1].marks, mark))

    def _comment(self, steps: list[Step], text: str) -> None:
        if steps:
            said = f"{steps[-1].comment} {text}".strip()
            steps[-1] = replace(steps[-1], comment=said)
        else:
            self.opening = f"{self.opening} {text}".strip()

    def _move(self, state: State, token: str) -> tuple[State, Step] | None:
        """The move that a token is; None where it is only a number."""
        marks = MARKED.search(token)
        bare = token[: marks.start()] if marks else token
        if NUMBER.fullmatch(bare) or bare.isdecimal():
            return None
        try:
            move, self.prefer = understood(state, bare, self.prefer)
        except IllegalMove:
            if NUMBER.sub("", bare) == bare:
                raise
            move, self.prefer = understood(state, NUMBER.sub("", bare), self.prefer)
        return state.play(move), Step(move=move, marks=(marks[1],) if marks else ())


def write_pgn(file: GameFile, notation: str | None = None) -> str:
    """The text of a PGN file."""
    name = notation or NATIVE
    first, second = _seat_tags(file.game)
    start = file.game.start()
    options = ",".join(f"{key}={value}" for key, value in file.game.options.items())
    tags = {
        "Game": pgn_game(file.game.name),
        "Event": file.event or "?",
        "Date": file.date[:10].replace("-", ".") or "????.??.??",
        first: file.seats[0].name or file.seats[0].player or "?",
        second: file.seats[1].name or file.seats[1].player or "?",
        "Result": _score(file),
        **({"Options": options} if file.game != game(file.game.name) else {}),
        **({"SetUp": "1", "FEN": file.start} if file.start != str(start) else {}),
        **({"Format": name} if notation else {}),
        **({"TimeControl": file.time_control} if file.time_control else {}),
        **file.tags,
    }
    head = [f'[{key} "{_quoted(value)}"]' for key, value in tags.items()]
    words = [
        *_said(file.comment),
        *_written(file.steps, file.game.parse(file.start), name, 1, again=True),
        _score(file),
    ]
    return "\n".join([*head, "", *_wrapped(words), ""])


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _score(file: GameFile) -> str:
    if file.result is None:
        return OPEN
    return next(text for text, winner in SCORES.items() if winner == file.result.winner)


def _said(comment: str) -> list[str]:
    return ["{" + comment.replace("}", ")") + "}"] if comment else []


def _written(steps: tuple[Step, ...], state: State, name: str, number: int, *, again: bool) -> Iterator[str]:
    """The words of a line. `number` counts the turns of the first player; `again`: a number is due, new or not."""
    for step in steps:
        if state.to_move == 0:
            yield f"{number}."
        elif again and state.to_move == 1:
            yield f"{number}..."
        yield write_move(state, step.move, name)
        yield from (CODES.get(mark, mark) for mark in step.marks if mark in CODES or mark.startswith("$"))
        yield from _said(step.comment)
        for variation in step.variations:
            yield "("
            yield from _written(variation, state, name, number, again=True)
            yield ")"
        again = bool(step.comment or step.variations)
        after = state.play(step.move)
        number += state.to_move == 1 and after.to_move != 1
        state = after


def _wrapped(words: list[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = ""
        glue = "" if not line or line.endswith("(") or word == ")" else " "
        line += glue + word
    yield line
