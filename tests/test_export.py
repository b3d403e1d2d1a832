"""Networks for others: 8 bits and what they cost, model cards, `qilin export`."""

import json
from pathlib import Path

import numpy as np
import pytest
from metrics_of_a_run import write_run
from test_cli import here
from test_networks import tiny

import qilin
from qilin.errors import BadNetwork
from qilin.networks import load
from qilin.networks.positions import by_playing, from_games
from qilin.networks.quantize import measure, quantize
from qilin.train.evaluation import Evaluation
from qilin.train.settings import Evaluate

GAME = qilin.game("connect_four")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's folder with a network, games and an evaluation after iteration 3."""
    folder = write_run(tmp_path_factory.mktemp("runs") / "c4", 3)
    network = tiny(folder / "best.safetensors", "connect_four")
    settings = Evaluate(games=2, simulations=2)
    Evaluation(folder=folder, game=GAME, settings=settings, seed=1)(network, 3)
    (folder / "games").mkdir()
    lines = [
        {"start": str(GAME.start()), "moves": list("dcdcdcd")},
        {"start": "7/7/7/7/7/3x3 o", "moves": list("aabb")},
    ]
    (folder / "games" / "000003-00.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "origin.json").write_text(json.dumps({"seed": 7, "commit": "abc", "versions": {"qilin": "0.1.0"}}))
    return folder


def test_positions_come_from_the_runs_games(run: Path) -> None:
    states = from_games(run / "games", GAME, 30)
    assert len(states) == 30
    assert all(state.to_move is not None for state in states)
    assert len({str(state) for state in states}) > 5
    assert states == from_games(run / "games", GAME, 30)
    assert from_games(run / "nowhere", GAME, 30) == []


@pytest.mark.parametrize("game", ["connect_four", "dark_chess"])
def test_a_network_without_a_run_plays_itself_for_positions(tmp_path: Path, game: str) -> None:
    network = load(tiny(tmp_path / "network.safetensors", game))
    states = by_playing(network, qilin.game(game), 200)
    assert len(states) == 200
    assert all(state.to_move is not None for state in states)
    assert len({str(state) for state in states}) > 100


def test_eight_bits_are_smaller_nearly_right_and_say_how_nearly(run: Path, tmp_path: Path) -> None:
    network = load(run)
    states = by_playing(network, GAME, 240)
    graph, small = run / "best.onnx", tmp_path / "small.onnx"
    loss = quantize(graph, small, states)
    assert loss.positions == 120
    assert 0.8 < loss.agreement_low < loss.agreement < loss.agreement_high <= 1
    assert 0 < loss.divergence < 0.05
    assert 0 < loss.value_error <= loss.value_error_worst < 0.2
    assert loss.size < 0.6
    assert "the same best move in" in str(loss)
    rough, exact = load(small), load(graph)
    assert rough.facts == exact.facts
    planes = np.stack([state.planes() for state in states])
    assert 0 < abs(rough(planes)[0] - exact(planes)[0]).max() < 0.5
    assert qilin.player(f"net:{small},sims=20").choose(GAME.start()) in GAME.start().moves()


def test_a_network_agrees_with_itself_and_not_with_another(run: Path, tmp_path: Path) -> None:
    one, other = load(run), load(tiny(tmp_path / "other.safetensors", "connect_four", seed=9))
    states = by_playing(one, GAME, 100)
    assert (same := measure(one, one, states, 1.0)).agreement == 1
    assert same.divergence == pytest.approx(0, abs=1e-6)
    assert same.agreement_low < 1  # a hundred positions prove nothing about all
    assert measure(one, other, states, 1.0).agreement < 0.9


def test_export_writes_files_and_a_card(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QILIN_HOME", str(tmp_path))
    here("eval", str(run), "--against", "greedy", "--games", "2", "--sims", "2", "--workers", "1")
    here("export", str(run), "--int8", "--positions", "60", "--out", str(tmp_path / "export"))
    card = json.loads((tmp_path / "export" / "card.json").read_text())
    assert [file["name"] for file in card["files"]] == [
        "connect_four.safetensors", "connect_four.onnx", "connect_four.int8.onnx",
    ]  # fmt: skip
    assert {one["against"] for one in card["figures"]} == {"greedy", "random"}
    assert all(len(one["score_interval"]) == 2 and one["command"].startswith("qilin ") for one in card["figures"])
    assert card["training"]["games"] == "780"
    assert card["training"]["seed"] == 7
    assert card["int8"]["positions"] == 30
    text = (tmp_path / "export" / "README.md").read_text()
    for words in (
        "# qilin connect_four 8x2",
        "| 2 simulations | `greedy` | 2 |",
        "qilin eval",
        "qilin train connect_four",
    ):
        assert words in text
    assert load(tmp_path / "export" / "connect_four.onnx").facts.game == "connect_four"


def test_an_onnx_file_can_not_be_exported(run: Path) -> None:
    load(run)
    with pytest.raises(BadNetwork, match="expected weights"):
        here("export", str(run / "best.onnx"))
