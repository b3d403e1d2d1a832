"""A network's model card: what it is, how strong, how it was made, and the commands that made every figure."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qilin.machine import gigabytes
from qilin.match import standing
from qilin.networks.files import Facts, fingerprint
from qilin.networks.quantize import Loss
from qilin.record import Record
from qilin.spec import parse_spec
from qilin.state import Game
from qilin.train.evaluation import evaluations
from qilin.train.history import read, value
from qilin.train.origin import ORIGIN


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file that belongs to the network."""

    path: Path
    what: str
    measured: str = ""  # what was found when it was made

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        size = self.path.stat().st_size
        return {
            "name": self.path.name, "what": self.what, "bytes": size, "sha256": fingerprint(self.path),
            "measured": self.measured,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """All that a card says."""

    game: Game
    name: str
    facts: Facts
    parameters: int
    files: Sequence[File]
    figures: Sequence[Mapping[str, Any]]  # results with intervals, each with its command
    training: Mapping[str, Any] = field(default_factory=dict)
    int8: Loss | None = None
    recipe: str | None = None
    commands: Sequence[str] = ()

    def as_json(self) -> str:
        """For machines."""
        return json.dumps(
            {
                "name": self.name,
                "game": self.game.name,
                "options": self.game.options,
                "parameters": self.parameters,
                "input": {"planes": ["batch", *self.game.shape], "names": self.game.plane_names},
                "output": {"policy": ["batch", self.game.policy_size], "value": ["batch", 3]},
                "files": [file.as_json() for file in self.files],
                "figures": list(self.figures),
                "training": dict(self.training),
                "int8": self.int8.as_json() if self.int8 else None,
                "recipe": self.recipe,
                "commands": list(self.commands),
            },
            indent=2,
        )  # fmt: skip

    def as_markdown(self) -> str:
        """For people."""
        parts = [self._head(), self._strength(), self._files(), self._use(), self._made(), self._recipe()]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _head(self) -> str:
        words = self.game.words
        options = ", ".join(f"{key} = {option}" for key, option in self.game.options.items()) or "none"
        return (
            f"# {self.name}\n\nA network that plays {words.title.en} {words.title.zh}, trained by Qilin 棋林 from "
            f"nothing but the rules. {self.parameters:,} parameters; "
            f"rule options: {options}."
        )

    def _strength(self) -> str:
        if not self.figures:
            return "## Strength\n\nNot measured: `qilin eval` does, and another export writes it here."
        lines = ["## Strength", "", "Pairs of games, the same opening twice with seats swapped; 95 % intervals.", ""]
        lines += [
            "| network's search | against | games | + = - | score | Elo difference |",
            "|---|---|---|---|---|---|",
        ]
        for one in self.figures:
            counts = f"{one['wins']} {one['draws']} {one['losses']}"
            low, high = one["score_interval"]
            lines.append(
                f"| {one['simulations']} simulations | `{one['against']}` | {one['games']} | {counts} | "
                f"{one['score']:.1%} ({low:.1%} … {high:.1%}) | {_elo(one['elo'])} |"
            )
        return "\n".join([*lines, "", *_blocks(dict.fromkeys(one["command"] for one in self.figures))])

    def _files(self) -> str:
        lines = ["## Files", "", "| file | what | size | measured |", "|---|---|---|---|"]
        for file in self.files:
            size = gigabytes(file.path.stat().st_size)
            lines.append(f"| `{file.path.name}` | {file.what} | {size} | {file.measured} |")
        if self.int8:
            lines += ["", f"8 bits against 32: {self.int8}."]
        return "\n".join(lines)

    def _use(self) -> str:
        best = next((file.path.name for file in self.files if file.path.suffix == ".onnx"), self.files[0].path.name)
        planes, rows, cols = self.game.shape
        return "\n".join([
            "## Use", "", *_blocks([f"qilin play {self.game.name} --against net:{best},sims=200"]), "",
            f"ONNX: input `planes` float32 (batch, {planes}, {rows}, {cols}), as `state.planes()` gives; outputs "
            f"`policy` (batch, {self.game.policy_size}) logits by policy index, of which only legal moves count, "
            "and `value` (batch, 3) logits of win, draw and loss of the player to move.",
        ])  # fmt: skip

    def _made(self) -> str:
        rows = [f"| {key} | {number} |" for key, number in self.training.items()]
        table = ["| | |", "|---|---|", *rows, ""] if rows else []
        return "\n".join(["## How it was made", "", *table, *_blocks(self.commands)])

    def _recipe(self) -> str:
        return f"## Recipe\n\n```toml\n{self.recipe.strip()}\n```" if self.recipe else ""


def _blocks(commands: Any) -> list[str]:
    listed = list(commands)
    return ["```sh", *listed, "```"] if listed else []


def _elo(interval: Sequence[float | None]) -> str:
    low, middle, high = interval
    if middle is None or low is None or high is None:
        return f"above {low:+.0f}" if low is not None else f"below {high:+.0f}" if high is not None else "unknown"
    return f"{middle:+.0f} ({low:+.0f} … {high:+.0f})"


def figures_of_run(folder: Path, iteration: int, command: str, simulations: int) -> list[dict[str, Any]]:
    """What the run's own evaluation after `iteration` found; `command` made it."""
    lines = [line for line in evaluations(folder) if line["iteration"] == iteration]
    found = []
    for rival, numbers in (lines[0]["results"] if lines else {}).items():
        found.append({"against": rival, "simulations": simulations, "command": command, **numbers})
    return found


def figures_of_record(path: Path) -> list[dict[str, Any]]:
    """What the games of `qilin eval` found, and the commands that played them."""
    if not path.is_file():
        return []
    found = []
    with closing(Record(path)) as record:
        for match, plan in record.matches():
            numbers = standing(record, match).as_json()
            spec = parse_spec(plan["first"])
            words = [
                "qilin",
                "eval",
                spec.argument or "",
                "--against",
                plan["second"],
                "--games",
                str(numbers["games"]),
            ]
            words += ["--sims", spec.options["sims"], "--opening-plies", str(plan["opening_plies"])]
            words += ["--seed", str(plan["seed"])]
            told = {"against": plan["second"], "simulations": int(spec.options["sims"]), "command": shlex.join(words)}
            found.append(told | numbers)
    return found


def training_of(folder: Path) -> dict[str, Any]:
    """What went into a run: counts, time, versions and machine."""
    records, path = read(folder), folder / ORIGIN
    origin = json.loads(path.read_text()) if path.is_file() else {}
    found: dict[str, Any] = {}
    if records:
        last = records[-1]
        found = {name: f"{value(last, name) or 0:,.0f}" for name in ("iteration", "games", "samples", "steps")}
        found["hours"] = f"{sum(record['seconds'] for record in records) / 3600:.2f}"
    for key in ("seed", "commit"):
        if origin.get(key) is not None:
            found[key] = origin[key]
    found |= {"versions": ", ".join(f"{name} {one}" for name, one in origin.get("versions", {}).items())}
    found |= {"machine": ", ".join(map(str, origin.get("machine", {}).values()))}
    return {key: one for key, one in found.items() if one != ""}
