"""What Qilin raises.

    QilinError
     ├── UnknownGame       no game of that name
     ├── UnknownOption     no such option, or not a value it takes
     ├── BadPosition       a text that is no position, or an impossible one
     ├── IllegalMove       a move that the rules do not allow here
     ├── BadSpec           a player's name, or a search's settings, that are not understood or can't be had
     ├── BadEvaluation     what a network said can't be used: a wrong size, NaN, out of range
     ├── BadRecord         a file of games that is damaged, or is none
     ├── BadRecipe         a training recipe that can't be used
     ├── NoRoom            what does not fit into the memory of this machine, or of its card
     ├── BadNetwork        a network that is missing, damaged, or of another game
     └── BadCheckpoint     a file of a training run, or a network's, that is damaged

All are `ValueError`s: the input was wrong, and the message quotes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qilin.words import Text


class QilinError(ValueError):
    """The root of Qilin's errors."""


class UnknownGame(QilinError):
    """There is no game of that name."""


class UnknownOption(QilinError):
    """A game has no such option, or the option does not take that value."""


class BadPosition(QilinError):
    """The text is no position, or a position that can not be."""

    words: Text | None = None  # what is wrong with it, where the rules say so


class IllegalMove(QilinError):
    """The rules do not allow this move here."""


class BadSpec(QilinError):
    """A player's name, or one of its options, is not understood."""


class BadEvaluation(QilinError):
    """What a network said about positions can't be used."""


class BadRecord(QilinError):
    """A file of games is damaged, or is none."""


class BadRecipe(QilinError):
    """A training recipe can't be used."""


class NoRoom(QilinError):
    """It does not fit into the memory that there is."""


class BadCheckpoint(QilinError):
    """A file of a training run, or a network's, is damaged, or is none."""


class BadNetwork(QilinError):
    """A network is missing, damaged or of another game, or what it takes to use it is not there."""
