"""Self-play on the host: games that a network plays against itself, and what is to be learned from them.

>>> selfplay = SelfPlay.of(recipe)
>>> selfplay.begin(iteration)
>>> while selfplay.ready < recipe.run.positions:
...     judge.grow(selfplay)
>>> harvest = selfplay.harvest()
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Self

import numpy as np
import torch
from numpy.typing import NDArray

from qilin import _core
from qilin.errors import BadRecipe
from qilin.forest import search
from qilin.state import Game
from qilin.train import settings
from qilin.train.losses import Batch
from qilin.train.recipe import Recipe
from qilin.train.shards import Samples

NEVER = -2.0  # a value that nobody can fall below
RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class Harvest:
    """What games have given since the last time."""

    samples: Samples
    games: list[dict[str, Any]]  # a line of games/*.jsonl each


class SelfPlay:
    """Games under way. They come out the same on any number of threads; `saved` and `load` go on to the last bit."""

    def __init__(self, recipe: Recipe, *, seed: int) -> None:
        """Begin them all."""
        game = recipe.of()
        self.recipe, self.kind = recipe, kind_of(game)
        how = search_of(recipe)
        try:
            self._games = _core.SelfPlay(
                game.start()._position, how, play_of(recipe.play), recipe.play.games, seed, recipe.run.threads
            )
        except ValueError as error:
            raise BadRecipe(f"{recipe.game}: {error}") from None
        self._told: list[_core.GameTold] = []

    @classmethod
    def of(cls, recipe: Recipe, *, rank: int = 0, world: int = 1) -> Self:
        """The games of one process of a run."""
        return cls(recipe, seed=(recipe.seed * world + rank) % (1 << 63))

    def begin(self, iteration: int) -> None:
        """The network is new: what trees hold are opinions of the old one, and every search begins anew."""
        self._games.forget([math.log(factor) for factor in boosts_at(self.recipe.play, iteration)])

    def leaves(self) -> NDArray[np.float32]:
        """The next positions to evaluate, of all games: (rows, planes, rows, cols)."""
        return self._games.leaves()

    def grow(self, logits: Any, values: Any, form: Literal["scalar", "odds", "logits"] = "logits") -> None:
        """Their evaluations."""
        self._games.grow(_floats(logits), _floats(values), form)

    @property
    def ready(self) -> int:
        """Samples of games that have ended since the last harvest."""
        return self._games.ready

    @property
    def totals(self) -> Mapping[str, float]:
        """Of the games that have ended since the last harvest."""
        return totals_of(self._ended())

    def harvest(self) -> Harvest:
        """What the games that have ended since the last time have given."""
        games = [line_of(game, self.recipe) for game in self._ended()]
        self._told = []
        return Harvest(self._games.take_samples().view(self.kind), games)

    def saved(self) -> bytes:
        """All that is needed to go on, between a harvest and the next `begin`."""
        return self._games.saved().tobytes()

    def load(self, data: bytes) -> None:
        """Go on from what `saved` gave.

        :raises BadRecipe: where it is of another recipe.
        """
        try:
            self._games.load(np.frombuffer(data, np.uint8))
        except ValueError as error:
            raise BadRecipe(f"{self.recipe.game}: {error}") from None

    def _ended(self) -> list[_core.GameTold]:
        self._told += self._games.take_games()
        return self._told


def totals_of(games: Sequence[_core.GameTold]) -> dict[str, float]:
    """What games came to."""
    winners = [game.winner for game in games]
    return {
        "games": len(games),
        "wins": winners.count(0),
        "draws": winners.count(None),
        "losses": winners.count(1),
        "plies": sum(game.plies for game in games) / max(1, len(games)),
    }


def _floats(numbers: Any) -> NDArray[np.float32]:
    if isinstance(numbers, torch.Tensor):
        numbers = numbers.detach().cpu().numpy()
    return np.ascontiguousarray(numbers, np.float32)


def kind_of(game: Game) -> np.dtype[np.void]:
    """What a sample of the game is for numpy."""
    size, parts = _core.sample_fields(game._rules)
    in_order = sorted(parts, key=lambda part: part[2])  # as numpy wants them in files
    names, formats, offsets = (list(column) for column in zip(*in_order, strict=True))
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


def search_of(recipe: Recipe) -> _core.Search:
    """How self-play searches."""
    given = {item.name: getattr(recipe.search, item.name) for item in fields(settings.Search)}
    return search(**given, forced_playouts=recipe.play.forced_playouts or 0.0)


def play_of(play: settings.Play) -> _core.Play:
    """How games are made, as C++ has it."""
    made = _core.Play()
    for name in (
        "temperature",
        "temperature_end",
        "temperature_plies",
        "opening_plies",
        "first_plies",
        "fast_simulations",
    ):
        setattr(made, name, getattr(play, name))
    made.full_share = 1.0 if play.full_share is None else play.full_share
    made.resign_below = NEVER if play.resign_below is None else play.resign_below
    made.resign_check, made.reuse = play.resign_check, play.reuse
    return made


def boosts_at(play: settings.Play, iteration: int) -> tuple[float, ...]:
    """The factors of the priors in an iteration; none once they are off."""
    if play.boosts is None or iteration > max(play.boost_until, play.boost_half_until):
        return ()
    if iteration <= play.boost_until:
        return play.boosts
    return tuple(1 + (factor - 1) / 2 for factor in play.boosts)


def line_of(game: _core.GameTold, recipe: Recipe) -> dict[str, Any]:
    """A game as a line of games/*.jsonl."""
    play, how = recipe.play, recipe.search
    return {
        "number": game.number,
        "start": game.start,
        "result": {None: 0, 0: 1, 1: -1}[game.winner],
        "winner": game.winner,
        "reason": game.reason,
        "plies": game.plies,
        "captures": game.captures,
        "opening": game.opening,
        "resigner": game.resigner,
        "checked": game.is_checked,
        "left_out": game.left_out,
        "moves": game.moves,
        "values": [None if value is None else round(value, 4) for value in game.values],
        "fast": [ply for ply, fast in enumerate(game.fast) if fast],
        "search": {
            "kind": how.kind,
            "simulations": how.simulations,
            "full_share": play.full_share,
            "fast_simulations": play.fast_simulations,
        },
        "temperature": [play.temperature, play.temperature_end, play.temperature_plies],
    }


def mixture_of(targets: settings.Targets) -> _core.Mixture:
    """What the value learns besides the outcome, as C++ has it."""
    made = _core.Mixture()
    made.search_share, made.soft_share = targets.search_share or 0.0, targets.soft_share or 0.0
    made.soft_scale, made.margin_scale = targets.soft_scale, targets.margin_scale
    return made


def batch_of(
    game: Game,
    samples: Samples,
    targets: settings.Targets,
    symmetries: NDArray[np.uint8] | None = None,
    threads: int = 1,
) -> Batch:
    """What samples teach, each turned by its symmetry."""
    given = np.ascontiguousarray(samples).view(np.uint8).reshape(-1)
    arrays = _core.examples(game._rules, given, symmetries, mixture_of(targets), threads)
    return Batch(**{name: torch.from_numpy(array) for name, array in arrays.items()})
