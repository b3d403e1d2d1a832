"""`qilin doctor`: what this machine has, what is missing, and for what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table

from qilin.machine import Machine, gigabytes, look

console = Console(highlight=False)


@dataclass(frozen=True, slots=True)
class Ability:
    """Something a person may want to do, the packages it takes and how to get them."""

    what: str
    packages: tuple[str, ...]
    extra: str | None  # of qilin; None: nothing but the package itself

    def missing(self, machine: Machine) -> list[str]:
        """Packages that are not there, or broken."""
        return [name for name in self.packages if machine.packages[name].version is None]

    def remedy(self, machine: Machine) -> str:
        """The command that helps."""
        return "pip install " + (f"'qilin[{self.extra}]'" if self.extra else " ".join(self.missing(machine)))


ABILITIES = (
    Ability("play with a network (net:…)", ("onnxruntime",), "net"),
    Ability("train (qilin train)", ("torch", "safetensors"), "train"),
    Ability("play with a network in torch (net:…,backend=torch)", ("torch", "safetensors"), "train"),
    Ability("export a network (qilin export)", ("torch", "safetensors", "onnx", "onnxscript", "onnxruntime"), "train"),
    Ability("draw curves (qilin plot)", ("matplotlib",), "plot"),
    Ability("look at a run in TensorBoard (tensorboard --logdir RUN)", ("tensorboard",), None),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether something can be done here, and what would help where it can't."""

    what: str
    ready: bool
    why: str = ""
    remedy: str = ""


def findings(machine: Machine) -> list[Finding]:
    """Everything one may want to do, in the order of the manual."""
    return [*(_package_finding(machine, ability) for ability in ABILITIES), *_card_findings(machine)]


def _package_finding(machine: Machine, ability: Ability) -> Finding:
    missing = ability.missing(machine)
    if not missing:
        return Finding(ability.what, ready=True)
    why = "; ".join(f"{name}: {machine.packages[name].problem}" for name in missing)
    return Finding(ability.what, ready=False, why=why, remedy=ability.remedy(machine))


def _card_findings(machine: Machine) -> Iterator[Finding]:
    if machine.cards:
        yield Finding("train on a GPU", ready=True)
    elif machine.driver_cards:
        why = f"the driver sees {machine.driver_cards[0]}, torch does not"
        yield Finding("train on a GPU", False, why, "install a CUDA build of torch (pytorch.org/get-started)")
    else:
        yield Finding("train on a GPU", False, "there is no NVIDIA GPU, or no driver for one")
    yield Finding("rules and search on a card", machine.cuda_part is None, machine.cuda_part or "")


def report(machine: Machine) -> Group:
    """What a person reads."""
    return Group(_facts(machine), "", _packages(machine), "", _verdicts(findings(machine)))


def _facts(machine: Machine) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    cards = ", ".join(f"{card.name} ({gigabytes(card.memory)})" for card in machine.cards)
    rows = {
        "machine": f"{machine.processor}, {machine.cores} {'core' if machine.cores == 1 else 'cores'}",
        "memory": f"{gigabytes(machine.free_memory)} free of {gigabytes(machine.memory)}",
        "disk": f"{gigabytes(machine.free_disk)} free here",
        "GPU": cards or "; ".join(machine.driver_cards) or "none",
        "qilin": f"{machine.qilin}, Python {machine.python}, {machine.system}",
    }
    for name, value in rows.items():
        table.add_row(f"[dim]{name}[/]", escape(value))
    return table


def _packages(machine: Machine) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    for one in machine.packages.values():
        table.add_row(f"[dim]{one.name}[/]", one.version or f"[yellow]{escape(one.problem or '')}[/]")
    return table


def _verdicts(found: list[Finding]) -> Group:
    return Group(*(line for one in found for line in _verdict(one)))


def _verdict(one: Finding) -> Iterator[str]:
    yield f"[green]ready[/]  {one.what}" if one.ready else f"[yellow]no[/]     {one.what}"
    if one.why:
        yield f"         [dim]{escape(one.why)}[/]"
    if one.remedy:
        yield f"         → [bold]{escape(one.remedy)}[/]"


def doctor(
    json_output: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
    folder: Annotated[Path, typer.Option(help="Where runs will be written: its disk is looked at.")] = Path(),
) -> None:
    """Say what this machine has (cores, memory, GPU, packages), and what is missing for what.

    Nothing is installed or changed. Every line that says "no" names the command that helps.
    """
    machine = look(folder)
    if json_output:
        found = {one.what: asdict(one) for one in findings(machine)}
        print(json.dumps({"machine": asdict(machine), "abilities": found}, indent=2))
    else:
        console.print(report(machine), soft_wrap=True)
