"""
Qilin's rules and searches, compiled. Use the classes of `qilin`, which wrap these.
"""

from collections.abc import Callable, Sequence
import enum
from typing import Any

import numpy
import numpy.typing


class Option:
    """A setting of a game: named choices, or a whole number."""

    @property
    def name(self) -> str: ...

    @property
    def help(self) -> str: ...

    @property
    def choices(self) -> list[str]: ...

    @property
    def least(self) -> int: ...

    @property
    def most(self) -> int: ...

class Rules:
    """A game's rules and constants, as its C++ header has them."""

    @property
    def name(self) -> str: ...

    @property
    def rows(self) -> int: ...

    @property
    def cols(self) -> int: ...

    @property
    def first_rank(self) -> int: ...

    @property
    def planes(self) -> int: ...

    @property
    def moves(self) -> int: ...

    @property
    def symmetries(self) -> int: ...

    @property
    def max_legal(self) -> int: ...

    @property
    def max_plies(self) -> int: ...

    @property
    def state_bytes(self) -> int: ...

    @property
    def plane_names(self) -> list[str]: ...

    @property
    def reasons(self) -> list[str]: ...

    @property
    def outcome_names(self) -> list[str]: ...

    @property
    def options(self) -> list[Option]: ...

    @property
    def has_chance(self) -> bool: ...

    @property
    def has_past(self) -> bool: ...

    @property
    def has_margin(self) -> bool: ...

    @property
    def has_ownership(self) -> bool: ...

    def defaults(self, preset: int = 0) -> list[int]:
        """The value of every option under a preset, in the order of `options`."""

    def start(self, settings: Sequence[int]) -> Position: ...

    def parse(self, text: str, settings: Sequence[int]) -> Position: ...

    def transform_move(self, move: int, symmetry: int) -> int: ...

    @property
    def counter_names(self) -> list[str]: ...

    @property
    def phase_names(self) -> list[str]: ...

    @property
    def set_names(self) -> list[str]: ...

    @property
    def why_names(self) -> list[str]: ...

def all_rules() -> list[Rules]:
    """Every game's rules, by name."""

class Position:
    """
    A position with the past that repetition rules look back at. Never changes.
    """

    @property
    def text(self) -> str: ...

    @property
    def to_move(self) -> int: ...

    @property
    def is_chance(self) -> bool: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def winner(self) -> int | None: ...

    @property
    def reason(self) -> str | None: ...

    @property
    def margin(self) -> int | None: ...

    @property
    def evaluation(self) -> int:
        """The hand-written opinion, for the player to move."""

    @property
    def win_probability(self) -> float:
        """The same as a probability; exact at the end."""

    @property
    def key(self) -> int: ...

    @property
    def keys(self) -> list[int]:
        """Keys since the last irreversible ply."""

    def legal(self) -> list[int]: ...

    def outcomes(self) -> list[tuple[int, int]]:
        """Pairs (outcome, weight)."""

    def move_text(self, move: int) -> str: ...

    def legal_text(self) -> list[str]: ...

    def play(self, move: int) -> Position: ...

    def resolve(self, outcome: int) -> Position: ...

    def transform(self, symmetry: int) -> Position:
        """The position turned or mirrored; its past is left behind."""

    def planes(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def ownership(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def perft(self, depth: int) -> int: ...

    def same_as(self, other: Position) -> bool:
        """The same state with the same past."""

    def counters(self) -> list[Counter]: ...

    def phase(self) -> tuple[int, int] | None:
        """
        Index into `Rules.phase_names`, and the plies of it that are left, or 0.
        """

    def scores(self) -> tuple[int, int] | None: ...

    def sets(self) -> list[tuple[int, list[int]]]:
        """
        Pairs: an index into `Rules.set_names`, and cells counted from the lowest rank's first file.
        """

    def why_not(self, start: int, target: int) -> tuple[int, list[int]] | None:
        """
        An index into `Rules.why_names`, and the cells to blame. `start` is -1 for a ply of one square.
        """

    def screens(self, start: int, target: int) -> list[int]:
        """The cells that a legal ply between two cells shoots over."""

    def replies(self) -> list[Reply]: ...

    def banned(self) -> list[str]: ...

    def pool(self) -> list[tuple[int, int]]: ...

class Counter:
    """Something that is counted, and may end the game."""

    @property
    def name(self) -> int:
        """Index into `Rules.counter_names`."""

    @property
    def player(self) -> int | None: ...

    @property
    def value(self) -> int: ...

    @property
    def limit(self) -> int | None: ...

class Reply:
    """A legal ply and the board behind it."""

    @property
    def text(self) -> str: ...

    @property
    def cells(self) -> str: ...

    @property
    def is_chance(self) -> bool: ...

class Batch:
    """Many games of one kind, side by side in memory."""

    def __init__(self, start: Position, size: int, seed: int, threads: int) -> None: ...

    def __len__(self) -> int: ...

    def reset(self, which: numpy.typing.NDArray[numpy.bool_] | None = None) -> None: ...

    def play(self, moves: numpy.typing.NDArray[numpy.int32]) -> None: ...

    def legal(self) -> numpy.typing.NDArray[numpy.bool_]: ...

    def planes(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def status(self) -> tuple[numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int32]]:
        """to_move, over, winner, reason, margin; -1 where there is none."""

    def at(self, index: int) -> Position: ...

class FoundLine:
    """A line of play and what it is worth to the player to move."""

    @property
    def moves(self) -> list[str]: ...

    @property
    def score(self) -> int: ...

    @property
    def win(self) -> float:
        """Probability of a win."""

    @property
    def ends(self) -> int | None:
        """Plies to a proven win; negative: to a proven loss."""

    @property
    def depth(self) -> int: ...

    @property
    def exact(self) -> bool: ...

class Found:
    """What an alpha-beta search found."""

    @property
    def lines(self) -> list[FoundLine]: ...

    @property
    def depth(self) -> int: ...

    @property
    def seldepth(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def fullness(self) -> int:
        """Of the table, in thousandths."""

    @property
    def stopped(self) -> str: ...

class AlphaBeta:
    """An alpha-beta search with its table."""

    def __init__(self, rules: Rules, table_mib: int = 16, threads: int = 1, selective: bool = True, quiescence: bool = True, strict: bool = False) -> None: ...

    def search(self, position: Position, depth: int | None = None, nodes: int | None = None, time: float | None = None, lines: int = 1, watch: Callable[[Found], None] | None = None) -> Found: ...

    def stop(self) -> None:
        """Ends the search that is under way, from another thread."""

    def forget(self) -> None: ...

class Kind(enum.Enum):
    puct = 0

    gumbel = 1

class Search:
    """How a forest searches. Values lie between -1 (a loss) and +1."""

    def __init__(self) -> None: ...

    @property
    def kind(self) -> Kind: ...

    @kind.setter
    def kind(self, arg: Kind, /) -> None: ...

    @property
    def simulations(self) -> int:
        """Of one search."""

    @simulations.setter
    def simulations(self, arg: int, /) -> None: ...

    @property
    def leaves(self) -> int:
        """Of one tree, evaluated at a time; virtual losses keep them apart."""

    @leaves.setter
    def leaves(self, arg: int, /) -> None: ...

    @property
    def stop_early(self) -> bool:
        """Once no other move can get more visits than the leader."""

    @stop_early.setter
    def stop_early(self, arg: bool, /) -> None: ...

    @property
    def c_puct(self) -> float: ...

    @c_puct.setter
    def c_puct(self, arg: float, /) -> None: ...

    @property
    def c_growth(self) -> float:
        """c = c_puct + c_growth * log(1 + visits / c_scale)."""

    @c_growth.setter
    def c_growth(self, arg: float, /) -> None: ...

    @property
    def c_scale(self) -> float: ...

    @c_scale.setter
    def c_scale(self, arg: float, /) -> None: ...

    @property
    def fpu_reduction(self) -> float:
        """How much less an untried move is thought to be worth."""

    @fpu_reduction.setter
    def fpu_reduction(self, arg: float, /) -> None: ...

    @property
    def root_fpu_reduction(self) -> float: ...

    @root_fpu_reduction.setter
    def root_fpu_reduction(self, arg: float, /) -> None: ...

    @property
    def root_temperature(self) -> float:
        """Softens the root's priors."""

    @root_temperature.setter
    def root_temperature(self, arg: float, /) -> None: ...

    @property
    def noise_weight(self) -> float:
        """Share of Dirichlet noise in the root's priors."""

    @noise_weight.setter
    def noise_weight(self, arg: float, /) -> None: ...

    @property
    def noise_alpha(self) -> float:
        """Sum of the noise's alphas over all moves."""

    @noise_alpha.setter
    def noise_alpha(self, arg: float, /) -> None: ...

    @property
    def forced_playouts(self) -> float:
        """Visits that the root's moves get in any case; 0: none."""

    @forced_playouts.setter
    def forced_playouts(self, arg: float, /) -> None: ...

    @property
    def considered(self) -> int:
        """Gumbel: moves that are in the race at the root."""

    @considered.setter
    def considered(self, arg: int, /) -> None: ...

    @property
    def gumbel_noise(self) -> float:
        """0: the race is run by prior and value alone."""

    @gumbel_noise.setter
    def gumbel_noise(self, arg: float, /) -> None: ...

    @property
    def gumbel_visits(self) -> float: ...

    @gumbel_visits.setter
    def gumbel_visits(self, arg: float, /) -> None: ...

    @property
    def gumbel_scale(self) -> float: ...

    @gumbel_scale.setter
    def gumbel_scale(self, arg: float, /) -> None: ...

class TreeMove:
    """A move at a tree's root; at a chance node, an outcome."""

    @property
    def move(self) -> int: ...

    @property
    def text(self) -> str: ...

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float:
        """For the player to move."""

    @property
    def win(self) -> float: ...

    @property
    def draw(self) -> float: ...

    @property
    def loss(self) -> float: ...

    @property
    def prior(self) -> float: ...

    @property
    def improved(self) -> float:
        """Gumbel's improved policy."""

    @property
    def policy(self) -> float:
        """To learn from: shares of visits, or the improved policy."""

    @property
    def ends(self) -> int | None:
        """Plies to a proven end."""

    @property
    def proof(self) -> int | None:
        """+1, 0 or -1 for the player to move, where proven."""

class TreeReport:
    """What a search has found."""

    @property
    def to_move(self) -> int: ...

    @property
    def is_chance(self) -> bool: ...

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def win(self) -> float: ...

    @property
    def draw(self) -> float: ...

    @property
    def loss(self) -> float: ...

    @property
    def proof(self) -> int | None: ...

    @property
    def best(self) -> int | None: ...

    @property
    def moves(self) -> list[TreeMove]:
        """Best first."""

    @property
    def variation(self) -> list[str]:
        """The principal variation; outcomes of chance included."""

    @property
    def simulations(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def refused(self) -> int:
        """Simulations that a full tree could not do."""

class Forest:
    """Many trees that grow together."""

    def __init__(self, start: Position, search: Search, trees: int = 1, seed: int = 0, threads: int = 1) -> None: ...

    def __len__(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    def reset(self, tree: int, position: Position) -> None: ...

    def advance(self, tree: int, move: int) -> None: ...

    def begin(self, tree: int, simulations: int) -> None: ...

    def leaves(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def more(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def grow(self, logits: numpy.typing.NDArray[numpy.float32], values: numpy.typing.NDArray[numpy.float32], form: str) -> None: ...

    def run(self, evaluator: str) -> None: ...

    def is_done(self, tree: int) -> bool: ...

    def report(self, tree: int) -> TreeReport: ...

    def choose(self, tree: int, temperature: float = 0.0) -> int | None: ...

    def print(self, tree: int, depth: int, visits: int, json: bool) -> str: ...

    def root(self, tree: int) -> Position: ...

    def seal(self, tree: int) -> int: ...

class Play:
    """How games of self-play are made."""

    def __init__(self) -> None: ...

    @property
    def temperature(self) -> float:
        """Of the choice of moves, at the first ply."""

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def temperature_end(self) -> float:
        """That it falls to."""

    @temperature_end.setter
    def temperature_end(self, arg: float, /) -> None: ...

    @property
    def temperature_plies(self) -> float:
        """In which the distance to the end halves."""

    @temperature_plies.setter
    def temperature_plies(self, arg: float, /) -> None: ...

    @property
    def opening_plies(self) -> int:
        """At most so many random plies before a game counts."""

    @opening_plies.setter
    def opening_plies(self, arg: int, /) -> None: ...

    @property
    def first_plies(self) -> int:
        """The same for the first games, so that they do not all end together."""

    @first_plies.setter
    def first_plies(self, arg: int, /) -> None: ...

    @property
    def full_share(self) -> float:
        """Of the plies that are searched in full and learned from."""

    @full_share.setter
    def full_share(self, arg: float, /) -> None: ...

    @property
    def fast_simulations(self) -> int:
        """Of the others."""

    @fast_simulations.setter
    def fast_simulations(self, arg: int, /) -> None: ...

    @property
    def resign_below(self) -> float:
        """Value of the player to move; below -1: nobody resigns."""

    @resign_below.setter
    def resign_below(self, arg: float, /) -> None: ...

    @property
    def resign_check(self) -> float:
        """Share of games that go on all the same."""

    @resign_check.setter
    def resign_check(self, arg: float, /) -> None: ...

    @property
    def reuse(self) -> bool:
        """Keep the subtree of the move played."""

    @reuse.setter
    def reuse(self, arg: bool, /) -> None: ...

class Mixture:
    """What the value learns besides the outcome."""

    def __init__(self) -> None: ...

    @property
    def search_share(self) -> float: ...

    @search_share.setter
    def search_share(self, arg: float, /) -> None: ...

    @property
    def soft_share(self) -> float: ...

    @soft_share.setter
    def soft_share(self, arg: float, /) -> None: ...

    @property
    def soft_scale(self) -> float: ...

    @soft_scale.setter
    def soft_scale(self, arg: float, /) -> None: ...

    @property
    def margin_scale(self) -> float: ...

    @margin_scale.setter
    def margin_scale(self, arg: float, /) -> None: ...

class GameTold:
    """A game of self-play that has ended."""

    @property
    def number(self) -> int: ...

    @property
    def start(self) -> str: ...

    @property
    def moves(self) -> list[str]:
        """Outcomes of chance among them."""

    @property
    def values(self) -> list[float | None]:
        """Before each move, for player 0; none where nothing was searched."""

    @property
    def fast(self) -> list[bool]:
        """Whether a move came from a fast search."""

    @property
    def winner(self) -> int | None: ...

    @property
    def reason(self) -> str: ...

    @property
    def plies(self) -> int: ...

    @property
    def opening(self) -> int:
        """Plies at random."""

    @property
    def left_out(self) -> int:
        """Samples for which there was no room."""

    @property
    def captures(self) -> int | None:
        """None in games without captures."""

    @property
    def is_checked(self) -> bool:
        """Nobody resigned in this one."""

    @property
    def resigner(self) -> int | None:
        """Who resigned, or would have."""

class SelfPlay:
    """Games that trees play against themselves."""

    def __init__(self, start: Position, search: Search, play: Play, games: int, seed: int, threads: int) -> None: ...

    def leaves(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def grow(self, logits: numpy.typing.NDArray[numpy.float32], values: numpy.typing.NDArray[numpy.float32], form: str) -> None: ...

    def forget(self, boosts: Sequence[float]) -> None:
        """The network is new: every tree begins anew. No boosts: off."""

    @property
    def ready(self) -> int:
        """Samples of games that have ended and were not taken."""

    def take_samples(self) -> numpy.typing.NDArray[numpy.uint8]: ...

    def take_games(self) -> list[GameTold]: ...

    def saved(self) -> numpy.typing.NDArray[numpy.uint8]:
        """All that is needed to go on after `forget`."""

    def load(self, saved: numpy.typing.NDArray[numpy.uint8]) -> None: ...

def examples(rules: Rules, samples: numpy.typing.NDArray[numpy.uint8], symmetries: numpy.typing.NDArray[numpy.uint8] | None, mixture: Mixture, threads: int) -> dict[str, numpy.typing.NDArray[Any]]:
    """What samples teach, turned by symmetries."""

def told_games(start: Position, records: numpy.typing.NDArray[numpy.uint8]) -> list[GameTold]:
    """Games of self-play on a card, played once more by the rules."""

def sample_fields(rules: Rules) -> tuple[int, list[tuple[str, str, int]]]:
    """Bytes of a sample, and its fields: name, format, offset."""

def selfplay_bytes(rules: Rules, search: Search) -> int:
    """Memory of one game of self-play."""
