"""The page without a browser: node's tests of its pure modules, types, weight, words, contrast."""

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import qilin

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src/qilin/web/static"
NODE = shutil.which("node")
NPM = ROOT / "build/npm/node_modules"  # `make test` fills it where npm is found

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def node(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert NODE is not None
    return subprocess.run([NODE, "--no-warnings", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


@needs_node
def test_pure_modules() -> None:
    done = node("--test", "tests/web/")
    assert done.returncode == 0, done.stdout[-6000:]


@needs_node
@pytest.mark.skipif(not (NPM / "typescript").is_dir(), reason="typescript is not installed: npm was not found")
def test_types(tmp_path: Path) -> None:
    """The JSDoc types hold, as `tsc --checkJs` reads them."""
    options = {
        "allowJs": True,
        "checkJs": True,
        "noEmit": True,
        "strict": True,
        "target": "es2022",
        "module": "es2022",
        "moduleResolution": "bundler",
        "lib": ["es2022", "dom", "dom.iterable"],
        "types": [],
    }
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": [f"{STATIC}/**/*.js"]}))
    done = node(str(NPM / "typescript/bin/tsc"), "-p", str(tmp_path))
    assert done.returncode == 0, done.stdout


@needs_node
def test_the_drawings_are_the_skins() -> None:
    """Pictures made in Python draw from this file: `node tests/web/drawings.mjs > …/skins/drawings.json`."""
    assert node("tests/web/drawings.mjs").stdout == (STATIC / "skins/drawings.json").read_text()


def test_the_page_is_light() -> None:
    """All that a browser may ever load, compressed, stays below 150 kB."""
    loaded = [path for path in STATIC.rglob("*") if path.suffix in {".html", ".js", ".css", ".woff2", ".svg"}]
    assert sum(len(gzip.compress(path.read_bytes())) for path in loaded) < 150_000


def test_every_game_has_a_skin() -> None:
    assert {path.stem for path in (STATIC / "skins").glob("*.js")} == set(qilin.games())


def test_nothing_comes_from_elsewhere() -> None:
    """No address of another host in code, styles or page; namespaces are names, not addresses."""
    for path in STATIC.rglob("*"):
        if path.suffix in {".html", ".js", ".css"}:
            assert not re.findall(r"(?:https?:)?//(?!www\.w3\.org/2000/)[\w-]+\.\w+", path.read_text()), path


def test_markup_is_never_made_from_text() -> None:
    for path in STATIC.rglob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", path.read_text()), path


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", block))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def theme(name: str) -> dict[str, str]:
    text = (STATIC / "css/tokens.css").read_text()
    light = colours(text.split(":root {", 1)[1].split("}", 1)[0])
    return light if name == "light" else light | colours(text.split('data-theme="dark"] {', 1)[1].split("}", 1)[0])


@pytest.mark.parametrize("name", ["light", "dark"])
def test_words_can_be_read(name: str) -> None:
    """Text 4.5:1 on every ground of the page."""
    tokens = theme(name)
    for ink in ("ink", "muted", "cinnabar", "jade", "gold", "inaccuracy", "mistake", "blunder"):
        for ground in ("paper", "panel"):
            assert contrast(tokens[ink], tokens[ground]) >= 4.5, (ink, ground)


SURFACES = {"wood": "wood-a", "bamboo": "bamboo-a", "slate": "slate-tile", "tiles": "tile", "cloth": "cloth-tile"}


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("surface", SURFACES)
def test_marks_can_be_seen(name: str, surface: str) -> None:
    """The last move, targets, captures and coordinates stand out from the board by 3:1 at least, in each theme."""
    rules = (STATIC / "css/board.css").read_text()
    usual = colours(rules.split(".board, .thumbnail, .palette {", 1)[1].split("}", 1)[0])
    own = colours("".join(re.findall(rf"^\.surface-{surface} {{(.*)}}", rules, re.M)))
    marks = usual | own
    for mark in ("mark", "target", "capture"):
        assert contrast(marks[mark], theme(name)[SURFACES[surface]]) >= 3, mark
