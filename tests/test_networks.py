"""Networks as files and as players: the same answers from torch and onnxruntime, and errors that help."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import qilin
from qilin.errors import BadEvaluation, BadNetwork, BadSpec
from qilin.networks import find, load
from qilin.networks.export import export, random_planes
from qilin.players.net import NetOptions, NetPlayer
from qilin.train.network import NetConfig, build
from qilin.train.weights import save_network

CONFIGS = {
    "connect_four": NetConfig(channels=8, blocks=2, auxiliary=("reply", "plies_left")),
    "dark_chess": NetConfig(kind="transformer", channels=8, blocks=1),
}


def tiny(path: Path, game: str, seed: int = 1) -> Path:
    """A network with random weights, everywhere different from 0."""
    torch.manual_seed(seed)
    made = qilin.game(game)
    network = build(made, CONFIGS[game])
    with torch.no_grad():
        for weights in network.parameters():
            weights.add_(torch.randn_like(weights) * 0.1)
    save_network(path, network, CONFIGS[game], {"game": game, "options": made.options, "iteration": 3})
    return path


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("networks")
    return {game: tiny(folder / f"{game}.safetensors", game) for game in CONFIGS}


@pytest.mark.parametrize("game", CONFIGS)
def test_onnxruntime_says_what_torch_says(networks: dict[str, Path], game: str) -> None:
    by_onnx, by_torch = load(networks[game]), load(networks[game], "torch")
    assert by_onnx.facts.game == by_torch.facts.game == game
    assert by_onnx.facts.options == qilin.game(game).options
    assert by_onnx.facts.meta["iteration"] == 3
    planes = random_planes(qilin.game(game), 40)
    for rows in (1, 2, 7, 40):
        for one, other in zip(by_onnx(planes[:rows]), by_torch(planes[:rows]), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-4)
    policy, value = by_onnx(planes)
    assert policy.shape == (40, qilin.game(game).policy_size)
    assert value.shape == (40, 3)
    assert np.ptp(policy, axis=0).max() > 0.01  # positions are told apart


def test_new_weights_make_a_new_graph(tmp_path: Path) -> None:
    weights = tiny(tmp_path / "network.safetensors", "connect_four", seed=1)
    planes = random_planes(qilin.game("connect_four"), 4)
    before, _ = load(weights)(planes)
    assert (tmp_path / "network.onnx").is_file()
    tiny(weights, "connect_four", seed=2)
    after, _ = load(weights)(planes)
    by_torch, _ = load(weights, "torch")(planes)
    assert abs(before - after).max() > 0.01
    np.testing.assert_allclose(after, by_torch, atol=1e-4)


def test_exporting_leaves_random_numbers_alone(networks: dict[str, Path], tmp_path: Path) -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    assert export(networks["connect_four"], tmp_path / "copy.onnx").difference < 1e-4
    assert torch.equal(torch.rand(3), expected)


def test_a_run_folder_means_its_best(tmp_path: Path) -> None:
    with pytest.raises(BadNetwork, match=r"no network in .* yet, expected best\.safetensors"):
        find(tmp_path)
    best = tmp_path / "best.safetensors"
    best.touch()
    assert find(tmp_path) == best
    assert find(best) == best


@pytest.mark.parametrize(
    "options", ["sims=40", "sims=40,leaves=1", "kind=gumbel,sims=16", "time=50ms", "backend=torch"]
)
@pytest.mark.parametrize("game", CONFIGS)
def test_a_network_plays(networks: dict[str, Path], game: str, options: str) -> None:
    player = qilin.player(f"net:{networks[game]},{options}", seed=1)
    state = qilin.game(game).start()
    for _ in range(3):
        while state.is_chance:
            state = state.play(next(iter(state.outcomes())))
        move = player.choose(state)
        assert move in state.moves()
        state = state.play(move)


def test_play_repeats_itself(networks: dict[str, Path]) -> None:
    state = qilin.game("connect_four").start()
    spec = f"net:{networks['connect_four']},sims=60"
    first, second = (qilin.player(spec, seed=seed).analyse(state, lines=7) for seed in (1, 2))
    assert first.lines == second.lines  # no noise, no dice
    assert first.nodes == 61  # one evaluation is the root's own
    assert sum(line.visits or 0 for line in first.lines) == 60
    assert all(line.draw is not None for line in first.lines)


def test_a_win_in_one_is_taken(networks: dict[str, Path]) -> None:
    state = qilin.game("connect_four").parse("7/7/7/7/1ooo3/1xxx3 x")
    assert qilin.player(f"net:{networks['connect_four']},sims=50").choose(state) in {"a", "e"}


def test_a_search_can_be_watched_and_stopped(networks: dict[str, Path]) -> None:
    player = qilin.player(f"net:{networks['connect_four']},sims=1000000")
    told = []

    def watch(analysis: qilin.players.Analysis) -> None:
        told.append(analysis)
        player.stop()

    assert player.analyse(qilin.game("connect_four").start(), watch=watch).nodes in range(1, 1000000)
    assert told[0].lines


class Broken:
    """A network that says `value` everywhere."""

    def __init__(self, network: Path, value: float, moves: int = 7) -> None:
        self.facts = load(network).facts
        self.value, self.moves = value, moves

    def __call__(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = len(planes)
        return np.full((rows, self.moves), self.value, np.float32), np.zeros((rows, 3), np.float32)

    def ask(self, planes: np.ndarray) -> Callable[[], tuple[np.ndarray, np.ndarray]]:
        return lambda: self(planes)


@pytest.mark.parametrize("game", CONFIGS)
def test_a_tree_grows_on_while_a_card_thinks(networks: dict[str, Path], game: str) -> None:
    options = NetOptions(device="cuda", sims=300)  # but for the network, all is as with a card
    player = NetPlayer(name="net:far", options=options, network=load(networks[game]))
    state = qilin.game(game).start()
    for _ in range(2):
        while state.is_chance:
            state = state.play(next(iter(state.outcomes())))
        found = player.analyse(state, lines=200)
        visits = sum(line.visits or 0 for line in found.lines)
        assert (found.nodes, visits) == (visits + 1, max(visits, 299))
        state = state.play(player.choose(state))


def test_a_card_sees_many_leaves_of_a_long_search() -> None:
    assert NetOptions().wave == 4
    waves = [NetOptions(device="cuda", sims=sims).wave for sims in (1, 200, 3200, 1_000_000)]
    assert waves == [4, 6, 100, 256]
    assert NetOptions(device="cuda", time=1.0).wave == 256
    assert NetOptions(device="cuda", leaves=64).wave == 64
    assert (NetOptions().runs, NetOptions(device="cuda").runs, NetOptions(backend="torch").runs) == (
        "onnx",
        "torch",
        "torch",
    )


@pytest.mark.parametrize(("value", "moves", "words"), [(np.nan, 7, "finite|NaN|nan"), (0.0, 8, "expected")])
def test_what_a_network_says_is_checked(networks: dict[str, Path], value: float, moves: int, words: str) -> None:
    broken = Broken(networks["connect_four"], value, moves)
    player = NetPlayer(name="net:broken", options=NetOptions(), network=broken)
    with pytest.raises(BadEvaluation, match=f"'net:broken' can't be played with: .*({words})"):
        player.choose(qilin.game("connect_four").start())


@pytest.mark.parametrize(
    ("spec", "kind", "words"),
    [
        ("net", BadSpec, "names no network, expected net:PATH"),
        ("net:nowhere", BadNetwork, "there is no 'nowhere', expected a network"),
        ("net:{},sims=0", BadSpec, "sims is '0'"),
        ("net:{},backend=tensorflow", BadSpec, "expected onnx or torch"),
        ("net:{},simz=3", BadSpec, "did you mean 'sims'"),
    ],
)
def test_a_wrong_spec_is_explained(networks: dict[str, Path], spec: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        qilin.player(spec.format(networks["connect_four"]))


def test_files_that_are_no_networks_are_refused(networks: dict[str, Path], tmp_path: Path) -> None:
    for name, words in {
        "a.txt": "is no network, expected",
        "a.onnx": "can't be loaded",
        "a.safetensors": "damaged",
    }.items():
        (tmp_path / name).write_bytes(b"nonsense")
        with pytest.raises(qilin.QilinError, match=words):
            load(tmp_path / name)
    with pytest.raises(BadNetwork, match="nothing for backend=torch"):
        load(networks["connect_four"].with_suffix(".onnx"), "torch")


def test_another_game_is_refused(networks: dict[str, Path]) -> None:
    player = qilin.player(f"net:{networks['connect_four']}")
    with pytest.raises(BadNetwork, match="plays connect_four, and the game here is ataxx"):
        player.choose(qilin.game("ataxx").start())


WITHOUT = """
import sys
for name in {names!r}:
    sys.modules[name] = None
import qilin
print(qilin.player({spec!r}).choose(qilin.game("connect_four").start()))
"""


def without(names: list[str], spec: str) -> subprocess.CompletedProcess[str]:
    """Play a move where packages can't be imported."""
    script = WITHOUT.format(names=names, spec=spec)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)


def test_without_torch_a_graph_plays_and_weights_ask_for_it(networks: dict[str, Path], tmp_path: Path) -> None:
    weights = networks["connect_four"]
    played = without(["torch", "onnx", "matplotlib"], f"net:{weights},sims=20")  # the graph lies beside the weights
    assert played.stdout.strip() in set("abcdefg"), played.stderr
    alone = tmp_path / "network.safetensors"
    alone.write_bytes(weights.read_bytes())
    asked = without(["torch"], f"net:{alone}")
    assert "pip install 'qilin[train]'" in asked.stderr
    assert "qilin export" in asked.stderr


def test_without_onnxruntime_the_error_names_the_extra(networks: dict[str, Path]) -> None:
    assert "pip install 'qilin[net]'" in without(["onnxruntime"], f"net:{networks['connect_four']}").stderr
