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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, Self

LIBRARY = "QILIN_CUDA_LIBRARY"  # the environment variable that names a library, instead of the one in the package
ABI = 3  # of cpp/cuda/library.h
PLACES = {"gpu": 0, "cpu": 1}
NUMBERS = {"float32": 0, "bfloat16": 1}
FORMS = {"scalar": 0, "odds": 1, "logits": 2}
BAD_INPUT, NO_DEVICE = 1, 2
_INT = 2**31 - 1  # the largest int of C: ctypes would cut what is larger, and say nothing

Place = Literal["gpu", "cpu"]
Number = Literal["float32", "bfloat16"]
Form = Literal["scalar", "odds", "logits"]


class SearchLike(Protocol):
    """How trees grow: `qilin.search(…)`, or anything with the same numbers."""

    kind: Any
    simulations: int
    leaves: int
    considered: int
    stop_early: bool


class CudaError(RuntimeError):
    """There is no library, no card that can be used, or the card failed. The message says which."""


_SEARCH_NUMBERS = (
    "c_puct", "c_growth", "c_scale", "fpu_reduction", "root_fpu_reduction", "root_temperature", "noise_weight",
    "noise_alpha", "gumbel_noise", "gumbel_visits", "gumbel_scale", "forced_playouts",
)  # fmt: skip
_TOTALS = ("plies", "first_wins", "second_wins", "draws", "unfinished")


class _Position(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_char_p) for name in ("game", "settings", "text", "moves"))


class _Search(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int) for name in ("gumbel", "simulations", "leaves", "stop_early", "considered")),
        *((name, ctypes.c_float) for name in _SEARCH_NUMBERS),
    )


class _Questions(ctypes.Structure):
    _fields_ = (("planes", ctypes.c_void_p), ("number", ctypes.c_int), ("channels", ctypes.c_int))


class _Replies(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("logits", "values")),
        *((name, ctypes.c_int) for name in ("number", "form")),
        *((name, ctypes.c_int64) for name in ("logits_stride", "values_stride")),
        ("places", ctypes.c_void_p),
    )


class _Findings(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("policy", "values", "moves")),
        ("temperature", ctypes.c_float),
    )


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
    check(library().qilin_cuda_device(name, len(name)))
    return name.value.decode()


def games() -> list[str]:
    """The games that the library was built with."""
    names: list[str] = []
    while name := library().qilin_cuda_game(len(names)):
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
    at = position(game, text, settings)
    check_range("depth", depth, 0, _INT)
    check(library().qilin_cuda_perft(PLACES[on], at, depth, ctypes.byref(nodes), ctypes.byref(ms)))
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
    at = position(game, text, settings)
    most = _INT if most_plies is None else most_plies
    check_range("seed", seed, 0, 2**64 - 1)
    check_range("games", games, 1, 2**64 - 1)
    check_range("most_plies", most, 0, _INT)
    check(library().qilin_cuda_playouts(PLACES[on], at, seed, games, most, ctypes.byref(tally), ctypes.byref(ms)))
    totals = {name: getattr(tally, name) for name in _TOTALS}
    return Playouts(**totals, seconds=ms.value / 1000)


def forest_bytes(game: str, search: SearchLike, trees: int) -> int:
    """Memory that a forest needs on the card.

    :raises ValueError: for settings out of range.
    """
    needed, settings = ctypes.c_uint64(), search_struct(search)
    check_range("trees", trees, 1, _INT)
    check(library().qilin_cuda_forest_bytes(game.encode(), ctypes.byref(settings), trees, ctypes.byref(needed)))
    return needed.value


class Forest:
    """Search trees in memory that the caller gives, on the card or, to check it, on the host.

    Pointers and streams are whole numbers, as `tensor.data_ptr()` and `stream.cuda_stream` say them. What is given must
    live as long as the forest. `look`, `learn`, `advance` and `find` wait for nothing, and fit into a CUDA graph.
    """

    def __init__(
        self,
        game: str,
        search: SearchLike,
        *,
        trees: int,
        memory: int,
        size: int,
        seed: int = 0,
        text: str = "",
        moves: Sequence[str] = (),
        settings: Mapping[str, str | int] | None = None,
        on: Place = "gpu",
    ) -> None:
        """Plant every tree at the position after `moves` from `text` (no text: the start)."""
        self._forest = ctypes.c_void_p()
        at, how = position(game, text, settings, moves), search_struct(search)
        check_range("trees", trees, 1, _INT)
        check_range("seed", seed, 0, 2**64 - 1)
        place = PLACES[on]
        check(
            library().qilin_cuda_forest_open(
                place, at, ctypes.byref(how), trees, seed, memory, size, ctypes.byref(self._forest)
            )
        )

    @classmethod
    def of(cls, forest: ctypes.c_void_p) -> Self:
        """A forest that is there already."""
        made = cls.__new__(cls)
        made._forest = forest
        return made

    def look(self, planes: int, *, number: Number = "float32", channels: int = 0, stream: int = 0) -> None:
        """Write the planes of the next leaves: float32 (rows, planes, rows, cols), or bfloat16 channels last."""
        to = _Questions(planes, NUMBERS[number], channels)
        check(library().qilin_cuda_forest_look(self._forest, ctypes.byref(to), stream))

    def learn(
        self,
        logits: int,
        values: int,
        *,
        strides: tuple[int, int],
        number: Number,
        form: Form,
        places: int = 0,
        stream: int = 0,
    ) -> None:
        """Take the network's answers; `strides` are the numbers from one row of logits, and of values, to the next.

        `places`: uint32, for each move where its logit stands in a row; 0: at the move's number.
        """
        replies = _Replies(logits, values, NUMBERS[number], FORMS[form], *strides, places or None)
        check(library().qilin_cuda_forest_learn(self._forest, ctypes.byref(replies), stream))

    def advance(self, moves: int, *, keep: bool = True, stream: int = 0) -> None:
        """Play int32 moves, one a tree (below 0: none there), and begin the next searches."""
        check(library().qilin_cuda_forest_advance(self._forest, moves, keep, stream))

    def find(
        self, *, policy: int = 0, values: int = 0, moves: int = 0, temperature: float = 0.0, stream: int = 0
    ) -> None:
        """Write what was found: float32 (trees, policy), float32 (trees, 2) value and draws, int32 (trees,)."""
        to = _Findings(policy or None, values or None, moves or None, temperature)
        check(library().qilin_cuda_forest_find(self._forest, ctypes.byref(to), stream))

    def broken(self) -> int:
        """Evaluations so far that were no numbers. Waits for the card."""
        count = ctypes.c_uint64()
        check(library().qilin_cuda_forest_counts(self._forest, ctypes.byref(count)))
        return count.value

    def seal(self, tree: int) -> int:
        """A number that two trees share if they are the same to the last bit. Waits for the card."""
        seal = ctypes.c_uint64()
        check_range("tree", tree, 0, _INT)
        check(library().qilin_cuda_forest_seal(self._forest, tree, ctypes.byref(seal)))
        return seal.value

    def text(self, tree: int, *, depth: int = 2, visits: int = 1, json: bool = False) -> str:
        """A tree for people, or as JSON. Waits for the card."""
        check_range("tree", tree, 0, _INT)
        out, needed = ctypes.create_string_buffer(1 << 16), ctypes.c_size_t()
        for _ in range(2):  # once more with the room it asks for
            check(
                library().qilin_cuda_forest_print(
                    self._forest, tree, depth, visits, json, out, len(out), ctypes.byref(needed)
                )
            )
            if needed.value <= len(out):
                break
            out = ctypes.create_string_buffer(needed.value)
        return out.value.decode()

    def close(self) -> None:
        """Let go of the memory; it is the caller's."""
        library().qilin_cuda_forest_close(self._forest)
        self._forest = ctypes.c_void_p()


def search_struct(search: SearchLike) -> _Search:
    """A search's settings as the library takes them."""
    out = _Search(gumbel=search.kind.name == "gumbel", stop_early=search.stop_early)
    for name in ("simulations", "leaves", "considered", *_SEARCH_NUMBERS):
        setattr(out, name, getattr(search, name))
    return out


def position(game: str, text: str, settings: Mapping[str, str | int] | None, moves: Sequence[str] = ()) -> _Position:
    """A position as the library takes it."""
    pairs = ",".join(f"{name}={value}" for name, value in (settings or {}).items())
    given = (game, pairs, text, " ".join(moves))
    for part in given:
        if "\0" in part:
            raise ValueError(f"{part!r} holds a NUL character, where C would stop reading")
    return _Position(*(part.encode() for part in given))


def check_range(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{what} is {value}, expected {least} to {most}")


def check(status: int) -> None:
    if status == 0:
        return
    why = library().qilin_cuda_error().decode(errors="replace")
    raise ValueError(why) if status == BAD_INPUT else CudaError(why)


@cache
def library() -> ctypes.CDLL:
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
    c_int, c_uint64, c_size_t, pointer = ctypes.c_int, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p
    at, text = ctypes.POINTER(_Position), ctypes.c_char_p
    library.qilin_cuda_error.restype = text
    library.qilin_cuda_game.restype = text
    for name, types in {
        "device": [text, c_size_t],
        "perft": [c_int, at, c_int, pointer, pointer],
        "playouts": [c_int, at, c_uint64, c_uint64, c_int, pointer, pointer],
        "forest_bytes": [text, pointer, c_int, pointer],
        "forest_open": [c_int, at, pointer, c_int, c_uint64, pointer, c_uint64, pointer],
        "forest_close": [pointer],
        "forest_look": [pointer, pointer, pointer],
        "forest_learn": [pointer, pointer, pointer],
        "forest_advance": [pointer, pointer, c_int, pointer],
        "forest_find": [pointer, pointer, pointer],
        "forest_counts": [pointer, pointer],
        "forest_print": [pointer, c_int, c_int, c_int, c_int, pointer, c_size_t, pointer],
        "forest_seal": [pointer, c_int, pointer],
        "selfplay_sizes": [text, pointer, c_int, pointer],
        "selfplay_open": [c_int, at, pointer, pointer, c_int, c_uint64, pointer, c_uint64, pointer, pointer],
        "selfplay_close": [pointer],
        "selfplay_forest": [pointer, pointer],
        "selfplay_turn": [pointer, pointer],
        "selfplay_forget": [pointer, pointer, c_int, pointer],
        "selfplay_yield": [pointer, pointer],
        "selfplay_examples": [c_int, text, pointer, pointer, c_uint64, pointer],
    }.items():
        getattr(library, f"qilin_cuda_{name}").argtypes = types
    library.qilin_cuda_forest_close.restype = library.qilin_cuda_selfplay_close.restype = None
    return library


if __name__ == "__main__":
    raise SystemExit(f"no GPU to work on: {why_not()}" if why_not() else print(device()))
