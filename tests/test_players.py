"""Players: names with options, moves that are legal, opinions that are right where they can be checked."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest

import qilin
from qilin.players import KINDS, describe, player

SPECS = ["random", "greedy", "alphabeta:depth=2", "alphabeta:nodes=2000", "mcts:sims=60", "mcts:sims=40,eval=playout"]
SPECS += ["mcts:sims=60,kind=gumbel", "mcts:sims=50,eval=uniform,threads=2", "alphabeta:depth=3,threads=2"]


def settled(state: qilin.State) -> qilin.State:
    """The state after chance has given its first possible answer."""
    while state.is_chance:
        state = state.play(next(iter(state.outcomes())))
    return state


@pytest.mark.parametrize("name", qilin.games())
@pytest.mark.parametrize("spec", SPECS)
def test_every_player_plays_every_game(spec: str, name: str) -> None:
    mover, state = player(spec, seed=5), qilin.game(name).start()
    for _ in range(12):
        if state.is_over:
            break
        move = mover.choose(state)
        assert move in state.moves()
        state = settled(state.play(move))


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_gives_the_same_moves(spec: str) -> None:
    if "threads=2" in spec and spec.startswith("alphabeta"):
        return  # lazy SMP shares its table: only one thread is repeatable
    lines = []
    for _ in range(2):
        mover, state = player(spec, seed=9), qilin.game("connect_four").start()
        while not state.is_over:
            state = state.play(mover.choose(state))
        lines.append(state.history)
    assert lines[0] == lines[1]


WIN_IN_ONE = "7/7/7/7/1oo4/1xxx3 o", "7/7/7/7/1ooo3/1xxx3 x"


@pytest.mark.parametrize("spec", ["greedy", "alphabeta:depth=4", "mcts:sims=400", "mcts:sims=400,eval=playout"])
def test_a_win_is_taken_and_a_loss_is_stopped(spec: str) -> None:
    game = qilin.game("connect_four")
    assert player(spec).choose(game.parse(WIN_IN_ONE[1])) in {"a", "e"}
    if spec != "greedy":
        three = game.parse("7/7/7/7/o6/xxx3o o")
        assert player(spec).choose(three) == "d"


@pytest.mark.parametrize("spec", ["alphabeta:depth=6", "mcts:sims=3000"])
def test_a_proven_win_is_reported_with_its_length(spec: str) -> None:
    state = qilin.game("connect_four").parse("7/7/7/7/1oo4/1xx4 x")
    best = player(spec).analyse(state).lines[0]
    assert best.ends == 3
    assert best.win == 1
    assert best.worth() == "wins in 3"


def test_analysis_gives_several_lines_best_first() -> None:
    state = qilin.game("connect_four").start()
    for spec in ("alphabeta:depth=5", "mcts:sims=500,eval=playout", "greedy"):
        lines = player(spec).analyse(state, lines=3).lines
        assert len({line.moves[0] for line in lines}) == 3
        for line in lines:
            after = state
            for move in line.moves:
                after = after.play(move)
    assert player("random").analyse(state).lines == ()


def test_watchers_are_told_and_their_exceptions_come_through() -> None:
    state, seen = qilin.game("connect_four").start(), []
    player("alphabeta:depth=5").analyse(state, watch=lambda analysis: seen.append(analysis.depth))
    assert seen == [1, 2, 3, 4, 5]

    def fail(_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        player("alphabeta:depth=5").analyse(state, watch=fail)


@pytest.mark.parametrize("spec", ["alphabeta:time=30s", "mcts:time=30s"])
def test_a_search_can_be_stopped_from_another_thread(spec: str) -> None:
    mover = player(spec)
    timer = Timer(0.3, mover.stop)
    timer.start()
    began = time.monotonic()
    assert mover.choose(qilin.game("connect_four").start())
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("name", qilin.games())
@pytest.mark.parametrize("spec", ["alphabeta:time=100ms", "mcts:time=100ms"])
def test_time_is_kept(spec: str, name: str) -> None:
    mover, state = player(spec), qilin.game(name).start()
    mover.choose(state)  # memory for tables and trees is had before the clock matters
    for _ in range(3):
        began = time.monotonic()
        state = settled(state.play(mover.choose(state)))
        assert time.monotonic() - began < 0.3  # bench/time_limits.py measures to the millisecond, on a quiet machine


def test_the_tree_is_kept_from_move_to_move() -> None:
    mover = player("mcts:sims=400,eval=playout")
    state = qilin.game("connect_four").start()
    first = mover.choose(state)
    state = state.play(first).play("d")
    before = mover.analyse(state).nodes
    assert before is not None
    assert before >= 400
    elsewhere = qilin.game("connect_four").parse("7/7/7/7/7/3x3 o")
    assert mover.choose(elsewhere) in elsewhere.moves()


def test_the_forest_finds_the_best_first_move_of_connect_four() -> None:
    """The middle column alone wins (Allis 1988, Allen 1988)."""
    for seed in range(3):
        assert player("mcts:sims=20000,eval=playout", seed=seed).choose(qilin.game("connect_four").start()) == "d"


def test_an_analysis_that_is_interrupted_leaves_what_it_found() -> None:
    command = [sys.executable, "-m", "qilin", "analyse", "connect_four", "--player", "alphabeta:depth=100"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as analysing:
        time.sleep(4)
        assert analysing.poll() is None
        analysing.send_signal(signal.SIGINT)
        shown, said = analysing.communicate(timeout=20)
    assert "M nodes/s" in shown
    assert not said


def test_players_refuse_finished_games() -> None:
    over = qilin.game("connect_four").parse("7/7/x6/x6/x6/xooo3 o")
    for spec in SPECS:
        with pytest.raises(qilin.IllegalMove, match="the game is over"):
            player(spec).choose(over)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("alphabetta", "the players are"),
        ("random:x=1", "no options"),
        ("alphabeta:depth", "expected KEY=VALUE"),
        ("alphabeta:depth=2,depth=3", "each key once"),
        ("alphabeta:depth=0", "from 1 up"),
        ("alphabeta:time=-3s", "a time"),
        ("mcts:sims=0", "from 1 up"),
        ("mcts:eval=magic", "handwritten, playout or uniform"),
        ("mcts:simulations=3", "it knows sims"),
    ],
)
def test_names_that_are_not_understood(spec: str, words: str) -> None:
    with pytest.raises(qilin.BadSpec, match=words):
        player(spec)


def test_a_table_larger_than_memory_is_refused_with_what_is_possible() -> None:
    with pytest.raises(qilin.BadSpec, match="at most this machine's"):
        player("alphabeta:depth=1,table=100000000").choose(qilin.game("connect_four").start())


def test_every_kind_and_option_is_described() -> None:
    described = [name.strip().rstrip("=") for name, _ in describe()]
    assert set(KINDS) <= set(described)
    assert "threads" in described


TACTICS = Path(__file__).parent / "tactics"


def tactics(name: str) -> list[list[str]]:
    path = TACTICS / f"{name}.txt"
    lines = path.read_text().splitlines()
    return [[cell.strip() for cell in line.split(" | ")] for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("name", qilin.games())
def test_alphabeta_solves_the_tactics(name: str) -> None:
    rows = tactics(name)
    assert len(rows) >= 20
    failed = []
    for settings, text, best, depth, why in rows:
        options = {} if settings == "-" else dict(pair.split("=") for pair in settings.split(","))
        state = qilin.game(name, **options).parse(text)
        move = player(f"alphabeta:depth={depth.removeprefix('depth ')}").choose(state)
        if move not in best.split():
            failed.append(f"'{text}': {move}, expected {best} ({why})")
    assert not failed, "\n".join(failed)


PATIENCE = (20_000, 200_000)  # simulations: an average over what chance may answer comes to its limit slowly


@pytest.mark.parametrize("name", qilin.games())
def test_the_forest_solves_the_tactics(name: str) -> None:
    failed = []
    for settings, text, best, _, why in tactics(name):
        options = {} if settings == "-" else dict(pair.split("=") for pair in settings.split(","))
        state = qilin.game(name, **options).parse(text)
        found = (player(f"mcts:sims={sims}").choose(state) for sims in PATIENCE)
        if not any(move in best.split() for move in found):
            failed.append(f"'{text}': not found, expected {best} ({why})")
    assert not failed, "\n".join(failed)
