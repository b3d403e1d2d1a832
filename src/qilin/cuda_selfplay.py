"""Self-play on a card, by the library of `cpp/cuda`: games, trees and samples in memory that the caller gives.

    games = SelfPlay("ataxx", search, play, trees=4096, memory=…, size=sizes(…).all, barn=barn)
    games.turn(stream)                       # all of this fits into one CUDA graph
    games.forest.look(planes, stream=stream)
    …                                        # the network
    games.forest.learn(logits, values, …, stream=stream)

Like `qilin.cuda` it stands alone: pointers and streams are whole numbers, and `qilin._core` is not needed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from qilin import cuda
from qilin.cuda import Forest, Place, SearchLike, check, check_range, library, position, search_struct

_INT = 2**31 - 1


class PlayLike(Protocol):
    """How games are made: `qilin._core.Play`, or anything with the same numbers."""

    opening_plies: int
    first_plies: int
    fast_simulations: int
    reuse: bool
    temperature: float
    temperature_end: float
    temperature_plies: float
    full_share: float
    resign_below: float
    resign_check: float


_WHOLE = ("opening_plies", "first_plies", "fast_simulations", "reuse")
_REAL = ("temperature", "temperature_end", "temperature_plies", "full_share", "resign_below", "resign_check")


class MixtureLike(Protocol):
    """What the value learns besides the outcome: `qilin._core.Mixture`, or anything with the same numbers."""

    search_share: float
    soft_share: float
    soft_scale: float
    margin_scale: float


class _Play(ctypes.Structure):
    _fields_ = (*((name, ctypes.c_int) for name in _WHOLE), *((name, ctypes.c_float) for name in _REAL))


class _Barn(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("samples", "games")),
        *((name, ctypes.c_uint64) for name in ("sample_room", "game_room")),
    )


_SIZES = ("sample", "game", "slots", "all")


class _Sizes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in _SIZES)


_YIELDS = ("samples", "games", "plies", "simulations", "evaluations", "left_out", "refused")


class _Yield(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in _YIELDS)


_TARGETS = ("moves", "reply", "owner", "shares", "odds", "margin", "plies_left", "legal", "has_reply", "was_finished")
_MIXTURE = ("search_share", "soft_share", "soft_scale", "margin_scale")


class _Examples(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("places", "symmetries")),
        *((name, ctypes.c_float) for name in _MIXTURE),
        ("planes", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in ("number", "channels")),
        *((name, ctypes.c_void_p) for name in _TARGETS),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Bytes of a sample and of a game in a barn, moves of an example, and bytes of all games with their trees."""

    sample: int
    game: int
    slots: int
    all: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Barn:
    """Rings of the caller's: the n-th sample, and the n-th game, lie at place n % room."""

    samples: int
    games: int
    sample_room: int
    game_room: int

    @property
    def struct(self) -> _Barn:
        """As the library takes it."""
        return _Barn(self.samples, self.games, self.sample_room, self.game_room)


@dataclass(frozen=True, slots=True, kw_only=True)
class Yield:
    """What games have given since they were begun."""

    samples: int
    games: int
    plies: int
    simulations: int
    evaluations: int
    left_out: int  # samples of very long games
    refused: int  # simulations that full trees did not do


def sizes(game: str, search: SearchLike, trees: int) -> Sizes:
    """What so many games need.

    :raises ValueError: for settings out of range.
    """
    check_range("trees", trees, 1, _INT)
    found, how = _Sizes(), search_struct(search)
    check(library().qilin_cuda_selfplay_sizes(game.encode(), ctypes.byref(how), trees, ctypes.byref(found)))
    return Sizes(**{name: getattr(found, name) for name in _SIZES})


class SelfPlay:
    """Games under way on the card or, to check it, on the host. What is given must live as long as the games."""

    def __init__(
        self,
        game: str,
        search: SearchLike,
        play: PlayLike,
        *,
        trees: int,
        memory: int,
        size: int,
        barn: Barn,
        seed: int = 0,
        settings: Mapping[str, str | int] | None = None,
        on: Place = "gpu",
    ) -> None:
        """Begin a game for every tree."""
        self._games, tree = ctypes.c_void_p(), ctypes.c_void_p()
        at, how, made = position(game, "", settings), search_struct(search), _Play()
        for name in (*_WHOLE, *_REAL):
            setattr(made, name, getattr(play, name))
        check_range("trees", trees, 1, _INT)
        check_range("seed", seed, 0, 2**64 - 1)
        check(
            library().qilin_cuda_selfplay_open(
                cuda.PLACES[on], at, ctypes.byref(how), ctypes.byref(made), trees, seed, memory, size,
                ctypes.byref(barn.struct), ctypes.byref(self._games),
            )
        )  # fmt: skip
        check(library().qilin_cuda_selfplay_forest(self._games, ctypes.byref(tree)))
        self.forest = Forest.of(tree)

    def turn(self, stream: int = 0) -> None:
        """Play a ply wherever a search is done; games that have ended go to the barn, and others begin."""
        check(library().qilin_cuda_selfplay_turn(self._games, stream))

    def forget(self, boosts: Sequence[float] = (), stream: int = 0) -> None:
        """The network is new: every tree begins anew. Boosts are logarithms of factors of the priors, by tier."""
        given = (ctypes.c_float * len(boosts))(*boosts) if boosts else None
        check(library().qilin_cuda_selfplay_forget(self._games, given, len(boosts), stream))

    def given(self) -> Yield:
        """What the games have given. Waits for the card."""
        found = _Yield()
        check(library().qilin_cuda_selfplay_yield(self._games, ctypes.byref(found)))
        return Yield(**{name: getattr(found, name) for name in _YIELDS})

    def close(self) -> None:
        """Let go of the memory; it is the caller's."""
        self.forest.close()
        library().qilin_cuda_selfplay_close(self._games)
        self._games = ctypes.c_void_p()


def examples(
    game: str,
    barn: Barn,
    rows: int,
    *,
    places: int,
    symmetries: int = 0,
    mixture: MixtureLike,
    planes: int,
    number: cuda.Number = "float32",
    channels: int = 0,
    targets: Mapping[str, int],
    stream: int = 0,
    on: Place = "gpu",
) -> None:
    """Write samples of a barn as a network learns them; all numbers but `rows` and `mixture` are pointers."""
    to = _Examples(places=places, symmetries=symmetries or None, planes=planes, channels=channels)
    to.number = cuda.NUMBERS[number]
    for name in _MIXTURE:
        setattr(to, name, getattr(mixture, name))
    for name in _TARGETS:
        setattr(to, name, targets[name])
    check(
        library().qilin_cuda_selfplay_examples(
            cuda.PLACES[on], game.encode(), ctypes.byref(barn.struct), ctypes.byref(to), rows, stream
        )
    )
