"""What a kind of game file is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qilin.errors import BadRecord
from qilin.game_file import GameFile
from qilin.words import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A kind of file."""

    words: Text
    suffix: str
    mime: str
    recognise: Callable[[bytes], bool] = lambda _: False
    read: Callable[[bytes, str | None], list[GameFile]] | None = None  # with the game's name, for files that do not say
    write: Callable[[GameFile, str | None], str] | None = None  # with the name of a notation; None: it is only read
    games: tuple[str, ...] | None = None  # None: of all games


def decoded(data: bytes) -> str:
    """UTF-8, or GB 18030 as older Chinese programs write it."""
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadRecord(f"the text is neither UTF-8 nor GB 18030: it begins with {data[:40]!r}")
