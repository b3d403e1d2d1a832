"""Pictures: the page's look without a page. Well-formed, complete, and current with the skins."""

import importlib
import importlib.util
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import qilin
from qilin.pictures import png, svg
from qilin.stylesheet import read

ROOT = Path(__file__).parent.parent
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"


def some_way_in(name: str, plies: int = 30) -> qilin.State:
    rng, state = random.Random(2), qilin.game(name).start()
    while plies and not state.is_over:
        state, plies = state.play(rng.choice(state.moves() or list(state.outcomes()))), plies - 1
    return state


@pytest.mark.parametrize("name", qilin.games())
def test_every_position_is_a_picture(name: str) -> None:
    for state in (qilin.game(name).start(), some_way_in(name), some_way_in(name, 400)):
        drawn = svg(state)
        root = ET.fromstring(drawn)
        title = root.find("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert str(state) in (title.text or "")
        assert "var(" not in drawn
        assert "class=" not in drawn
        assert "NaN" not in drawn
        assert "undefined" not in drawn


def test_pieces_stand_where_the_position_says() -> None:
    start = qilin.game("connect_four").start()
    empty, one = svg(start), svg(start.play("d"), last=False)
    added = set(re.findall(r"translate\(([\d. ]+)\)", one)) - set(re.findall(r"translate\(([\d. ]+)\)", empty))
    assert added == {"3.5 5.5"}
    assert "translate(3.5 0.5)" in svg(start.play("d"), flipped=True)


def test_glyphs_need_no_font() -> None:
    drawn = svg(qilin.game("xiangqi").start())
    assert not re.search(r"[帥將車馬楚河]", drawn.split("</title>")[1])
    assert drawn.count("<path") > 60


def test_coordinates_and_the_last_move_can_be_left_out() -> None:
    state = some_way_in("ataxx")
    assert "<text" in svg(state)
    assert "<text" not in svg(state, coordinates=False)
    assert len(svg(state, last=False)) < len(svg(state))


def test_colours_come_from_the_page() -> None:
    sheet = read(
        ":root { --a: #111; --b: var(--a); } .board { --c: #ccc; } .dark .x { fill: red } g .x.y { fill: var(--b) } "
        ".x { fill: var(--c); font: 700 .5px 'F', serif; margin: 3px } .x:hover { fill: blue } /* .x { fill: none } */",
        classes=frozenset({"board"}),
    )
    plain = sheet.look(("circle", frozenset({"x"})), [("svg", frozenset({"board"}))])
    assert plain == {"fill": "#ccc", "font-weight": "700", "font-size": ".5", "font-family": "'F', serif"}
    assert sheet.look(("circle", frozenset({"x", "y"})), [("g", frozenset())])["fill"] == "#111"
    assert sheet.look(("circle", frozenset({"x", "y"})), [])["fill"] == "#ccc"


def test_a_picture_of_pixels() -> None:
    pytest.importorskip("resvg_py", reason="no resvg here: pip install 'qilin[picture]'")
    drawn = png(svg(qilin.game("ataxx").start()), width=100)
    assert drawn.startswith(PNG_MAGIC)
    assert int.from_bytes(drawn[16:20]) == 100


def test_pictures_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    command = [sys.executable, "-m", "qilin", "show", "dark_chess", "--svg", str(path), "--flipped"]
    subprocess.run(command, check=True, timeout=60)
    assert ET.parse(path).getroot().tag.endswith("svg")


@pytest.mark.skipif(importlib.util.find_spec("brotli") is None, reason="no brotli here, which unpacks the font")
def test_the_glyphs_are_those_of_the_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    fresh = importlib.import_module("draw_glyphs").outlines()
    kept = (ROOT / "src/qilin/web/static/skins/glyphs.json").read_text(encoding="utf-8")
    assert fresh == kept, "run `python docs/draw_glyphs.py`"
