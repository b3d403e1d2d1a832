"""How quick the board is for whoever sits at it: the first reply of a fresh server, the page, a press, a reply.

    python bench/web_page.py

Needs Chromium and Playwright. A server is started on a free port of loopback. A press is measured in the page: from
the input event to the frame that shows what it did. Replies are measured at the client, in positions of random games.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import result

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/browser")]

PRESSES = """
window.presses = [];
const shown = (event) => () => setTimeout(() => presses.push(performance.now() - event.timeStamp));
addEventListener("click", (event) => requestAnimationFrame(shown(event)), true);
"""


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=12, help="of each game, for each level")
    result.add_keep(parser)
    args = parser.parse_args()
    from web_server import Server, serving

    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        began = time.perf_counter()
        server.start()
        server.post("/api/ai-move", {"game": "xiangqi", "player": "level:1"}).raise_for_status()
        first = time.perf_counter() - began
        server.stop()
        with serving(Path(folder)) as running:
            numbers = {"first_reply": round(first, 2), **page(running), "replies": replies(running, args.positions)}
    tell(numbers)
    result.finish({"web_page": numbers}, args.keep)


def page(server: Any) -> dict[str, Any]:
    """Loading, and presses on every board."""
    from playwright.sync_api import sync_playwright
    from visitor import Visitor

    import qilin

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        visitor = Visitor.arrive(browser, server.url, motion="full")
        began = time.perf_counter()
        visitor.open("play", ".card svg")
        loaded = time.perf_counter() - began
        script = "performance.getEntriesByType('resource').reduce((sum, each) => sum + each.transferSize, 0)"
        weight = visitor.page.evaluate(script)
        visitor.page.evaluate(PRESSES)
        for game in qilin.games():
            visitor.sit(game, ["human", "human"])
            press_around(visitor)
        presses = visitor.page.evaluate("presses")
        browser.close()
    return {"page": round(loaded, 2), "transferred": weight, "press": spread([each / 1000 for each in presses])}


def press_around(visitor: Any, presses: int = 25) -> None:
    """Choose pieces and make moves."""
    rng = random.Random(1)
    for _ in range(presses):
        view = visitor.state["view"]
        if view["over"] or not view["moves"]:
            return
        move = rng.choice(view["moves"])
        known = len(visitor.state["moves"])
        for square in filter(None, (move["from"], move["to"])):
            visitor.click(square)
        visitor.until(lambda known=known: len(visitor.state["moves"]) > known, "the move")


def replies(server: Any, positions: int) -> dict[str, dict[str, float]]:
    """Seconds of the weakest three levels, at the client."""
    import qilin

    found: dict[str, dict[str, float]] = {}
    for game in qilin.games():
        for level in (1, 2, 3):
            seconds = []
            for seed in range(positions):
                line = {"game": game, "moves": some_moves(game, seed), "player": f"level:{level}"}
                began = time.perf_counter()
                server.post("/api/ai-move", line).raise_for_status()
                seconds.append(time.perf_counter() - began)
            found[f"{game} {level}"] = spread(seconds)
    return found


def some_moves(game: str, seed: int) -> list[str]:
    """The beginning of a random game, of any length in which somebody is to move."""
    import qilin

    rng, state, moves, all_moves = random.Random(seed), qilin.game(game).start(), list[str](), list[str]()
    for _ in range(seed * 4):
        text = rng.choice(list(state.outcomes()) if state.is_chance else state.moves())
        state = state.play(text)
        all_moves.append(text)
        if state.is_over:
            break
        if not state.is_chance:
            moves = list(all_moves)
    return moves


def spread(seconds: list[float]) -> dict[str, float]:
    """The middle, all but one in twenty, and the slowest."""
    ordered = sorted(seconds)
    return {
        "p50": round(ordered[len(ordered) // 2], 4),
        "p95": round(ordered[len(ordered) * 95 // 100], 4),
        "max": round(ordered[-1], 4),
        "of": len(ordered),
    }


def tell(numbers: dict[str, Any]) -> None:
    """For people."""
    print(f"server started and first legal reply: {numbers['first_reply']} s")
    print(f"page shown: {numbers['page']} s, {numbers['transferred'] / 1000:.0f} kB transferred")
    print(f"a press until its frame: {numbers['press']}")
    for name, times in numbers["replies"].items():
        print(f"  level reply, {name}: p50 {times['p50'] * 1000:.0f} ms, max {times['max'] * 1000:.0f} ms")


if __name__ == "__main__":
    main()
