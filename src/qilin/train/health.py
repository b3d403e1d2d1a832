"""What is going wrong in a run, in words of both languages, with what to try. Looks at the metrics only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from qilin.train.history import Record, series, share, stage_shares, value
from qilin.words import Text

RECENT = 3  # iterations that must agree before anything is said


@dataclass(frozen=True, slots=True)
class Warning:
    """`kind` stays the same while the numbers in `words` change."""

    kind: str
    words: Text


def warnings(records: Sequence[Record]) -> list[Warning]:
    """All that holds for the newest iterations; nothing for a run that has only begun."""
    if len(records) < RECENT:
        return []
    told = ((check.__name__.strip("_"), check(records)) for check in CHECKS)
    return [Warning(kind, words) for kind, words in told if words is not None]


def _recent(records: Sequence[Record], key: str) -> float | None:
    numbers = [number for _, number in series(records[-RECENT:], key)]
    return fmean(numbers) if len(numbers) == RECENT else None


def _drawn(records: Sequence[Record]) -> Text | None:
    recent = records[-RECENT:]
    games = sum(value(record, "selfplay.games") or 0.0 for record in recent)
    drawn = fmean(share(record, "draws") for record in recent)
    if games < 50 or drawn <= 0.95:
        return None
    return Text(
        en=f"{drawn:.0%} of the games are drawn, so the value has little to learn from: "
        "try play.opening_plies, a higher play.temperature, or targets.soft_share where the game has a margin",
        zh=f"{drawn:.0%} 的对局是和棋，价值几乎学不到东西：试试 play.opening_plies，调高 play.temperature，"
        "有分差的棋种可用 targets.soft_share",
    )


def _entropy_collapses(records: Sequence[Record]) -> Text | None:
    history = [number for _, number in series(records, "selfplay.target_entropy")]
    now = _recent(records, "selfplay.target_entropy")
    if now is None or max(history) < 0.2 or now > 0.15 * max(history):
        return None
    return Text(
        en=f"the searched policy's entropy fell from {max(history):.2f} to {now:.2f} nats, games become alike: "
        "try a higher search.root_temperature, search.noise_weight or play.temperature_plies",
        zh=f"搜索策略的熵从 {max(history):.2f} 降到 {now:.2f} 奈特，对局越来越雷同："
        "调高 search.root_temperature、search.noise_weight 或 play.temperature_plies",
    )


def _value_loss_rises(records: Sequence[Record]) -> Text | None:
    history = [number for _, number in series(records, "loss.value")]
    if len(history) < 4 * RECENT:
        return None
    means = [fmean(history[at : at + RECENT]) for at in range(len(history) - RECENT + 1)]
    best, last = min(means[:-RECENT]), means[-1]
    if last < 1.15 * best or last <= means[-1 - RECENT]:
        return None
    return Text(
        en=f"the value's loss rose from {best:.3f} to {last:.3f}: "
        "the learner may overfit (lower window.ratio, larger window.least) or step too far (lower learn.rate)",
        zh=f"价值损失从 {best:.3f} 升到 {last:.3f}："
        "可能过拟合（调低 window.ratio，调高 window.least），或步子过大（调低 learn.rate）",
    )


def _search_bound(records: Sequence[Record]) -> Text | None:
    search, network = (_recent_share(records, name) for name in ("search", "network"))
    if search < 0.3 or search < network:
        return None
    return Text(
        en=f"the trees take {search:.0%} of the time and the network {network:.0%}: "
        "the search waits for itself; more run.threads help, and a larger network costs little",
        zh=f"搜索树占 {search:.0%} 的时间，网络占 {network:.0%}：搜索在等自己；"
        "增加 run.threads 有用，换更大的网络代价不大",
    )


def _network_bound(records: Sequence[Record]) -> Text | None:
    network = _recent_share(records, "network")
    if network < 0.9:
        return None
    return Text(
        en=f"the network takes {network:.0%} of the time: a smaller net, learn.bf16, a card, "
        "or more play.games for fuller batches make more games",
        zh=f"网络占 {network:.0%} 的时间：换小一些的网络，用 learn.bf16，用显卡，"
        "或调高 play.games 使批次更满，都能多下棋",
    )


def _recent_share(records: Sequence[Record], stage: str) -> float:
    return fmean(stage_shares(record).get(stage, 0.0) for record in records[-RECENT:])


def _resigns_wrongly(records: Sequence[Record]) -> Text | None:
    wrong = _recent(records, "selfplay.resign_wrong")
    if wrong is None or wrong <= 0.05:
        return None
    return Text(
        en=f"{wrong:.0%} of the resignations that were checked would not have lost: lower play.resign_below",
        zh=f"抽查的认输中有 {wrong:.0%} 其实不会输：调低 play.resign_below",
    )


def _policy_is_ignored(records: Sequence[Record]) -> Text | None:
    policy, target = (_recent(records, key) for key in ("loss.policy", "selfplay.target_entropy"))
    if policy is None or target is None or len(records) < 20 or policy < 3 * max(target, 0.3):
        return None
    return Text(
        en=f"the policy's loss ({policy:.2f}) stays far above the target's entropy ({target:.2f}): "
        "the network is too small, or learns too little (window.ratio, learn.rate)",
        zh=f"策略损失（{policy:.2f}）一直远高于目标的熵（{target:.2f}）："
        "网络太小，或学得太少（window.ratio、learn.rate）",
    )


def _gradient_explodes(records: Sequence[Record]) -> Text | None:
    history = [number for _, number in series(records, "learner.gradient")]
    now = _recent(records, "learner.gradient")
    if now is None or len(history) < 3 * RECENT or now < 10 * sorted(history)[len(history) // 2]:
        return None
    return Text(
        en=f"the gradient's norm is {now:.1f}, ten times what is usual in this run: lower learn.rate, set learn.clip",
        zh=f"梯度范数为 {now:.1f}，是本次训练平常值的十倍：调低 learn.rate，设定 learn.clip",
    )


CHECKS: tuple[Callable[[Sequence[Record]], Text | None], ...] = (
    _drawn,
    _entropy_collapses,
    _value_loss_rises,
    _gradient_explodes,
    _resigns_wrongly,
    _policy_is_ignored,
    _search_bound,
    _network_bound,
)
