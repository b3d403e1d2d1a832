"""How a run is made again: the recipe it began from, and one line for the shell."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from qilin.train.recipe import Recipe, changes_between, make_recipe, read_recipe


def recipe_of(game: str) -> Path | None:
    """The recipe that comes with Qilin: in the source tree, or in the installed package."""
    here = Path(__file__).parents[1]
    places = (here.parents[1] / "recipes" / f"{game}.toml", here / "recipes" / f"{game}.toml")
    return next((place for place in places if place.is_file()), None)


def reproduce(recipe: Recipe, origin: Path | None, out: Path) -> str:
    """The one line that makes this run again."""
    base = read_recipe(origin) if origin else make_recipe({"game": recipe.game})
    words = ["qilin", "train", recipe.game, "--out", str(out)]
    words += ["--recipe", _short(origin)] if origin else []
    for change in changes_between(base, recipe):
        words += ["--set", change]
    return shlex.join(words)


def _short(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
