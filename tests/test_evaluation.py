"""The strength of a run over time: games against others and earlier selves, ratings, curves and lists of it."""

import json
from pathlib import Path

import pytest
from metrics_of_a_run import record, write_run
from test_cli import cli, here
from test_networks import tiny

import qilin
from qilin.match import Standing
from qilin.rating import Pairs
from qilin.train.curves import AXES, Run, draw
from qilin.train.evaluation import Evaluation, earlier_ones, evaluations, in_words, rated
from qilin.train.settings import Evaluate

GAME = qilin.game("connect_four")
SETTINGS = Evaluate(games=4, against=("random",), simulations=4, earlier=1)


def checkpoint(run: Path, iteration: int) -> Path:
    folder = run / "checkpoints" / f"{iteration:06d}"
    folder.mkdir(parents=True)
    return tiny(folder / "network.safetensors", "connect_four", seed=iteration)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was evaluated after 5 and after 10 iterations."""
    folder = write_run(tmp_path_factory.mktemp("runs") / "c4", 12)
    told: list[str] = []
    evaluate = Evaluation(folder=folder, game=GAME, settings=SETTINGS, seed=1, done=told.append)
    for iteration in (5, 10):
        evaluate(checkpoint(folder, iteration), iteration)
    assert len(told) == 2
    assert "random" in told[1]
    assert "iteration 5" in told[1]
    return folder


def test_every_evaluation_is_a_line_with_intervals(run: Path) -> None:
    first, second = evaluations(run)
    assert (first["iteration"], second["iteration"]) == (5, 10)
    assert list(first["results"]) == ["random"]
    assert list(second["results"]) == ["random", "iteration 5"]
    for line in (first, second):
        low, value, high = line["elo"]
        assert low < value < high
        assert line["results"]["random"]["games"] == 4


def test_checkpoints_and_fixed_players_stand_on_one_scale(run: Path) -> None:
    ratings, rivals = rated(run, GAME)
    assert list(ratings) == [5, 10]
    assert list(rivals) == ["random"]
    assert rivals["random"].value == 0


def test_an_evaluation_that_was_killed_is_not_doubled(run: Path) -> None:
    before = evaluations(run)
    Evaluation(folder=run, game=GAME, settings=SETTINGS, seed=1)(
        run / "checkpoints" / "000010" / "network.safetensors", 10
    )
    after = evaluations(run)
    assert [line["results"] for line in after] == [line["results"] for line in before]


def test_a_moved_run_keeps_its_ratings(run: Path, tmp_path: Path) -> None:
    (tmp_path / "evaluation.sqlite").write_bytes((run / "evaluation.sqlite").read_bytes())
    assert rated(tmp_path, GAME) == rated(run, GAME)
    assert rated(tmp_path / "nowhere", GAME) == ({}, {})


def test_earlier_selves_are_the_newest_and_ever_older_ones() -> None:
    assert earlier_ones([5, 10, 15, 20, 25, 30], 3) == [30, 15, 5]
    assert earlier_ones([5], 2) == [5]
    assert earlier_ones([], 2) == []


def test_an_evaluation_in_words() -> None:
    standing = Standing(Pairs((0, 0, 0, 1, 1)), 3, 1, 0)
    assert in_words({"random": standing}) == "random 88%"


@pytest.mark.parametrize(("axis", "ending"), list(zip(AXES, ["png", "svg", "png", "svg"], strict=True)))
def test_curves_are_drawn(run: Path, tmp_path: Path, axis: str, ending: str) -> None:
    ratings, rivals = rated(run, GAME)
    one = Run(name="one", records=[record(i) for i in range(1, 13)], ratings=ratings, rivals=rivals)
    draw([one] if ending == "png" else [one, Run(name="two", records=[record(1)])], tmp_path / f"a.{ending}", axis)
    written = (tmp_path / f"a.{ending}").read_bytes()
    assert written[:4] == b"\x89PNG" if ending == "png" else b"<svg" in written[:1000]


def test_curves_of_nothing_and_into_nowhere_are_refused(tmp_path: Path) -> None:
    with pytest.raises(qilin.QilinError, match="no finished iteration yet"):
        draw([Run(name="new", records=[])], tmp_path / "a.png")
    one = Run(name="one", records=[record(1)])
    with pytest.raises(qilin.QilinError, match=r"expected a name ending in \.png or \.svg"):
        draw([one], tmp_path / "a.txt")


def test_plot_writes_into_the_run(run: Path) -> None:
    assert "curves.png" in here("plot", str(run), "--along", "minutes")
    assert (run / "curves.png").stat().st_size > 20_000
    with pytest.raises(qilin.BadSpec, match="expected one of: iteration"):
        here("plot", str(run), "--along", "weeks")
    with pytest.raises(qilin.QilinError, match="holds no run"):
        here("plot", str(run.parent))


def test_runs_are_listed(run: Path) -> None:
    (listed,) = json.loads(cli("runs", str(run.parent), "--json").stdout)
    assert (listed["game"], listed["iteration"], listed["games"]) == ("connect_four", 12, 3120)
    assert listed["elo"] == evaluations(run)[-1]["elo"]
    assert "12/60" in cli("runs", str(run.parent)).stdout
    assert "there is no folder" in cli("runs", str(run / "nowhere")).stderr


def test_a_damaged_recipe_does_not_hide_other_runs(run: Path, tmp_path: Path) -> None:
    write_run(tmp_path / "good", 1)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "recipe.toml").write_text("game = ")
    told = cli("runs", str(tmp_path))
    assert told.returncode == 0, told.stderr
    assert "no TOML" in told.stdout
    assert "connect_four" in told.stdout


def test_eval_measures_a_network(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QILIN_HOME", str(tmp_path))
    told = tmp_path / "told.json"
    words = ["eval", str(run / "checkpoints" / "000010"), "--games", "4", "--sims", "4", "--workers", "1"]
    words += ["--against", "random", "--against", str(run / "checkpoints" / "000005"), "--json", str(told)]
    assert "random" in here(*words)
    results = json.loads(told.read_text())["results"]
    assert [one["games"] for one in results.values()] == [4, 4]
    here(*words)  # answered from the games that are kept
    assert json.loads(told.read_text())["results"] == results


def test_eval_of_nothing_is_explained() -> None:
    assert "expected a network" in cli("eval", "nowhere").stderr
