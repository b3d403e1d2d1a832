"""The plan of the house, kept: dependencies point down, a game is named in its own files only, files stay small."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

import qilin
from qilin.games import GAMES

ROOT = Path(__file__).parent.parent
FLOORS = ["core", "games", "search", "cuda", "bind"]  # of cpp/, lowest first
CODE = {".hpp", ".cpp", ".cu", ".cuh", ".h", ".in", ".py", ".js", ".css"}

# Which modules of qilin a module may import: all on lower floors. Modules that stand together share a floor.
STOREYS = [
    {"errors", "words", "faults", "_core"},
    {"games"},
    {"state", "batch", "drawing", "view", "cuda", "cuda_selfplay"},
    {"stylesheet"},
    {"forest", "machine", "notations", "pictures"},
    {"spec", "doctor", "rating"},
    {"train.settings", "train.recipe", "train.places", "train.disk"},
    {"train.blocks", "train.heads", "train.network", "train.weights", "train.cardnet"},
    {"networks"},
    {"players"},
    {"openings", "record", "game_file", "game_json"},
    {"match"},
    {"convert", "foreign", "replay"},
    {"ladder", "terminal"},
    {"train"},
    {"contests", "scoresheets", "web"},
    {"results"},
    {"benches", "exporting", "training"},
    {"cli", "__main__"},
]


def tracked(*folders: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def code(*folders: str) -> list[Path]:
    return [path for path in tracked(*folders) if path.suffix in CODE]


def test_cpp_includes_point_down() -> None:
    upward = []
    for path in code("cpp"):
        floor = path.relative_to(ROOT / "cpp").parts[0]
        for include in re.findall(r'#include "(\w+)/', path.read_text()):
            if include in FLOORS and FLOORS.index(include) > FLOORS.index(floor):
                upward.append(f"{path.relative_to(ROOT)} includes {include}/")
    assert not upward


def storey(module: str) -> int:
    """The height of the longest part of a module's name that stands in the plan."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        for height, names in enumerate(STOREYS):
            if ".".join(parts[:length]) in names:
                return height
    raise AssertionError(f"qilin.{module} has no storey: add it to STOREYS, at the lowest place that fits")


def imports(path: Path) -> set[str]:
    """The qilin modules that a file imports while it is loaded, or from within its functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("qilin."):
            found.add(node.module.removeprefix("qilin."))
    return found


def test_python_imports_point_down() -> None:
    upward = []
    for path in code("src/qilin"):
        module = path.relative_to(ROOT / "src/qilin").with_suffix("").as_posix().replace("/", ".")
        if path.suffix != ".py" or module == "__init__":
            continue
        upward += [f"{module} imports {name}" for name in imports(path) if storey(name) > storey(module)]
    assert not upward


@pytest.mark.parametrize("name", qilin.games())
def test_a_game_is_named_in_its_own_files_only(name: str) -> None:
    word = re.compile(rf"\b{name}\b")
    own = re.compile(rf"/(games|evaluation|facts|skins|notations|foreign)/{name}\.\w+$")
    strangers = [
        path.relative_to(ROOT).as_posix()
        for path in code("cpp", "src")
        if word.search(without_prose(path)) and not own.search(path.as_posix())
    ]
    assert not strangers


def without_prose(path: Path) -> str:
    """The code of a file: comments, docstrings and help texts may well take a game as their example."""
    text = path.read_text()
    if path.suffix == ".py":
        text = re.sub(r'"""(.|\n)*?"""', "", text)
        return re.sub(r"(#.*|help=\"[^\"]*\")", "", text)
    return re.sub(r"//.*|/\*(.|\n)*?\*/", "", text)


def test_every_header_has_a_descriptor_a_perft_table_and_a_rules_page() -> None:
    headers = {path.stem for path in (ROOT / "cpp/games").glob("*.hpp")}
    assert headers == set(qilin.games()) == set(GAMES)
    for name in headers:
        assert (ROOT / f"tests/perft/{name}.txt").is_file()
        assert (ROOT / f"docs/games/{name}.md").is_file()


def test_files_stay_small() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): path.read_text().count("\n")
        for path in code("cpp", "src", "tests", "bench")
        if path.read_text().count("\n") > (350 if path.parent == ROOT / "cpp/games" else 400)
    }
    assert not long


def test_no_drawer_for_odds_and_ends() -> None:
    forbidden = {"utils", "util", "common", "helpers", "misc"}
    assert not [path for path in tracked() if forbidden & {path.stem, *path.parent.parts}]


def test_nothing_is_left_lying_about() -> None:
    marks = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b")
    assert not [path for path in code() if marks.search(path.read_text())]
