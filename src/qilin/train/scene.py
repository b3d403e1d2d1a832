"""The live picture of a run: what is shown, and how. Nothing here prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from qilin.train.health import Warning
from qilin.train.history import Record, decisive, losses, series, share, stage_shares, value

BARS = "▁▂▃▄▅▆▇█"
STAGES = {
    "search": "green",
    "network": "blue",
    "learn": "magenta",
    "write": "yellow",
    "evaluate": "cyan",
    "wait": "red",
    "other": "bright_black",
}
RESULTS = {"wins": ("first", "green"), "draws": ("drawn", "bright_black"), "losses": ("second", "blue")}
WIDE = 32  # characters of a bar


@dataclass(slots=True, kw_only=True)
class Scene:
    """All that is shown, at one moment."""

    title: str  # game and network
    folder: str
    iteration: int = 0  # that is under way
    iterations: int | None = None
    minutes: float | None = None  # that the run may take
    checkpoint_every: int = 1
    records: list[Record] = field(default_factory=list)  # finished iterations
    stage: str = "play"
    done: float = 0.0
    of: float = 1.0
    numbers: Mapping[str, float] = field(default_factory=dict)  # of the iteration under way
    elapsed: float = 0.0  # seconds of the iteration under way
    running: float = 0.0  # seconds since this process began
    strength: str = ""  # the newest evaluation
    warnings: Sequence[Warning] = ()

    def begin_after(self, iteration: int) -> None:
        """A run goes on after an iteration: what came later will be made again."""
        self.iteration = iteration + 1
        self.records = [record for record in self.records if record["iteration"] <= iteration]


def picture(scene: Scene) -> Group:
    """The whole scene."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for label, text in rows(scene):
        table.add_row(label, text)
    warned = [Text.assemble(("⚠ ", "bold yellow"), (one.words.en, "yellow")) for one in scene.warnings]
    return Group(_head(scene), _progress(scene), Text(), table, *([Text(), *warned] if warned else ()))


def _head(scene: Scene) -> Table:
    head = Table.grid(expand=True)
    head.add_column()
    head.add_column(justify="right")
    wanted = f" of {scene.iterations}" if scene.iterations else ""
    head.add_row(
        Text.assemble((scene.title, "bold"), "  ", (scene.folder, "dim")), Text(f"iteration {scene.iteration}{wanted}")
    )
    return head


def _progress(scene: Scene) -> Table:
    line = Table.grid(expand=True, padding=(0, 1))
    line.add_column(ratio=1)
    line.add_column(justify="right", min_width=14)
    share_done = min(1.0, scene.done / scene.of) if scene.of else 1.0
    line.add_row(ProgressBar(total=1.0, completed=share_done), f"{scene.stage} {share_done:.0%}")
    return line


def rows(scene: Scene) -> Iterator[tuple[str, Text]]:
    """The lines of the table: a label, and what there is to say."""
    last = scene.records[-1] if scene.records else {}
    yield "games", _games(scene, last)
    current = _results(scene, last)
    if current:
        yield "results", _stacked({words: (current[key], colour) for key, (words, colour) in RESULTS.items()})
        yield "length", _length(scene, last)
    if scene.records:
        yield "losses", _losses(scene.records)
        yield "policy", _policy(scene.records)
        yield "window", _window(last)
    yield "speed", _speed(scene, last)
    if scene.records:
        yield "time", _stacked({name: (part, STAGES.get(name, "white")) for name, part in stage_shares(last).items()})
    yield "clock", Text(_clock(scene))
    if scene.strength:
        yield "strength", Text(scene.strength)


def _games(scene: Scene, last: Record) -> Text:
    before, now = value(last, "games") or 0.0, scene.numbers.get("games", 0.0)
    return Text(f"{before + now:,.0f} so far, {now:,.0f} in this iteration")


def _results(scene: Scene, last: Record) -> dict[str, float]:
    """Shares of this iteration's games, or while it has none, of the last one's."""
    games = scene.numbers.get("games", 0.0)
    if games:
        return {key: scene.numbers.get(key, 0.0) / games for key in RESULTS}
    return {key: share(last, key) for key in RESULTS} if last else {}


def _length(scene: Scene, last: Record) -> Text:
    results = _results(scene, last)
    plies = scene.numbers.get("plies") or value(last, "selfplay.plies") or 0.0
    words = [f"{plies:.1f} plies", f"decisive {1.0 - results['draws']:.0%}"]
    if resigned := value(last, "selfplay.resigned"):
        wrong = value(last, "selfplay.resign_wrong")
        aside = f" ({wrong:.0%} of those checked wrongly)" if wrong is not None else ""
        words.append(f"resigned {resigned / max(1, value(last, 'selfplay.games') or 1):.0%}{aside}")
    return Text("   ".join(words))


def _losses(records: Sequence[Record]) -> Text:
    return _trends(records, {name: f"loss.{name}" for name in losses(records)})


def _policy(records: Sequence[Record]) -> Text:
    keys = {"entropy": "learner.policy_entropy", "target": "selfplay.target_entropy"}
    text = _trends(records, keys)
    for name in ("policy", "value"):
        right = value(records[-1], f"learner.{name}_accuracy")
        if right is not None:
            text.append(f"   {name} hits {right:.0%}")
    return text


def _trends(records: Sequence[Record], keys: Mapping[str, str]) -> Text:
    text = Text()
    for name, key in keys.items():
        pairs = series(records, key)
        if pairs:
            text.append("   " if text else "").append(f"{name} ").append(f"{pairs[-1][1]:.3f} ", "bold")
            text.append(sparkline([number for _, number in pairs]), "cyan")
    return text


def sparkline(numbers: Sequence[float], width: int = 10) -> str:
    """A curve in one line; what does not fit is averaged."""
    size = max(1, -(-len(numbers) // width))
    points = [fmean(numbers[at : at + size]) for at in range(0, len(numbers), size)]
    low, high = min(points), max(points)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(BARS[round((point - low) * scale)] for point in points)


def _window(last: Record) -> Text:
    held, wanted, age = (value(last, f"replay.{name}") or 0.0 for name in ("samples", "window", "age"))
    rate = value(last, "learner.rate")
    words = f"{held:,.0f} of {wanted:,.0f} positions, {age:.1f} iterations old"
    return Text(words + (f"   learning rate {rate:.2g}" if rate is not None else ""))


def _speed(scene: Scene, last: Record) -> Text:
    """Of the iteration under way while it plays, else of the last one."""
    words = []
    for name in ("positions", "evaluations"):
        made = scene.numbers.get(name, 0.0)
        live = made / scene.elapsed if scene.stage == "play" and made and scene.elapsed > 0.5 else None
        rate = live if live is not None else value(last, f"speed.{name}")
        if rate is not None:
            words.append(f"{rate:,.0f} {name}/s")
    learned = value(last, "speed.learned")
    return Text("   ".join(words + ([f"{learned:,.0f} learned/s"] if learned is not None else [])) or "…")


def _stacked(parts: Mapping[str, tuple[float, str]]) -> Text:
    """A bar of coloured parts, and what each is."""
    bar, words = Text(), Text()
    filled, total = 0, 0.0
    for name, (part, colour) in parts.items():
        total += part
        cells = round(total * WIDE) - filled
        bar.append("█" * cells, colour)
        filled += cells
        if part >= 0.005:
            words.append(f"  {name} ", "dim").append(f"{part:.0%}", colour)
    return bar + words


def _clock(scene: Scene) -> str:
    words = [f"{duration(scene.running)} so far"]
    recent = [number for _, number in series(scene.records[-5:], "seconds")]
    if recent:
        left = scene.checkpoint_every - (scene.iteration - 1) % scene.checkpoint_every
        words.insert(0, f"next checkpoint in {duration(max(0.0, left * fmean(recent) - scene.elapsed))}")
    if (left_over := _to_go(scene, recent)) is not None:
        words.append(f"{duration(left_over)} to go")
    return "   ".join(words)


def _to_go(scene: Scene, recent: Sequence[float]) -> float | None:
    """Seconds until the run's iterations or minutes are over, whichever comes first; None where nothing ends it."""
    ends = []
    if scene.iterations is not None and recent:
        ends.append((scene.iterations - scene.iteration + 1) * fmean(recent) - scene.elapsed)
    if scene.minutes is not None:
        used = sum(value(record, "seconds") or 0.0 for record in scene.records)
        ends.append(60 * scene.minutes - used - scene.elapsed)
    return max(0.0, min(ends)) if ends else None


def duration(seconds: float) -> str:
    """`0:42`, `1:02:05`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def line(record: Record, iterations: int | None) -> str:
    """An iteration in one line of plain text, for logs."""
    wanted = f"/{iterations}" if iterations else ""
    parts = [f"{share(record, key):.0%} {words}" for key, (words, _) in RESULTS.items()]
    shown = {name: value(record, f"loss.{name}") for name in ("total", "policy", "value")}
    numbers = " ".join(f"{name} {number:.3f}" for name, number in shown.items() if number is not None)
    speeds = " ".join(f"{value(record, f'speed.{name}') or 0:,.0f} {name}/s" for name in ("positions", "evaluations"))
    return (
        f"iteration {record['iteration']}{wanted}  {value(record, 'selfplay.games') or 0:,.0f} games "
        f"({', '.join(parts)}; decisive {decisive(record):.0%}) of {value(record, 'selfplay.plies') or 0:.1f} plies  "
        f"loss {numbers}  {speeds}  {value(record, 'seconds') or 0:.1f} s"
    )
