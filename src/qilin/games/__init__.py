"""The games' words, one module each. This package lists its own folder: a new descriptor needs no entry anywhere."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from qilin.words import Words

GAMES: Mapping[str, Words] = {
    module.name: import_module(f"{__name__}.{module.name}").GAME
    for module in sorted(iter_modules(__path__), key=lambda module: module.name)
}
