"""Where a run comes from: enough to make it again."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import torch

from qilin.train.recipe import Recipe

ORIGIN = "origin.json"  # in a run's folder


def origin_text(recipe: Recipe) -> str:
    """Seed, versions, commit and command, as JSON."""
    facts = {
        "seed": recipe.seed,
        "command": sys.argv,
        "commit": commit(),
        "versions": {
            "qilin": _version("qilin"),
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
        },
        "machine": {"system": platform.platform(), "processor": platform.machine()},
    }
    return json.dumps(facts, indent=1) + "\n"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def commit() -> str | None:
    """The git commit of this source tree, with a `+` where it was changed since; None for an installed package."""
    here = Path(__file__).parent

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=here, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return None
