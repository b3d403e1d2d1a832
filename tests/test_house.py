"""The house itself: stubs are current, importing is light, the README's session runs."""

import doctest
import json
import subprocess
import sys
from pathlib import Path

import qilin

ROOT = Path(__file__).parent.parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_the_stub_of_the_compiled_module_is_current(tmp_path: Path) -> None:
    fresh = tmp_path / "_core.pyi"
    made = run(sys.executable, "-m", "nanobind.stubgen", "--quiet", "-m", "qilin._core", "-o", str(fresh))
    assert made.returncode == 0, made.stderr
    assert fresh.read_text() == (ROOT / "src/qilin/_core.pyi").read_text(), "run `make stubs`"


def test_the_readme_session_runs() -> None:
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried >= 8
    assert failures == 0


def test_the_public_names_are_what_can_be_imported() -> None:
    assert qilin.__all__ == sorted(qilin.__all__)
    assert all(hasattr(qilin, name) for name in qilin.__all__)


def test_importing_is_light() -> None:
    script = "import sys, qilin; print(sorted({'torch', 'numpy', 'rich', 'typer'} & set(sys.modules)))"
    assert run(sys.executable, "-c", script).stdout.strip() == "[]"


def test_results_that_were_kept_say_how_they_were_found() -> None:
    told = (ROOT / "bench/README.md").read_text()
    for path in (ROOT / "bench/results").glob("*.jsonl"):
        known = f"{path.stem}.py" in told or f"results/{path.name}" in told  # peers are driven by what is not ours
        assert known, f"bench/README.md says nothing of {path.name}"
        for line in map(json.loads, path.read_text().splitlines()):
            assert {"command", "commit", "machine"} < set(line)
