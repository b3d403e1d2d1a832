"""What a card does to self-play, done on the host by the same library, wherever there is nvcc.

A card itself is looked at by `make test-gpu`.
"""

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from test_gpu_forest import Network as FixedNetwork
from test_gpu_forest import check_draws
from test_gpu_selfplay import Side, settings, surprise_of_draws
from typer.testing import CliRunner

import qilin
from qilin import _core, cuda
from qilin.benches import table_of
from qilin.cli import app
from qilin.errors import BadEvaluation, BadSpec
from qilin.forest import search
from qilin.train.cardnet import CardNetwork
from qilin.train.cardplay import CardPlaying
from qilin.train.network import NetConfig, build
from qilin.train.oncard import CardGames
from qilin.train.ranks import Ranks
from qilin.train.recipe import Recipe, make_recipe
from qilin.train.replay import CardReplay, HostReplay

ROOT = Path(__file__).parents[1]
CPU = torch.device("cpu")
NAME = "connect_four"  # the others take minutes to compile


def library() -> Path:
    """The library of one game, compiled where the sources are newer."""
    made = ROOT / "build/cuda_test/libqilin_cuda.so"
    sources = [path for room in ("core", "games", "search", "cuda") for path in (ROOT / "cpp" / room).rglob("*.*")]
    if not made.is_file() or made.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        made.parent.mkdir(parents=True, exist_ok=True)
        command = [str(ROOT / "cpp/cuda/build.sh"), str(made), "90"]
        subprocess.run(command, check=True, env={**os.environ, "GAMES": NAME}, capture_output=True)
    return made


@pytest.fixture(scope="module")
def compiled() -> Iterator[None]:
    """The library in place of the package's own."""
    if not shutil.which("nvcc"):
        pytest.skip("no nvcc: the part for cards is not compiled")
    patch = pytest.MonkeyPatch()
    patch.setenv(cuda.LIBRARY, str(library()))
    cuda.library.cache_clear()
    yield
    patch.undo()
    cuda.library.cache_clear()


def games_of(trees: int = 8, simulations: int = 8) -> CardGames:
    game, config = qilin.game(NAME), NetConfig.from_dial("8x1")
    torch.manual_seed(3)
    network = CardNetwork(game, config, build(game, config).state_dict(), CPU)
    return CardGames(game, search(simulations=simulations), _core.Play(), trees=trees, network=network, device=CPU)


def recipe_of() -> Recipe:
    changes = ["net=8x1", "search.simulations=8", "play.games=8", "run.positions=150", "window.least=300"]
    return make_recipe({"game": NAME}, changes)


@pytest.mark.usefixtures("compiled")
def test_games_are_what_the_rules_say() -> None:
    games = games_of()
    games.run(900)
    for half in games.halves:
        given = half.given()
        told = half.told(0, given.games)  # the rules have played them once more
        assert given.games == len(told) > 5
        assert {game.reason for game in told} <= {"four", "full"}
        assert given.samples == sum(game.plies for game in told)
    assert games.given().games == sum(half.given().games for half in games.halves)


@pytest.mark.usefixtures("compiled")
def test_what_is_under_way_is_counted() -> None:
    games = games_of(trees=8, simulations=100)
    for half in games.halves:
        half.turn()
    games.run(5)
    before = games.given()
    assert (before.plies, before.evaluations) == (0, 5 * 8)
    for half in games.halves:
        half.games.forget()
    games.run(3)
    assert games.given().evaluations == before.evaluations + 3 * 8


@pytest.mark.usefixtures("compiled")
def test_the_halves_in_turn_play_the_same_games() -> None:
    apart, together = games_of(), games_of()
    apart.run(400)
    first = together.halves[0]
    first.turn()
    first.look()
    with torch.inference_mode():
        for _ in range(400):
            together.rounds("after")
    for mine, theirs in zip(apart.halves, together.halves, strict=True):
        count = min(mine.given().games, theirs.given().games)
        assert count > 0
        pairs = zip(mine.told(0, count), theirs.told(0, count), strict=True)
        assert all(one.moves == other.moves and one.values == other.values for one, other in pairs)


@pytest.mark.usefixtures("compiled")
def test_new_weights_go_into_the_old_ones_memory() -> None:
    games, config = games_of(), NetConfig.from_dial("8x1")
    before = [parameter.data_ptr() for parameter in games.network.network.parameters()]
    torch.manual_seed(4)
    fresh = build(qilin.game(NAME), config)
    games.network.load(fresh.state_dict())
    assert before == [parameter.data_ptr() for parameter in games.network.network.parameters()]
    planes = torch.rand(5, *qilin.game(NAME).shape)
    logits, values = games.network(planes)
    policy, wanted = fresh.eval().judge(planes)
    places = games.network.places
    assert places is not None
    torch.testing.assert_close(logits[:, places.long()], policy, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(values, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("compiled")
def test_a_batch_from_the_card_is_the_hosts() -> None:
    recipe = recipe_of()
    playing = CardPlaying(recipe, Ranks(0, 1, CPU))
    playing.begin(1, build(recipe.of(), NetConfig.of(recipe)).state_dict())
    card, host = CardReplay(recipe, CPU), HostReplay(recipe, CPU)
    for iteration in range(1, 4):
        playing.play(150, lambda _: None)
        harvest = playing.harvest()
        assert len(harvest.samples) >= 150
        assert sum(line["plies"] - line["opening"] for line in harvest.games) == len(harvest.samples)
        for replay in (card, host):
            replay.add(iteration, harvest.samples)
            replay.shrink(300)
    assert len(card) == len(host) == 300
    turns = np.arange(64, dtype=np.uint8) % 2
    mine = card.batch(64, np.random.default_rng(5), turns)
    theirs = host.batch(64, np.random.default_rng(5), turns)
    for name in ("planes", "moves", "legal", "shares", "odds", "reply", "margin", "plies_left", "was_finished"):
        assert torch.equal(getattr(mine, name), getattr(theirs, name)), name


@pytest.mark.usefixtures("compiled")
def test_a_run_goes_on_with_other_games() -> None:
    recipe, ranks = recipe_of(), Ranks(0, 1, CPU)
    weights = build(recipe.of(), NetConfig.of(recipe)).state_dict()
    first, second = CardPlaying(recipe, ranks), CardPlaying(recipe, ranks)
    first.begin(1, weights)
    first.play(100, lambda _: None)
    second.load(first.saved())
    second.begin(2, weights)
    second.play(100, lambda _: None)
    mine, theirs = ([line["moves"] for line in one.harvest().games] for one in (first, second))
    assert mine[:3] != theirs[:3]


@pytest.mark.usefixtures("compiled")
def test_a_network_of_nan_is_told() -> None:
    games = games_of()
    with torch.no_grad():
        next(games.network.network.parameters()).fill_(float("nan"))
    games.run(2)
    with pytest.raises(BadEvaluation, match="NaN or infinity for"):
        games.given()


@pytest.mark.usefixtures("compiled")
def test_a_network_of_the_wrong_shape_is_told() -> None:
    games = games_of()
    half = games.halves[0]
    half.turn()
    half.look()
    for logits, values in (((3, 7), (3, 3)), ((4, 6), (4, 3)), ((4, 7), (4, 1))):
        half.said = (torch.zeros(logits), torch.zeros(values))
        with pytest.raises(BadEvaluation, match="expected 4 rows, at least 7 logits and 3 values"):
            half.learn()


@pytest.mark.usefixtures("compiled")
def test_odd_numbers_are_refused() -> None:
    with pytest.raises(BadSpec, match="expected an even number"):
        games_of(trees=7)


@pytest.mark.usefixtures("compiled")
def test_drawn_plies_follow_their_policies() -> None:
    for kind in ("puct", "gumbel"):
        check_draws(NAME, kind, "cpu", trees=512)
    side, network = Side(NAME, "puct", "cpu"), FixedNetwork(NAME)
    for _ in range(1000):
        side.step(network)
    play = settings("puct")[1]
    assert surprise_of_draws(side, *side.harvest(), play) < 4.5
    play.temperature = 0.5  # which they were not drawn by
    assert surprise_of_draws(side, *side.harvest(), play) > 20


@pytest.mark.usefixtures("compiled")
def test_an_old_driver_is_told(tmp_path: Path) -> None:
    source = str(Path(__file__).with_name("old_driver.c"))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(tmp_path / "libcuda.so.1"), source], check=True)
    command = [sys.executable, "-c", "from qilin import cuda; print(cuda.why_not())"]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    said = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    assert "the driver is for CUDA 12.4, and this library needs one for" in said


def test_without_a_card_the_bench_says_so() -> None:
    if cuda.available():
        pytest.skip("there is a card")
    answer = CliRunner().invoke(app, ["bench", "selfplay", NAME])
    assert answer.exit_code == 2 or isinstance(answer.exception, qilin.QilinError)
    assert "can't be measured here" in str(answer.exception)


def test_the_table_says_what_was_asked_and_what_was_found() -> None:
    asked = {"net": "64x5", "trees": 32768, "simulations": 200, "kind": "puct"}
    rates = ("positions", "simulations", "evaluations", "games", "network_alone")
    found = {"game": NAME, "settings": asked, "card": "a card", **dict.fromkeys(rates, 5e6), "share": 0.95}
    written = io.StringIO()
    found |= {"ms": {"look": 0.1}, "step_ms": {"after": 0.5, "beside": 0.4}, "gib": {"games": 3.3}}
    Console(width=120, file=written).print(table_of(found))
    told = written.getvalue()
    assert "64x5, 32,768 games, 200 simulations, puct" in told
    assert "5,000,000" in told
    assert "95.0%" in told
