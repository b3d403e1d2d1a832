"""Files that are whole or not there: written beside their place, brought to the disk, then renamed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

PARTIAL = ".partial"  # ends the names of what is not whole yet


def write_whole(path: Path, data: bytes) -> None:
    """Replace the file at `path`. Whenever the machine stops, the old content is there, or the new one.

    :raises OSError: a full disk, say; what was written so far is taken away again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + PARTIAL)
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException as error:  # Ctrl-C leaves nothing behind either
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a full disk does not say where
        raise
    settle(path.parent)


def settle(folder: Path) -> None:
    """A rename lasts once its folder is on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def checksum(data: bytes) -> str:
    """What a file's content is recognised by."""
    return hashlib.sha256(data).hexdigest()
