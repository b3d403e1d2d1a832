"""The rules on a card: perft and random playouts, by the library of `cpp/cuda`.

    >>> from qilin import cuda
    >>> cuda.available() or cuda.why_not()
    >>> cuda.perft("ataxx", depth=6)
    >>> cuda.playouts("ataxx", games=1_000_000, settings={"rules": "uai"}).plies_per_second

The library is built with nvcc, loaded when first asked, and stands alone: `qilin._core` is not needed.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

LIBRARY = "QILIN_CUDA_LIBRARY"  # the environment variable that names a library, instead of the one in the package
ABI = 1  # of cpp/cuda/library.h
PLACES = {"gpu": 0, "cpu": 1}
BAD_INPUT, NO_DEVICE = 1, 2
_INT = 2**31 - 1  # the largest int of C: ctypes would cut what is larger, and say nothing

Place = Literal["gpu", "cpu"]


class CudaError(RuntimeError):
    """There is no library, no card that can be used, or the card failed. The message says which."""


_TOTALS = ("plies", "first_wins", "second_wins", "draws", "unfinished")


class _Position(ctypes.Structure):
    _fields_ = (("game", ctypes.c_char_p), ("settings", ctypes.c_char_p), ("text", ctypes.c_char_p))


class _Tally(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in _TOTALS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Perft:
    """How many positions, and how long counting took."""

    nodes: int
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        """Leaves a second."""
        return self.nodes / self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Playouts:
    """What random games came to, and how long they took."""

    plies: int
    first_wins: int
    second_wins: int
    draws: int
    unfinished: int
    seconds: float

    @property
    def totals(self) -> tuple[int, int, int, int, int]:
        """All that does not depend on the machine."""
        return self.plies, self.first_wins, self.second_wins, self.draws, self.unfinished

    @property
    def plies_per_second(self) -> float:
        """Plies of all games a second."""
        return self.plies / self.seconds


def available() -> bool:
    """Whether the library is there, and a card that it can use."""
    return why_not() == ""


def why_not() -> str:
    """What is missing for `available()`; empty when nothing is."""
    try:
        device()
    except CudaError as error:
        return str(error)
    return ""


def device() -> str:
    """The name of the card."""
    name = ctypes.create_string_buffer(256)
    _check(_library().qilin_cuda_device(name, len(name)))
    return name.value.decode()


def games() -> list[str]:
    """The games that the library was built with."""
    names: list[str] = []
    while name := _library().qilin_cuda_game(len(names)):
        names.append(name.decode())
    return names


def perft(
    game: str, text: str = "", *, depth: int, settings: Mapping[str, str | int] | None = None, on: Place = "gpu"
) -> Perft:
    """Count the positions `depth` plies after `text` (no text: after the start).

    :raises ValueError: the game, a setting, the position or the depth is wrong; the message says what would be right.
    :raises CudaError: the card can not do it.
    """
    nodes, ms = ctypes.c_uint64(), ctypes.c_double()
    at = _position(game, text, settings)
    _check_range("depth", depth, 0, _INT)
    _check(_library().qilin_cuda_perft(PLACES[on], at, depth, ctypes.byref(nodes), ctypes.byref(ms)))
    return Perft(nodes=nodes.value, seconds=ms.value / 1000)


def playouts(
    game: str,
    text: str = "",
    *,
    games: int,
    seed: int = 0,
    most_plies: int | None = None,
    settings: Mapping[str, str | int] | None = None,
    on: Place = "gpu",
) -> Playouts:
    """Play `games` random games from `text` (no text: from the start), each of at most `most_plies` plies.

    The same seed gives the same games on every card, and on the CPU.

    :raises ValueError: the game, a setting, the position or a number is wrong; the message says what would be right.
    :raises CudaError: the card can not do it.
    """
    tally, ms = _Tally(), ctypes.c_double()
    at = _position(game, text, settings)
    most = _INT if most_plies is None else most_plies
    _check_range("seed", seed, 0, 2**64 - 1)
    _check_range("games", games, 1, 2**64 - 1)
    _check_range("most_plies", most, 0, _INT)
    _check(_library().qilin_cuda_playouts(PLACES[on], at, seed, games, most, ctypes.byref(tally), ctypes.byref(ms)))
    totals = {name: getattr(tally, name) for name in _TOTALS}
    return Playouts(**totals, seconds=ms.value / 1000)


def _position(game: str, text: str, settings: Mapping[str, str | int] | None) -> _Position:
    pairs = ",".join(f"{name}={value}" for name, value in (settings or {}).items())
    for given in (game, pairs, text):
        if "\0" in given:
            raise ValueError(f"{given!r} holds a NUL character, where C would stop reading")
    return _Position(game.encode(), pairs.encode(), text.encode())


def _check_range(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{what} is {value}, expected {least} to {most}")


def _check(status: int) -> None:
    if status == 0:
        return
    why = _library().qilin_cuda_error().decode(errors="replace")
    raise ValueError(why) if status == BAD_INPUT else CudaError(why)


@cache
def _library() -> ctypes.CDLL:
    path = Path(os.environ.get(LIBRARY) or Path(__file__).parent / "libqilin_cuda.so")
    if not path.is_file():
        raise CudaError(f"no library at {path}: build it with `make cuda` (needs nvcc), or name it in ${LIBRARY}")
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise CudaError(f"{path} can not be loaded: {error}") from None
    return _declared(library, path)


def _declared(library: ctypes.CDLL, path: Path) -> ctypes.CDLL:
    """The library with the types of `cpp/cuda/library.h`."""
    if not hasattr(library, "qilin_cuda_abi") or library.qilin_cuda_abi() != ABI:
        raise CudaError(f"{path} is not of this version of qilin (interface {ABI}): build it again")
    c_int, c_double_p = ctypes.c_int, ctypes.POINTER(ctypes.c_double)
    c_uint64, position = ctypes.c_uint64, ctypes.POINTER(_Position)
    library.qilin_cuda_error.restype = ctypes.c_char_p
    library.qilin_cuda_game.restype = ctypes.c_char_p
    library.qilin_cuda_device.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.qilin_cuda_perft.argtypes = [c_int, position, c_int, ctypes.POINTER(c_uint64), c_double_p]
    library.qilin_cuda_playouts.argtypes = [
        c_int, position, c_uint64, c_uint64, c_int, ctypes.POINTER(_Tally), c_double_p,
    ]  # fmt: skip
    return library


if __name__ == "__main__":
    raise SystemExit(f"no GPU to work on: {why_not()}" if why_not() else print(device()))
