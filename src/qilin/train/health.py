"""What is going wrong in a run, in words, with what to try. Looks at the metrics only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from qilin.train.history import Record, series, share, stage_shares, value

RECENT = 3  # iterations that must agree before anything is said


@dataclass(frozen=True, slots=True)
class Warning:
    """`kind` stays the same while the numbers in `text` change."""

    kind: str
    text: str


def warnings(records: Sequence[Record]) -> list[Warning]:
    """All that holds for the newest iterations; nothing for a run that has only begun."""
    if len(records) < RECENT:
        return []
    told = ((check.__name__.strip("_"), check(records)) for check in CHECKS)
    return [Warning(kind, text) for kind, text in told if text is not None]


def _recent(records: Sequence[Record], key: str) -> float | None:
    numbers = [number for _, number in series(records[-RECENT:], key)]
    return fmean(numbers) if len(numbers) == RECENT else None


def _drawn(records: Sequence[Record]) -> str | None:
    recent = records[-RECENT:]
    games = sum(value(record, "selfplay.games") or 0.0 for record in recent)
    drawn = fmean(share(record, "draws") for record in recent)
    if games < 50 or drawn <= 0.95:
        return None
    return (
        f"{drawn:.0%} of the games are drawn, so the value has little to learn from: "
        "try play.opening_plies, a higher play.temperature, or targets.soft_share where the game has a margin"
    )


def _entropy_collapses(records: Sequence[Record]) -> str | None:
    history = [number for _, number in series(records, "selfplay.target_entropy")]
    now = _recent(records, "selfplay.target_entropy")
    if now is None or max(history) < 0.2 or now > 0.15 * max(history):
        return None
    return (
        f"the searched policy's entropy fell from {max(history):.2f} to {now:.2f} nats, games become alike: "
        "try a higher search.root_temperature, search.noise_weight or play.temperature_plies"
    )


def _value_loss_rises(records: Sequence[Record]) -> str | None:
    history = [number for _, number in series(records, "loss.value")]
    if len(history) < 4 * RECENT:
        return None
    means = [fmean(history[at : at + RECENT]) for at in range(len(history) - RECENT + 1)]
    best, last = min(means[:-RECENT]), means[-1]
    if last < 1.15 * best or last <= means[-1 - RECENT]:
        return None
    return (
        f"the value's loss rose from {best:.3f} to {last:.3f}: "
        "the learner may overfit (lower window.ratio, larger window.least) or step too far (lower learn.rate)"
    )


def _search_bound(records: Sequence[Record]) -> str | None:
    search, network = (_recent_share(records, name) for name in ("search", "network"))
    if search < 0.3 or search < network:
        return None
    return (
        f"the trees take {search:.0%} of the time and the network {network:.0%}: "
        "the search waits for itself; more run.threads help, and a larger network costs little"
    )


def _network_bound(records: Sequence[Record]) -> str | None:
    network = _recent_share(records, "network")
    if network < 0.9:
        return None
    return (
        f"the network takes {network:.0%} of the time: a smaller net, learn.bf16, a card, "
        "or more play.games for fuller batches make more games"
    )


def _recent_share(records: Sequence[Record], stage: str) -> float:
    return fmean(stage_shares(record).get(stage, 0.0) for record in records[-RECENT:])


def _resigns_wrongly(records: Sequence[Record]) -> str | None:
    wrong = _recent(records, "selfplay.resign_wrong")
    if wrong is None or wrong <= 0.05:
        return None
    return f"{wrong:.0%} of the resignations that were checked would not have lost: lower play.resign_below"


def _policy_is_ignored(records: Sequence[Record]) -> str | None:
    policy, target = (_recent(records, key) for key in ("loss.policy", "selfplay.target_entropy"))
    if policy is None or target is None or len(records) < 20 or policy < 3 * max(target, 0.3):
        return None
    return (
        f"the policy's loss ({policy:.2f}) stays far above the target's entropy ({target:.2f}): "
        "the network is too small, or learns too little (window.ratio, learn.rate)"
    )


def _gradient_explodes(records: Sequence[Record]) -> str | None:
    history = [number for _, number in series(records, "learner.gradient")]
    now = _recent(records, "learner.gradient")
    if now is None or len(history) < 3 * RECENT or now < 10 * sorted(history)[len(history) // 2]:
        return None
    return f"the gradient's norm is {now:.1f}, ten times what is usual in this run: lower learn.rate, set learn.clip"


CHECKS: tuple[Callable[[Sequence[Record]], str | None], ...] = (
    _drawn,
    _entropy_collapses,
    _value_loss_rises,
    _gradient_explodes,
    _resigns_wrongly,
    _policy_is_ignored,
    _search_bound,
    _network_bound,
)
