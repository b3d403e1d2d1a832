"""Qilin 棋林: Chinese board games with exact rules, search and training.

>>> import qilin
>>> state = qilin.game("connect_four").start()
>>> state.play("d").to_move
1
"""

from qilin.errors import (
    BadEvaluation,
    BadPosition,
    BadRecord,
    BadSpec,
    IllegalMove,
    QilinError,
    UnknownGame,
    UnknownOption,
)
from qilin.forest import Forest, search
from qilin.players import Player, player
from qilin.state import Game, State, game, games

__all__ = [
    "BadEvaluation",
    "BadPosition",
    "BadRecord",
    "BadSpec",
    "Forest",
    "Game",
    "IllegalMove",
    "Player",
    "QilinError",
    "State",
    "UnknownGame",
    "UnknownOption",
    "game",
    "games",
    "player",
    "search",
]
