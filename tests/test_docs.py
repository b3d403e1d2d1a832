"""What the docs say that can be looked up is what it is."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_the_settings_in_the_docs_are_the_settings() -> None:
    page = (DOCS / "training.md").read_text(encoding="utf-8")
    written = runpy.run_path(str(DOCS / "write_settings.py"))["written"]
    assert written(page) == page, "run: python docs/write_settings.py"
