"""A run that is killed anywhere goes on to the same end, bit by bit; damage is named and gone around."""

import random
import shutil
import signal
from pathlib import Path

import pytest
from small_run import calls_of, content, in_child, killed, moments, small, trained

from qilin.errors import BadCheckpoint
from qilin.train.checkpoint import read_state
from qilin.train.recipe import Recipe


@pytest.fixture(scope="module")
def recipe() -> Recipe:
    return small()


@pytest.fixture(scope="module")
def undisturbed(recipe: Recipe, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    trained(folder, recipe)
    return folder


@pytest.fixture(scope="module")
def counts(recipe: Recipe, tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    return calls_of(tmp_path_factory.mktemp("counted"), recipe)


@pytest.fixture(scope="module")
def stopped(recipe: Recipe, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run, stopped after four iterations."""
    folder = tmp_path_factory.mktemp("stopped") / "run"
    trained(folder, recipe, until=4)
    return folder


def copied(run: Path, to: Path) -> Path:
    return Path(shutil.copytree(run, to / "run"))


def same(one: Path, other: Path) -> None:
    """Both runs came to the same, to the last bit."""
    ours, theirs = content(one), content(other)
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if ours[name] != theirs[name]] == []


def test_the_same_recipe_makes_the_same_run(recipe: Recipe, undisturbed: Path, tmp_path: Path) -> None:
    trained(tmp_path / "run", recipe)
    same(undisturbed, tmp_path / "run")


def test_another_seed_makes_another_run(undisturbed: Path, tmp_path: Path) -> None:
    trained(tmp_path / "run", small("connect_four", "seed=2"))
    ours, theirs = content(undisturbed), content(tmp_path / "run")
    assert all(ours[name] != theirs[name] for name in ours if name.startswith("games/"))


def kill_and_finish(recipe: Recipe, folder: Path, places: list[tuple[str, int]]) -> int:
    """Kill a run at one moment after the other, then let it end; answers how often it really was killed."""
    exits = [in_child(killed, folder, recipe, place, call) for place, call in places]
    assert set(exits) <= {-signal.SIGKILL, 0}
    trained(folder, recipe)
    return sum(one == -signal.SIGKILL for one in exits)


def test_killed_again_and_again_it_comes_to_the_same(
    recipe: Recipe, undisturbed: Path, counts: dict[str, int], tmp_path: Path
) -> None:
    # Few calls at a time, so that no life of the run reaches its end.
    early = {place: max(1, count // 5) for place, count in counts.items()}
    assert kill_and_finish(recipe, tmp_path / "run", moments(early, 12)) >= 10
    same(undisturbed, tmp_path / "run")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_killed_at_any_moment(
    seed: int, recipe: Recipe, undisturbed: Path, counts: dict[str, int], tmp_path: Path
) -> None:
    kill_and_finish(recipe, tmp_path / "run", moments(counts, 5, seed)[seed % 5 :][:1])
    same(undisturbed, tmp_path / "run")


FILES = ["network.safetensors", "learner.safetensors", "selfplay-00.bin", "state.json"]


def damage(path: Path, how: str) -> None:
    """Cut a file off, turn a bit of it around, or take it away."""
    data, rng = path.read_bytes(), random.Random(path.name + how)
    if how == "missing":
        path.unlink()
    elif how == "cut":
        path.write_bytes(data[: rng.randrange(len(data))])
    else:
        place = rng.randrange(len(data))
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :])


@pytest.mark.parametrize("how", ["cut", "flipped", "missing"])
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_checkpoint_is_named_and_an_older_one_taken(
    name: str, how: str, recipe: Recipe, undisturbed: Path, stopped: Path, tmp_path: Path
) -> None:
    folder = copied(stopped, tmp_path)
    damage(folder / "checkpoints" / "000004" / name, how)
    words = " ".join(trained(folder, recipe).words)
    assert f"000004/{name}'" in words
    assert "looking for an older checkpoint" in words
    same(undisturbed, folder)


@pytest.mark.parametrize("how", ["cut", "flipped", "missing"])
def test_a_damaged_shard_is_named_and_made_again(
    how: str, recipe: Recipe, undisturbed: Path, stopped: Path, tmp_path: Path
) -> None:
    folder = copied(stopped, tmp_path)
    damage(folder / "samples" / "000004-00.shard", how)
    assert "000004-00.shard'" in " ".join(trained(folder, recipe).words)
    same(undisturbed, folder)


def test_where_no_checkpoint_is_without_a_damaged_shard_the_window_does_without(
    recipe: Recipe, stopped: Path, tmp_path: Path
) -> None:
    folder = copied(stopped, tmp_path)
    oldest = folder / "samples" / min(read_state(folder / "checkpoints" / "000004").shards)
    damage(oldest, "flipped")
    for old in sorted((folder / "checkpoints").glob("*"))[:-1]:
        for path in old.iterdir():
            path.unlink()
    words = " ".join(trained(folder, recipe).words)
    assert f"{oldest.name}' is damaged" in words
    assert "the window goes on without it" in words
    assert (folder / "checkpoints" / "000006" / "state.json").is_file()


def test_without_any_good_checkpoint_it_says_so(recipe: Recipe, stopped: Path, tmp_path: Path) -> None:
    folder = copied(stopped, tmp_path)
    for path in (folder / "checkpoints").glob("*/state.json"):
        damage(path, "cut")
    with pytest.raises(BadCheckpoint, match=r"no checkpoint in .* is good"):
        trained(folder, recipe)
