"""The gate: a challenger plays the champion, and only who scores enough may play the games that are learned from."""

from __future__ import annotations

from torch import Tensor

from qilin.train.arena import ByNetwork, contest
from qilin.train.judge import Judge
from qilin.train.network import NetConfig
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe


def score(recipe: Recipe, ranks: Ranks, challenger: dict[str, Tensor], champion: dict[str, Tensor], seed: int) -> float:
    """The challenger's, between 0 and 1; a draw is half a point."""
    game, settings = recipe.of(), recipe.evaluate

    def mover(weights: dict[str, Tensor]) -> ByNetwork:
        judge = Judge.of(game, NetConfig.of(recipe), weights, ranks.device, threads=recipe.run.threads)
        return ByNetwork(judge, settings.simulations, seed)

    pairs = contest(
        game, mover(challenger), mover(champion), settings.games, opening_plies=settings.opening_plies, seed=seed
    )
    return pairs.score
