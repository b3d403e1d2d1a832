"""Networks: every kind for every game, what they share with their files, and where each move's logit comes from."""

import random
from pathlib import Path

import pytest
import torch

import qilin
from qilin.errors import BadCheckpoint, BadRecipe
from qilin.train.network import NetConfig, build, for_play
from qilin.train.places import Places
from qilin.train.weights import load_network, save_network

AUXILIARY = ("margin", "ownership", "soft_policy", "reply", "plies_left")
KINDS = [
    NetConfig(channels=8, blocks=2, policy="planes", squeeze=2, auxiliary=AUXILIARY),
    NetConfig(channels=8, blocks=2, policy="factored", attention_every=1, pooling_every=None),
    NetConfig(channels=8, blocks=1, policy="flat"),
    NetConfig(kind="transformer", channels=8, blocks=2, heads=2),
]


def some_planes(game: qilin.Game, count: int) -> torch.Tensor:
    return torch.rand(count, *game.shape, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("name", qilin.games())
@pytest.mark.parametrize("config", KINDS, ids=["planes", "factored", "flat", "transformer"])
def test_every_kind_fits_every_game(name: str, config: NetConfig) -> None:
    game = qilin.game(name)
    _, rows, cols = game.shape
    network = build(game, config)
    said = network(some_planes(game, 3))
    shapes = {name: tuple(tensor.shape) for name, tensor in said.items()}
    assert shapes.pop("policy") == (3, game.policy_size)
    assert shapes.pop("value") == (3, 3)
    wanted = {
        "margin": (3,),
        "ownership": (3, 3, rows, cols),
        "soft_policy": (3, game.policy_size),
        "reply": (3, game.policy_size),
        "plies_left": (3,),
    }
    assert shapes == {head: wanted[head] for head in config.auxiliary}


@pytest.mark.parametrize("config", KINDS, ids=["planes", "factored", "flat", "transformer"])
def test_a_folded_network_says_the_same(config: NetConfig) -> None:
    game = qilin.game("ataxx")
    network = build(game, config)
    for _ in range(3):
        network(some_planes(game, 16))  # the batch norms learn what is usual
    network.eval()
    planes = some_planes(game, 4)
    policy, value = for_play(game, config, network.state_dict()).judge(planes)
    torch.testing.assert_close(policy, network(planes)["policy"], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(value, network(planes)["value"], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", qilin.games())
def test_every_legal_move_has_a_logit_of_its_own(name: str) -> None:
    game, rng = qilin.game(name), random.Random(3)
    places = Places(game)
    slots, parts = places.slots(), places.parts()
    for _ in range(6):
        state = game.start()
        while not state.is_over:
            if state.is_chance:
                state = state.play(rng.choice(list(state.outcomes())))
                continue
            legal = state.indices()
            assert all(places.moves[move] is not None for move in legal)
            assert len({slots[move] for move in legal}) == len(legal)
            assert len({parts[move] for move in legal}) == len(legal)
            state = state.play(rng.choice(legal))


def test_places_are_read_from_names() -> None:
    liuzhou = Places(qilin.game("liuzhou"))
    put, take, north = liuzhou.moves[14], liuzhou.moves[36 + 14], liuzhou.moves[72 + 14]
    assert put is not None
    assert take is not None
    assert north is not None
    assert (put.target, put.kind, take.target, take.kind) == (14, 0, 14, 1)
    assert (north.origin, north.target) == (14, 20)
    assert (liuzhou.maps, len(liuzhou.plane_keys)) == (3, 6)
    assert len(Places(qilin.game("xiangqi")).plane_keys) == 50
    assert (Places(qilin.game("connect_four")).files, Places(qilin.game("ataxx")).words) == (7, 1)


def test_one_dial_sets_the_size() -> None:
    assert (NetConfig.from_dial("128x10").channels, NetConfig.from_dial("128x10").blocks) == (128, 10)
    with pytest.raises(BadRecipe, match="'big', expected CHANNELSxBLOCKS"):
        NetConfig.from_dial("big")
    with pytest.raises(BadRecipe, match="10 channels for 4 heads"):
        build(qilin.game("ataxx"), NetConfig(kind="transformer", channels=10, blocks=1))


def test_a_saved_network_comes_back(tmp_path: Path) -> None:
    game = qilin.game("liuzhou", rules="modern")
    network = build(game, KINDS[0])
    save_network(tmp_path / "net.safetensors", network, KINDS[0], {"game": game.name, "options": game.options})
    again, config, meta = load_network(tmp_path / "net.safetensors")
    assert config == KINDS[0]
    assert qilin.game(meta["game"], **meta["options"]) == game
    planes = some_planes(game, 2)
    assert torch.equal(again(planes)["policy"], network.eval()(planes)["policy"])


def test_a_damaged_network_is_named(tmp_path: Path) -> None:
    path, game = tmp_path / "net.safetensors", qilin.game("connect_four")
    save_network(path, build(game, KINDS[2]), KINDS[2], {"game": game.name})
    whole = path.read_bytes()
    for damaged in (whole[:-7], whole[:100], b"", whole[:-9] + bytes([whole[-9] ^ 4]) + whole[-8:]):
        path.write_bytes(damaged)
        with pytest.raises(BadCheckpoint, match=r"net\.safetensors' is damaged"):
            load_network(path)
    with pytest.raises(BadCheckpoint, match="there is no network"):
        load_network(tmp_path / "other.safetensors")
