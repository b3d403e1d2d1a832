"""TensorBoard's files, read back by the rules of their format."""

import struct
from pathlib import Path
from typing import Any

from qilin.train.tensorboard import NAME, append, crc32c, scalars, write_all

LINE: dict[str, Any] = {"iteration": 300, "time": 1.5e9, "games": 7, "loss": {"policy": 1.25}, "gpu_memory": None}


def records(data: bytes) -> list[bytes]:
    """The records of a file, whose checksums are right."""
    found = []
    while data:
        (length,) = struct.unpack_from("<Q", data)
        body = data[12 : 12 + length]
        for part, at in ((data[:8], 8), (body, 12 + length)):
            crc = crc32c(part)
            assert struct.unpack_from("<I", data, at)[0] == ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
        found.append(body)
        data = data[16 + length :]
    return found


def test_the_checksum_is_castagnolis() -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA


def test_numbers_are_found_by_their_path() -> None:
    assert dict(scalars(LINE)) == {"games": 7.0, "loss/policy": 1.25}


def test_events_are_written_and_added(tmp_path: Path) -> None:
    write_all(tmp_path, [LINE])
    append(tmp_path, {**LINE, "iteration": 301})
    head, first, second = records((tmp_path / NAME).read_bytes())
    assert b"brain.Event:2" in head
    assert first[:9] == b"\x09" + struct.pack("<d", 1.5e9)
    assert first[9:12] == b"\x10\xac\x02"  # field 2, the step: 300
    assert second[9:12] == b"\x10\xad\x02"
    assert b"\x0a\x0bloss/policy\x15" + struct.pack("<f", 1.25) in first
    write_all(tmp_path, [])
    assert len(records((tmp_path / NAME).read_bytes())) == 1
