"""The rules on a card are the rules on a CPU: perft tables and random games, for every game. `make test-gpu`.

Only the library of `cpp/cuda` and the standard library are needed: no build of the package, no pytest. Where there is
no card the tests are skipped, and say why; with QILIN_NEED_GPU=1, which `make test-gpu` sets, they fail instead.
"""

import importlib.util
import os
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
AFFORDABLE = 200_000_000  # positions that a row of a perft table may cost here: a card counts them in a blink
CPU_AFFORDABLE = 1_000_000


def load(path: Path) -> Any:
    """The module in a file, without the package around it, which may not be built here."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


cuda = load(ROOT / "src/qilin/cuda.py")


def need(missing: str) -> None:
    """Skip what needs something that is missing, or fail if a card was promised."""
    if missing and os.environ.get("QILIN_NEED_GPU") == "1":
        raise AssertionError(f"there is no GPU to test on: {missing}")
    if missing:
        raise unittest.SkipTest(missing)


def no_library() -> str:
    try:
        cuda.games()
    except cuda.CudaError as error:
        return str(error)
    return ""


def rows(name: str) -> list[tuple[dict[str, str], str, list[int]]]:
    """Settings, position and counts of every row of a game's perft table."""
    lines = (ROOT / f"tests/perft/{name}.txt").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines if line and not line.startswith("#")]
    return [
        (
            {} if row[0] == "-" else dict(pair.split("=") for pair in row[0].split(",")),
            row[1],
            [*map(int, row[2].split())],
        )
        for row in cells
    ]


def equal(found: object, expected: object) -> None:
    assert found == expected, f"found {found}, expected {expected}"


def contains(text: str, part: str) -> None:
    assert part in text, f"{part!r} is not in {text!r}"


def error_of(call: Callable[[], object], kind: type[Exception]) -> str:
    """What the call complains about."""
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError("it was accepted")


class OnTheCard(unittest.TestCase):
    """What a card computes."""

    @classmethod
    def setUpClass(cls) -> None:
        need(cuda.why_not())

    def test_perft_is_what_the_tables_say(self) -> None:
        for name in cuda.games():
            for settings, text, counts in rows(name):
                for depth, count in enumerate(counts, 1):
                    with self.subTest(game=name, settings=settings, position=text, depth=depth):
                        if count <= AFFORDABLE:
                            equal(cuda.perft(name, text, depth=depth, settings=settings).nodes, count)

    def test_random_games_are_those_of_a_cpu(self) -> None:
        for name in cuda.games():
            for settings, text, _ in [({}, "", []), *rows(name)]:
                with self.subTest(game=name, settings=settings, position=text):
                    self.same_games(name, text, settings, games=300 if text else 20_000)

    def same_games(self, name: str, text: str, settings: dict[str, str], games: int) -> None:
        for most_plies in (None, 17):
            given = {"games": games, "seed": 5, "most_plies": most_plies, "settings": settings}
            on_card, on_cpu = cuda.playouts(name, text, **given), cuda.playouts(name, text, **given, on="cpu")
            equal(on_card.totals, on_cpu.totals)

    def test_many_games_add_up(self) -> None:
        for name in cuda.games():
            with self.subTest(game=name):
                _, first, second, drawn, unfinished = cuda.playouts(name, games=1_000_003).totals
                equal(first + second + drawn + unfinished, 1_000_003)


class AtTheDoor(unittest.TestCase):
    """What the library says to bad input, and its CPU half; no card is needed."""

    @classmethod
    def setUpClass(cls) -> None:
        need(no_library())

    def test_every_game_is_in_the_library(self) -> None:
        headers = sorted(path.stem for path in (ROOT / "cpp/games").glob("*.hpp"))
        equal(cuda.games(), headers)

    def test_the_cpu_half_counts_what_the_tables_say(self) -> None:
        for name in cuda.games():
            for settings, text, counts in rows(name):
                depth = sum(count <= CPU_AFFORDABLE for count in counts)
                with self.subTest(game=name, settings=settings, position=text, depth=depth):
                    counted = cuda.perft(name, text, depth=depth, settings=settings, on="cpu")
                    equal(counted.nodes, [1, *counts][depth])

    def test_bad_input_is_quoted(self) -> None:
        name = cuda.games()[0]
        for message, call in {
            "no game is called 'chess'; the games are": lambda: cuda.perft("chess", depth=1, on="cpu"),
            "'rule=x' is no setting": lambda: cuda.perft(name, depth=1, settings={"rule": "x"}, on="cpu"),
            "position 'nonsense'": lambda: cuda.perft(name, "nonsense", depth=1, on="cpu"),
            "depth is -1, expected 0 to": lambda: cuda.perft(name, depth=-1, on="cpu"),
            "depth is 1000000, expected 0 to": lambda: cuda.perft(name, depth=1_000_000, on="cpu"),
            "depth is 4294967297": lambda: cuda.perft(name, depth=2**32 + 1, on="cpu"),
            "games is 0, expected 1 to": lambda: cuda.playouts(name, games=0, on="cpu"),
            "games is 9000000000, expected 1 to": lambda: cuda.playouts(name, games=9_000_000_000, on="cpu"),
            "seed is -1": lambda: cuda.playouts(name, games=1, seed=-1, on="cpu"),
            "most_plies is -1": lambda: cuda.playouts(name, games=1, most_plies=-1, on="cpu"),
            "holds a NUL character": lambda: cuda.perft(name, "x\0", depth=1, on="cpu"),
        }.items():
            with self.subTest(message):
                contains(error_of(call, ValueError), message)

    def test_without_a_card_it_says_so(self) -> None:
        if cuda.available():
            self.skipTest("there is a card")
        equal(error_of(lambda: cuda.perft(cuda.games()[0], depth=1), cuda.CudaError), cuda.why_not())


if __name__ == "__main__":
    unittest.main(verbosity=2)
