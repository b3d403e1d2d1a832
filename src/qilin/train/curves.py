"""The curves of one run, or of several laid over each other, as PNG or SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from qilin.errors import QilinError
from qilin.rating import Interval
from qilin.train.history import Record, decisive, losses, series, share, stage_shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT = "#2B2A27", "#8A8578"
COLOURS = ("#C0392B", "#2E6F95", "#3B7A57", "#B7791F", "#6B4C9A", "#5D6D7E", "#A0522D", "#117A65")
RESULTS = {
    "wins": ("first player wins", "#3B7A57"),
    "draws": ("draws", "#B9B4A8"),
    "losses": ("second wins", "#2E6F95"),
}
STAGES = {
    "search": "#3B7A57",
    "network": "#2E6F95",
    "learn": "#6B4C9A",
    "write": "#B7791F",
    "evaluate": "#C0392B",
    "wait": "#5D6D7E",
    "other": "#B9B4A8",
}
AXES = ("iteration", "samples", "minutes", "hours")  # what curves may run along


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What is drawn of a run."""

    name: str
    records: Sequence[Record]
    ratings: Mapping[int, Interval] = field(default_factory=dict)  # by iteration
    rivals: Mapping[str, Interval] = field(default_factory=dict)  # who it was measured against

    def along(self, axis: str) -> dict[int, float]:
        """Where each iteration stands on the axis below the curves."""
        if axis == "iteration":
            return {record["iteration"]: float(record["iteration"]) for record in self.records}
        if axis == "samples":
            return {record["iteration"]: float(record["samples"]) for record in self.records}
        seconds, found = 0.0, {}
        for record in self.records:
            seconds += record["seconds"]
            found[record["iteration"]] = seconds / (60 if axis == "minutes" else 3600)
        return found


Draw = Callable[["Axes", Run, str, str], None]  # axes, run, axis, colour


def draw(runs: Sequence[Run], path: Path, axis: str = "iteration") -> None:
    """Write the picture.

    :raises QilinError: without matplotlib, or where no run has a finished iteration.
    """
    for run in runs:
        if not run.records:
            raise QilinError(f"{run.name} has no finished iteration yet: there is nothing to draw")
    figure = _figure(runs, axis)
    try:
        figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise QilinError(f"{path} can't be written: {error}; expected a name ending in .png or .svg") from None


def _figure(runs: Sequence[Run], axis: str) -> Figure:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise QilinError("a plot needs matplotlib: pip install 'qilin[plot]'") from None
    figure = Figure(figsize=(13, 8), layout="constrained")
    FigureCanvasAgg(figure)
    panels = _panels(runs)
    grid = figure.subplots(2, -(-len(panels) // 2), squeeze=False)
    for axes, (title, curves) in zip(grid.flat, panels.items(), strict=False):
        _dress(axes, title, axis)
        for run, colour in zip(runs, COLOURS * len(runs), strict=False):
            curves(axes, run, axis, colour)
        _legend(axes, runs)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    figure.suptitle(", ".join(run.name for run in runs), color=INK, fontsize=13)
    return figure


def _panels(runs: Sequence[Run]) -> dict[str, Draw]:
    """One run shows its parts; several show what can be compared."""
    if len(runs) == 1:
        return {
            "results of self-play": _results,
            "losses": _losses,
            "entropy of the policy, nats": _entropy,
            "Elo, 95 % intervals": _ratings,
            "plies of a game": _curve("selfplay.plies"),
            "how often the network is right": _hits,
            "evaluations a second": _curve("speed.evaluations", low=0),
            "where the time goes": _stages,
        }
    return {
        "loss of the policy": _curve("loss.policy"),
        "loss of the value": _curve("loss.value"),
        "entropy of the target, nats": _curve("selfplay.target_entropy"),
        "Elo, 95 % intervals": _ratings,
        "plies of a game": _curve("selfplay.plies"),
        "decisive games": _decisive,
    }


def _dress(axes: Axes, title: str, axis: str) -> None:
    axes.set_title(title, fontsize=10, loc="left", color=INK)
    axes.set_xlabel(axis, fontsize=8)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def _legend(axes: Axes, runs: Sequence[Run]) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if len(handles) > 1 or len(runs) > 1:
        axes.legend(handles, labels, fontsize=7, framealpha=0.85, loc="best")


def _curve(key: str, low: float | None = None) -> Draw:
    def curve(axes: Axes, run: Run, axis: str, colour: str) -> None:
        _line(axes, run, axis, series(run.records, key), colour, run.name)
        axes.set_ylim(bottom=low)

    return curve


def _line(axes: Axes, run: Run, axis: str, pairs: Sequence[tuple[int, float]], colour: str, label: str) -> None:
    at = run.along(axis)
    axes.plot(
        [at[x] for x, _ in pairs], [y for _, y in pairs], color=colour, linewidth=1.4, label=label,
        marker="." if len(pairs) < 30 else None, markersize=4,
    )  # fmt: skip


def _decisive(axes: Axes, run: Run, axis: str, colour: str) -> None:
    _line(axes, run, axis, [(record["iteration"], decisive(record)) for record in run.records], colour, run.name)
    axes.set_ylim(0, 1.02)


def _losses(axes: Axes, run: Run, axis: str, _: str) -> None:
    for name, colour in zip(losses(run.records), (INK, *COLOURS), strict=False):
        _line(axes, run, axis, series(run.records, f"loss.{name}"), colour, name)
    axes.set_ylim(bottom=0)


def _entropy(axes: Axes, run: Run, axis: str, _: str) -> None:
    keys = {"network": "learner.policy_entropy", "search (target)": "selfplay.target_entropy"}
    for (name, key), colour in zip(keys.items(), COLOURS, strict=False):
        _line(axes, run, axis, series(run.records, key), colour, name)
    axes.set_ylim(bottom=0)


def _hits(axes: Axes, run: Run, axis: str, _: str) -> None:
    keys = {"search's move": "learner.policy_accuracy", "result": "learner.value_accuracy"}
    for (name, key), colour in zip(keys.items(), COLOURS, strict=False):
        _line(axes, run, axis, series(run.records, key), colour, name)
    axes.set_ylim(0, 1)


def _results(axes: Axes, run: Run, axis: str, _: str) -> None:
    shares = {words: [share(record, key) for record in run.records] for key, (words, _) in RESULTS.items()}
    _stack(axes, run, axis, shares, [colour for _, colour in RESULTS.values()])


def _stages(axes: Axes, run: Run, axis: str, _: str) -> None:
    found = [stage_shares(record) for record in run.records]
    names = [name for name in STAGES if any(name in shares for shares in found)]
    shares = {name: [shares.get(name, 0.0) for shares in found] for name in names}
    _stack(axes, run, axis, shares, [STAGES[name] for name in names])


def _stack(axes: Axes, run: Run, axis: str, parts: Mapping[str, Sequence[float]], colours: Sequence[str]) -> None:
    at = list(run.along(axis).values())
    if len(at) == 1:  # one iteration is a line without width
        at, parts = [0.0, *at], {name: [*numbers, *numbers] for name, numbers in parts.items()}
    axes.stackplot(at, *parts.values(), labels=list(parts), colors=colours, alpha=0.85)
    axes.set_xlim(at[0], at[-1])
    axes.set_ylim(0, 1)


def _ratings(axes: Axes, run: Run, axis: str, colour: str) -> None:
    at = {0: 0.0} | run.along(axis)
    rated = [(at[iteration], rating) for iteration, rating in sorted(run.ratings.items()) if iteration in at]
    if rated:
        low, high = [one.value - one.low for _, one in rated], [one.high - one.value for _, one in rated]
        axes.errorbar(
            [x for x, _ in rated], [one.value for _, one in rated], yerr=[low, high], color=colour, label=run.name,
            linewidth=1.4, marker="o", markersize=3, capsize=2,
        )  # fmt: skip
    for name, rating in run.rivals.items():
        axes.axhline(rating.value, color=FAINT, linewidth=0.8, linestyle="--")
        axes.annotate(name, (0.01, rating.value), xycoords=("axes fraction", "data"), fontsize=7, va="bottom")
