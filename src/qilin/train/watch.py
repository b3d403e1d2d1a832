"""What a run tells those who watch it. A display implements `Watch`; the loop knows nothing of terminals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Watch(Protocol):
    """All methods are called on rank 0, between steps of the work: what they raise ends the run."""

    def began(self, plan: Mapping[str, Any]) -> None:
        """The run begins or goes on: recipe (as text), folder, iteration (done so far), iterations (wanted)."""

    def progress(self, stage: str, done: float, of: float, **numbers: float) -> None:
        """A few times a second. Stages: play, learn, write, evaluate; numbers: running totals of this iteration."""

    def measured(self, record: Mapping[str, Any]) -> None:
        """An iteration is done; this is its line in metrics.jsonl."""

    def evaluated(self, text: str) -> None:
        """How strong the newest network is, in one line."""

    def said(self, text: str) -> None:
        """A sentence for people."""

    def ended(self, why: str) -> None:
        """The run ends, for this reason."""


class Silent:
    """Nobody watches."""

    def began(self, plan: Mapping[str, Any]) -> None:
        """Say nothing."""

    def progress(self, stage: str, done: float, of: float, **numbers: float) -> None:
        """Say nothing."""

    def measured(self, record: Mapping[str, Any]) -> None:
        """Say nothing."""

    def evaluated(self, text: str) -> None:
        """Say nothing."""

    def said(self, text: str) -> None:
        """Say nothing."""

    def ended(self, why: str) -> None:
        """Say nothing."""
