"""A browser, a server for its pages, and any number of visitors; without a Chromium they are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from runs_for_pages import write_runs
from visitor import Visit, Visitor
from web_server import Server, serving

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# Nothing of these tests needs a card, a sandbox of its own, or a word with anybody outside.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless browser, gone after its module: while it is there, no test can run an event loop of its own."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with training runs to look at."""
    folder = tmp_path_factory.mktemp("browser")
    write_runs(folder / "runs")
    with serving(folder) as running:
        yield running
        assert "Traceback" not in running.log


@pytest.fixture
def visit(chromium: Any, site: Server) -> Iterator[Visit]:
    """Somebody who opens the page: `visit(language="zh", width=360, touch=True)`. Nobody may meet an error."""
    visitors: list[Visitor] = []

    def come(url: str = "", **who: Any) -> Visitor:
        visitors.append(Visitor.arrive(chromium, url or site.url, **who))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.go()
    for visitor in visitors:
        assert visitor.troubles == []
        assert visitor.strangers == set()
