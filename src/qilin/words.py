"""What a game is called, in words for people. One descriptor per game, in `qilin.games`; no number that C++ knows."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The same words in both languages."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Glyph:
    """How a letter of a position's text is drawn on a terminal: a character (narrow or wide) and a rich style."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A game's descriptor."""

    title: Text
    summary: Text  # one sentence: what one does and who wins
    players: tuple[Text, Text]  # the seats, first mover first
    moves: Text  # how a move is typed, with an example
    letters: Mapping[str, Glyph]  # every letter that the board of a position's text may hold
    reasons: Mapping[str, Text]  # for every reason the rules know: a clause that follows "X wins: " or "draw: "
    counters: Mapping[str, Text] = field(default_factory=dict)  # what the rules count; see core/facts.hpp
    phases: Mapping[str, Text] = field(default_factory=dict)  # what a player is to do in each part of a turn
    sets: Mapping[str, Text] = field(default_factory=dict)  # what a set of squares shows
    whys: Mapping[str, Text] = field(default_factory=dict)  # why a ply is not legal: a sentence
    faults: Mapping[str, str] = field(default_factory=dict)  # a position's, in Chinese: see qilin.faults
    options: Mapping[str, Text] = field(default_factory=dict)  # what each setting is about
    choices: Mapping[str, Text] = field(default_factory=dict)  # and what its named values do
    empty: Glyph = field(default=Glyph("·", "dim"))
