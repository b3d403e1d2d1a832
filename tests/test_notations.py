"""Notations: what is written is read back, no two moves are written alike, and people's spellings are understood."""

import os
import random
from collections.abc import Iterator

import pytest

import qilin
from qilin.notations import notations, read_move, write_move

POSITIONS = int(os.environ.get("QILIN_NOTATION_POSITIONS", "1500"))  # tests/long.sh asks for 100 000


def walk(name: str, seed: int) -> Iterator[qilin.State]:
    rng, state = random.Random(seed), qilin.game(name).start()
    while not state.is_over:
        yield state
        state = state.play(rng.choice(state.moves() or list(state.outcomes())))


def scattered(rng: random.Random) -> qilin.State | None:
    """A made-up position with many alike pieces on few files: what games seldom show."""
    board = {("d", 9): "k", ("f", 0): "K"}
    files = rng.sample("abcdefghi", 3)
    for letter, count, ranks in (("P", 5, range(5, 10)), ("p", 5, range(5)), ("R", 2, range(10)), ("c", 2, range(10))):
        for _ in range(rng.randint(0, count)):
            board.setdefault((rng.choice(files), rng.choice(ranks)), letter)
    for letter, squares in (("N", "ace"), ("n", "bdf"), ("A", ""), ("a", "")):
        for file in squares:
            if rng.random() < 0.3:
                board.setdefault((file, rng.randrange(10)), letter)
    for letter, square in (
        ("A", ("e", 1)),
        ("A", ("d", 2)),
        ("A", ("d", 0)),
        ("B", ("e", 2)),
        ("B", ("c", 4)),
        ("B", ("c", 0)),
    ):
        if rng.random() < 0.4:
            board.setdefault(square, letter)
    rows = ["".join(board.get((file, rank), "1") for file in "abcdefghi") for rank in range(9, -1, -1)]
    try:
        return qilin.game("xiangqi").parse(f"{'/'.join(rows)} {rng.choice('wb')} - - 0 60")
    except qilin.BadPosition:
        return None


def test_what_is_written_is_read_back() -> None:
    rng, seen, crowded = random.Random(3), 0, 0
    games = (state for seed in range(10**6) for state in walk("xiangqi", seed))
    while seen < POSITIONS:
        state = next(games) if seen % 2 else scattered(rng)
        if state is None:
            continue
        seen += 1
        for name in notations("xiangqi"):
            written = [write_move(state, move, name) for move in state.moves()]
            assert len(set(written)) == len(written), f"{name} in '{state}': {written}"
            for move, text in rng.sample(list(zip(state.moves(), written, strict=True)), min(2, len(written))):
                assert read_move(state, text, name) == move
                assert read_move(state, text) == move
                crowded += text[0] in "前中后二三四+-" or text[1] in "+-"
    assert crowded > seen / 10


@pytest.mark.parametrize("name", qilin.games())
def test_every_game_has_its_own_notation(name: str) -> None:
    for state in list(walk(name, 1))[:60]:
        for move in [*state.moves(), *state.outcomes()]:
            assert write_move(state, move) == move
        move = (state.moves() or list(state.outcomes()))[0]
        assert read_move(state, f" {move} ") == move


FACTS = [  # position, move, chinese, WXF
    ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "h2e2", "炮二平五", "C2=5"),
    ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "b0c2", "马八进七", "H8+7"),
    ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", "h9g7", "马8进7", "H8+7"),
    ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", "c9e7", "象3进5", "E3+5"),
    ("3k5/9/9/9/9/9/9/2R6/2R6/4K4 w - - 0 40", "c2c7", "前车进五", "R++5"),
    ("3k5/9/9/9/9/9/9/2R6/2R6/4K4 w - - 0 40", "c1f1", "后车平四", "R-=4"),
    ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 60", "e7d7", "前兵平六", "P+=6"),
    ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 60", "e6d6", "中兵平六", "P5=6"),
    ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 60", "e5d5", "后兵平六", "P-=6"),
    ("3k5/9/2P1P4/2P1P4/4P4/9/9/9/9/5K3 w - - 0 60", "e6d6", "中五平六", "55=6"),
    ("3k5/9/2P1P4/2P1P4/4P4/9/9/9/9/5K3 w - - 0 60", "c7b7", "前七平八", "7+=8"),
    ("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 60", "g8f8", "前兵平四", "++=4"),
    ("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 60", "g7f7", "二兵平四", "P+=4"),
    ("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 60", "g5f5", "后兵平四", "--=4"),
    ("4k4/9/9/9/9/6p2/9/6p2/9/3K5 b - - 0 60", "g2f2", "前卒平6", "P+=6"),
    ("3k5/9/9/9/9/9/9/3A5/9/3AK4 w - - 0 40", "d2e1", "仕六退五", "A6-5"),
]


@pytest.mark.parametrize(("text", "move", "chinese", "wxf"), FACTS)
def test_moves_are_written_as_people_write_them(text: str, move: str, chinese: str, wxf: str) -> None:
    state = qilin.game("xiangqi").parse(text)
    assert (write_move(state, move, "chinese"), write_move(state, move, "wxf")) == (chinese, wxf)


@pytest.mark.parametrize("text", ["馬8進7", "马８进７", "马八进七", "H8+7", "h8+7", "N8+7", "H9-G7", "h9g7", "H9G7"])
def test_other_spellings_are_understood(text: str) -> None:
    state = qilin.game("xiangqi").start().play("h2e2")
    assert read_move(state, text) == "h9g7"


@pytest.mark.parametrize("text", ["C2.5", "C2=5", "砲二平五", "包二平五", "炮２平５", "H2-E2"])
def test_cannons_too(text: str) -> None:
    assert read_move(qilin.game("xiangqi").start(), text) == "h2e2"


def test_the_world_federation_writes_the_piece_or_the_place_first() -> None:
    state = qilin.game("xiangqi").parse("3k5/9/9/9/9/9/9/2R6/2R6/4K4 w - - 0 40")
    assert read_move(state, "R+.4") == read_move(state, "+R=4") == read_move(state, "前车平四") == "c2f2"


@pytest.mark.parametrize("text", ["", "炮二平九九", "马8进6", "x" * 1000, "前马进五", "K5=5", "🀄"])
def test_what_is_no_move_is_refused_with_what_is_legal(text: str) -> None:
    with pytest.raises(qilin.IllegalMove, match="legal moves: "):
        read_move(qilin.game("xiangqi").start().play("h2e2"), text)


def test_what_may_be_two_moves_is_refused() -> None:
    state = qilin.game("xiangqi").parse("3k5/9/9/9/9/9/9/2R6/2R6/4K4 w - - 0 40")
    with pytest.raises(qilin.IllegalMove, match="may be any of c1f1, c2f2"):
        read_move(state, "车七平四")


def test_an_unknown_notation_names_the_known() -> None:
    with pytest.raises(qilin.BadSpec, match="native, chinese, wxf, iccs, ucci"):
        write_move(qilin.game("xiangqi").start(), "h2e2", "algebraic")
