"""The perft tables of tests/perft, one file a game: settings | position | counts | why and who says so."""

from pathlib import Path

import pytest

import qilin

TABLES = Path(__file__).parent / "perft"


def rows(name: str) -> list[list[str]]:
    lines = (TABLES / f"{name}.txt").read_text().splitlines()
    return [[cell.strip() for cell in line.split(" | ")] for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("name", qilin.games())
def test_perft_table(name: str) -> None:
    for settings, text, counts, why in rows(name):
        options = {} if settings == "-" else dict(pair.split("=") for pair in settings.split(","))
        state = qilin.game(name, **options).parse(text)
        for depth, count in enumerate(map(int, counts.split()), 1):
            assert state.perft(depth) == count, f"{name} '{text}' ({why}): perft {depth}"


@pytest.mark.parametrize("name", qilin.games())
def test_every_game_has_ten_positions(name: str) -> None:
    assert len(rows(name)) >= 10
