"""Files of other programs: read with everything they hold, written so that they are read again, refused in words."""

import base64
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import qilin
from qilin.convert import formats, games_at, read_games, write_game_as
from qilin.game_file import GameFile, Result, Seat, Step, file_of, result_of, write_game
from qilin.match import Plan, run_match
from qilin.record import Record

PGN = """[Game "Chinese Chess"]
[Event "第一届"]
[Red "甲"]
[Black "乙"]
[Date "2026.11.19"]
[Round "3"]
[Result "0-1"]

{第一句} 1. 炮二平五 {中炮} 马8进7 (1... 炮8平5 {顺炮} 2. 马二进三 (2. 炮五进四 士4进5) 马8进7)
2. 马二进三!? $2 车9平8 ; 到此为止
0-1
"""


def test_pgn_is_read_with_all_it_holds() -> None:
    [file] = read_games(PGN)
    assert [step.move for step in file.steps] == ["h2e2", "h9g7", "h0g2", "i9h9"]
    assert [seat.name for seat in file.seats] == ["甲", "乙"]
    assert (file.event, file.date, file.tags) == ("第一届", "2026-11-19", {"Round": "3"})
    assert (file.comment, file.steps[0].comment, file.steps[3].comment) == ("第一句", "中炮", "到此为止")
    assert file.steps[2].marks == ("!?", "?")
    assert file.result == Result(winner=1, reason="recorded")
    [variation] = file.steps[1].variations
    assert [step.move for step in variation] == ["h7e7", "h0g2", "h9g7"]
    assert [step.move for step in variation[1].variations[0]] == ["e2e6", "d9e8"]


@pytest.mark.parametrize("notation", ["native", "chinese", "wxf", "iccs", "ucci"])
def test_pgn_comes_back_in_every_notation(notation: str) -> None:
    [file] = read_games(PGN)
    assert read_games(write_game_as(file, "pgn", notation=notation)) == [file]


def test_old_files_in_gbk_are_read() -> None:
    assert read_games(PGN.encode("gb18030")) == read_games(PGN.encode("utf-8-sig")) == read_games(PGN)


def test_files_come_as_data_addresses_too() -> None:
    raw = PGN.encode("gb18030")
    assert read_games("data:text/plain;base64," + base64.b64encode(raw).decode()) == read_games(raw)
    with pytest.raises(qilin.BadRecord, match="data address is damaged"):
        read_games("data:;base64,!!")


def test_several_games_of_one_file_are_told_apart() -> None:
    assert len(read_games(PGN + "\n" + PGN.replace("甲", "丙"))) == 2


def test_numbers_and_federation_dots_are_told_apart() -> None:
    text = '[Game "xiangqi"]\n\n1.C2.5 H8+7 2.H2+3 R9.8 3. R1.2 C8+4 *'
    assert [step.move for step in read_games(text)[0].steps] == ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "h7h3"]


def random_game(name: str, seed: int) -> GameFile:
    rng, state = random.Random(seed), qilin.game(name).start()
    while not state.is_over and len(state.history) < 200:
        state = state.play(rng.choice(state.moves() or list(state.outcomes())))
    file = file_of(state, seats=(Seat(name="A"), Seat(name="B")), date="2026-11-19")
    before = file.states()[4]
    other = Step(move=next(move for move in before.moves() or list(before.outcomes())))
    steps = list(file.steps)
    steps[4] = replace(steps[4], variations=((other,),), comment="x { [a] (b) 1. ;", marks=("!",))
    return replace(file, steps=tuple(steps))


@pytest.mark.parametrize("name", qilin.games())
def test_every_game_goes_through_pgn(name: str) -> None:
    for seed in range(2):
        file = random_game(name, seed)
        [again] = read_games(write_game_as(file, "pgn"))
        assert again == file


def test_pgn_keeps_options_and_positions() -> None:
    state = qilin.game("ataxx", rules="uai").parse("x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1").play("g2")
    assert read_games(write_game_as(file_of(state), "pgn")) == [file_of(state)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected one of json"),
        ('[Game "Go"]\n\n1. d *', "the tag Game is 'Go'"),
        ('[Game "connect_four"]\n\n1. d (1. z) *', "game 1: 'z' is no legal move"),
        ('[Game "connect_four"]\n\n1. d ( 1. e *', "never closed"),
        ('[Game "connect_four"]\n\n1. d ) *', "was not opened"),
        ('[Game "connect_four"]\n\n(1. d) *', "before any move"),
        ('[Game "connect_four"]\n\n1. d ' + "(1. e " * 100, "within each other"),
        ('[Game "connect_four"]\n[FEN "7/7 x"]\n\n*', "7/7 x"),
        ('[Game "connect_four"]\n[Options "size=9"]\n\n*', "no option 'size'"),
        ('[Game "connect_four"]\n\n1. d d 2. e e 3. f f 4. g 0-1', "by the rules"),
        ("[DhtmlXQ][DhtmlXQ_binit]12[/DhtmlXQ_binit]", "64 digits"),
        ("[DhtmlXQ][DhtmlXQ_movelist]77471[/DhtmlXQ_movelist]", "four digits a move"),
        ("[DhtmlXQ][DhtmlXQ_movelist]77487062[/DhtmlXQ_movelist]", r"moves\[0\]: 'h2e1' is not legal"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(qilin.QilinError, match=words):
        read_games(text)


UBB = """[DhtmlXQ]
[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]
[DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_black]乙[/DhtmlXQ_black][DhtmlXQ_result]红胜[/DhtmlXQ_result]
[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
[DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]
[DhtmlXQ_move_0_2_1]724279677062[/DhtmlXQ_move_0_2_1]
[DhtmlXQ_move_1_3_2]47433041[/DhtmlXQ_move_1_3_2]
[DhtmlXQ_comment0]全局||说明[/DhtmlXQ_comment0]
[DhtmlXQ_comment2]主线[/DhtmlXQ_comment2][DhtmlXQ_comment1_3]变着[/DhtmlXQ_comment1_3]
[/DhtmlXQ]"""


def test_games_of_the_xiangqi_web_are_read() -> None:
    [file] = read_games(UBB.encode("gb18030"))
    [same] = read_games(PGN)
    assert [step.move for step in file.steps] == [step.move for step in same.steps]
    assert file.comment == "全局\n说明"
    assert (file.steps[1].comment, file.steps[1].variations[0][1].comment) == ("主线", "变着")
    assert [step.move for step in file.steps[1].variations[0][1].variations[0]] == ["e2e6", "d9e8"]
    assert file.result == Result(winner=0, reason="recorded")
    [again] = read_games(write_game_as(file, "ubb"))
    assert replace(again, tags={}) == replace(file, tags={})


def test_positions_of_the_xiangqi_web_come_back() -> None:
    state = qilin.game("xiangqi").parse("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 b - - 0 60").play("d9e9")
    [again] = read_games(write_game_as(file_of(state), "ubb"))
    assert again.start.split()[:2] == ["3k5/9/4P4/4P4/4P4/9/9/9/9/5K3", "b"]
    assert [step.move for step in again.steps] == ["d9e9"]


def test_a_page_is_a_kind_of_file() -> None:
    assert write_game_as(random_game("connect_four", 1), "html").startswith("<!doctype html>")
    with pytest.raises(qilin.BadRecord, match="are not read"):
        read_games("<!doctype html>", form="html")


def test_other_games_do_not_fit_in() -> None:
    with pytest.raises(qilin.BadRecord, match="hold games of xiangqi"):
        write_game_as(random_game("connect_four", 1), "ubb")
    with pytest.raises(qilin.BadRecord, match="only read"):
        write_game_as(random_game("connect_four", 1), "training")


def test_every_written_form_is_recognised() -> None:
    [file] = read_games(PGN)
    for name, form in formats().items():
        if form.write and form.read:
            [again] = read_games(write_game_as(file, name))
            assert [step.move for step in again.steps] == [step.move for step in file.steps], name


def a_run(folder: Path, state: qilin.State, **more: object) -> Path:
    """A training run with one game, written as the loop writes it."""
    (folder / "games").mkdir(parents=True)
    (folder / "recipe.toml").write_text(f'game = "{state.game.name}"\n[options]\n')
    values = [None if ply < 2 else 0.5 for ply in range(len(state.history))]
    line = {"number": 17, "start": str(state.game.start()), "moves": state.history, "winner": state.winner}
    line |= {"reason": state.reason, "plies": len(state.history), "opening": 2, "values": values, **more}
    (folder / "games/000001-00.jsonl").write_text(json.dumps({**line, "number": 16}) + "\n" + json.dumps(line) + "\n")
    return folder


@pytest.mark.parametrize("name", ["connect_four", "dark_chess"])
def test_training_games_are_read(tmp_path: Path, name: str) -> None:
    state = random_game(name, 1).states()[-1]
    run = a_run(tmp_path / "run", state, search={"simulations": 64})
    assert len(list(games_at(run))) == 2
    [file] = games_at(run / "games/000001-00.jsonl", number=17)
    assert (file.event, file.comment) == ("game 17", "2 plies at random")
    assert file.states()[-1] == state
    assert file.result == result_of(state)
    assert file.tags == {"search": '{"simulations": 64}'}
    assert file.opinion is None
    opinion = file.steps[2].opinion
    assert opinion is not None
    assert opinion.first == 0.75
    assert list(games_at(run, number=18)) == []


def test_resignations_of_training_games_are_told(tmp_path: Path) -> None:
    state = qilin.game("connect_four").start().play("d").play("d")
    [file] = games_at(a_run(tmp_path / "run", state, winner=1, reason="resigned", resigned=0), number=17)
    assert file.result == Result(winner=1, reason="resignation")


def test_a_damaged_line_of_a_training_game_is_named(tmp_path: Path) -> None:
    run = a_run(tmp_path / "run", random_game("connect_four", 1).states()[-1])
    path = run / "games/000001-00.jsonl"
    path.write_text(path.read_text()[:-40])
    with pytest.raises(qilin.BadRecord, match="line 2 is no game of a training run"):
        list(games_at(run))


def test_match_games_are_read(tmp_path: Path) -> None:
    for name in ("connect_four", "dark_chess"):
        path = tmp_path / f"{name}.sqlite"
        record = Record(path)
        plan = Plan(game=name, first="random", second="greedy", games=4)
        run_match(plan, record, workers=1)
        record.close()
        files = list(games_at(path))
        assert len(files) == 4
        assert [seat.player for seat in files[1].seats] == ["greedy", "random"]
        assert all(file.result == result_of(file.states()[-1]) for file in files)
        assert list(games_at(path, number=3)) == [files[2]]


def test_files_are_chosen_by_number(tmp_path: Path) -> None:
    path = tmp_path / "two.pgn"
    path.write_text(PGN + "\n" + PGN.replace("甲", "丙"))
    [file] = games_at(path, number=2)
    assert file.seats[0].name == "丙"
    own = tmp_path / "own.json"
    own.write_text(write_game(file))
    assert list(games_at(own)) == [file]
    with pytest.raises(qilin.BadRecord, match="no such file"):
        list(games_at(tmp_path / "none.json"))
