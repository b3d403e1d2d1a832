"""Samples on disk: a line of JSON, then an array in numpy's own format, compressed. No pickle.

{"checksum": "…", "iteration": 12, …}\\n
zlib.compress(the bytes of a .npy file)
"""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qilin.errors import BadCheckpoint
from qilin.train.disk import checksum, write_whole

Samples = NDArray[np.void]  # a structured array; its fields are those of cpp/search/sample.hpp


def stacked(parts: Sequence[Samples]) -> Samples:
    """Samples one after the other. By their bytes: numpy would leave out the gaps between fields."""
    kind = parts[0].dtype
    rows = [np.ascontiguousarray(part).view(np.uint8).reshape(len(part), kind.itemsize) for part in parts]
    return np.concatenate(rows).view(kind).reshape(-1)


def write_shard(path: Path, samples: Samples, about: Mapping[str, Any]) -> None:
    """Write a shard; `about` goes into its first line."""
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(samples), allow_pickle=False)
    packed = zlib.compress(file.getbuffer(), 1)
    write_whole(path, json.dumps(_header(about, packed)).encode() + b"\n" + packed)


def _header(about: Mapping[str, Any], packed: bytes) -> dict[str, Any]:
    facts = {key: value for key, value in about.items() if key != "checksum"}
    return facts | {"checksum": checksum(json.dumps(facts, sort_keys=True).encode() + packed)}


def read_shard(path: Path, expected: str | None = None) -> Samples:
    """The samples of a shard.

    :raises BadCheckpoint: naming a shard that is missing, damaged, or not the one with the `expected` checksum.
    """
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
        header = json.loads(head)
        if header != _header(header, packed):
            raise ValueError("its content does not have the checksum it was written with")
        samples = np.lib.format.read_array(io.BytesIO(zlib.decompress(packed)), allow_pickle=False)
    except FileNotFoundError:
        raise BadCheckpoint(f"the shard {str(path)!r} is missing") from None
    except (OSError, ValueError, AttributeError, zlib.error) as error:
        raise BadCheckpoint(f"the shard {str(path)!r} is damaged: {error}") from None
    if expected is not None and header["checksum"] != expected:
        raise BadCheckpoint(f"the shard {str(path)!r} is not the one that the checkpoint was written with")
    return samples


def shard_checksum(path: Path) -> str:
    """What a shard says its checksum is."""
    with path.open("rb") as file:
        return str(json.loads(file.readline())["checksum"])
