"""Recipes: what they say is checked at the door, and what a run stores reads back as the same recipe."""

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

import qilin
from qilin.errors import BadRecipe, UnknownGame, UnknownOption
from qilin.train.recipe import SECTIONS, changes_between, make_recipe, read_recipe, recipe_toml

RECIPES = Path(__file__).parent.parent / "recipes"


@pytest.mark.parametrize("name", qilin.games())
def test_every_game_has_a_recipe_that_reads_back(name: str) -> None:
    recipe = read_recipe(RECIPES / f"{name}.toml")
    assert recipe.game == name
    assert make_recipe(tomllib.loads(recipe_toml(recipe))) == recipe


def test_changes_are_applied_over_the_file() -> None:
    path = RECIPES / "connect_four.toml"
    recipe = read_recipe(path, ["net=16x2", "search.simulations=9", "seed=5", 'search.kind="gumbel"', "learn.clip=off"])
    assert (recipe.net.channels, recipe.net.blocks, recipe.search.simulations, recipe.seed) == (16, 2, 9, 5)
    assert recipe.search.kind == "gumbel"
    assert recipe.learn.clip is None
    again = read_recipe(path, changes_between(read_recipe(path), recipe))
    assert again == recipe


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("serach.simulations=3", "no 'serach'.*did you mean 'search'"),
        ("search.simulation=3", r"\[search\] has no 'simulation'.*did you mean 'simulations'"),
        ("search.simulations=0", "search.simulations is 0, expected a whole number from 1 up"),
        ("search.simulations=many", "search.simulations is 'many', expected a whole number"),
        ("search.simulations=true", "is True, expected a whole number"),
        ("search.kind=alphabeta", "expected 'puct' or 'gumbel'"),
        ("play.full_share=2", 'expected a number from 0.01 to 1 or "off"'),
        ("search.simulations=off", "is 'off', expected a whole number"),
        ("net=64", "net is '64', expected CHANNELSxBLOCKS"),
        ("seed=-1", "seed is -1"),
        ("simulations", "expected SECTION.KEY=VALUE"),
        ("game.x=3", "'game' is a value"),
        ("evaluate.games=3", "expected an even number"),
        ("loss.margin=1", "connect_four has no margin"),
        ("targets.soft_share=0.5", "has no margin"),
    ],
)
def test_mistakes_are_named(change: str, message: str) -> None:
    with pytest.raises(BadRecipe, match=message):
        read_recipe(RECIPES / "connect_four.toml", [change])


def test_games_and_their_options_are_checked() -> None:
    with pytest.raises(UnknownGame, match="did you mean 'ataxx'"):
        make_recipe({"game": "attaxx"})
    with pytest.raises(UnknownOption, match="rules is 'none'"):
        make_recipe({"game": "ataxx", "options": {"rules": "none"}})
    with pytest.raises(BadRecipe, match="the recipe's game is None"):
        make_recipe({})


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRecipe, match="can't be read"):
        read_recipe(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("game = ")
    with pytest.raises(BadRecipe, match="is no TOML"):
        read_recipe(tmp_path / "bad.toml")


def test_every_setting_of_the_forest_can_be_set() -> None:
    core = {name for name in dir(qilin.search()) if not name.startswith("_")}
    search, play = ({item.name for item in fields(SECTIONS[name])} for name in ("search", "play"))
    assert search <= core <= search | play


def test_every_setting_says_what_it_is_good_for() -> None:
    assert all(item.metadata["help"] for kind in SECTIONS.values() for item in fields(kind))
