"""The command line, as a person meets it."""

import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

import qilin
from qilin.cli import app


def cli(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "qilin", *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=60)


def here(*arguments: str) -> str:
    """The same in this process, for what would load torch again; answers what was printed."""
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False).output


def test_games_lists_every_game() -> None:
    out = cli("games").stdout
    assert all(name in out for name in qilin.games())


@pytest.mark.parametrize("name", qilin.games())
def test_show_draws_every_game(name: str) -> None:
    shown = cli("show", name)
    assert shown.returncode == 0, shown.stderr
    assert str(qilin.game(name).start()) in shown.stdout


def test_perft_divides_and_sums() -> None:
    assert cli("perft", "connect_four", "4").stdout.splitlines()[-1].startswith("2,401 nodes")
    assert cli("perft", "connect_four", "4", "--no-divide").stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "conect_four"], "did you mean 'connect_four'?"),
        (["show", "connect_four", "--position", "7/7 x"], "'7/7 x'"),
        (["show", "connect_four", "--set", "size=9"], "no option 'size'"),
        (["show", "connect_four", "--set", "size"], "expected KEY=VALUE"),
        (["show", "xiangqi", "--set", "max_plies=--5"], "expected a whole number"),
        (["show", "connect_four", "--position", "\udcff"], "'\\udcff'"),
    ],
)
def test_mistakes_are_answered_in_one_line(arguments: list[str], words: str) -> None:
    answer = cli(*arguments)
    assert answer.returncode == 2
    assert words in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_count_that_takes_too_long_is_cut_short() -> None:
    command = [sys.executable, "-c", "print(1, flush=True); from qilin.cli import main; main()"]
    with subprocess.Popen([*command, "perft", "xiangqi", "50", "--no-divide"], stdout=subprocess.PIPE) as counting:
        assert counting.stdout is not None
        counting.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            counting.wait(2)
        counting.send_signal(signal.SIGINT)
        try:
            assert counting.wait(20) == 130
        finally:
            counting.kill()


def test_every_command_explains_itself() -> None:
    assert here("--version") == f"qilin {version('qilin')}\n"
    out = cli("--help").stdout
    for command in ("games", "show", "perft", "play"):
        assert command in out
        assert cli(command, "--help").returncode == 0


def test_the_library_on_the_command_line(tmp_path: Path) -> None:
    kept, source = ["--db", str(tmp_path / "web.sqlite")], tmp_path / "game.pgn"
    source.write_text('[Game "connect_four"]\n[Red "Ann"]\n\n1. d d 2. e *\n')
    id = cli("library", "add", str(source), "--tag", "lesson", *kept).stdout.strip()
    assert id in cli("library", "list", "lesson", "--player", "ann", *kept).stdout
    assert "0 of 0" in cli("library", "list", "--game", "ataxx", *kept).stdout
    assert "1. d d 2. e" in cli("library", "get", id, "--to", "pgn", *kept).stdout
    assert cli("library", "remove", id, *kept).returncode == 0
    answer = cli("library", "get", id, *kept)
    assert answer.returncode == 2
    assert repr(id) in answer.stderr
