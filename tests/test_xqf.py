"""XQStudio's files. These tests scramble their own: real files, of versions 10, 12, 16 and 18, were read when this was
written, but are not ours to keep.
"""

import random
import struct

import pytest

import qilin
from qilin.convert import read_games
from qilin.convert.xqf import SALT, TEXTS, read_xqf
from qilin.game_file import Result

START = [80, 70, 60, 50, 40, 30, 20, 10, 0, 72, 12, 83, 63, 43, 23, 3]
START += [9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46, 66, 86]
# origin, target, flags (0x80: a move follows, 0x40: another in its place), comment
NODES = [
    (0, 0, 0x80, "全局"),
    (72, 42, 0x80, "中炮"),
    (79, 67, 0xC0, ""),
    (70, 62, 0x80, ""),
    (89, 79, 0x00, "完"),
    (77, 47, 0x80, "顺炮"),
    (70, 62, 0x00, ""),
]


def stirred(key: int) -> int:
    return (((key * key * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8


def file_of_version(version: int, seed: int = 1) -> bytes:
    """A file as the program writes it."""
    rng = random.Random(seed)
    head = bytearray(1024)
    head[:3] = b"XQ" + bytes([version])
    place = origin = target = remark = 0
    stream = bytes(32)
    if version > 10:
        head[3:16] = rng.randbytes(13)
        mixed = [(head[12 + i] & head[3]) | head[8 + i] for i in range(4)]
        stream = bytes(letter & mixed[at % 4] for at, letter in enumerate(SALT))
        place = stirred(head[13]) * head[13] % 256
        origin = stirred(head[14]) * place % 256
        target = stirred(head[15]) * origin % 256
        remark = (head[12] * 256 + head[13]) % 65536 % 32000 + 767
    for at, square in enumerate(START):
        head[16 + ((at - place - 1) % 32 if version >= 12 else at)] = (square + place) % 256
    head[51] = 1
    for name, text in {"first": "柳大华", "event": "五羊杯"}.items():
        raw = text.encode("gb18030")
        head[TEXTS[name] : TEXTS[name] + 1 + len(raw)] = bytes([len(raw)]) + raw
    body = bytearray()
    for a, b, flags, comment in NODES:
        raw = comment.encode("gb18030")
        old = (0xF0 if flags & 0x80 else 0) | (0x0F if flags & 0x40 else 0)
        new = flags | (0x20 if raw else 0)
        body += bytes([(a + 24 + origin) % 256, (b + 32 + target) % 256, old if version <= 10 else new, 0])
        body += struct.pack("<i", len(raw) + remark) if raw or version <= 10 else b""
        body += raw
    return bytes(head) + bytes((byte + stream[(1024 + at) % 32]) % 256 for at, byte in enumerate(body))


@pytest.mark.parametrize("version", [10, 11, 12, 16, 18])
def test_files_of_every_version_are_read(version: int) -> None:
    for seed in range(5):
        [file] = read_games(file_of_version(version, seed))
        assert [step.move for step in file.steps] == ["h2e2", "h9g7", "h0g2", "i9h9"]
        assert (file.comment, file.steps[0].comment, file.steps[3].comment) == ("全局", "中炮", "完")
        [variation] = file.steps[1].variations
        assert [step.move for step in variation] == ["h7e7", "h0g2"]
        assert (file.seats[0].name, file.event) == ("柳大华", "五羊杯")
        assert file.result == Result(winner=0, reason="recorded")


def test_damaged_files_are_refused() -> None:
    whole = file_of_version(18)
    for end in (3, 1000, 1026, len(whole) - 3):
        with pytest.raises(qilin.QilinError):
            read_games(whole[:end], form="xqf")
    rng = random.Random(3)
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(rng.randint(1, 6)):
            broken[rng.randrange(2, len(broken))] = rng.randrange(256)
        try:
            read_games(bytes(broken))
        except qilin.QilinError:
            continue


def test_a_file_that_turns_in_circles_ends() -> None:
    """Flags that promise ever more moves run into the end of the file."""
    endless = file_of_version(10)[:1024] + bytes([24, 32, 0xFF, 0, 0, 0, 0, 0]) * 60_000
    with pytest.raises(qilin.BadRecord, match="more than 50000 moves"):
        read_xqf(endless)
