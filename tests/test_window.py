"""The window and its shards: what is kept, what is drawn, and damage that is noticed."""

from pathlib import Path

import numpy as np
import pytest

from qilin.errors import BadCheckpoint
from qilin.train.settings import Window as Settings
from qilin.train.shards import Samples, read_shard, shard_checksum, write_shard
from qilin.train.window import Window, chances, window_size

KIND = np.dtype({"names": ["game", "weight", "surprise"], "formats": ["<u8", "<f4", "<f4"], "itemsize": 24})


def some(count: int, first: int = 0) -> Samples:
    samples = np.zeros(count, KIND)
    samples["game"] = np.arange(first, first + count)
    samples["weight"] = 1
    samples["surprise"] = np.arange(count) % 4
    return samples


def filled(settings: Settings) -> Window:
    window = Window(settings)
    for iteration in range(4):
        window.add(iteration, some(100, first=100 * iteration))
    return window


def test_the_newest_samples_are_kept() -> None:
    window = filled(Settings())
    window.shrink(250)
    assert len(window) == 250
    kept = np.concatenate([one.samples["game"] for one in window.slices])
    assert kept.tolist() == list(range(150, 400))
    assert window.age(4) == pytest.approx((50 * 3 + 100 * 2 + 100) / 250)


def test_every_kept_sample_is_drawn_equally_often() -> None:
    window = filled(Settings())
    window.shrink(250)
    drawn = window.draw(50_000, np.random.default_rng(3))["game"]
    counts = np.bincount(drawn.astype(np.int64), minlength=400)
    assert counts[:150].sum() == 0
    assert abs(counts[150:] - 200).max() < 6 * 200**0.5


def test_half_of_the_draws_go_by_surprise() -> None:
    samples = some(400)
    found = chances(samples, 0.5)
    assert found.sum() == pytest.approx(400)
    assert found[samples["surprise"] == 0] == pytest.approx(0.5)
    assert found[samples["surprise"] == 3] == pytest.approx(0.5 + 0.5 * 3 / 1.5)
    window = Window(Settings(surprise=1.0))
    window.add(0, samples)
    window.shrink(400)
    drawn = window.draw(4000, np.random.default_rng(1))
    assert drawn["surprise"].min() == 1
    assert np.mean(drawn["surprise"] == 3) == pytest.approx(0.5, abs=0.04)


def test_the_same_random_numbers_draw_the_same() -> None:
    one, other = filled(Settings(surprise=0.3)), filled(Settings(surprise=0.3))
    for window in (one, other):
        window.shrink(330)
    drawn = [window.draw(64, np.random.default_rng([1, 0, 7])) for window in (one, other)]
    assert drawn[0].tobytes() == drawn[1].tobytes()


def test_the_window_grows_slower_than_the_run() -> None:
    settings = Settings(least=1000, growth=0.75, slope=0.4)
    sizes = [window_size(seen, settings) for seen in (10, 1000, 2000, 10_000, 100_000)]
    assert sizes[:2] == [1000, 1000]
    assert 1300 < sizes[2] < 1400
    assert sizes == sorted(sizes)
    assert sizes[4] < 100_000 * 0.2
    assert window_size(100_000, Settings(least=1000, most=5000)) == 5000
    assert window_size(3000, Settings(least=1000, growth=0.0)) > 1000


def test_a_shard_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "samples" / "000001-00.shard"
    for samples in (some(57), some(0)):
        write_shard(path, samples, {"game": "any", "iteration": 1})
        again = read_shard(path, shard_checksum(path))
        assert again.dtype == samples.dtype
        assert (again == samples).all()
    assert b"pickle" not in path.read_bytes()


def test_damage_is_noticed_and_named(tmp_path: Path) -> None:
    path = tmp_path / "000001-00.shard"
    write_shard(path, some(200), {"iteration": 1})
    whole, rng = path.read_bytes(), np.random.default_rng(5)
    damaged = [whole[: int(cut)] for cut in rng.integers(0, len(whole), 20)]
    for _ in range(60):
        place, bit = int(rng.integers(len(whole))), 1 << int(rng.integers(8))
        damaged.append(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
    for data in damaged:
        path.write_bytes(data)
        with pytest.raises(BadCheckpoint, match=r"000001-00\.shard' is damaged"):
            read_shard(path)
    path.unlink()
    with pytest.raises(BadCheckpoint, match="is missing"):
        read_shard(path)
    write_shard(path, some(3), {"iteration": 2})
    with pytest.raises(BadCheckpoint, match="is not the one"):
        read_shard(path, "another checksum")
