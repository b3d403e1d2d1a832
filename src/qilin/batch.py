"""Many games side by side, over numpy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qilin import _core
from qilin.errors import BadPosition, IllegalMove

if TYPE_CHECKING:
    from qilin.state import Game, State


@dataclass(frozen=True, slots=True)
class Status:
    """How every game of a batch stands; arrays of (size,), with -1 where a state would say None."""

    to_move: NDArray[np.int8]  # -1 at the end
    is_over: NDArray[np.bool_]
    winner: NDArray[np.int8]  # -1: a draw, or open
    reason: NDArray[np.uint8]  # index into game.reasons, where is_over
    margin: NDArray[np.int32]  # 0 in games without one


class Batch:
    """`size` games in one block of memory. Chance is answered at once, by one seeded stream a game.

    >>> batch = qilin.game("ataxx").batch(1024, seed=1, threads=2)
    >>> mask = batch.legal()  # (1024, policy_size)
    >>> batch.play(mask.argmax(axis=1))  # the first legal move everywhere
    >>> batch.reset(batch.status().is_over)
    """

    __slots__ = ("_batch", "game")

    def __init__(self, game: Game, start: State, size: int, *, seed: int, threads: int) -> None:
        """Use `game.batch(size)`."""
        if start.game != game:
            raise BadPosition(f"a batch of {game!r} can not start from {start!r} of {start.game!r}")
        for what, number, least, most in (("size", size, 1, 2**31 - 1), ("seed", seed, 0, 2**64 - 1)):
            if not least <= number <= most:
                raise ValueError(f"the {what} of a batch is {number}, expected {least} … {most}")
        self.game = game
        self._batch = _core.Batch(start._position, size, seed, threads)

    def __len__(self) -> int:
        """How many games it holds."""
        return len(self._batch)

    def __getitem__(self, index: int) -> State:
        """One game as a state of its own, without the list of its moves."""
        from qilin.state import State

        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of a batch of {len(self)}")
        return State(self.game, self._batch.at(index % len(self)))

    def legal(self) -> NDArray[np.bool_]:
        """Which moves are legal: (size, policy_size). A finished game has none."""
        return self._batch.legal()

    def play(self, moves: ArrayLike) -> None:
        """Play `moves[i]`, a policy index, in game i. Entries of finished games are not looked at.

        :raises IllegalMove: naming the first wrong entry; then nothing was played.
        """
        given = np.asarray(moves)
        if given.dtype.kind not in "iu" or given.ndim != 1:
            what = f"{given.dtype} of shape {given.shape}"
            raise IllegalMove(f"{self.game.name}: moves are {what}, expected one policy index for each game")
        chosen = np.ascontiguousarray(given, dtype=np.int32)
        if (chosen != given).any():  # else it would wrap, perhaps to a legal move
            raise IllegalMove(f"{self.game.name}: {given[chosen != given][0]} is no policy index; nothing was played")
        try:
            self._batch.play(chosen)
        except ValueError as error:
            raise IllegalMove(f"{self.game.name}: {error}") from None

    def planes(self) -> NDArray[np.float32]:
        """What a network sees of every game: (size, planes, rows, cols)."""
        return self._batch.planes()

    def status(self) -> Status:
        """Who is to move, what is over, who won and why."""
        return Status(*self._batch.status())

    def reset(self, which: ArrayLike | None = None) -> None:
        """Put the start back: everywhere, or where `which` is true."""
        mask = np.ones(len(self), np.bool_) if which is None else np.ascontiguousarray(which)
        if mask.dtype != np.bool_ or mask.ndim != 1:
            raise ValueError(f"which games to reset is {mask.dtype} of shape {mask.shape}, expected one bool for each")
        self._batch.reset(mask)
