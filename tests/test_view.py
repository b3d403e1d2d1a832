"""The view of a position: complete, true to the rules, and in words."""

import json
import random
from collections.abc import Iterator

import pytest

import qilin
from qilin.games import GAMES
from qilin.view import cell_of, cells_of, square_of, view_of


def walk(name: str, seed: int = 0, **options: str | int) -> Iterator[qilin.State]:
    rng = random.Random(seed)
    state = qilin.game(name, **options).start()
    while True:
        yield state
        if state.is_over:
            return
        state = state.play(rng.choice(list(state.outcomes()) if state.is_chance else state.moves()))


@pytest.mark.parametrize("name", qilin.games())
def test_squares_have_names(name: str) -> None:
    game = qilin.game(name)
    _, rows, cols = game.shape
    names = [square_of(game, cell) for cell in range(rows * cols)]
    assert len(set(names)) == rows * cols
    assert [cell_of(game, square) for square in names] == list(range(rows * cols))
    assert cell_of(game, "z99") is cell_of(game, "a-1") is cell_of(game, "a01") is None


@pytest.mark.parametrize("name", qilin.games())
def test_a_view_is_json_and_its_moves_are_the_legal_ones(name: str) -> None:
    for state in walk(name):
        view = json.loads(json.dumps(view_of(state)))
        assert [move["text"] for move in view["moves"]] == state.moves()
        assert view["to_move"] == state.to_move
        assert (view["over"] is None) == (not state.is_over)
        assert sum(map(len, view["rows"])) == len(cells_of(state))


def board_of(state: qilin.State) -> dict[str, str | None]:
    _, rows, cols = state.game.shape
    names = [square_of(state.game, (rows - 1 - row) * cols + col) for row in range(rows) for col in range(cols)]
    return dict(zip(names, (letter for rank in view_of(state, moves=False)["rows"] for letter in rank), strict=True))


@pytest.mark.parametrize("name", qilin.games())
def test_the_changes_of_a_move_lead_to_the_next_board(name: str) -> None:
    for state in walk(name, seed=1):
        for move in view_of(state)["moves"][::7]:
            after, board = state.play(move["text"]), board_of(state)
            for outcome in after.outcomes() or [None]:
                end = board_of(after if outcome is None else after.play(outcome))
                known = {change["square"]: change["after"] for change in move["changes"] if not change["unknown"]}
                unknown = {change["square"] for change in move["changes"] if change["unknown"]}
                assert all(board[change["square"]] == change["before"] for change in move["changes"])
                assert {**board, **known, **{square: end[square] for square in unknown}} == end
                assert bool(unknown) == (move["kind"] == "flip" and len(after.outcomes()) > 1)


@pytest.mark.parametrize("name", qilin.games())
def test_the_descriptor_has_words_for_every_fact(name: str) -> None:
    rules, words = qilin.game(name)._rules, GAMES[name]
    assert set(words.counters) == set(rules.counter_names)
    assert set(words.phases) == set(rules.phase_names)
    assert set(words.sets) == set(rules.set_names)
    assert set(words.whys) == set(rules.why_names)
    assert set(words.options) == {option.name for option in rules.options}
    assert set(words.choices) == {choice for option in rules.options for choice in option.choices}
    assert all(text.en and text.zh for text in (*words.whys.values(), *words.counters.values(), *words.phases.values()))


def test_a_chain_of_marks_is_counted() -> None:
    seen = set()
    for seed in range(20):
        for state in walk("liuzhou", seed):
            phase = view_of(state, moves=False)["phase"]
            if phase and phase["left"]:
                assert 0 < phase["left"] <= phase["of"] <= 2
                seen.add((phase["name"], phase["left"], phase["of"]))
    assert {("mark", 1, 1), ("capture", 1, 1)} <= seen


def test_a_flip_is_unknown_until_it_is_turned_up() -> None:
    state = qilin.game("dark_chess").start()
    flip = view_of(state)["moves"][0]
    assert flip["kind"] == "flip"
    assert flip["changes"] == [{"square": "a1", "before": "?", "after": None, "unknown": True}]
    assert sum(piece["count"] for piece in view_of(state)["pool"]) == 16


def test_check_is_seen_and_repetition_is_counted() -> None:
    game = qilin.game("xiangqi")
    state = game.parse("4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1".replace("4k4", "3k5"))
    for move in ("a0a9", "d9d8", "a9a8", "d8d9", "a8a9"):
        state = state.play(move)
    view = view_of(state, moves=False)
    assert view["check"] == "d9"
    assert view["sets"]["attackers"]["squares"] == ["a9"]
    assert {counter["name"] for counter in view["counters"]} >= {"no_capture", "perpetual_check"}


@pytest.mark.parametrize(
    ("name", "text", "shots"),
    [
        ("dark_chess", "?CP?/?Nk?/?b?n/???? r PRBAKppcra 0 0 0 6", {"b4d4": ["c4"], "b4b2": ["b3"]}),
        ("xiangqi", "3k5/9/9/4p4/9/9/4P4/9/9/4CK3 w - - 0 1", {"e0e6": ["e3"]}),
    ],
)
def test_a_shot_tells_what_it_goes_over(name: str, text: str, shots: dict[str, list[str]]) -> None:
    moves = view_of(qilin.game(name).parse(text))["moves"]
    assert {move["text"]: move["screens"] for move in moves if move["screens"]} == shots
