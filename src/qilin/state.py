"""Games and states: the rules of the C++ headers, as Python values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from qilin import _core
from qilin.errors import BadPosition, IllegalMove, UnknownGame, UnknownOption
from qilin.faults import words_of
from qilin.games import GAMES
from qilin.words import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qilin.batch import Batch


def games() -> list[str]:
    """The names of all games."""
    return [rules.name for rules in _core.all_rules()]


def game(name: str, **options: str | int) -> Game:
    """The game `name` under `options`; those not given have the defaults of the preset.

    >>> qilin.game("ataxx", rules="uai").options
    {'rules': 'uai', ...}
    """
    for rules in _core.all_rules():
        if rules.name == name:
            return Game(rules, _settings(rules, options))
    near = get_close_matches(name, games(), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownGame(f"no game is called {name!r}; the games are {', '.join(games())}{hint}")


def _settings(rules: _core.Rules, options: Mapping[str, str | int]) -> tuple[int, ...]:
    known = {option.name: option for option in rules.options}
    for name in options:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise UnknownOption(f"{rules.name} has no option {name!r}; its options are: {listed}")
    values = {name: _option_value(rules, known[name], value) for name, value in options.items()}
    first = rules.options[0].name if rules.options else ""
    preset = values.get(first, 0) if first and known[first].choices else 0
    defaults = rules.defaults(preset)
    return tuple(values.get(option.name, default) for option, default in zip(rules.options, defaults, strict=True))


def _option_value(rules: _core.Rules, option: _core.Option, value: str | int) -> int:
    if option.choices:
        if value in option.choices:
            return option.choices.index(str(value))
        expected = " or ".join(repr(choice) for choice in option.choices)
    else:
        is_number = re.fullmatch("-?[0-9]+", str(value)) and not isinstance(value, bool)
        if is_number and option.least <= int(value) <= option.most:
            return int(value)
        expected = f"a whole number from {option.least} to {option.most}"
    raise UnknownOption(f"{rules.name}: option {option.name} is {value!r}, expected {expected}")


class Game:
    """One game under one set of options: where its positions come from. Made by `qilin.game`."""

    __slots__ = ("_rules", "_values")

    def __init__(self, rules: _core.Rules, values: tuple[int, ...]) -> None:
        """Use `qilin.game(name, **options)`."""
        self._rules = rules
        self._values = values

    @property
    def name(self) -> str:
        """The game's name: the stem of its header, descriptor and skin."""
        return self._rules.name

    @property
    def words(self) -> Words:
        """Titles, seats and glyphs for people."""
        return GAMES[self.name]

    @property
    def options(self) -> dict[str, str | int]:
        """Every option and its value."""
        pairs = zip(self._rules.options, self._values, strict=True)
        return {option.name: option.choices[value] if option.choices else value for option, value in pairs}

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape of `State.planes()`: (planes, rows, cols). Row 0 is rank 1."""
        return self._rules.planes, self._rules.rows, self._rules.cols

    @property
    def plane_names(self) -> list[str]:
        """What each plane says."""
        return self._rules.plane_names

    @property
    def policy_size(self) -> int:
        """Moves are numbered 0 … policy_size - 1."""
        return self._rules.moves

    @property
    def symmetries(self) -> int:
        """How many symmetries the rules have; number 0 is the identity."""
        return self._rules.symmetries

    @property
    def max_legal(self) -> int:
        """No position has more legal moves."""
        return self._rules.max_legal

    @property
    def max_plies(self) -> int:
        """No game lasts longer, under any options."""
        return self._rules.max_plies

    @property
    def reasons(self) -> list[str]:
        """The ways a game can end."""
        return self._rules.reasons

    @property
    def has_chance(self) -> bool:
        """Whether chance answers some plies."""
        return self._rules.has_chance

    def start(self) -> State:
        """The position games begin from."""
        return State(self, self._rules.start(list(self._values)))

    def parse(self, text: str) -> State:
        """The position that `text` describes, as `str(state)` writes it.

        :raises BadPosition: where the text is no position, or an impossible one; the message says where and why.
        """
        readable = text.encode(errors="backslashreplace").decode()  # what is no Unicode came from a terminal's bytes
        try:
            return State(self, self._rules.parse(readable, list(self._values)))
        except ValueError as error:
            bad = BadPosition(f"{self.name}: {error}")
            sentence, values = error.fault  # type: ignore[attr-defined]  # what the compiled rules add to it
            bad.words = words_of(sentence, values, self.words.faults)
            raise bad from None

    def perft(self, depth: int) -> int:
        """Positions `depth` plies after the start; chance events are not plies."""
        return self.start().perft(depth)

    def batch(self, size: int, *, seed: int = 0, threads: int = 1, start: State | None = None) -> Batch:
        """`size` games side by side in one block of memory, for environments and self-play."""
        from qilin.batch import Batch  # numpy is imported only where arrays are wanted

        return Batch(self, self.start() if start is None else start, size, seed=seed, threads=threads)

    def transform_move(self, index: int, symmetry: int) -> int:
        """Where a move goes under a symmetry."""
        return self._rules.transform_move(index, symmetry)

    def __eq__(self, other: object) -> bool:
        """Whether name and options are the same."""
        return isinstance(other, Game) and (self.name, self._values) == (other.name, other._values)

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash((self.name, self._values))

    def __repr__(self) -> str:
        """Show the call that makes this game."""
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"qilin.game({self.name!r}{options})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to worker processes as name and options."""
        return _game_again, (self.name, self.options)


def _game_again(name: str, options: dict[str, str | int]) -> Game:
    return game(name, **options)


class State:
    """A position with its game's history. It never changes: `play` answers a new one."""

    __slots__ = ("_game", "_last", "_parent", "_position")

    def __init__(
        self, game: Game, position: _core.Position, parent: State | None = None, last: str | None = None
    ) -> None:
        """Use `game.start()`, `game.parse(text)` and `state.play(move)`."""
        self._game = game
        self._position = position
        self._parent = parent
        self._last = last

    @property
    def game(self) -> Game:
        """The game it is a position of, with its options."""
        return self._game

    def moves(self) -> list[str]:
        """The legal moves as text, in policy order; none at the end and where chance is to answer."""
        return self._position.legal_text()

    def indices(self) -> list[int]:
        """The legal moves as policy indices, ascending: the same moves as `moves()`."""
        return self._position.legal()

    def play(self, move: str | int) -> State:
        """The state after `move`: a text, or a policy index. Where chance is to answer, the text of an outcome.

        :raises IllegalMove: naming the move, the position and what is legal.
        """
        if self.is_chance:
            return self._resolve(str(move))
        legal = self._position.legal()
        for index in legal:
            text = self._position.move_text(index)
            if move == text or (move == index and not isinstance(move, bool)):
                return State(self.game, self._position.play(index), self, text)
        if not legal:
            raise IllegalMove(f"{move!r} can not be played in '{self}': the game is over ({self.reason})")
        raise IllegalMove(f"{move!r} is not legal in '{self}'; legal moves: {' '.join(self.moves())}")

    def _resolve(self, outcome: str) -> State:
        for index, _ in self._position.outcomes():
            if self.outcome_name(index) == outcome:
                return State(self.game, self._position.resolve(index), self, outcome)
        possible = " ".join(self.outcomes())
        raise IllegalMove(f"{outcome!r} can not turn up in '{self}'; possible outcomes: {possible}")

    def index(self, move: str) -> int:
        """The policy index of a legal move's text."""
        for index in self._position.legal():
            if self._position.move_text(index) == move:
                return index
        raise IllegalMove(f"{move!r} is not legal in '{self}'; legal moves: {' '.join(self.moves())}")

    def move_text(self, index: int) -> str:
        """The text of a policy index, legal or not."""
        return self._position.move_text(index)

    @property
    def to_move(self) -> int | None:
        """The player to move, 0 or 1; None where chance is to answer, and at the end."""
        return None if self.is_chance or self.is_over else self._position.to_move

    @property
    def is_chance(self) -> bool:
        """Whether chance answers next."""
        return self._position.is_chance

    def outcomes(self) -> dict[str, float]:
        """Every possible answer of chance and its probability; empty where it has none to give."""
        weighted = self._position.outcomes()
        total = sum(weight for _, weight in weighted)
        return {self.outcome_name(index): weight / total for index, weight in weighted}

    def outcome_name(self, index: int) -> str:
        """The letter of outcome number `index`."""
        return self.game._rules.outcome_names[index]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._position.is_over

    @property
    def winner(self) -> int | None:
        """The winner, 0 or 1; None for a draw, and while the game is open."""
        return self._position.winner

    @property
    def reason(self) -> str | None:
        """Why the game ended; None while it is open."""
        return self._position.reason

    @property
    def margin(self) -> int | None:
        """What player 0 has minus what player 1 has; None in games without a count."""
        return self._position.margin

    @property
    def win_probability(self) -> float:
        """The hand-written evaluation's opinion of the player to move, unsearched; exact at the end of a game.

        At the end: the chance of the player who would be to move.
        """
        return self._position.win_probability

    @property
    def history(self) -> tuple[str, ...]:
        """The moves, and the answers of chance, that led here from the state that was parsed or started."""
        moves: list[str] = []
        state: State | None = self
        while state is not None and state._last is not None:
            moves.append(state._last)
            state = state._parent
        return tuple(reversed(moves))

    @property
    def parent(self) -> State | None:
        """The state before the last move; None at the root."""
        return self._parent

    @property
    def key(self) -> int:
        """A 64-bit hash of the position, without its counters: equal positions have equal keys."""
        return self._position.key

    def planes(self) -> NDArray[np.float32]:
        """What a network sees: float32 of `game.shape`. `game.plane_names` says what each plane is."""
        return self._position.planes()

    def ownership(self) -> NDArray[np.float32] | None:
        """Which squares each player owns, float32 of (2, rows, cols); None in games without territory."""
        return self._position.ownership() if self.game._rules.has_ownership else None

    def transform(self, symmetry: int) -> State:
        """The position turned or mirrored; its history is left behind."""
        return State(self.game, self._position.transform(symmetry))

    def perft(self, depth: int) -> int:
        """Positions `depth` plies away; chance events are not plies."""
        return self._position.perft(depth)

    def board(self, *, colour: bool | None = None) -> str:
        """A drawing for people. In colour on a terminal, or as `colour` says."""
        from qilin.drawing import draw

        return draw(self, colour=colour)

    def __str__(self) -> str:
        """Answer the position's text, which `game.parse` reads back."""
        return self._position.text

    def __repr__(self) -> str:
        """Show the game and the position."""
        return f"<{self.game.name} {self._position.text!r}>"

    def __eq__(self, other: object) -> bool:
        """Whether game, state and what repetition rules remember are the same."""
        return isinstance(other, State) and self.game == other.game and self._position.same_as(other._position)

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash((self.game, self._position.key))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to worker processes as the root's text and the moves since."""
        root = self
        while root._parent is not None:
            root = root._parent
        return _state_again, (self.game, str(root), self.history)


def _state_again(game: Game, text: str, moves: tuple[str, ...]) -> State:
    state = game.parse(text)
    for move in moves:
        state = state.play(move)
    return state
