"""Metrics as TensorBoard reads them, written without it.

An event file is a row of records: length, checksum, bytes, checksum. The bytes are a protobuf message `Event` with a
wall time, a step and a summary of tags and values (tensorflow/core/util/event.proto, core/framework/summary.proto).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

NAME = "events.out.tfevents.0.qilin"


def write_all(folder: Path, records: list[dict[str, Any]]) -> None:
    """Begin the folder's events anew, with these lines of metrics."""
    folder.mkdir(parents=True, exist_ok=True)
    head = _double(1, 0.0) + _bytes(3, b"brain.Event:2")
    (folder / NAME).write_bytes(_record(head) + b"".join(map(_event, records)))


def append(folder: Path, record: Mapping[str, Any]) -> None:
    """Add a line of metrics."""
    with (folder / NAME).open("ab") as file:
        file.write(_event(record))


def _event(record: Mapping[str, Any]) -> bytes:
    values = (_bytes(1, _bytes(1, tag.encode()) + _float(2, value)) for tag, value in scalars(record))
    step = _varint(2 << 3) + _varint(int(record["iteration"]))
    return _record(_double(1, float(record["time"])) + step + _bytes(5, b"".join(values)))


def scalars(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """Every number in a record, by its path."""
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from scalars(value, f"{prefix}{key}/")
        elif isinstance(value, int | float) and key not in ("iteration", "time"):
            yield prefix + key, float(value)


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _double(field: int, value: float) -> bytes:
    return _varint(field << 3 | 1) + struct.pack("<d", value)


def _float(field: int, value: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", value)


def _record(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + _masked(length) + data + _masked(data)


def _masked(data: bytes) -> bytes:
    """CRC-32C, turned and shifted as the format wants it."""
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def crc32c(data: bytes) -> int:
    """Castagnoli's checksum."""
    crc, table = 0xFFFFFFFF, _table()
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


@cache
def _table() -> tuple[int, ...]:
    def entry(number: int) -> int:
        for _ in range(8):
            number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
        return number

    return tuple(entry(number) for number in range(256))
