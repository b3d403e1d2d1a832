"""What a person sees of a run: a live picture on a terminal, plain lines elsewhere. Both are a `Watch`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.panel import Panel

from qilin.train.health import warnings
from qilin.train.scene import Scene, line, picture


class LiveDisplay:
    """A picture that is redrawn a few times a second; sentences scroll by above it."""

    def __init__(self, scene: Scene, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        """`scene` says what is known before the run begins."""
        self.scene = scene
        self._console = console
        self._clock = clock
        self._began = self._turned = clock()
        self._live = Live(console=console, get_renderable=self._now, refresh_per_second=4, transient=False)

    def _now(self) -> Panel:
        now = self._clock()
        self.scene.elapsed, self.scene.running = now - self._turned, now - self._began
        return Panel(picture(self.scene), border_style="dim")

    def began(self, plan: Mapping[str, Any]) -> None:
        """Show the picture."""
        self.scene.begin_after(int(plan["iteration"]))
        self._live.start()

    def progress(self, stage: str, done: float, of: float, **numbers: float) -> None:
        """Show where the iteration is."""
        self.scene.stage, self.scene.done, self.scene.of = stage, done, of
        if numbers:
            self.scene.numbers = numbers

    def measured(self, record: Mapping[str, Any]) -> None:
        """Show what an iteration came to; another one begins."""
        self.scene.records.append(record)
        self.scene.warnings = warnings(self.scene.records)
        self.scene.iteration = int(record["iteration"]) + 1
        self.scene.stage, self.scene.done, self.scene.numbers = "write", 0.0, {}
        self._turned = self._clock()

    def said(self, text: str) -> None:
        """Print a sentence above the picture."""
        self._live.console.print(text, highlight=False, markup=False)

    def evaluated(self, text: str) -> None:
        """Show the newest strength."""
        self.scene.strength = text

    def ended(self, why: str) -> None:
        """Leave the last picture standing, with the reason under it."""
        if self._live.is_started:
            self._live.stop()
        self._console.print(why, highlight=False, markup=False)


class PlainDisplay:
    """A line for each iteration: for logs, pipes and `nohup`."""

    def __init__(self, scene: Scene, write: Callable[[str], None] = print) -> None:
        """`write` takes one line."""
        self.scene = scene
        self._write = write
        self._warned: set[str] = set()

    def began(self, plan: Mapping[str, Any]) -> None:
        """Say what begins."""
        self.scene.begin_after(int(plan["iteration"]))
        at = f" after iteration {plan['iteration']}" if plan["iteration"] else ""
        self._write(f"{self.scene.title}, {self.scene.folder}{at}")

    def progress(self, stage: str, done: float, of: float, **numbers: float) -> None:
        """Say nothing: a log is no place for it."""

    def measured(self, record: Mapping[str, Any]) -> None:
        """Say what an iteration came to, and each kind of warning when it begins to hold."""
        self.scene.records.append(record)
        self._write(line(record, self.scene.iterations))
        found = warnings(self.scene.records)
        for one in found:
            if one.kind not in self._warned:
                self._write(f"warning: {one.words.en}")
        self._warned = {one.kind for one in found}

    def said(self, text: str) -> None:
        """Pass it on."""
        self._write(text)

    def evaluated(self, text: str) -> None:
        """Say how strong the network is."""
        self._write(f"strength: {text}")

    def ended(self, why: str) -> None:
        """Say why."""
        self._write(why)
