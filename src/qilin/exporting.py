"""`qilin export`: a network for others: weights, ONNX in 32 and in 8 bits, and a model card."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from qilin.errors import BadNetwork
from qilin.networks import Facts, find, load
from qilin.networks.files import GRAPH, WEIGHTS
from qilin.results import RunOrNet, is_run, kept_games
from qilin.state import Game, State
from qilin.state import game as game_of

if TYPE_CHECKING:
    from qilin.networks.quantize import Loss
    from qilin.train.card import Card, File

console = Console(highlight=False)


def export(
    network: RunOrNet,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="A folder; without it `export` beside the network.")
    ] = None,
    onnx: Annotated[bool, typer.Option(help="Write the ONNX graph, for batches of any size.")] = True,
    int8: Annotated[bool, typer.Option(help="Write an 8-bit graph too, and measure what it loses.")] = False,
    positions: Annotated[
        int, typer.Option(min=20, help="For 8 bits: half calibrate, half measure. From the run's own games.")
    ] = 1000,
) -> None:
    """Make a network ready for others: weights, ONNX, and a model card in Markdown and JSON.

    The graph is compared with torch before it is kept. The card holds the recipe, every figure with its 95 % interval,
    and the commands that made them: what the run's evaluations found, and what `qilin eval` measured of this network.

    \b
    qilin export runs/c4
    qilin export runs/c4 --int8 --out exported
    """
    weights = find(network)
    if weights.suffix != WEIGHTS:
        raise BadNetwork(f"{weights} can't be exported, expected weights ({WEIGHTS}) or a run's folder")
    folder = out or (network if network.is_dir() else network.parent) / "export"
    files, facts, lost = _write(network, weights, folder, onnx or int8, int8, positions)
    card = _card(network, weights, facts, files, lost)
    (folder / "README.md").write_text(card.as_markdown(), encoding="utf-8")
    (folder / "card.json").write_text(card.as_json() + "\n", encoding="utf-8")
    for file in files:
        console.print(
            f"{file.path}  [dim]{file.what}{f', {file.measured}' if file.measured else ''}[/]", soft_wrap=True
        )
    console.print(f"{folder / 'README.md'}  [dim]the model card, and the same for machines in card.json[/]")
    if lost:
        console.print(f"8 bits: {lost}", soft_wrap=True)


def _write(
    network: Path, weights: Path, folder: Path, onnx: bool, int8: bool, positions: int
) -> tuple[list[File], Facts, Loss | None]:
    """The files, what the network says about itself, and what 8 bits lost."""
    from qilin.networks import export as exporting
    from qilin.train.card import File

    folder.mkdir(parents=True, exist_ok=True)
    facts = load(weights, "torch").facts
    copy = folder / f"{facts.game}{WEIGHTS}"
    if copy.resolve() != weights.resolve():
        shutil.copyfile(weights, copy)
    files, lost = [File(path=copy, what="weights, for torch and for going on")], None
    if onnx:
        made = exporting.export(copy, folder / f"{facts.game}{GRAPH}")
        measured = f"within {made.difference:.0e} of torch's logits on {made.positions} positions"
        files.append(File(path=made.path, what="ONNX, 32 bits", measured=measured))
    if int8:
        from qilin.networks.quantize import quantize

        small = folder / f"{facts.game}.int8{GRAPH}"
        lost = quantize(folder / f"{facts.game}{GRAPH}", small, _positions(network, weights, facts, positions))
        files.append(File(path=small, what="ONNX, 8 bits", measured=f"the same best move in {lost.agreement:.1%}"))
    return files, facts, lost


def _positions(network: Path, weights: Path, facts: Facts, number: int) -> list[State]:
    """From the run's own games; of a network without a run, from games it plays against itself."""
    from qilin.networks.positions import by_playing, from_games

    game = game_of(facts.game, **facts.options)
    found = from_games(network / "games", game, number) if is_run(network) else []
    return found or by_playing(load(weights), game, number)


def _card(network: Path, weights: Path, facts: Facts, files: list[File], lost: Loss | None) -> Card:
    from qilin.train import card
    from qilin.train.weights import load_network

    net, config, meta = load_network(weights)
    game: Game = game_of(facts.game, **facts.options)
    run = network if is_run(network) else None
    training, command = (card.training_of(run), _train_command(run)) if run else ({}, "")
    figures = card.figures_of_record(kept_games([weights]))
    if run:
        simulations = _simulations(run)
        figures += card.figures_of_run(run, int(meta.get("iteration", 0)), command, simulations)
    return card.Card(
        game=game,
        name=f"qilin {game.name} {config.channels}x{config.blocks}",
        facts=facts,
        parameters=sum(one.numel() for one in net.parameters()),
        files=files,
        figures=figures,
        training=training,
        int8=lost,
        recipe=meta.get("recipe"),
        commands=[*([command] if command else []), shlex.join(["qilin", *sys.argv[1:]])],
    )


def _train_command(run: Path) -> str:
    """The line that makes the run again, from its resolved recipe."""
    from qilin.train.again import recipe_of, reproduce
    from qilin.train.recipe import read_recipe

    recipe = read_recipe(run / "recipe.toml")
    return reproduce(recipe, recipe_of(recipe.game), run)


def _simulations(run: Path) -> int:
    from qilin.train.recipe import read_recipe

    return read_recipe(run / "recipe.toml").evaluate.simulations
