"""Somebody at the page: looks, presses, types and taps as a person does, and notes what a person would not see."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket

HEIGHTS = {360: 740, 800: 1000, 1440: 900}
QUICK = {"motion": "off", "sound": False}
STEPS = {(0, -1): "ArrowUp", (0, 1): "ArrowDown", (-1, 0): "ArrowLeft", (1, 0): "ArrowRight"}


@dataclass(slots=True)
class Visitor:
    """A page in a context of its own."""

    context: BrowserContext
    page: Page
    url: str
    troubles: list[str] = field(default_factory=list)  # what the console complained about
    strangers: set[str] = field(default_factory=set)  # hosts that are not the server
    states: list[dict[str, Any]] = field(default_factory=list)  # of the game, as the socket told them

    @classmethod
    def arrive(
        cls,
        browser: Browser,
        url: str,
        *,
        language: str = "en",
        theme: str = "light",
        width: int = 1440,
        touch: bool = False,
        **settings: Any,
    ) -> Self:
        """Open a browser's window; no page yet."""
        context = browser.new_context(
            viewport={"width": width, "height": HEIGHTS[width]},
            locale={"en": "en-GB", "zh": "zh-CN"}[language],
            color_scheme="dark" if theme == "dark" else "light",
            has_touch=touch,
            is_mobile=touch,
            accept_downloads=True,
        )
        kept = json.dumps(json.dumps(QUICK | settings))
        context.add_init_script(
            f"localStorage.getItem('qilin.settings') ?? localStorage.setItem('qilin.settings', {kept})"
        )
        visitor = cls(context, context.new_page(), url)
        visitor._listen()
        return visitor

    def _listen(self) -> None:
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda said: self._complained(said.type, said.text))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("websocket", lambda socket: self._opened(socket))  # Playwright cannot mark a slotted method

    def _complained(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"} and "status of 422" not in text:  # a refusal in words: the browser tells it too
            self.troubles.append(text)

    def _asked(self, address: str) -> None:
        if not address.startswith((self.url, "data:", "blob:", "file:")):
            self.strangers.add(address)

    def _opened(self, socket: WebSocket) -> None:
        if not socket.url.startswith(self.url.replace("http", "ws", 1)):
            self.strangers.add(socket.url)
        socket.on("framereceived", lambda frame: self._heard(json.loads(frame)))

    def _heard(self, message: dict[str, Any]) -> None:
        if message.get("state"):
            self.states.append(message["state"])

    def go(self) -> None:
        """Close the window."""
        self.context.close()

    def open(self, route: str, shows: str) -> Locator:
        """Go to a page and wait until it shows something."""
        address = f"{self.url}/#/{route}"
        # Nothing of the view before is to be taken for this one.
        self.page.evaluate("document.getElementById('main')?.replaceChildren()")
        if self.page.url == address:
            self.page.reload()
        else:
            self.page.goto(address)
        return self.sees(shows)

    def sees(self, selector: str) -> Locator:
        """Wait for something to be visible."""
        found = self.page.locator(selector).first
        found.wait_for(timeout=20_000)
        return found

    def until(self, holds: Callable[[], Any], what: str, seconds: float = 20) -> Any:
        """Wait for something that only the test can tell."""
        end = time.monotonic() + seconds
        while not (answer := holds()):
            assert time.monotonic() < end, f"{what} did not come within {seconds} s"
            self.page.wait_for_timeout(4)
        return answer

    def do(self, name: str) -> None:
        """Press the button of that name; a dialog comes first."""
        dialog = "dialog[open] " if self.page.locator("dialog[open]").count() else ""
        self.page.locator(f'{dialog}[data-do="{name}"]:visible').first.click()

    # The board

    @property
    def state(self) -> dict[str, Any]:
        """The game as last heard."""
        return self.states[-1]

    def sit(self, game: str, seats: list[str], **more: Any) -> str:
        """A new game, begun by the page's own module and opened; answers its id."""
        if not self.page.url.startswith(self.url):
            self.open("play", ".card")
        wanted = {"game": game, "seats": [{"player": seat} for seat in seats], **more}
        script = "async (wanted) => (await import('/table.js')).begin(wanted)"
        id = str(self.page.evaluate(script, wanted))
        self.open(f"game/{id}", ".grid")
        self.until(lambda: self.states and self.state["game"] == id, "the game")
        return id

    def where(self, square: str) -> tuple[float, float]:
        """The middle of a square on the screen."""
        script = """(square) => {
          const cell = document.querySelector(`[data-square="${square}"]`);
          const seen = (box) => box.top >= 52 && box.bottom <= innerHeight - 52;
          if (!seen(cell.getBoundingClientRect())) cell.scrollIntoView({ block: "center" });
          const box = cell.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
        x, y = self.page.evaluate(script, square)
        return x, y

    def click(self, square: str) -> None:
        """With the mouse."""
        self.page.mouse.click(*self.where(square))

    def tap(self, square: str) -> None:
        """With a finger."""
        self.page.touchscreen.tap(*self.where(square))

    def key(self, square: str) -> None:
        """With the arrow keys, from wherever the focus is on the board, and Enter."""
        at = self.focused_square() or self.tab_to(".cell").focused_square()
        for step in way(at, square):
            self.page.keyboard.press(STEPS[step])
        assert self.focused_square() == square
        self.page.keyboard.press("Enter")

    def focused_square(self) -> str:
        """The square that has the focus, if any."""
        return str(self.page.evaluate("document.activeElement?.dataset?.square ?? ''"))

    def tab_to(self, selector: str, most: int = 80) -> Self:
        """Press Tab until something has the focus."""
        for _ in range(most):
            if self.page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
                return self
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    @property
    def spoken(self) -> list[str]:
        """What a screen reader was told to say, oldest first."""
        return self.page.locator("#spoken p").all_text_contents()

    def board(self) -> dict[str, str]:
        """What each square is called by the page."""
        script = "() => [...document.querySelectorAll('.cell')].map((cell) => [cell.dataset.square, cell.ariaLabel])"
        return dict(self.page.evaluate(script))

    def plies(self) -> int:
        """The plies in the list of moves."""
        return self.page.locator(".moves .ply").count()


def way(start: str, end: str) -> list[tuple[int, int]]:
    """King's moves are not for keys: first along the rank, then along the file."""
    across, up = ord(end[0]) - ord(start[0]), int(end[1:]) - int(start[1:])
    return [(1 if across > 0 else -1, 0)] * abs(across) + [(0, -1 if up > 0 else 1)] * abs(up)


Visit = Callable[..., Visitor]
