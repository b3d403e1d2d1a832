"""Where networks lie, and what they say about themselves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from qilin.errors import BadNetwork

WEIGHTS, GRAPH = ".safetensors", ".onnx"
IN_FOLDER = ("best", "network")  # a run folder's network, a checkpoint's
HEADER = "qilin"  # the key of an ONNX file's metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a network file says about itself."""

    game: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)  # iteration, samples and the like
    source: str | None = None  # SHA-256 of the weights that an ONNX file was made from

    @classmethod
    def of(cls, meta: Mapping[str, Any], source: str | None = None) -> Self:
        """From what stands in a file of weights."""
        rest = {key: value for key, value in meta.items() if key not in ("game", "options")}
        return cls(game=meta["game"], options=meta.get("options", {}), meta=rest, source=source)

    def as_text(self) -> dict[str, str]:
        """For an ONNX file's metadata, whose values are texts."""
        return {HEADER: json.dumps(asdict(self), sort_keys=True)}

    @classmethod
    def from_text(cls, metadata: Mapping[str, str], path: Path) -> Self:
        """What `as_text` wrote.

        :raises BadNetwork: for a file that Qilin did not write.
        """
        try:
            return cls(**json.loads(metadata[HEADER]))
        except (KeyError, TypeError, ValueError):
            raise BadNetwork(f"{path} does not say what it plays: expected an ONNX file of `qilin export`") from None


def find(path: Path) -> Path:
    """The network that a path means: a file, a run folder's best, a checkpoint's.

    :raises BadNetwork: saying what was looked for.
    """
    if path.is_file():
        if path.suffix in (WEIGHTS, GRAPH):
            return path
        raise BadNetwork(
            f"{str(path)!r} is no network, expected a file ending in {WEIGHTS} or {GRAPH}, or a run folder"
        )
    looked = [path / f"{stem}{suffix}" for stem in IN_FOLDER for suffix in (WEIGHTS, GRAPH)]
    for file in looked:
        if file.is_file():
            return file
    if path.is_dir():
        raise BadNetwork(f"there is no network in {str(path)!r} yet, expected {looked[0].name}, as runs have")
    raise BadNetwork(f"there is no {str(path)!r}, expected a network ({WEIGHTS}, {GRAPH}) or a run folder")


def fingerprint(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
