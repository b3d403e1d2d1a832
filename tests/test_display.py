"""What is shown of a run: the live picture, plain lines, warnings."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from metrics_of_a_run import record
from rich.console import Console

from qilin.train.display import LiveDisplay, PlainDisplay
from qilin.train.health import warnings
from qilin.train.history import series, stage_shares, value
from qilin.train.scene import Scene, duration, line, picture, sparkline

HISTORY = [record(iteration) for iteration in range(1, 13)]


def scene(**changes: Any) -> Scene:
    facts: dict[str, Any] = {
        "title": "connect_four 64x5", "folder": "runs/c4", "iteration": 13, "iterations": 60, "records": list(HISTORY),
        "done": 1200.0, "of": 2000.0, "elapsed": 5.0, "running": 380.0, "strength": "random 97 %   Elo +640",
        "numbers": {"games": 100, "wins": 80, "draws": 5, "losses": 15, "plies": 31.2, "positions": 4500,
                    "evaluations": 250_000},
    }  # fmt: skip
    return Scene(**{**facts, **changes})


def shown(of: Scene, width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO(), force_terminal=True, color_system=None)
    with console.capture() as captured:
        console.print(picture(of))
    return captured.get()


@pytest.mark.parametrize(
    "words",
    [
        "iteration 13 of 60",
        "play 60%",
        "3,220 so far, 100 in this iteration",
        "first 80%  drawn 5%  second 15%",
        "31.2 plies   decisive 95%",
        "policy 1.294 █",
        "58,000 of 60,000 positions, 3.2 iterations old",
        "900 positions/s   50,000 evaluations/s   9,000 learned/s",
        "network 62%",
        "next checkpoint in 0:03   6:20 so far   6:38 to go",
        "random 97 %   Elo +640",
    ],
)
def test_the_live_picture_says(words: str) -> None:
    assert words in shown(scene())


@pytest.mark.parametrize("width", [60, 80, 140])
def test_the_picture_fits_its_terminal(width: int) -> None:
    assert max(map(len, shown(scene(), width).splitlines())) <= width


def test_a_run_that_has_only_begun_has_a_picture() -> None:
    bare = shown(Scene(title="ataxx", folder="runs/a", iteration=1))
    assert "0 so far, 0 in this iteration" in bare
    assert "losses" not in bare


def test_warnings_stand_below() -> None:
    drawn = [record(i, selfplay__draws=258, selfplay__wins=1, selfplay__losses=1) for i in range(1, 5)]
    text = shown(scene(records=drawn, warnings=warnings(drawn)))
    assert "⚠ 99% of the games are drawn" in text


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("drawn", lambda i: {"selfplay__draws": 255}),
        ("entropy_collapses", lambda i: {"selfplay__target_entropy": 1.5 if i < 15 else 0.1, "loss__policy": 0.5}),
        ("value_loss_rises", lambda i: {"loss__value": 0.5 if i < 10 else 0.5 + 0.03 * (i - 10)}),
        ("gradient_explodes", lambda i: {"learner__gradient": 1.0 if i < 18 else 40.0}),
        ("resigns_wrongly", lambda i: {"selfplay__resign_wrong": 0.2}),
        ("policy_is_ignored", lambda i: {"loss__policy": 4.0}),
        ("search_bound", lambda i: {"stages__search": 6.0}),
        ("network_bound", lambda i: {"stages": {"network": 8.2, "search": 0.2}}),
    ],
)
def test_each_trouble_is_told_and_nothing_else(kind: str, changed: Callable[[int], dict[str, Any]]) -> None:
    history = [record(i, **changed(i)) for i in range(1, 21)]
    assert [one.kind for one in warnings(history)] == [kind]


def test_a_healthy_run_has_no_warnings() -> None:
    assert not warnings([record(i) for i in range(1, 40)])
    assert not warnings([record(1, selfplay__draws=260)])  # too early to tell


class Clock:
    """Time as a test has it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def drive(display: LiveDisplay | PlainDisplay) -> None:
    """A run of four iterations."""
    display.began({"recipe": "", "folder": "runs/c4", "iteration": 0, "iterations": 4})
    for iteration in range(1, 5):
        display.progress(
            "play", 50, 100, games=10, wins=5, draws=1, losses=4, plies=20.0, positions=200, evaluations=9000
        )
        display.progress("learn", 3, 4)
        display.measured(record(iteration, selfplay__draws=258))
    display.evaluated("random 90%")
    display.said("checkpoint [4] was written")
    display.ended("4 iterations are done")


def test_the_live_display_renders_on_a_terminal() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=100, height=40)
    clock = Clock()
    display = LiveDisplay(Scene(title="connect_four", folder="runs/c4", iterations=4), console, clock)
    drive(display)
    out = file.getvalue()
    for words in (
        "iteration 5 of 4",
        "checkpoint [4] was written",
        "random 90%",
        "99% of the games",
        "4 iterations are done",
    ):
        assert words in out
    assert not display.scene.numbers


def test_an_iteration_is_timed_from_its_start() -> None:
    clock = Clock()
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    display = LiveDisplay(Scene(title="a", folder="b"), console, clock)
    clock.now += 30
    display.measured(record(1))
    clock.now += 7
    display._now()
    assert (display.scene.elapsed, display.scene.running) == (7, 37)


def test_a_log_has_a_line_for_each_iteration_and_each_warning_once() -> None:
    lines: list[str] = []
    drive(PlainDisplay(Scene(title="connect_four", folder="runs/c4", iterations=4), lines.append))
    assert [text.split()[0] for text in lines] == [
        "connect_four,", "iteration", "iteration", "iteration", "warning:", "iteration", "strength:", "checkpoint", "4",
    ]  # fmt: skip
    assert lines[1].startswith("iteration 1/4  260 games (54% first, 99% drawn")


def test_small_things() -> None:
    assert [duration(seconds) for seconds in (0.4, 42, 3725)] == ["0:00", "0:42", "1:02:05"]
    assert sparkline([1, 2, 3, 4, 5, 6, 7, 8]) == "▁▂▃▄▅▆▇█"
    assert sparkline([3, 3]) == "▁▁"
    assert len(sparkline(list(range(1000)))) == 10
    assert "loss total 2.603" in line(HISTORY[0], None)


def test_history_reads_what_is_there() -> None:
    assert value(HISTORY[0], "loss.policy") == pytest.approx(0.8 + 1.1 * 0.9355, abs=1e-3)
    assert value(HISTORY[0], "gpu_memory") is None
    assert value(HISTORY[0], "loss.ownership") is None
    assert [iteration for iteration, _ in series(HISTORY, "loss.value")] == list(range(1, 13))
    assert sum(stage_shares(HISTORY[0]).values()) == pytest.approx(1)
    assert stage_shares(HISTORY[0])["network"] == pytest.approx(5.2 / 8.4)
