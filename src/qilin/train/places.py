"""Where on the board a move happens, read from its name: what the policy heads are built from.

    c3      a point: the cell c3, and whether this is the first, second, … kind of move that names it alone
    c3c4    a path: an origin and a target
    d       a file
    0000    a word: anywhere

A convolutional head has one plane for each kind of point and each displacement; the move's logit stands at its cell.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from qilin.state import Game

NEAR = 2  # squares: pieces go straight ahead, or not farther than this sideways and forward at once


@dataclass(frozen=True, slots=True)
class Place:
    """Of one move: what of the board its name names. Cells are numbered row * cols + col."""

    origin: int | None = None
    target: int | None = None
    kind: int = 0  # of a point: how many moves before it name the same point
    file: int | None = None
    word: bool = False


class Places:
    """Of all moves of a game, in policy order. `None`: no piece can make this move."""

    def __init__(self, game: Game) -> None:
        """Read the names of all moves."""
        _, self.rows, self.cols = game.shape
        self._first_rank = game._rules.first_rank
        start, seen = game.start(), Counter[int]()
        self.moves: list[Place | None] = []
        for index in range(game.policy_size):
            place = self._read(start.move_text(index), seen)
            self.moves.append(place)

    def _read(self, text: str, seen: Counter[int]) -> Place | None:
        cells = [self._cell(square) for square in re.findall(r"[a-z]\d+", text)]
        if re.fullmatch(r"[a-z]", text):
            return Place(file=ord(text) - ord("a"))
        if re.fullmatch(r"([a-z]\d+)", text) and cells[0] is not None:
            seen[cells[0]] += 1
            return Place(target=cells[0], kind=seen[cells[0]] - 1)
        if re.fullmatch(r"([a-z]\d+){2}", text):
            return self._path(cells[0], cells[1])
        return Place(word=True) if text.isdecimal() else None

    def _cell(self, square: str) -> int | None:
        col, row = ord(square[0]) - ord("a"), int(square[1:]) - self._first_rank
        return row * self.cols + col if 0 <= col < self.cols and 0 <= row < self.rows else None

    def _path(self, origin: int | None, target: int | None) -> Place | None:
        if origin is None or target is None or origin == target:
            return None
        up, right = self._step(origin, target)
        possible = not up or not right or max(abs(up), abs(right)) <= NEAR
        return Place(origin=origin, target=target) if possible else None

    def _step(self, origin: int, target: int) -> tuple[int, int]:
        return target // self.cols - origin // self.cols, target % self.cols - origin % self.cols

    @property
    def cells(self) -> int:
        """Squares of the board."""
        return self.rows * self.cols

    def _plane_key(self, place: Place) -> tuple[int, int, int]:
        if place.origin is None or place.target is None:
            return (0, place.kind, 0)
        return (1, *self._step(place.origin, place.target))

    @cached_property
    def plane_keys(self) -> list[tuple[int, int, int]]:
        """The planes of a convolutional head, in order: kinds of points, then displacements."""
        on_board = [place for place in self.moves if place is not None and place.target is not None]
        return sorted({self._plane_key(place) for place in on_board})

    @cached_property
    def words(self) -> int:
        """How many moves are words."""
        return sum(place is not None and place.word for place in self.moves)

    @cached_property
    def files(self) -> int:
        """How many moves are files."""
        return sum(place is not None and place.file is not None for place in self.moves)

    def slots(self) -> list[int]:
        """For each move where its logit stands: planes, files, words, then one slot for all impossible moves."""
        plane_of = {key: number for number, key in enumerate(self.plane_keys)}
        beyond_planes = len(plane_of) * self.cells
        beyond_files = beyond_planes + (self.cols if self.files else 0)
        found, words = [], 0
        for place in self.moves:
            if place is None:
                found.append(beyond_files + self.words)
            elif place.word:
                found.append(beyond_files + words)
                words += 1
            elif place.file is not None:
                found.append(beyond_planes + place.file)
            else:
                cell = place.target if place.origin is None else place.origin
                assert cell is not None
                found.append(plane_of[self._plane_key(place)] * self.cells + cell)
        return found

    def parts(self) -> list[tuple[int, int]]:
        """For each move the two slots whose logits add up to its own, in the maps of a factored head.

        The maps: target, origin, then one for each further kind of point (selection), each of all cells; then files,
        words, and a slot that is always 0.
        """
        kinds = max((place.kind for place in self.moves if place is not None), default=0)
        beyond_maps = (2 + kinds) * self.cells
        beyond_files = beyond_maps + (self.cols if self.files else 0)
        zero = beyond_files + self.words
        found, words = [], 0
        for place in self.moves:
            if place is None:
                found.append((zero, zero))
            elif place.word:
                found.append((beyond_files + words, zero))
                words += 1
            elif place.file is not None:
                found.append((beyond_maps + place.file, zero))
            else:
                assert place.target is not None
                selection = place.target + (1 + place.kind) * self.cells if place.kind else place.target
                found.append((selection, zero if place.origin is None else place.origin + self.cells))
        return found

    @cached_property
    def maps(self) -> int:
        """How many maps a factored head has."""
        return 2 + max((place.kind for place in self.moves if place is not None), default=0)
