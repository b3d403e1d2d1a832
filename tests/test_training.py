"""`qilin train`: what it writes, how it ends, and that it always says what to do next."""

import json
import multiprocessing
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
import torch
from small_run import calling_at, content, crowded, in_child, small, trained
from test_cli import here

import qilin
from qilin.convert import games_at
from qilin.errors import BadRecipe, QilinError
from qilin.networks import find, load
from qilin.train.evaluation import evaluations
from qilin.train.folder import RunFolder
from qilin.train.gate import score
from qilin.train.history import read
from qilin.train.progress import Progress
from qilin.train.ranks import Ranks
from qilin.train.recipe import read_recipe
from qilin.train.tensorboard import NAME

TINY = [
    "--net", "4x1", "--set", "search.simulations=4", "--set", "play.games=6", "--set", "play.full_share=off",
    "--set", "run.positions=25", "--set", "learn.batch=16", "--set", "evaluate.every=off", "--set", "run.threads=1",
]  # fmt: skip
ALONE = Ranks(0, 1, torch.device("cpu"))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of five iterations with two evaluations."""
    folder = tmp_path_factory.mktemp("runs") / "c4"
    evaluated = ["evaluate.every=2", "evaluate.games=2", "evaluate.simulations=2", "evaluate.workers=1"]
    trained(folder, small("connect_four", "run.iterations=5", "run.keep=2", *evaluated))
    return folder


def test_the_folder_holds_what_is_promised(run: Path) -> None:
    assert read_recipe(run / "recipe.toml").net.channels == 4
    origin = json.loads((run / "origin.json").read_text())
    assert origin["seed"] == 1
    assert origin["versions"]["torch"] == torch.__version__
    assert [record["iteration"] for record in read(run)] == [1, 2, 3, 4, 5]
    assert (run / NAME).stat().st_size > 1000
    assert {path.name for path in (run / "games").iterdir()} == {f"{i:06d}-00.jsonl" for i in range(1, 6)}
    assert not list(run.rglob("*.partial"))
    assert not [path for path in run.rglob("*") if path.suffix in (".pkl", ".pickle", ".pt", ".pth")]


def test_old_checkpoints_keep_what_others_may_ask_for(run: Path) -> None:
    held = {
        path.name: {file.name for file in path.iterdir() if file.suffix != ".onnx"}
        for path in sorted((run / "checkpoints").iterdir())
    }
    whole = {"network.safetensors", "learner.safetensors", "selfplay-00.bin", "state.json"}
    alone = {"network.safetensors"}
    # The first one, those that were evaluated (the last one always is), and the newest two.
    assert held == {"000000": alone, "000002": alone, "000004": whole, "000005": whole}


def test_samples_that_no_checkpoint_needs_are_gone(run: Path) -> None:
    needed = set()
    for state in (run / "checkpoints").glob("*/state.json"):
        needed |= json.loads(state.read_text())["shards"].keys()
    assert {path.name for path in (run / "samples").iterdir()} == needed


def test_metrics_add_up(run: Path) -> None:
    records = read(run)
    for record in records:
        play = record["selfplay"]
        assert play["wins"] + play["draws"] + play["losses"] == play["games"] == sum(play["reasons"].values())
        assert sum(record["stages"].values()) <= record["seconds"] * 1.01
        assert record["loss"]["total"] == pytest.approx(record["loss"]["policy"] + record["loss"]["value"], rel=1e-4)
    last = records[-1]
    assert last["games"] == sum(record["selfplay"]["games"] for record in records)
    assert last["steps"] == sum(record["learner"]["steps"] for record in records)
    # Each position is learned from `ratio` times, to within one step.
    assert abs(last["steps"] * 16 - 3.3 * last["samples"]) < 16


def test_games_can_be_read_and_replayed(run: Path) -> None:
    games = list(games_at(run))
    assert len(games) == read(run)[-1]["games"]
    for game in games:
        assert game.states()[-1].is_over or game.result is not None


def test_evaluations_are_on_time(run: Path) -> None:
    assert [line["iteration"] for line in evaluations(run)] == [2, 4, 5]
    assert list(evaluations(run)[1]["results"]) == ["random", "iteration 2"]


def test_the_best_network_is_the_newest(run: Path) -> None:
    assert find(run).name == "best.safetensors"
    assert find(run).read_bytes() == (run / "checkpoints/000005/network.safetensors").read_bytes()
    assert load(run).facts.meta["iteration"] == 5


def test_other_commands_read_it(run: Path) -> None:
    assert "c4" in here("runs", str(run.parent))
    here("plot", str(run), "--out", str(run / "curves.svg"))
    assert (run / "curves.svg").stat().st_size > 5000


def test_an_evaluation_that_was_killed_is_made_up_for(run: Path, tmp_path: Path) -> None:
    recipe = read_recipe(run / "recipe.toml")
    folder = tmp_path / "run"

    def interrupt() -> None:
        raise KeyboardInterrupt

    with calling_at(("qilin.train.evaluation", "Evaluation", "__call__"), 2, interrupt):
        trained(folder, recipe)
    assert [record["iteration"] for record in read(folder)] == [1, 2, 3]
    trained(folder, recipe)
    assert [record["iteration"] for record in read(folder)] == [1, 2, 3, 4, 5]
    assert [line["iteration"] for line in evaluations(folder)] == [2, 4, 5]
    for name, there in content(folder).items():
        if name.startswith(("games/", "samples/", "checkpoints/")):
            assert there == content(run)[name], name


def test_the_champion_stays_until_it_is_beaten(tmp_path: Path) -> None:
    def best(gate: float) -> tuple[bytes, list[object]]:
        changes = ["evaluate.every=1", "evaluate.games=2", "evaluate.simulations=2", f"evaluate.gate={gate}"]
        folder = tmp_path / str(gate)
        recipe = small("connect_four", "run.iterations=3", "evaluate.workers=1", "evaluate.against=[]", *changes)
        heard = trained(folder, recipe)
        return (folder / "best.safetensors").read_bytes(), [record["gate"]["passed"] for record in heard.records]

    start = Progress(small(), RunFolder(tmp_path / "none"), ranks=ALONE).learner.average
    (kept, failed), (crowned, passed) = best(1.0), best(0.0)
    assert passed == [True] * 3
    if not any(failed):
        path = tmp_path / "kept.safetensors"
        path.write_bytes(kept)
        from qilin.train.weights import read_network

        assert all(torch.equal(tensor, start[name]) for name, tensor in read_network(path)[0].items())
    assert kept != crowned


def test_a_gate_scores_a_network_against_itself_evenly() -> None:
    recipe = small("connect_four", "evaluate.games=8", "evaluate.simulations=2")
    weights = Progress(recipe, RunFolder(Path("none")), ranks=ALONE).learner.average
    assert score(recipe, ALONE, weights, weights, seed=3) == 0.5


# How it ends


def test_a_recipe_that_runs_out_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    told = here("train", "connect_four", "-o", str(folder), *TINY, "--set", "run.iterations=2")
    assert "to make this run again: qilin train connect_four" in told
    assert "iteration 2 was the last" in told
    again = here("train", "-o", str(folder), "--resume", "--set", "run.iterations=3")
    assert "after iteration 2" in again
    assert [record["iteration"] for record in read(folder)] == [1, 2, 3]


def test_the_line_it_prints_makes_the_same_run(tmp_path: Path) -> None:
    changes = [*TINY, "--set", "run.iterations=1", "--set", "net.channels=64", "--set", 'evaluate.against=["random"]']
    told = here("train", "connect_four", "-o", str(tmp_path / "one"), *changes, "--set", "net.channels=8")
    line = next(one for one in told.splitlines() if one.startswith("to make this run again"))
    words = shlex.split(line.partition(": qilin ")[2].replace(str(tmp_path / "one"), str(tmp_path / "other")))
    here(*words)
    assert content(tmp_path / "one") == content(tmp_path / "other")


def test_minutes_are_kept(tmp_path: Path) -> None:
    began = time.monotonic()
    trained(tmp_path / "run", small("connect_four", "run.minutes=0.1", "run.iterations=off"))
    assert time.monotonic() - began < 12
    assert len(read(tmp_path / "run")) > 2


def begun(*arguments: str, needle: str, program: Sequence[str] = ("-m", "qilin")) -> subprocess.Popen[str]:
    """Start the command, and wait until it has said something."""
    process = subprocess.Popen(
        [sys.executable, *program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if needle in line:
            return process
    raise AssertionError(f"{arguments} ended without saying {needle!r}")


@pytest.mark.parametrize(("number", "words"), [(signal.SIGINT, "stopped; "), (signal.SIGTERM, "stopped by SIGTERM; ")])
def test_ctrl_c_ends_a_run_at_once_and_says_how_to_go_on(number: int, words: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = begun("train", "connect_four", "-o", str(folder), *TINY, needle="iteration 2")
    began = time.monotonic()
    process.send_signal(number)
    rest, _ = process.communicate(timeout=60)
    assert time.monotonic() - began < 10
    assert process.returncode == 130
    assert f"{words}to go on: qilin train --out {folder} --resume" in rest
    assert "Traceback" not in rest
    done = len(read(folder))
    assert len(trained(folder, read_recipe(folder / "recipe.toml"), until=done + 1).records) == 1


@pytest.mark.parametrize("largest", [3000, 20_000])
def test_a_full_disk_ends_a_run_that_can_go_on(largest: int, tmp_path: Path) -> None:
    folder, recipe = tmp_path / "run", small()
    assert in_child(crowded, folder, recipe, largest) == 1
    assert not list(folder.rglob("*.partial/*.partial"))
    trained(folder, recipe)
    trained(tmp_path / "undisturbed", recipe)
    assert content(folder) == content(tmp_path / "undisturbed")


def test_an_error_in_a_thread_of_the_network_ends_the_run(tmp_path: Path) -> None:
    folder, recipe = tmp_path / "run", small("connect_four", "run.threads=2")

    def fail() -> None:
        raise RuntimeError("the network is on fire")

    with (
        calling_at(("qilin.train.judge", "Judge", "_judge"), 100, fail),
        pytest.raises(RuntimeError, match="the network is on fire"),
    ):
        trained(folder, recipe)
    trained(folder, recipe)
    assert len(read(folder)) == 6


def test_a_player_that_fails_in_a_worker_ends_the_run(tmp_path: Path) -> None:
    changes = ["evaluate.every=1", "evaluate.games=4", "evaluate.workers=2", "evaluate.against=['net:nowhere']"]
    with pytest.raises(QilinError, match="there is no 'nowhere'"):
        trained(tmp_path / "run", small("connect_four", *changes))


def test_a_worker_that_dies_ends_the_run(tmp_path: Path) -> None:
    changes = ["evaluate.every=1", "evaluate.games=40", "evaluate.workers=2", "evaluate.simulations=2"]

    def kill() -> None:
        multiprocessing.active_children()[0].kill()

    with calling_at(("qilin.match", None, "standing"), 2, kill), pytest.raises(BrokenProcessPool):
        trained(tmp_path / "run", small("connect_four", *changes))


def test_two_runs_do_not_share_a_folder(run: Path) -> None:
    with (
        RunFolder(run).alone(),
        pytest.raises(QilinError, match="another process trains in"),
        RunFolder(run).alone(),
    ):
        pass


# What is refused


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "expected a game"),
        (["conect_four"], "did you mean 'connect_four'"),
        (["connect_four", "--set", "serach.simulations=3"], "did you mean 'search'"),
        (["connect_four", "--net", "64"], "expected CHANNELSxBLOCKS"),
        (["none.toml"], "can't be read"),
        (["ataxx", "--recipe", "recipes/connect_four.toml"], "is a recipe for connect_four"),
        (["ataxx", "--set", "play.games=10000000"], "of memory (programs"),
        (["ataxx", "--set", "window.most=1000000000", "--dry-run"], "are free"),
    ],
)
def test_what_can_not_be_trained_is_refused(arguments: list[str], words: str, tmp_path: Path) -> None:
    with pytest.raises(QilinError, match=re.escape(words)):
        here("train", "-o", str(tmp_path / "run"), *arguments)


def test_a_run_is_not_overwritten_and_keeps_its_network(run: Path) -> None:
    with pytest.raises(QilinError, match="holds a run already"):
        here("train", "connect_four", "-o", str(run))
    with pytest.raises(BadRecipe, match=r"net\.channels=8 can't change"):
        here("train", "-o", str(run), "--resume", "--set", "net.channels=8")


@pytest.mark.parametrize("name", qilin.games())
def test_every_game_has_a_plan(name: str) -> None:
    told = here("train", name, "--dry-run", "--net", "8x1", "--set", "play.games=8", "--set", "run.threads=1")
    for label in ("network", "self-play", "samples", "memory", "disk", "speed", "time"):
        assert re.search(rf"^{label}\s+\S", told, re.MULTILINE), told


@pytest.mark.parametrize("name", qilin.games())
def test_every_game_trains_with_every_head(name: str, tmp_path: Path) -> None:
    rules = qilin.game(name)._rules
    heads = [f"loss.{head}=0.1" for head in ("soft_policy", "reply", "plies_left")]
    heads += [f"loss.{head}=0.1" for head in ("margin", "ownership") if getattr(rules, f"has_{head}")]
    heard = trained(tmp_path / "run", small(name, "run.iterations=1", *heads))
    assert len(heard.records[0]["loss"]) == len(heads) + 3


# Several processes

TORCHRUN = ["-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone", "-m", "qilin"]


def test_two_processes_train_one_network(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    limits = ["--set", "run.iterations=3", "--set", "seed=5"]
    command = [sys.executable, *TORCHRUN, "train", "connect_four", "-o", str(folder), *TINY, *limits]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (folder / "games").iterdir()} == {
        f"{i:06d}-{r:02d}.jsonl" for i in (1, 2, 3) for r in (0, 1)
    }
    assert (folder / "checkpoints/000003/selfplay-01.bin").is_file()
    last = read(folder)[-1]
    lines = [line for path in (folder / "games").iterdir() for line in path.read_text().splitlines()]
    assert last["games"] == len(lines) == len(set(map(str, (json.loads(line)["moves"] for line in lines))))


def test_a_killed_process_ends_the_run_with_its_cause(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = begun("train", "connect_four", "-o", str(folder), *TINY, needle="iteration 1", program=TORCHRUN)
    os.kill(_rank(process.pid, 1), signal.SIGKILL)
    began = time.monotonic()
    rest, _ = process.communicate(timeout=90)
    assert time.monotonic() - began < 60
    assert process.returncode != 0
    assert "SIGKILL" in rest
    assert "--resume" in rest
    done = len(read(folder))
    assert done >= 1


def _rank(torchrun: int, rank: int) -> int:
    """The process of a rank."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
            environment = (path / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if parent == torchrun and f"RANK={rank}".encode() in environment:
            return int(path.name)
    raise AssertionError(f"torchrun has no rank {rank}")
