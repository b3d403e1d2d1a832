"""What a recipe can say, section by section. Every field carries its help, which the command line and the docs show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def setting(
    default: Any, help: str, *, least: float | None = None, most: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """A field with its help and the values it takes. `None` is off, written "off" in a recipe."""
    return field(default=default, metadata={"help": help, "least": least, "most": most, "choices": choices})


@dataclass(frozen=True, slots=True, kw_only=True)
class Net:
    """The network. `--net 64x5` sets channels and blocks together."""

    kind: str = setting("residual", "residual tower, or a small transformer", choices=("residual", "transformer"))
    channels: int = setting(64, "width of the trunk", least=4, most=4096)
    blocks: int = setting(5, "depth of the trunk", least=1, most=200)
    policy: str = setting(
        "planes",
        "planes: convolutional; flat: fully connected; factored: sums of target, origin and selection of a move",
        choices=("planes", "flat", "factored"),
    )
    pooling_every: int | None = setting(2, "each n-th block sees the mean and maximum of the whole board", least=1)
    squeeze: int | None = setting(None, "squeeze-excite: the trunk's width through this in every block", least=1)
    attention_every: int | None = setting(None, "an attention block after each n-th residual block", least=1)
    heads: int = setting(4, "of attention; they divide the channels", least=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How self-play searches: the forest's settings (docs/search.md), with noise at the root."""

    kind: str = setting("puct", "AlphaZero's rule, or Gumbel's race for few simulations", choices=("puct", "gumbel"))
    simulations: int = setting(64, "of a full search: better targets, fewer games", least=1)
    leaves: int = setting(1, "of one tree evaluated at a time; more than 1 fills batches with few games", least=1)
    stop_early: bool = setting(False, "end a search whose leader can't be caught; spoils visit counts as targets")
    c_puct: float = setting(1.0, "exploration", least=0)
    c_growth: float = setting(0.45, "growth of exploration with the logarithm of the visits", least=0)
    c_scale: float = setting(500.0, "visits after which that growth sets in", least=0)
    fpu_reduction: float = setting(0.2, "how much less an untried move is thought to be worth", least=0)
    root_fpu_reduction: float = setting(0.0, "the same at the root, where all is to be tried", least=0)
    root_temperature: float = setting(1.1, "softens the root's priors: keeps a policy from closing early", least=0)
    noise_weight: float = setting(0.25, "share of Dirichlet noise in the root's priors", least=0, most=1)
    noise_alpha: float = setting(10.83, "sum of the noise's alphas: less is spikier", least=0)
    considered: int = setting(16, "gumbel: moves in the race at the root", least=1)
    gumbel_noise: float = setting(1.0, "gumbel: 0 takes the chance out of the race", least=0)
    gumbel_visits: float = setting(50.0, "gumbel: visits that Q is weighed with", least=0)
    gumbel_scale: float = setting(1.0, "gumbel: weight of Q against the prior", least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """How games are made."""

    games: int = setting(64, "played side by side in each process: the network's batch", least=1)
    temperature: float = setting(1.0, "of the choice of moves, at the first ply", least=0)
    temperature_end: float = setting(0.1, "that it falls to", least=0)
    temperature_plies: float = setting(12.0, "plies in which the distance to the end halves", least=0)
    opening_plies: int = setting(0, "at most so many random plies before a game counts: variety", least=0)
    first_plies: int = setting(0, "the same for the first games only: so that they do not all end together", least=0)
    full_share: float | None = setting(
        None, "playout cap: share of plies searched in full and learned from; the others are fast", least=0.01, most=1
    )
    fast_simulations: int = setting(16, "of the fast ones", least=1)
    forced_playouts: float | None = setting(None, "k: noise gets its visits, and they are pruned from targets", least=0)
    resign_below: float | None = setting(None, "resign where the value is below this", least=-1, most=0)
    resign_check: float = setting(0.1, "share of games that never resign, to count false resignations", least=0, most=1)
    reuse: bool = setting(True, "keep the subtree of the move played")
    boosts: tuple[float, ...] | None = setting(
        None, "factors of the priors of moves in tiers 0, 1, …: captures and checks, as the game sorts them", least=0
    )
    boost_until: int = setting(4, "last iteration with the boosts in full", least=0)
    boost_half_until: int = setting(8, "last iteration with half of them; then they are really off", least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What the learner draws from."""

    least: int = setting(20_000, "positions at first", least=1)
    most: int | None = setting(None, "positions at most", least=1)
    growth: float = setting(
        0.75, "exponent: the window grows slower than the run; 0 hardly grows, 1 grows along", least=0
    )
    slope: float = setting(0.4, "growth per new position at first", least=0, most=1)
    ratio: float = setting(
        4.0, "times that each position is learned from, on average: more learns, and overfits", least=0
    )
    surprise: float | None = setting(
        None, "share of the draws given out by how much the search surprised the network", least=0, most=1
    )
    symmetries: bool = setting(True, "turn and mirror samples by the game's own symmetries")


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What the value learns: the outcome, and shares of other opinions."""

    search_share: float | None = setting(
        None, "share of the search's own value: less noise, more bias", least=0, most=1
    )
    soft_share: float | None = setting(
        None, "share of a soft value, tanh(margin / scale): gives drawn games a side", least=0, most=1
    )
    soft_scale: float = setting(8.0, "the margin at which the soft value is 0.76", least=0)
    soft_temperature: float = setting(4.0, "of the soft policy's target", least=1)
    margin_scale: float = setting(20.0, "what margins are divided by before they are learned", least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Weights. An auxiliary head that is off does not exist."""

    policy: float = setting(1.0, "cross-entropy over the legal moves", least=0)
    value: float = setting(1.0, "cross-entropy over win, draw and loss", least=0)
    margin: float | None = setting(None, "the final margin, by Huber's loss", least=0)
    ownership: float | None = setting(None, "who owns each square at the end", least=0)
    soft_policy: float | None = setting(None, "the policy at a high temperature: ranks the lesser moves", least=0)
    reply: float | None = setting(None, "the opponent's next move", least=0)
    plies_left: float | None = setting(None, "the logarithm of how long the game still is, by Huber's loss", least=0)

    @property
    def heads(self) -> tuple[str, ...]:
        """The auxiliary heads that are on."""
        names = ("margin", "ownership", "soft_policy", "reply", "plies_left")
        return tuple(name for name in names if getattr(self, name) is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learn:
    """How weights change."""

    optimizer: str = setting("adamw", "adamw; muon: for matrices, adamw for the rest", choices=("adamw", "muon"))
    rate: float = setting(2e-3, "learning rate at its highest", least=0)
    warmup: int = setting(50, "steps until it is reached", least=0)
    cosine: int | None = setting(
        None, "steps in which it then falls to rate_end along a cosine; off: it stays", least=1
    )
    rate_end: float = setting(0.05, "share of the rate that is left at the end", least=0, most=1)
    decay: float = setting(1e-4, "weight decay", least=0)
    batch: int = setting(256, "positions in a step, in each process", least=1)
    average: float | None = setting(
        0.99, "moving average of the weights, which plays and is evaluated", least=0, most=1
    )
    bf16: bool = setting(False, "autocast to bfloat16: faster where the machine has it")
    clip: float | None = setting(1.0, "the gradient's norm at most", least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluate:
    """Games against fixed players and against earlier selves, in colour-swapped pairs."""

    every: int | None = setting(5, "iterations between evaluations", least=1)
    games: int = setting(40, "against each player, an even number", least=2)
    against: tuple[str, ...] = setting(("random",), "players, as in `qilin match`")
    simulations: int = setting(32, "of the network's search", least=1)
    opening_plies: int = setting(2, "random plies before the players take over", least=0)
    earlier: int = setting(2, "checkpoints of this run that are played too: the newest, and one half as old", least=0)
    workers: int | None = setting(None, "processes that play; off: as many as this process has threads", least=1)
    gate: float | None = setting(
        None, "score against the champion that a challenger needs before it may play the games", least=0, most=1
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How long, how much at a time, and where."""

    positions: int = setting(2000, "new ones in an iteration, from all processes", least=1)
    iterations: int | None = setting(None, "the run's length; off: until it is stopped", least=1)
    minutes: float | None = setting(None, "stop after so many of wall-clock time, at the end of an iteration", least=0)
    checkpoint_every: int = setting(1, "iterations between checkpoints", least=1)
    keep: int = setting(3, "checkpoints kept, besides those that were evaluated", least=1)
    device: str = setting("auto", "cpu, cuda, cuda:1, …; auto: a card where there is one")
    threads: int = setting(1, "of this process, for the network and for the trees", least=1)
