"""`qilin doctor`: facts about this machine, and remedies for what is missing."""

import json
from dataclasses import replace
from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console
from test_cli import here

from qilin import machine
from qilin.doctor import Finding, findings, report
from qilin.machine import Card, Machine, Package, gigabytes, package

BARE = Machine(
    system="Linux",
    python="3.11.2",
    qilin="0.1.0",
    processor="a processor",
    cores=2,
    memory=8_000_000_000,
    free_memory=5_240_000_000,
    free_disk=1_000_000_000,
    packages={name: Package(name=name, version=None, problem="not installed") for name in machine.PACKAGES},
    cuda_part="no library",
)
FULL = replace(
    BARE,
    packages={name: Package(name=name, version="1.0") for name in machine.PACKAGES},
    cards=(Card(name="a card", memory=141_000_000_000, bf16=True),),
    cuda_part=None,
)


def verdicts(of: Machine) -> dict[str, Finding]:
    return {one.what: one for one in findings(of)}


def test_a_bare_machine_is_told_what_to_install() -> None:
    found = verdicts(BARE)
    assert not any(one.ready for one in found.values())
    assert found["train (qilin train)"].remedy == "pip install 'qilin[train]'"
    assert found["play with a network (net:…)"].remedy == "pip install 'qilin[net]'"
    assert found["draw curves (qilin plot)"].why == "matplotlib: not installed"


def test_a_full_machine_lacks_nothing() -> None:
    assert all(one.ready for one in findings(FULL))


def test_a_card_that_torch_can_not_see_is_a_finding() -> None:
    seen = verdicts(replace(FULL, cards=(), driver_cards=("NVIDIA X, 570.1, 81559 MiB",)))
    assert not seen["train on a GPU"].ready
    assert "CUDA build of torch" in seen["train on a GPU"].remedy


def test_a_broken_package_is_not_an_installed_one() -> None:
    def load(_: str) -> None:
        raise OSError("libfoo.so.1: cannot open shared object file")

    found = package("numpy", load)
    assert found.version is None
    assert "can't be loaded: libfoo.so.1" in (found.problem or "")
    assert package("no-such-package").problem == "not installed"
    assert package("numpy").version


@pytest.mark.parametrize(("of", "words"), [(BARE, "pip install 'qilin[plot]'"), (FULL, "a card (141 GB)")])
def test_the_report_fits_a_terminal(of: Machine, words: str) -> None:
    console = Console(width=100, record=True, file=StringIO())
    console.print(report(of))
    shown = console.export_text()
    assert words in shown
    assert "5.2 GB free of 8.0 GB" in shown


@pytest.mark.parametrize(
    ("quota", "cores"), [("max 100000", 8), ("150000 100000", 1), ("400000 100000", 4), ("50000 100000", 1), ("", 8)]
)
def test_a_containers_share_of_cores_counts(monkeypatch: pytest.MonkeyPatch, quota: str, cores: int) -> None:
    monkeypatch.setattr(machine, "_text", lambda _: quota)
    monkeypatch.setattr(machine, "os", SimpleNamespace(sched_getaffinity=lambda _: set(range(8))))
    assert machine.cores() == cores


def test_a_containers_limit_of_memory_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "/proc/meminfo": "MemTotal: 1000 kB\nMemAvailable: 900 kB",
        "/sys/fs/cgroup/memory.max": "512000",
        "/sys/fs/cgroup/memory.current": "12000",
    }
    monkeypatch.setattr(machine, "_text", texts.__getitem__)
    assert machine.memory() == (512000, 500000)


@pytest.mark.parametrize(
    ("size", "words"), [(612_000_000, "612 MB"), (5.24e9, "5.2 GB"), (12, "12 B"), (2e12, "2.0 TB")]
)
def test_sizes_are_written_for_people(size: float, words: str) -> None:
    assert gigabytes(size) == words


def test_the_command_tells_people_and_machines() -> None:
    assert "onnxruntime" in here("doctor")
    told = json.loads(here("doctor", "--json"))
    assert told["machine"]["cores"] >= 1
    assert told["abilities"]["train (qilin train)"]["ready"]
