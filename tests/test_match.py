"""Matches: fair openings, every game kept, nothing lost or doubled whatever happens to the process."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import qilin
from qilin.ladder import pairings, play_ladder, ratings
from qilin.match import Plan, play_pair, run_match
from qilin.openings import Deck, opening
from qilin.rating import Sprt
from qilin.record import Record


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "games.sqlite")


def plan(game: str = "connect_four", first: str = "greedy", second: str = "random", games: int = 8) -> Plan:
    return Plan(game=game, first=first, second=second, games=games)


@pytest.mark.parametrize("name", qilin.games())
def test_openings_are_repeatable_open_and_different(name: str) -> None:
    start = qilin.game(name).start()
    made = [opening(start, 4, f"seed {i}") for i in range(12)]
    assert made == [opening(start, 4, f"seed {i}") for i in range(12)]
    assert not any(state.is_over or state.is_chance for state in made)
    assert len({str(state) for state in made}) > 6


@pytest.mark.parametrize("name", qilin.games())
def test_a_kept_game_can_be_replayed(name: str) -> None:
    one = plan(name, "random", "random")
    for game in play_pair(one, 0):
        state = one.of().parse(game.opening)
        for move in game.moves:
            state = state.play(move)
        assert (state.is_over, state.winner, state.reason) == (True, game.winner, game.reason)


def test_both_games_of_a_pair_begin_alike_with_seats_swapped() -> None:
    straight, turned = play_pair(plan(), 3)
    assert straight.opening == turned.opening
    assert (straight.turned, turned.turned) == (False, True)
    for game in (straight, turned):
        seat = 1 if game.turned else 0
        assert game.points == (0.5 if game.winner is None else float(game.winner == seat))


def hidden_games() -> list[str]:
    return [name for name in qilin.games() if qilin.game(name).has_chance]


@pytest.mark.parametrize("name", hidden_games())
def test_two_games_on_one_deck_have_the_same_layout(name: str) -> None:
    for seed in range(20):
        deck = Deck(random.Random(seed))
        layouts = [turned_up(name, deck, random.Random(100 * seed + game)) for game in range(2)]
        both = layouts[0].keys() & layouts[1].keys()
        assert both
        assert all(layouts[0][square] == layouts[1][square] for square in both)


def turned_up(name: str, deck: Deck, rng: random.Random) -> dict[str, str]:
    state, found = qilin.game(name).start(), {}
    while not state.is_over:
        move = rng.choice(state.moves())
        state = state.play(move)
        if state.is_chance:
            letter = deck.answer(state)
            found[move[-2:]] = letter
            state = state.play(letter)
    return found


@pytest.mark.parametrize("name", hidden_games())
def test_a_deck_answers_by_the_exact_probabilities(name: str) -> None:
    start = qilin.game(name).start()
    asked = start.play(start.moves()[0])
    draws = 4000
    counts = Counter(Deck(random.Random(seed)).answer(asked) for seed in range(draws))
    for outcome, chance in asked.outcomes().items():
        deviation = (draws * chance * (1 - chance)) ** 0.5
        assert abs(counts[outcome] - draws * chance) < 5 * deviation, outcome


def test_a_match_keeps_every_game_and_resumes(record: Record) -> None:
    first = run_match(plan(games=4), record, workers=1)
    assert first.games == 4
    with pytest.raises(qilin.BadRecord, match="kept already"):
        run_match(plan(games=8), record, workers=1)
    longer = run_match(plan(games=8), record, workers=1, resume=True)
    assert longer.games == 8
    match = record.match(plan().identity(), "connect_four", {}, "greedy", "random")
    assert [(game.pair, game.turned) for game in record.games(match)] == [
        (i, t) for i in range(4) for t in (False, True)
    ]


def test_the_same_plan_gives_the_same_games_on_any_number_of_workers(tmp_path: Path) -> None:
    kept = []
    for workers in (1, 2):
        record = Record(tmp_path / f"{workers}.sqlite")
        run_match(plan(games=8), record, workers=workers)
        kept.append([(game.moves, game.points) for game in record.games(1)])
    assert kept[0] == kept[1]


def test_a_sequential_test_ends_early(record: Record) -> None:
    found = run_match(plan(first="alphabeta:depth=3", games=400), record, workers=1, sprt=Sprt(elo0=0, elo1=100))
    assert found.verdict is True
    assert found.games < 400


def test_a_stronger_search_wins_the_ladder(record: Record, tmp_path: Path) -> None:
    players = ["random", "greedy", "alphabeta:depth=4"]
    play_ladder([plan(first=a, second=b, games=12) for a, b in pairings(players, False)], record, workers=1)
    rungs = ratings(record, "connect_four", {})
    assert rungs[0].player == "alphabeta:depth=4"
    assert next(rung for rung in rungs if rung.player == "random").rating.value == 0
    assert json.loads(json.dumps([rung.as_json() for rung in rungs], allow_nan=False))


def cli(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "qilin", *arguments]


def test_a_killed_match_goes_on_where_it_was(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    command = cli("match", "connect_four", "alphabeta:time=20ms", "random", "--games", "40", "--db", str(database))
    victim = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while not kept(database):
        time.sleep(0.05)
        assert victim.poll() is None, "the match ended before it could be killed"
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    before = kept(database)
    assert before % 2 == 0
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert kept(database) == 40


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    command = cli("match", "connect_four", "alphabeta:time=50ms", "random", "--games", "200", "--db", str(database))
    victim = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not kept(database):
        time.sleep(0.05)
        assert victim.poll() is None
    victim.send_signal(signal.SIGINT)
    _, said = victim.communicate(timeout=20)
    assert victim.returncode == 2
    assert "--resume" in said
    assert "Traceback" not in said


def kept(database: Path) -> int:
    if not database.is_file():
        return 0
    try:
        record = Record(database)
    except qilin.BadRecord:  # just being made by the other process
        return 0
    games = sum(1 for _ in record.games(1))
    record.close()
    return games


def test_a_worker_that_fails_ends_the_match_with_its_error(record: Record) -> None:
    with pytest.raises(qilin.QilinError, match="no balanced open position"):
        run_match(Plan(game="connect_four", first="random", second="random", opening_plies=60), record, workers=2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["match", "connect_four", "alphabetta", "random"], "the players are random, greedy, alphabeta"),
        (["match", "connect_four", "alphabeta:deep=3", "random"], "did you mean 'depth'?"),
        (["match", "connect_four", "alphabeta:time=-1s", "random"], "expected a time"),
        (["match", "connect_four", "alphabeta:depth=0", "random"], "expected a whole number from 1 up"),
        (["match", "connect_four", "random", "greedy", "--sprt", "10", "0"], "must be the smaller"),
        (["match", "connect_four", "random", "greedy", "--games", "3"], "an even number"),
        (["ladder", "connect_four", "random", "random"], "different players"),
    ],
)
def test_mistakes_are_answered_in_one_line(arguments: list[str], words: str, tmp_path: Path) -> None:
    command = cli(*arguments, "--db", str(tmp_path / "games.sqlite"))
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert words in " ".join(answer.stderr.split())
    assert "Traceback" not in answer.stderr


def test_a_damaged_file_of_games_is_named(tmp_path: Path) -> None:
    damaged = tmp_path / "games.sqlite"
    damaged.write_bytes(b"this is no database" * 100)
    with pytest.raises(qilin.BadRecord, match=r"games\.sqlite"):
        Record(damaged)
