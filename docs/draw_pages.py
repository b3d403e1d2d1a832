"""Draws docs/pictures/, the pages as a visitor sees them: PYTHONPATH=tests:tests/browser python docs/draw_pages.py RUN.

Needs what the browser's tests need, and a Chinese font (Debian: fonts-noto-cjk). Engines play the games;
RUN is the folder of a training run.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from visitor import Visitor
from web_server import Server, serving

PICTURES = Path(__file__).parent / "pictures"
PLIES = {"ataxx": 20, "connect_four": 15, "dark_chess": 16, "liuzhou": 29, "popucom": 24, "xiangqi": 21}


def line(server: Server, game: str) -> list[str]:
    """Some moves of a game between two engines; where that ends in the middle of a turn, the turn is played out."""
    moves: list[str] = []
    while len(moves) < PLIES[game]:
        body = {"game": game, "moves": moves, "player": "alphabeta:depth=3"}
        moves += server.post("/api/ai-move", body).json()["played"]
    return moves


def kept(name: str, *shots: bytes, width: int) -> None:
    """Pictures side by side as one of few colours."""
    parts = [Image.open(io.BytesIO(shot)).convert("RGB") for shot in shots]
    gap = 24 if len(parts) > 1 else 0
    whole = Image.new("RGB", (sum(part.width + gap for part in parts) - gap, parts[0].height), "#8c8371")
    at = 0
    for part in parts:
        whole.paste(part, (at, 0))
        at += part.width + gap
    small = whole.resize((width, round(whole.height * width / whole.width)), Image.Resampling.LANCZOS)
    few = small.quantize(256, Image.Quantize.MEDIANCUT, kmeans=4, dither=Image.Dither.FLOYDSTEINBERG)
    few.save(PICTURES / f"{name}.png", optimize=True)


def analysis(browser: Browser, server: Server, game: str = "xiangqi", **who: str) -> bytes:
    """The analysis page, with a judged game and the engine on."""
    visitor = Visitor.arrive(browser, server.url, notation="chinese", **who)
    visitor.open(f"analyse/{game}?moves={','.join(line(server, game))}", ".grid")
    visitor.do("engine.judge")
    visitor.sees(".report")
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.keyboard.press("e")
    visitor.sees(".pv")
    visitor.page.mouse.move(2, 400)
    visitor.page.evaluate("document.activeElement.blur()")
    visitor.page.wait_for_timeout(3000)
    return visitor.page.screenshot()


def table(browser: Browser, server: Server, game: str, *press: str, **who: object) -> bytes:
    """A game under way."""
    visitor = Visitor.arrive(browser, server.url, **who)  # type: ignore[arg-type]
    visitor.sit(game, ["human", "level:5"], moves=line(server, game))
    for square in press:
        visitor.click(square)
    visitor.page.wait_for_timeout(1500)
    return visitor.page.screenshot()


def view(browser: Browser, server: Server, route: str, shows: str, **who: str) -> bytes:
    """Any other page."""
    visitor = Visitor.arrive(browser, server.url, **who)
    visitor.open(route, shows)
    visitor.page.wait_for_timeout(500)
    return visitor.page.screenshot()


def main() -> None:
    """All of them."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run = Path(sys.argv[1])
        shutil.copytree(run, Path(folder) / "runs" / run.name)
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with serving(Path(folder)) as server:
            kept("analysis", analysis(chromium, server), width=1200)
            kept("home", view(chromium, server, "play", ".card svg"), width=900)
            kept("training", view(chromium, server, f"training/{run.name}", ".live svg", theme="dark"), width=900)
            phones = [
                table(chromium, server, "liuzhou", width=360, touch=True),
                table(chromium, server, "dark_chess", width=360, touch=True, language="zh", theme="dark"),
                table(chromium, server, "popucom", width=360, touch=True, language="zh"),
                table(chromium, server, "ataxx", width=360, touch=True, theme="dark"),
            ]
            kept("phones", *phones, width=1200)


if __name__ == "__main__":
    main()
