"""Where things are kept."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """`$QILIN_HOME`, or the user's data folder."""
    own = os.environ.get("QILIN_HOME")
    data = os.environ.get("XDG_DATA_HOME", "~/.local/share")
    return Path(own) if own else Path(data).expanduser() / "qilin"
