"""Made-up metrics of a run that learns, for what shows them."""

import json
import math
from pathlib import Path
from typing import Any


def record(iteration: int, **changes: Any) -> dict[str, Any]:
    """A line of metrics.jsonl; `changes` replace numbers by dotted keys with `__` for dots."""
    early = math.exp(-iteration / 15)
    made: dict[str, Any] = {
        "iteration": iteration,
        "time": 1.7e9 + 8 * iteration,
        "seconds": 8.4,
        "games": 260 * iteration,
        "samples": 7800 * iteration,
        "steps": 100 * iteration,
        "evaluations": 400_000 * iteration,
        "selfplay": {
            "games": 260, "wins": 140, "draws": 10, "losses": 110, "plies": 24 + 10 * early, "captures": 4.0,
            "resigned": 12, "resign_wrong": 0.02, "reasons": {"four": 250, "full": 10},
            "target_entropy": 0.5 + early, "surprise": 0.3, "value_error": 0.4,
        },
        "loss": {"total": 1.2 + 1.5 * early, "policy": 0.8 + 1.1 * early, "value": 0.4 + 0.4 * early},
        "learner": {
            "steps": 100, "rate": 2e-3, "gradient": 0.9, "policy_entropy": 0.6 + early,
            "policy_accuracy": 0.7 - 0.3 * early, "value_accuracy": 0.75 - 0.2 * early,
        },
        "replay": {"window": 60_000, "samples": 58_000, "age": 3.2},
        "speed": {"positions": 900.0, "evaluations": 41_000.0, "learned": 9000.0},
        "stages": {"search": 1.1, "network": 5.2, "learn": 1.7, "write": 0.1, "evaluate": 0.3},
        "memory": 612_000_000,
        "gpu_memory": None,
    }  # fmt: skip
    for key, number in changes.items():
        *path, last = key.split("__")
        inner = made
        for part in path:
            inner = inner[part]
        inner[last] = number
    return made


def write_run(folder: Path, iterations: int, game: str = "connect_four") -> Path:
    """A run's folder with a recipe and metrics."""
    folder.mkdir(parents=True)
    (folder / "recipe.toml").write_text(f'game = "{game}"\n[run]\niterations = 60\n')
    lines = [json.dumps(record(iteration)) + "\n" for iteration in range(1, iterations + 1)]
    (folder / "metrics.jsonl").write_text("".join(lines))
    return folder
