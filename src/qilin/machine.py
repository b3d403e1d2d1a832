"""What this machine has: cores, memory, disk, cards, and the packages that can really be imported."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qilin import cuda

# What Qilin can use beyond its base, and what each is asked for when it is listed.
PACKAGES = ("torch", "safetensors", "onnxruntime", "onnx", "onnxscript", "matplotlib", "tensorboard")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """An optional package: its version, or why it can't be used."""

    name: str
    version: str | None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A GPU that torch can use."""

    name: str
    memory: int  # bytes
    bf16: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """All that `qilin doctor` tells."""

    system: str
    python: str
    qilin: str
    processor: str
    cores: int  # that this process may use
    memory: int  # bytes that this process may have
    free_memory: int
    free_disk: int  # where we stand
    packages: Mapping[str, Package] = field(default_factory=dict)
    cards: tuple[Card, ...] = ()
    driver_cards: tuple[str, ...] = ()  # as nvidia-smi lists them, whether torch can use them or not
    cuda_part: str | None = None  # why the compiled CUDA part can't be used; None: it can


def look(folder: Path | None = None) -> Machine:
    """Find out. Takes a second or two: packages are imported, since an installed package may still be broken."""
    packages = {name: package(name) for name in PACKAGES}
    return Machine(
        system=platform.platform(),
        python=platform.python_version(),
        qilin=importlib.metadata.version("qilin"),
        processor=processor(),
        cores=cores(),
        memory=memory()[0],
        free_memory=memory()[1],
        free_disk=shutil.disk_usage(folder or Path.cwd()).free,
        packages=packages,
        cards=torch_cards() if packages["torch"].version else (),
        driver_cards=driver_cards(),
        cuda_part=cuda.why_not() or None,
    )


def package(name: str, load: Callable[[str], Any] = importlib.import_module) -> Package:
    """Whether a package is installed and can be imported."""
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Package(name=name, version=None, problem="not installed")
    try:
        load(name)
    except Exception as error:
        # Whatever a broken package throws is what a person has to read here.
        return Package(name=name, version=None, problem=f"{version} is installed and can't be loaded: {error}")
    return Package(name=name, version=version)


def processor() -> str:
    """The processor's name, as Linux tells it."""
    listed = Path("/proc/cpuinfo")
    for line in listed.read_text().splitlines() if listed.is_file() else ():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def cores() -> int:
    """Cores that this process may use: a container or `taskset` may allow fewer than there are."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _text("/sys/fs/cgroup/cpu.max").partition(" ")
    return min(allowed, max(1, int(quota) // int(period))) if quota.isdecimal() and period.isdecimal() else allowed


def memory() -> tuple[int, int]:
    """Bytes this process may have, and those that are free; a container's limit counts."""
    lines = dict(line.split(":", 1) for line in _text("/proc/meminfo").splitlines() if ":" in line)
    total, free = (int(lines.get(key, "0 kB").split()[0]) * 1024 for key in ("MemTotal", "MemAvailable"))
    limit, used = _text("/sys/fs/cgroup/memory.max"), _text("/sys/fs/cgroup/memory.current")
    if limit.isdecimal() and used.isdecimal() and int(limit) < total:
        return int(limit), min(free, int(limit) - int(used))
    return total, free


def room(path: Path) -> int:
    """Free bytes on the disk that a path lies on, or will lie on."""
    there = next(one for one in (path.absolute(), *path.absolute().parents) if one.exists())
    return shutil.disk_usage(there).free


def _text(path: str) -> str:
    return Path(path).read_text().strip() if Path(path).is_file() else ""


def torch_cards() -> tuple[Card, ...]:
    """The GPUs that torch can use."""
    torch = importlib.import_module("torch")
    found = []
    for number in range(torch.cuda.device_count() if torch.cuda.is_available() else 0):
        facts = torch.cuda.get_device_properties(number)
        found.append(Card(name=facts.name, memory=facts.total_memory, bf16=facts.major >= 8))
    return tuple(found)


def driver_cards() -> tuple[str, ...]:
    """The GPUs that the driver lists; none where there is no driver."""
    try:
        told = subprocess.run(
            ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(line.strip() for line in told.stdout.splitlines() if line.strip())


def gigabytes(size: float) -> str:
    """A size for people: `612 MB`, `5.2 GB`."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}" if size < 10 * scale else f"{size / scale:.0f} {unit}"
    return f"{size:.0f} B"
