"""The binary game files of 象棋演播室 (XQStudio): header, keys, pieces, a tree of moves with comments.

    0    "XQ", version, mask, product; from 8 four masks, the sum of the keys, keys for places, origins and targets
    16   32 bytes: where the men stand, file × 10 + rank from the lower left; more than 89: gone
    50   who moves first; 51 the result: 1 the first player won, 2 the second, 3 a draw
    80   texts, each with its length in front, in GB 18030
    1024 the tree: origin, target, flags, and, where a flag says so, a comment with its length

After version 10 all of it is scrambled by the keys. A node's first child follows it; then come its siblings.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from qilin.errors import BadRecord

MAGIC = b"XQ"
TREE = 1024
PLAIN, TURNED = 10, 12  # up to this version nothing is scrambled; from this one on the men are in another order too
SALT = b"[(C) Copyright Mr. Dong Shiwei.]"
TEXTS = {"title": 80, "event": 208, "date": 272, "place": 288, "first": 304, "second": 320, "time_rule": 336}
TEXTS |= {"first_time": 400, "second_time": 416, "annotator": 464, "author": 480}
CHILD, SIBLING, REMARK = 0x80, 0x40, 0x20
LARGEST_NODES = 50_000


@dataclass(slots=True)
class Node:
    """A move, by the numbers of its squares, with what was said about it and the moves that may follow."""

    origin: int
    target: int
    comment: str
    children: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Read:
    """All that a file holds."""

    men: tuple[int | None, ...]  # squares of the 32 men, None: gone
    result: int  # as it stands at 51
    texts: dict[str, str]
    root: Node  # its own move means nothing


@dataclass(frozen=True, slots=True)
class Keys:
    """What the file is scrambled with."""

    place: int = 0
    origin: int = 0
    target: int = 0
    remark: int = 0
    stream: bytes = bytes(32)


def read_xqf(data: bytes) -> Read:
    """A file's contents.

    :raises BadRecord: where it is none, or ends too early.
    """
    if not data.startswith(MAGIC) or len(data) <= TREE:
        raise BadRecord(f"this is no XQF file: it begins with {data[:16]!r}")
    keys = _keys(data)
    return Read(
        men=tuple(_men(data, keys)),
        result=data[51],
        texts={name: _text(data[at + 1 : at + 1 + data[at]]) for name, at in TEXTS.items()},
        root=_Tree(data, keys, is_old=data[2] <= PLAIN).read(),
    )


def _keys(data: bytes) -> Keys:
    if data[2] <= PLAIN:
        return Keys()
    mask, masks, total, place, origin, target = data[3], data[8:12], data[12], data[13], data[14], data[15]
    mixed = [(key & mask) | other for key, other in zip((total, place, origin, target), masks, strict=True)]
    first = _stirred(place) * place % 256
    second = _stirred(origin) * first % 256
    return Keys(
        place=first,
        origin=second,
        target=_stirred(target) * second % 256,
        remark=(total * 256 + place) % 65536 % 32000 + 767,
        stream=bytes(letter & mixed[at % 4] for at, letter in enumerate(SALT)),
    )


def _stirred(key: int) -> int:
    return (((key * key * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8


def _men(data: bytes, keys: Keys) -> Iterator[int | None]:
    raw = data[16:48]
    if data[2] >= TURNED:
        turned = bytearray(32)
        for at, place in enumerate(raw):
            turned[(keys.place + at + 1) % 32] = place
        raw = bytes(turned)
    for place in raw:
        square = (place - keys.place) % 256
        yield square if square <= 89 else None


def _text(raw: bytes) -> str:
    return raw.decode("gb18030", errors="replace").strip("\0 ")


class _Tree:
    """Reads the nodes, one after the other."""

    def __init__(self, data: bytes, keys: Keys, *, is_old: bool) -> None:
        self._data, self._keys, self._is_old = data, keys, is_old
        self._at = TREE

    def read(self) -> Node:
        """The root with all that is below it."""
        root, flags = self._node()
        waiting = [root] if flags & CHILD else []  # nodes whose next child is to be read, the innermost last
        for _ in range(LARGEST_NODES):
            if not waiting:
                return root
            parent = waiting[-1]
            node, flags = self._node()
            parent.children.append(node)
            if not flags & SIBLING:
                waiting.pop()
            if flags & CHILD:
                waiting.append(node)
        raise BadRecord(f"the file has more than {LARGEST_NODES} moves")

    def _node(self) -> tuple[Node, int]:
        origin, target, flags, _ = self._bytes(4)
        if self._is_old:
            flags = (CHILD if flags & 0xF0 else 0) | (SIBLING if flags & 0x0F else 0) | REMARK
        length = 0
        if flags & REMARK:
            (length,) = struct.unpack("<i", self._bytes(4))
            length -= self._keys.remark
        comment = _text(self._bytes(length))
        node = Node((origin - 24 - self._keys.origin) % 256, (target - 32 - self._keys.target) % 256, comment)
        return node, flags

    def _bytes(self, count: int) -> bytes:
        """The next bytes, unscrambled."""
        end = self._at + count
        if count < 0 or end > len(self._data):
            raise BadRecord(f"the file ends at byte {len(self._data)}, in the middle of a move")
        raw = self._data[self._at : end]
        stream = self._keys.stream
        clear = bytes((byte - stream[at % 32]) % 256 for at, byte in enumerate(raw, self._at))
        self._at = end
        return clear
