"""What a run's metrics say over time. A record is one line of metrics.jsonl: an iteration."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]
METRICS = "metrics.jsonl"


def read(folder: Path) -> list[dict[str, Any]]:
    """The records of a run's folder; a last line that was cut off is left out."""
    path = folder / METRICS
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else ():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return found


def value(record: Record, key: str) -> float | None:
    """The number at a dotted key, as in `loss.policy`; None where it was not measured."""
    found: Any = record
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return float(found) if isinstance(found, int | float) and math.isfinite(found) else None


def series(records: Sequence[Record], key: str) -> list[tuple[int, float]]:
    """(iteration, number) wherever the number was measured."""
    pairs = ((record["iteration"], value(record, key)) for record in records)
    return [(iteration, number) for iteration, number in pairs if number is not None]


def share(record: Record, part: str) -> float:
    """A share of the games of self-play: wins, draws or losses."""
    return (value(record, f"selfplay.{part}") or 0.0) / max(1.0, value(record, "selfplay.games") or 0.0)


def decisive(record: Record) -> float:
    """The share of games that somebody won."""
    return 1.0 - share(record, "draws")


def stage_shares(record: Record) -> dict[str, float]:
    """Each stage's share of the time of an iteration; what no stage counted is `other`."""
    stages = {name: seconds for name, seconds in record.get("stages", {}).items() if seconds > 0}
    total = max(sum(stages.values()), value(record, "seconds") or 0.0)
    if total <= 0:
        return {}
    shares = {name: seconds / total for name, seconds in stages.items()}
    rest = 1.0 - sum(shares.values())
    return shares | ({"other": rest} if rest > 1e-9 else {})


def losses(records: Sequence[Record]) -> list[str]:
    """The names of the losses that were measured, the total first."""
    names = dict.fromkeys(name for record in records for name in record.get("loss", {}))
    return sorted(names, key=lambda name: name != "total")
