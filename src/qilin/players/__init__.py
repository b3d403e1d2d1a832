"""Who plays: a name with options, the same in Python, on the command line and on the web.

>>> qilin.player("alphabeta:depth=4", seed=1).choose(qilin.game("connect_four").start())
'd'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from qilin.errors import BadSpec
from qilin.players.alphabeta import AlphaBeta, AlphaBetaOptions
from qilin.players.analysis import Analysis, Line, Player, Watch
from qilin.players.level import Levelled, number_of
from qilin.players.net import NetOptions, net_player
from qilin.players.simple import Greedy, Random, promise
from qilin.players.soft import Soft, SoftOptions
from qilin.players.tree import TreeOptions, TreeSearch
from qilin.spec import Spec, parse_spec, read_options

__all__ = ["KINDS", "Analysis", "Line", "Player", "Watch", "describe", "player", "promise"]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of player is made from a spec, and what `--help` says about it."""

    make: Callable[[str, Spec, int], Player]
    options: type | None
    summary: str
    has_argument: bool = False  # before the options, as in `net:PATH`


def _plain(make: Callable[..., Player]) -> Callable[[str, Spec, int], Player]:
    def made(name: str, spec: Spec, seed: int) -> Player:
        if spec.options:
            raise BadSpec(f"{spec.name} has no options, got {name!r}")
        return make(name=name, seed=seed)

    return made


def _with(make: Callable[..., Player], options: type) -> Callable[[str, Spec, int], Player]:
    return lambda name, spec, seed: make(name=name, seed=seed, options=read_options(options, spec))


def _levelled(name: str, spec: Spec, seed: int) -> Player:
    if spec.options:
        raise BadSpec(f"{spec.name} has no options, got {name!r}")
    return Levelled(name=name, number=number_of(name, spec.argument), seed=seed)


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "random": Kind(_plain(Random), None, "any legal move"),
        "greedy": Kind(_plain(Greedy), None, "the move that looks best at once"),
        "alphabeta": Kind(
            _with(AlphaBeta, AlphaBetaOptions), AlphaBetaOptions, "alpha-beta over a hand-written evaluation"
        ),
        "mcts": Kind(_with(TreeSearch, TreeOptions), TreeOptions, "tree search without a network"),
        "net": Kind(
            net_player,
            NetOptions,
            "tree search with a trained network: net:PATH, of a run, its weights or an ONNX file",
            has_argument=True,
        ),
        "level": Kind(_levelled, None, "an opponent of measured strength, 1 the weakest: level:3", has_argument=True),
        "soft": Kind(_with(Soft, SoftOptions), SoftOptions, "alpha-beta that takes second-best moves too"),
    }
)


def player(spec: str, *, seed: int = 0) -> Player:
    """The player called `spec`, as in `random`, `greedy`, `alphabeta:time=1s`.

    :raises BadSpec: listing what is known.
    """
    parsed = parse_spec(spec)
    if parsed.name not in KINDS:
        raise BadSpec(f"no player is called {parsed.name!r}; the players are {', '.join(KINDS)}")
    kind = KINDS[parsed.name]
    if parsed.argument is not None and not kind.has_argument:
        raise BadSpec(f"{spec!r}: {parsed.argument!r} is not understood, expected KEY=VALUE")
    return kind.make(spec, parsed, seed)


def describe() -> list[tuple[str, str]]:
    """Every kind of player and each of its options, with a summary: for `--help` and the docs."""
    rows: list[tuple[str, str]] = []
    for name, kind in KINDS.items():
        rows.append((name, kind.summary))
        for item in fields(kind.options) if kind.options else ():
            rows.append((f"  {item.name}=", item.metadata["help"] + _default(item.default)))
    return rows


def _default(value: Any) -> str:
    return "" if value is None else f" (default {value})"
