"""Game files: nothing is lost, nothing wrong gets in, and every refusal says what and where."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

import qilin
from qilin.game_file import (
    AGREED,
    Clock,
    GameFile,
    Opinion,
    Result,
    Seat,
    Step,
    checked,
    file_of,
    opinion_of,
    read_game,
    result_of,
    write_game,
)
from qilin.players import Line


def played(name: str, seed: int, plies: int = 400, **options: str | int) -> qilin.State:
    """A random game."""
    rng, state = random.Random(seed), qilin.game(name, **options).start()
    while not state.is_over and plies:
        state = state.play(rng.choice(state.moves() or list(state.outcomes())))
        plies -= 1
    return state


def branched(file: GameFile, seed: int) -> GameFile:
    """The file with variations, comments, marks, clocks and opinions strewn over it."""
    rng = random.Random(seed)
    state, steps = file.game.parse(file.start), []
    for step in file.steps:
        steps.append(decorated(step, state, rng))
        state = state.play(step.move)
    return replace(file, steps=tuple(steps), comment='开局 "{}" \n ends', tags={"round": "3"})


def decorated(step: Step, state: qilin.State, rng: random.Random, depth: int = 0) -> Step:
    variations = []
    if depth < 3 and rng.random() < 0.3:
        other, line, here = rng.choice(state.moves() or list(state.outcomes())), [], state
        for _ in range(rng.randint(1, 4)):
            line.append(decorated(Step(move=other), here, rng, depth + 1))
            here = here.play(other)
            if here.is_over:
                break
            other = rng.choice(here.moves() or list(here.outcomes()))
        variations.append(tuple(line))
    after = state.play(step.move)
    lines = tuple(Line(moves=(move,), win=rng.random(), visits=3) for move in after.moves()[:2])
    return replace(
        step,
        comment=rng.choice(["", "", "好棋", "a\nb"]),
        marks=rng.choice([(), (), ("!",), ("??", "☆")]),
        clock=rng.choice([None, Clock(used=1.25), Clock(used=0.5, left=59.5)]),
        opinion=rng.choice([None, opinion_of(after, lines, by="mcts:sims=3", nodes=3)]),
        variations=tuple(variations),
    )


@pytest.mark.parametrize("name", qilin.games())
def test_nothing_is_lost(name: str) -> None:
    for seed in range(3):
        state = played(name, seed)
        plain = file_of(
            state, seats=(Seat(name="甲", rating=1500), Seat(player="level:3")), date="2026-11-19", event="e"
        )
        file = checked(branched(plain, seed))
        text = write_game(file)
        assert read_game(text) == file
        assert write_game(read_game(text.encode())) == text
        assert [str(state) for state in file.states()][-1] == str(state)
        assert file.result == result_of(state)
        assert (file.result is None) == (not state.is_over)


def test_options_and_positions_are_kept() -> None:
    state = qilin.game("ataxx", rules="uai").parse("x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1").play("g2")
    again = read_game(write_game(file_of(state)))
    assert again.states()[-1] == state
    assert again.game.options["rules"] == "uai"
    assert again.result is None


def test_a_line_is_written_for_every_move() -> None:
    lines = write_game(file_of(played("connect_four", 1))).splitlines()
    moves = [line for line in lines if line.startswith('  {"move"')]
    assert len(moves) == len(played("connect_four", 1).history)


def test_walking_sees_every_variation() -> None:
    file = branched(file_of(played("connect_four", 2)), 5)
    seen = {where for where, _, _ in file.walk()}
    assert json.dumps(file.as_json()).count('"move":') == len(seen)


def test_opinions_are_for_the_first_player() -> None:
    start = qilin.game("connect_four").start()
    line = (Line(moves=("d",), win=0.6, draw=0.2),)
    assert opinion_of(start, line).first == pytest.approx(0.7)
    assert opinion_of(start.play("d"), line).first == pytest.approx(0.3)


def table(**changes: Any) -> dict[str, Any]:
    return {**file_of(qilin.game("connect_four").start().play("d").play("d")).as_json(), **changes}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"format": "sgf"}, "the file's format is 'sgf', expected 'qilin-game'"),
    ({"version": 2}, "the file's version is 2, this program knows version 1"),
    ({"game": "conect_four"}, "did you mean 'connect_four'"),
    ({"options": {"size": 9}}, "no option 'size'"),
    ({"options": 3}, "options: 3, expected a table"),
    ({"start": "7/7 x"}, "7/7 x"),
    ({"players": [{}]}, "players: 1 of them, expected 2"),
    ({"players": [{"nam": "x"}, {}]}, r"players\[0\] does not know 'nam'; .*did you mean 'name'"),
    ({"players": [{"rating": True}, {}]}, r"players\[0\]\.rating: True, expected a number"),
    ({"coment": ""}, "the file does not know 'coment'; .*did you mean 'comment'"),
    ({"moves": "d"}, "moves: 'd', expected a list"),
    ({"moves": ["d"]}, r"moves\[0\]: 'd', expected a table"),
    ({"moves": [{"move": "d"}, {"move": "z"}]}, r"moves\[1\]: 'z' is not legal in"),
    ({"moves": [{}]}, r"moves\[0\]\.move: None, expected a text"),
    (
        {"moves": [{"move": "d", "variations": [[{"move": "e"}, {"move": "8"}]]}]},
        r"moves\[0\]\.variations\[0\]\[1\]: '8'",
    ),
    ({"moves": [{"move": "d", "opinion": {"first": 1.5}}]}, r"opinion\.first: 1\.5, expected a probability"),
    ({"moves": [{"move": "d", "opinion": {"lines": [{"win": 0.5, "moves": ["x"]}]}}]}, r"opinion\.lines\[0\]: 'x'"),
    ({"moves": [{"move": "d", "clock": {"used": "1"}}]}, r"clock\.used: '1', expected a number"),
    ({"result": {"winner": 0, "reason": "four"}}, "by the rules the game is not over"),
    ({"result": {"winner": 2, "reason": "time"}}, r"result\.winner is 2, expected 0, 1 or null"),
    ({"result": {"winner": None, "reason": "resignation"}}, "exclude each other"),
    ({"comment": "x" * 20_001}, "at most 20000 characters"),
    ({"tags": {"a": 1}}, r"tags\.a: 1, expected a text"),
]


@pytest.mark.parametrize(("changes", "words"), WRONG)
def test_what_is_wrong_is_said(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(qilin.QilinError, match=words):
        read_game(json.dumps(table(**changes)))


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "3", '"x"', "[" * 100_000, b"\xff\xfe\x00", '{"format":"qilin-game"}']
)
def test_what_is_no_file_is_refused(text: str | bytes) -> None:
    with pytest.raises(qilin.QilinError):
        read_game(text)


def test_variations_do_not_nest_for_ever() -> None:
    step: dict[str, Any] = {"move": "d"}
    for _ in range(80):
        step = {"move": "d", "variations": [[step]]}
    with pytest.raises(qilin.BadRecord, match="within each other"):
        read_game(json.dumps(table(moves=[step])))


def test_a_finished_game_has_the_rules_result() -> None:
    over = file_of(played("connect_four", 1))
    with pytest.raises(qilin.BadRecord, match="by the rules it is"):
        checked(replace(over, result=Result(winner=None, reason="agreement")))


@pytest.mark.parametrize("reason", AGREED)
def test_games_may_end_by_agreement(reason: str) -> None:
    winner = None if reason in {"agreement", "abandoned"} else 1
    file = replace(file_of(qilin.game("xiangqi").start().play("h2e2")), result=Result(winner=winner, reason=reason))
    assert read_game(write_game(checked(file))) == file


def test_random_bytes_never_do_more_than_refuse() -> None:
    rng = random.Random(7)
    text = write_game(checked(branched(file_of(played("connect_four", 3)), 3)))
    for _ in range(300):
        at = rng.randrange(len(text))
        broken = text[:at] + rng.choice('{}[]",:0zé') + text[at + rng.randint(0, 3) :]
        try:
            checked(read_game(broken))
        except qilin.QilinError:
            continue


def test_opinions_survive_without_numbers() -> None:
    file = file_of(qilin.game("ataxx").start())
    again = replace(file, opinion=Opinion(by="me"))
    assert read_game(write_game(again)) == again
