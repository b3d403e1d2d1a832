"""A recipe: everything that decides a training run, from one TOML file and `--set a.b=c`.

>>> recipe = read_recipe(Path("recipes/ataxx.toml"), ["search.simulations=100", "net=64x5"])
>>> recipe.search.simulations
100
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from qilin.errors import BadRecipe
from qilin.state import Game, game
from qilin.train.settings import Evaluate, Learn, Loss, Net, Play, Run, Search, Targets, Window

OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A training run, resolved: every value is there."""

    game: str
    seed: int = 1
    options: Mapping[str, str | int] = field(default_factory=dict)  # of the game
    net: Net = field(default_factory=Net)
    search: Search = field(default_factory=Search)
    play: Play = field(default_factory=Play)
    window: Window = field(default_factory=Window)
    targets: Targets = field(default_factory=Targets)
    loss: Loss = field(default_factory=Loss)
    learn: Learn = field(default_factory=Learn)
    evaluate: Evaluate = field(default_factory=Evaluate)
    run: Run = field(default_factory=Run)

    def of(self) -> Game:
        """The game that is learned."""
        return game(self.game, **self.options)


SECTIONS: Mapping[str, type] = {
    "net": Net,
    "search": Search,
    "play": Play,
    "window": Window,
    "targets": Targets,
    "loss": Loss,
    "learn": Learn,
    "evaluate": Evaluate,
    "run": Run,
}


def read_recipe(path: Path, changes: Iterable[str] = ()) -> Recipe:
    """The recipe of a file, with changes `section.key=value`.

    :raises BadRecipe: for what can't be read, unknown keys (naming near ones) and values out of range.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRecipe(f"{str(path)!r} can't be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRecipe(f"{str(path)!r} is no TOML: {error}") from None
    return make_recipe(table, changes)


def make_recipe(table: Mapping[str, Any], changes: Iterable[str] = ()) -> Recipe:
    """The recipe of a table as TOML has it, with changes `section.key=value`."""
    merged = {key: dict(value) if isinstance(value, dict) else value for key, value in table.items()}
    for change in changes:
        _apply(merged, change)
    return _checked(merged)


def _apply(table: dict[str, Any], change: str) -> None:
    path, equals, text = change.partition("=")
    path = path.strip()
    if not equals:
        raise BadRecipe(f"--set {change!r} is not understood, expected SECTION.KEY=VALUE")
    if path == "net":
        table.setdefault("net", {}).update(net_of(text))
        return
    section, dot, key = path.partition(".")
    if not dot:
        table[section] = _value(text)
        return
    if not isinstance(table.setdefault(section, {}), dict):
        raise BadRecipe(f"--set {change!r}: {section!r} is a value, not a section")
    table[section][key] = _value(text)


def net_of(dial: str) -> dict[str, int]:
    """Channels and blocks of a size such as `64x5`."""
    sizes = re.fullmatch(r"(\d+)x(\d+)", dial.strip())
    if not sizes:
        raise BadRecipe(f"net is {dial!r}, expected CHANNELSxBLOCKS, as in 64x5")
    return {"channels": int(sizes[1]), "blocks": int(sizes[2])}


def _value(text: str) -> Any:
    """What TOML makes of the text; what it makes nothing of is a word."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def _checked(table: dict[str, Any]) -> Recipe:
    known = [item.name for item in fields(Recipe)]
    for key in table:
        if key not in known:
            raise BadRecipe(f"a recipe has no {key!r}; it has {', '.join(known)}{_hint(key, known)}")
    if not isinstance(table.get("game"), str):
        raise BadRecipe(f"the recipe's game is {table.get('game')!r}, expected the name of one")
    seed = table.get("seed", 1)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 63:
        raise BadRecipe(f"seed is {seed!r}, expected a whole number from 0 up")
    options = _table(table, "options")
    sections = {name: _section(name, kind, _table(table, name)) for name, kind in SECTIONS.items()}
    recipe = Recipe(game=table["game"], seed=seed, options=game(table["game"], **options).options, **sections)
    _check_together(recipe)
    return recipe


def _table(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    inner = table.get(name, {})
    if not isinstance(inner, dict):
        raise BadRecipe(f"{name} is {inner!r}, expected a section [{name}]")
    return inner


def _section(name: str, kind: type, table: Mapping[str, Any]) -> Any:
    known = {item.name: item for item in fields(kind)}
    hints = get_type_hints(kind)
    values = {}
    for key, value in table.items():
        if key not in known:
            raise BadRecipe(f"[{name}] has no {key!r}; it has {', '.join(known)}{_hint(key, list(known))}")
        values[key] = _fitting(f"{name}.{key}", value, hints[key], known[key].metadata)
    return kind(**values)


def _hint(word: str, known: list[str]) -> str:
    near = get_close_matches(word, known, n=2)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _fitting(name: str, value: Any, kind: Any, limits: Mapping[str, Any]) -> Any:
    """The value as the field's type, or an error that says what would have been right."""
    kinds = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    if type(None) in kinds and (value is None or value == OFF):
        return None
    inner = next(one for one in kinds if one is not type(None))
    if get_origin(inner) is tuple:
        listed = value if isinstance(value, list | tuple) else [value]
        return tuple(_fitting(name, one, get_args(inner)[0], limits) for one in listed)
    if inner is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    right = type(value) is inner and _within(value, limits)
    if not right:
        off = ' or "off"' if type(None) in kinds else ""
        raise BadRecipe(f"{name} is {value!r}, expected {_expected(inner, limits)}{off}")
    return value


def _within(value: Any, limits: Mapping[str, Any]) -> bool:
    if limits["choices"] and value not in limits["choices"]:
        return False
    least, most = limits["least"], limits["most"]
    return (least is None or value >= least) and (most is None or value <= most)


def _expected(kind: type, limits: Mapping[str, Any]) -> str:
    if limits["choices"]:
        return " or ".join(map(repr, limits["choices"]))
    word = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}[kind]
    least, most = limits["least"], limits["most"]
    if least is not None and most is not None:
        return f"{word} from {least:g} to {most:g}"
    return f"{word} from {least:g} up" if least is not None else word


def _check_together(recipe: Recipe) -> None:
    """What no field can see alone."""
    net = recipe.net
    if (net.kind == "transformer" or net.attention_every) and net.channels % net.heads:
        raise BadRecipe(f"net.channels is {net.channels}, expected a multiple of net.heads, {net.heads}")
    if recipe.evaluate.games % 2:
        raise BadRecipe(f"evaluate.games is {recipe.evaluate.games}, expected an even number: games come in pairs")
    if recipe.evaluate.gate is not None and recipe.evaluate.every is None:
        raise BadRecipe("evaluate.gate needs evaluations: evaluate.every is off")
    rules = recipe.of()._rules
    for name, offered in (("margin", rules.has_margin), ("ownership", rules.has_ownership)):
        if getattr(recipe.loss, name) is not None and not offered:
            raise BadRecipe(
                f"loss.{name} is {getattr(recipe.loss, name)!r}, but {recipe.game} has no {name}: expected off"
            )
    if recipe.targets.soft_share is not None and not rules.has_margin:
        raise BadRecipe(f"targets.soft_share is {recipe.targets.soft_share!r}, but {recipe.game} has no margin")


def recipe_toml(recipe: Recipe) -> str:
    """The recipe as a TOML file that reads back as the same recipe."""
    lines = [f"game = {_toml(recipe.game)}", f"seed = {recipe.seed}"]
    lines += ["", "[options]", *(f"{key} = {_toml(value)}" for key, value in recipe.options.items())]
    for name, kind in SECTIONS.items():
        section = getattr(recipe, name)
        lines += ["", f"[{name}]", *(f"{item.name} = {_toml(getattr(section, item.name))}" for item in fields(kind))]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if value is None:
        return f'"{OFF}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return repr(value)


def changes_between(base: Recipe, changed: Recipe) -> list[str]:
    """The `--set` arguments that make `changed` out of `base`: a run's reproduce line."""
    found = [f"seed={changed.seed}"] if base.seed != changed.seed else []
    found += [
        f"options.{key}={_toml(value)}" for key, value in changed.options.items() if base.options.get(key) != value
    ]
    for name, kind in SECTIONS.items():
        old, new = getattr(base, name), getattr(changed, name)
        differing = [item.name for item in fields(kind) if getattr(old, item.name) != getattr(new, item.name)]
        found += [f"{name}.{key}={_toml(getattr(new, key))}" for key in differing]
    return found
