"""`qilin train`: begins a run, goes on with one, or says what it would take."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from qilin.errors import BadRecipe, QilinError

if TYPE_CHECKING:
    from qilin.train.folder import RunFolder
    from qilin.train.ranks import Ranks
    from qilin.train.recipe import Recipe
    from qilin.train.watch import Watch

console = Console(highlight=False)
MAY_CHANGE = ("run", "evaluate", "window", "targets", "learn")  # sections, of a run that goes on
STOPPED = 130  # the exit status of what Ctrl-C ended


def train(
    game: Annotated[str | None, typer.Argument(metavar="[GAME|RECIPE]", help="A game, or a recipe's file.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The run's folder; without it runs/GAME.")] = None,
    recipe: Annotated[Path | None, typer.Option(help="A recipe's file; without it recipes/GAME.toml.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", "-s", metavar="SECTION.KEY=VALUE", help="Change a setting; repeatable.")
    ] = None,
    net: Annotated[str | None, typer.Option(metavar="CHANNELSxBLOCKS", help="The network's size, as in 64x5.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it takes, and train nothing.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="A line for each iteration instead of a picture.")] = False,
) -> None:
    """Train a network from nothing but the rules: self-play, learning, evaluation, checkpoints.

    Ctrl-C ends a run at any moment; --resume goes on with it as if it had never ended. Several cards:
    torchrun --nproc_per_node=8 -m qilin train …

    \b
    qilin train connect_four --out runs/c4
    qilin train --out runs/c4 --resume
    qilin train ataxx --net 128x10 --set search.simulations=200 --dry-run
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin while they wait ruin a shared machine
    from qilin.train.again import recipe_of
    from qilin.train.folder import RunFolder

    changed = [*([f"net={net}"] if net else []), *(changes or [])]
    named = Path(game) if game and game.endswith(".toml") else recipe
    goes_on = resume and out is not None and RunFolder(out).recipe.is_file()
    if goes_on:
        assert out is not None
        chosen = _going_on(RunFolder(out).recipe, changed)
        origin = recipe_of(chosen.game)
    elif resume and game is None and recipe is None:
        raise QilinError(f"{out or 'no folder (--out)'} holds no run: expected one to go on with, or a game")
    else:
        origin = named or (recipe_of(game) if game else None)
        chosen = _chosen(game, origin, changed)
    folder = out or Path("runs") / chosen.game
    if dry_run:
        _show_plan(chosen, folder)
        return
    _train(chosen, origin, folder, resume=resume, plain=plain)


def _chosen(game: str | None, origin: Path | None, changes: list[str]) -> Recipe:
    """The recipe of a new run."""
    from qilin.train.recipe import make_recipe, read_recipe

    if game is None and origin is None:
        raise BadRecipe("nothing says what to train: expected a game, as in `qilin train GAME`, or a recipe's file")
    chosen = read_recipe(origin, changes) if origin else make_recipe({"game": game}, changes)
    if game is not None and not game.endswith(".toml") and chosen.game != game:
        raise BadRecipe(f"{origin} is a recipe for {chosen.game}, expected one for {game}")
    return chosen


def _going_on(stored: Path, changes: list[str]) -> Recipe:
    """The recipe of a run that goes on: what its weights, games and samples were made by stays as it is."""
    from qilin.train.recipe import changes_between, read_recipe

    old, new = read_recipe(stored), read_recipe(stored, changes)
    fixed = [
        change
        for change in changes_between(old, new)
        if change.split(".")[0] not in MAY_CHANGE or change.startswith("learn.optimizer")
    ]
    if fixed:
        raise BadRecipe(
            f"{', '.join(fixed)} can't change while a run goes on: expected changes in {', '.join(MAY_CHANGE)}, "
            "or a new run (--out)"
        )
    return new


def _show_plan(recipe: Recipe, folder: Path) -> None:
    from qilin.train.plan import plan
    from qilin.train.ranks import Ranks, own_device

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    for label, text in plan(recipe, Ranks(0, 1, own_device(recipe.run.device)), processes, folder).lines():
        table.add_row(label, text)
    console.print(table)


def _train(recipe: Recipe, origin: Path | None, out: Path, *, resume: bool, plain: bool) -> None:
    """Take part in the run, alone or as one of torchrun's processes."""
    from qilin.train.folder import RunFolder
    from qilin.train.plan import refuse_what_does_not_fit
    from qilin.train.ranks import joined

    run = RunFolder(out)
    with joined(recipe.run.device) as ranks, _terminated():
        if ranks.leads and not resume and run.recipe.is_file():
            raise QilinError(f"{out} holds a run already: expected --resume to go on with it, or another --out")
        refuse_what_does_not_fit(recipe, int(os.environ.get("LOCAL_WORLD_SIZE", "1")), out)
        with run.alone() if ranks.leads else nullcontext():
            watch = _watch(recipe, out, ranks, plain)
            _work(recipe, origin, run, ranks, watch)


def _work(recipe: Recipe, origin: Path | None, run: RunFolder, ranks: Ranks, watch: Watch) -> None:
    """Train, and say why it ended; whatever ends it, it can be gone on with."""
    from qilin.train.again import reproduce
    from qilin.train.loop import train as loop

    again = f"to go on: {shlex.join(['qilin', 'train', '--out', str(run.path), '--resume'])}"
    try:
        if ranks.leads:
            run.describe(recipe)
            watch.said(f"to make this run again: {reproduce(recipe, origin, run.path)}")
        watch.ended(f"{loop(recipe, run, ranks, watch)}: {run.best} is the network")
    except KeyboardInterrupt as stopped:
        watch.ended(f"stopped{f' by {stopped}' if str(stopped) else ''}; {again}")
        raise typer.Exit(STOPPED) from None
    except OSError as error:
        watch.ended(f"the run can't go on: {error}; {again}")
        raise QilinError(str(error)) from error
    except BaseException as error:
        watch.ended(f"the run ended by an error, {type(error).__name__}: {error}; {again}")
        raise


def _watch(recipe: Recipe, out: Path, ranks: Ranks, plain: bool) -> Watch:
    """A live picture on a terminal, plain lines elsewhere; nothing on ranks but the first."""
    from qilin.train.display import LiveDisplay, PlainDisplay
    from qilin.train.history import read
    from qilin.train.scene import Scene
    from qilin.train.watch import Silent

    if not ranks.leads:
        return Silent()
    scene = Scene(
        title=f"{recipe.game} {recipe.net.channels}x{recipe.net.blocks}",
        folder=str(out),
        iterations=recipe.run.iterations,
        minutes=recipe.run.minutes,
        checkpoint_every=recipe.run.checkpoint_every,
        records=list(read(out)),
    )
    live = console.is_terminal and not plain
    return LiveDisplay(scene, console) if live else PlainDisplay(scene, partial(print, flush=True))


@contextmanager
def _terminated() -> Iterator[None]:
    """SIGTERM, as torchrun and batch systems send it, ends a run as Ctrl-C does."""

    def stop(number: int, _frame: object) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
