"""Qilin 棋林: Chinese board games with exact rules, search and training.

>>> import qilin
>>> state = qilin.game("connect_four").start()
>>> state.play("d").to_move
1
"""

from qilin.errors import BadPosition, IllegalMove, QilinError, UnknownGame, UnknownOption
from qilin.state import Game, State, game, games

__all__ = [
    "BadPosition",
    "Game",
    "IllegalMove",
    "QilinError",
    "State",
    "UnknownGame",
    "UnknownOption",
    "game",
    "games",
]
