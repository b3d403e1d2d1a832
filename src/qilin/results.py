"""The commands that look at what training made: `qilin runs`, `plot`, `eval`, `export`."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from qilin.contests import progress
from qilin.errors import BadSpec, QilinError
from qilin.match import Plan, Standing, run_match
from qilin.networks import find, load
from qilin.networks.files import fingerprint
from qilin.record import Record, default_path
from qilin.spec import parse_spec

if TYPE_CHECKING:
    from qilin.train.curves import Run
    from qilin.train.recipe import Recipe

console = Console(highlight=False)

RunOrNet = Annotated[Path, typer.Argument(metavar="RUN|NET", help="A run's folder, a network or an ONNX file.")]


def is_run(folder: Path) -> bool:
    """Whether a folder holds a training run."""
    return (folder / "recipe.toml").is_file()


def _recipe(folder: Path) -> Recipe:
    from qilin.train.recipe import read_recipe

    if not is_run(folder):
        raise QilinError(f"{folder} holds no run: expected the folder that `qilin train --out` made")
    return read_recipe(folder / "recipe.toml")


def runs(
    folder: Annotated[Path, typer.Argument(help="Where to look; runs may lie deeper.")] = Path("runs"),
    json_output: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List training runs: the game, how far they came, how strong they are."""
    if not folder.is_dir():
        raise QilinError(f"there is no folder {folder}; `qilin runs FOLDER` looks elsewhere")
    found = [_summary(path.parent) for path in sorted(folder.rglob("recipe.toml"))]
    if json_output:
        print(json.dumps(found, indent=2))
        return
    if not found:
        console.print(f"no runs in {folder}: `qilin train GAME --out {folder}/NAME` begins one")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("run", "game", "net", "iteration", "games", "samples", "hours", "Elo", "last step"):
        table.add_column(column, justify="left" if column in ("run", "game", "net") else "right", overflow="fold")
    for one in found:
        if "problem" not in one:
            table.add_row(*_row(one, folder))
    console.print(table)
    for one in found:
        if "problem" in one:
            console.print(f"[yellow]{escape(one['run'])}: {escape(one['problem'])}[/]", soft_wrap=True)


def _summary(folder: Path) -> dict[str, Any]:
    from qilin.train.evaluation import evaluations
    from qilin.train.history import read

    try:
        recipe = _recipe(folder)
    except QilinError as error:
        return {"run": str(folder), "problem": str(error)}
    records = read(folder)
    last, judged = (records or [{}])[-1], evaluations(folder)
    return {
        "run": str(folder),
        "game": recipe.game,
        "net": f"{recipe.net.channels}x{recipe.net.blocks}",
        "iteration": last.get("iteration", 0),
        "iterations": recipe.run.iterations,
        "games": last.get("games", 0),
        "samples": last.get("samples", 0),
        "hours": sum(record["seconds"] for record in records) / 3600,
        "elo": judged[-1]["elo"] if judged else None,
        "time": last.get("time"),
    }


def _row(one: dict[str, Any], folder: Path) -> list[str]:
    wanted = f"/{one['iterations']}" if one["iterations"] else ""
    elo = f"{one['elo'][1]:+.0f}" if one["elo"] and one["elo"][1] is not None else ""
    return [
        str(Path(one["run"]).relative_to(folder)),
        one["game"], one["net"], f"{one['iteration']}{wanted}", f"{one['games']:,}", f"{one['samples']:,}",
        f"{one['hours']:.2f}", elo, _ago(one["time"]),
    ]  # fmt: skip


def _ago(then: float | None) -> str:
    if then is None:
        return "never"
    seconds = max(0.0, time.time() - then)
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{seconds:.0f} s ago"


def plot(
    folders: Annotated[list[Path], typer.Argument(metavar="RUN…", help="One run, or several to compare.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="A .png or .svg; without it curves.png in the run's folder.")
    ] = None,
    along: Annotated[str, typer.Option(help="What runs from left to right: iteration, samples, minutes, hours.")] = (
        "iteration"
    ),
) -> None:
    """Draw a run's curves: results, losses, entropy, Elo with intervals, lengths, speed, and where the time goes."""
    from qilin.train.curves import AXES, draw

    if along not in AXES:
        raise BadSpec(f"--along is {along!r}, expected one of: {', '.join(AXES)}")
    path = out or folders[0] / "curves.png"
    draw([run_of(folder) for folder in folders], path, along)
    console.print(f"wrote {path}")


def run_of(folder: Path) -> Run:
    """What curves show of a run."""
    from qilin.train.curves import Run
    from qilin.train.evaluation import rated
    from qilin.train.history import read

    recipe = _recipe(folder)
    ratings, rivals = rated(folder, recipe.of())
    return Run(name=str(folder), records=read(folder), ratings=ratings, rivals=rivals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a network's games against others say."""

    game: str
    player: str
    found: dict[str, Standing]

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        results = {rival: standing.as_json() for rival, standing in self.found.items()}
        return {"game": self.game, "player": self.player, "results": results}


def evaluate(
    network: RunOrNet,
    against: Annotated[
        list[str] | None, typer.Option("--against", "-a", help="A player, or another RUN or NET; may be repeated.")
    ] = None,
    games: Annotated[
        int, typer.Option(min=2, help="Against each, in pairs: the same opening twice, seats swapped.")
    ] = (100),
    simulations: Annotated[int, typer.Option("--sims", min=1, help="Of the network's search, a move.")] = 64,
    opening_plies: Annotated[int, typer.Option(min=0, help="Random plies before the players take over.")] = 2,
    seed: Annotated[int, typer.Option(help="Decides openings and the players' dice.")] = 1,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: one a core.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the result for machines.")] = None,
) -> None:
    """Measure a network: colour-swapped pairs against each rival, with 95 % intervals.

    Games are kept by the network's content, so the same question is answered at once the second time, a longer match
    goes on where a shorter one ended, and a network that has learned since is a new player.

    \b
    qilin eval runs/c4 --against random --against mcts:sims=200
    qilin eval runs/c4 --against runs/c4/checkpoints/000010
    """
    facts, file = load(network).facts, find(network)
    spec = f"net:{network},sims={simulations}"
    rivals = [_rival(rival, simulations) for rival in against or ["random"]]
    plans = [
        Plan(game=facts.game, options=dict(facts.options), first=spec, second=rival, games=games, seed=seed,
             opening_plies=opening_plies)
        for rival in rivals
    ]  # fmt: skip
    found = play_all(plans, kept_games([file, *_networks(rivals)]), workers)
    console.print(_table(found))
    if json_file:
        judged = Judged(game=facts.game, player=spec, found=found)
        json_file.write_text(json.dumps(judged.as_json(), indent=2) + "\n")


def _rival(text: str, simulations: int) -> str:
    """A player's name as it is; a path means the network there."""
    return f"net:{text},sims={simulations}" if Path(text).exists() else text


def _networks(players: Sequence[str]) -> list[Path]:
    """The files of those players that are networks."""
    specs = [parse_spec(name) for name in players]
    return [find(Path(spec.argument)) for spec in specs if spec.name == "net" and spec.argument]


def kept_games(networks: Sequence[Path]) -> Path:
    """The file of the games that networks of this content played."""
    content = hashlib.sha256("".join(map(fingerprint, networks)).encode()).hexdigest()
    return default_path().parent / "evaluations" / f"{content[:16]}.sqlite"


def play_all(plans: Sequence[Plan], record: Path, workers: int | None) -> dict[str, Standing]:
    """Play what is missing of all matches."""
    found = {}
    with closing(Record(record)) as open_file:
        for plan in plans:
            with progress(plan.games, f"against {plan.second}") as watch:
                found[plan.second] = run_match(plan, open_file, workers=workers, resume=True, watch=watch)
    return found


def _table(found: dict[str, Standing]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("against", "games", "+", "=", "-", "score", "95 %", "Elo", "stronger"):
        table.add_column(column, justify="left" if column == "against" else "right")
    for rival, standing in found.items():
        pairs, score = standing.pairs, standing.pairs.score_interval()
        table.add_row(
            rival, str(standing.games), str(standing.wins), str(standing.draws), str(standing.losses),
            f"{pairs.score:.1%}", f"{score.low:.1%} … {score.high:.1%}", str(pairs.elo()), f"{pairs.superiority():.1%}",
        )  # fmt: skip
    return table
