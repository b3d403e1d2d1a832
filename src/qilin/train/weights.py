"""Networks on disk: safetensors, with all that is needed to build the network again in the header."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from qilin.errors import BadCheckpoint, QilinError
from qilin.state import game
from qilin.train.disk import checksum, write_whole
from qilin.train.network import NetConfig, Network, build, for_play

KEY = "qilin"  # of the header's entry


def save_network(path: Path, network: Network, config: NetConfig, meta: Mapping[str, Any]) -> None:
    """Write the weights. `meta` names at least the `game`; its `options` are good company."""
    write_whole(path, network_bytes(network.state_dict(), config, meta))


def network_bytes(weights: Mapping[str, torch.Tensor], config: NetConfig, meta: Mapping[str, Any]) -> bytes:
    """A network's file."""
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in weights.items()}
    header = {"config": asdict(config), "meta": dict(meta), "checksum": _sum(tensors)}
    return save(tensors, metadata={KEY: json.dumps(header, sort_keys=True)})


def load_network(path: Path, device: str = "cpu") -> tuple[Network, NetConfig, dict[str, Any]]:
    """The network of a file, in evaluation mode; how it was built; and its meta data.

    :raises BadCheckpoint: naming the file and what is wrong with it.
    """
    tensors, header = read_network(path)
    try:
        config = NetConfig(**{**header["config"], "auxiliary": tuple(header["config"]["auxiliary"])})
        meta: dict[str, Any] = header["meta"]
        network = build(game(meta["game"], **meta.get("options", {})), config)
        network.load_state_dict(tensors)
    except (KeyError, TypeError, RuntimeError, QilinError) as error:
        raise BadCheckpoint(f"{str(path)!r} is no network of this version: {error}") from None
    return network.to(device).eval(), config, meta


def load_for_play(path: Path, device: str = "cpu") -> tuple[Network, NetConfig, dict[str, Any]]:
    """The same as `load_network`, as it plays (see `for_play`); torch's random numbers are left as they were."""
    with torch.random.fork_rng(devices=[]):
        network, config, meta = load_network(path)
    playing = for_play(game(meta["game"], **meta.get("options", {})), config, network.state_dict())
    return playing.to(device), config, meta


def read_network(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """The tensors and the header of a network's file, checked."""
    try:
        with safe_open(str(path), framework="pt") as file:
            header = json.loads((file.metadata() or {})[KEY])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # it is no dict
    except FileNotFoundError:
        raise BadCheckpoint(f"there is no network {str(path)!r}") from None
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise BadCheckpoint(f"{str(path)!r} is damaged, or no network: {error}") from None
    if header.get("checksum") != _sum(tensors):
        raise BadCheckpoint(f"{str(path)!r} is damaged: its weights do not have the checksum it was written with")
    return tensors, header


def _sum(tensors: Mapping[str, torch.Tensor]) -> str:
    """Of names, shapes and bytes."""
    parts = []
    for name in sorted(tensors):
        tensor = tensors[name]
        parts.append(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        parts.append(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return checksum(b"\0".join(parts))
