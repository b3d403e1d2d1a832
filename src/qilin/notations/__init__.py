"""How moves are written: every game has its native notation, and may offer more in a module of its own here.

>>> write_move(qilin.game("xiangqi").start(), "h2e2", "chinese")
'炮二平五'

A notation says how each legal move may be spelt. Reading compares with those spellings, so what was written is always
read back, and nothing illegal is ever read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec

from qilin.errors import BadSpec, IllegalMove
from qilin.state import State
from qilin.words import Text

NATIVE = "native"
MOST_TYPED = 40  # characters; no spelling is as long

# Every spelling of a legal move, the one that is written first.
Speller = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """One way of writing moves."""

    words: Text
    spell: Callable[[State], Speller]  # looks at the position once, then spells its moves
    fold: Callable[[str], str] = str.strip  # what is read alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Notations:
    """What a game's module offers as `NOTATIONS`."""

    named: Mapping[str, Notation]
    pgn_game: str | None = None  # the name that PGN files know the game by


def _as_it_is(state: State) -> Speller:
    return lambda move: (move,)


NATIVE_NOTATION = Notation(words=Text(en="native", zh="本程序"), spell=_as_it_is)


@cache
def _offered(game: str) -> Notations:
    module = f"{__name__}.{game}"
    if find_spec(module) is None:
        return Notations(named={})
    offered = import_module(module).NOTATIONS
    assert isinstance(offered, Notations)
    return offered


def notations(game: str) -> dict[str, Notation]:
    """The notations of a game by name; the native one first."""
    return {NATIVE: NATIVE_NOTATION, **_offered(game).named}


def pgn_game(game: str) -> str:
    """What PGN files call the game."""
    return _offered(game).pgn_game or game


def notation(game: str, name: str) -> Notation:
    """One of a game's notations.

    :raises BadSpec: naming those there are.
    """
    known = notations(game)
    if name not in known:
        raise BadSpec(f"{game} has no notation {name!r}; it has {', '.join(known)}")
    return known[name]


def write_move(state: State, move: str, name: str = NATIVE) -> str:
    """A legal move, or an answer of chance, in a notation."""
    return _speller(state, name)(move)[0]


@lru_cache(maxsize=64)  # moves of one position are asked for one after the other
def _speller(state: State, name: str) -> Speller:
    how = notation(state.game.name, name)
    return _as_it_is(state) if state.is_chance else how.spell(state)


@lru_cache(maxsize=64)
def _spellings(state: State, name: str) -> dict[str, list[str]]:
    """Every move with its spellings, folded."""
    how, spell = notation(state.game.name, name), _speller(state, name)
    return {move: [how.fold(way) for way in spell(move)] for move in [*state.moves(), *state.outcomes()]}


def read_move(state: State, text: str, prefer: str = NATIVE) -> str:
    """The legal move, or the answer of chance, that `text` means: in `prefer`, the native notation, or any other.

    :raises IllegalMove: when it means none, or more than one.
    """
    return understood(state, text, prefer)[0]


def understood(state: State, text: str, prefer: str = NATIVE) -> tuple[str, str]:
    """The same, with the name of the notation it was written in."""
    known = notations(state.game.name)
    for name in dict.fromkeys([prefer, *known]):
        found = _matches(state, text, name)
        if len(found) == 1:
            return found[0], name
        if found:
            raise IllegalMove(f"{text!r} may be any of {', '.join(found)} in '{state}': expected one move")
    possible = list(state.outcomes()) if state.is_chance else state.moves()
    hint = f"legal moves: {' '.join(possible)}" if possible else f"the game is over ({state.reason})"
    raise IllegalMove(f"{_shortened(text)!r} is no legal move in '{state}', in any of {', '.join(known)}; {hint}")


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_TYPED else text[:MOST_TYPED] + "…"


def _matches(state: State, text: str, name: str) -> list[str]:
    """The moves whose first spelling this is; where there is none, those with any such spelling."""
    if len(text) > MOST_TYPED:
        return []
    typed, spelt = notation(state.game.name, name).fold(text), _spellings(state, name)
    exact = [move for move, ways in spelt.items() if ways[0] == typed]
    return exact or [move for move, ways in spelt.items() if typed in ways]
