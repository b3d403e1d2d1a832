"""What lies under a face-down piece is known to nobody before the rules reveal it: not to clients, not to engines."""

from __future__ import annotations

import json
import os
import random
from collections import Counter

import pytest

import qilin
from qilin.web.engines import Job
from qilin.web.table import Seat, Setup, Table, draw_chance

HIDING = [name for name in qilin.games() if qilin.game(name).has_chance]
GAMES = int(os.environ.get("QILIN_SECRECY_GAMES", "400"))  # make test-long: 10 000


class Layout:
    """What lies where, decided beforehand: the strongest secret there could be. Asked only at a reveal."""

    def __init__(self, hidden: dict[str, str]) -> None:
        self.hidden, self.asked = dict(hidden), 0

    def __call__(self, state: qilin.State) -> str:
        assert state.is_chance
        self.asked += 1
        return self.hidden[square_of(state.history[-1])]


def square_of(move: str) -> str:
    return move[-2:]


def squares(name: str) -> list[str]:
    _, rows, cols = qilin.game(name).shape
    return [f"{chr(97 + col)}{row + 1}" for col in range(cols) for row in range(rows)]


def table_with(name: str, layout: Layout) -> Table:
    start = qilin.game(name).start()
    setup = Setup(
        id="same",
        keys=("a", "b"),
        game=name,
        options=start.game.options,
        position=str(start),
        seats=(Seat(player="human"), Seat(player="mcts:sims=100")),
    )
    table = Table(setup, chance=layout)
    for event in table.begin(0.0):
        table.take(event)
    return table


def play(table: Table, moves: list[str]) -> None:
    for move in moves:
        assert table.state.to_move is not None
        for event in table.move(table.state.to_move, table.ply, move, 1.0, id=move):
            table.take(event)


def told(table: Table) -> bytes:
    """All that leaves the table: for both sides, for watchers, for the file, and for an engine."""
    shown = [table.shown(frozenset(keys), 1.0) for keys in ((), (0,), (1,), (0, 1))]
    job = Job(
        do="analyse",
        game=table.setup.game,
        options=table.setup.options,
        position=table.setup.position,
        moves=table.state.history,
        player="mcts:sims=100",
        seed=1,
        owner="same/1",
        seconds=1.0,
    )
    return json.dumps([shown, table.events]).encode() + job.as_json(1)


@pytest.mark.parametrize("name", HIDING)
def test_no_byte_depends_on_what_is_still_hidden(name: str) -> None:
    game, rng = qilin.game(name), random.Random(GAMES)
    pieces = [letter for letter, count in pool(game.start()) for _ in range(count)]
    for _ in range(GAMES):
        rng.shuffle(pieces)
        truth = dict(zip(squares(name), pieces, strict=True))
        moves, turned = random_game(game, truth, rng)
        rest = [square for square in truth if square not in turned]
        letters = [truth[square] for square in rest]
        rng.shuffle(letters)
        other = {**truth, **dict(zip(rest, letters, strict=True))}
        layouts = Layout(truth), Layout(other)
        tables = [table_with(name, layout) for layout in layouts]
        for table in tables:
            play(table, moves)
        assert told(tables[0]) == told(tables[1])
        assert layouts[0].asked == layouts[1].asked == len(turned)


def pool(state: qilin.State) -> list[tuple[str, int]]:
    names = state.game._rules.outcome_names
    return [(names[index], count) for index, count in state._position.pool()]


def random_game(game: qilin.Game, truth: dict[str, str], rng: random.Random) -> tuple[list[str], set[str]]:
    """The moves of a random game up to a random moment, and the squares on which something was turned up."""
    state, moves, turned = game.start(), list[str](), set[str]()
    for _ in range(rng.randrange(1, 40)):
        if state.is_over:
            break
        moves.append(rng.choice(state.moves()))
        state = state.play(moves[-1])
        if state.is_chance:
            square = square_of(moves[-1])
            turned.add(square)
            state = state.play(truth[square])
    return moves, turned


@pytest.mark.parametrize("name", HIDING)
def test_chance_answers_by_the_pool(name: str) -> None:
    state = qilin.game(name).start()
    flipped = state.play(state.moves()[0])
    drawn = Counter(draw_chance(flipped) for _ in range(3200))
    for outcome, chance in flipped.outcomes().items():
        expected = 3200 * chance
        assert abs(drawn[outcome] - expected) < 6 * expected**0.5


@pytest.mark.parametrize("name", HIDING)
def test_a_table_keeps_nothing_from_which_the_future_follows(name: str) -> None:
    """Two tables with the same past get different futures: no seed, no layout is kept with them."""
    start = qilin.game(name).start()
    setup = Setup(
        id="x", keys=("a", "b"), game=name, options=start.game.options, position=str(start), seats=(Seat(), Seat())
    )
    answers = set()
    for _ in range(40):
        table = Table(setup)
        for event in table.begin(0.0):
            table.take(event)
        answers.add(table.move(0, 0, start.moves()[0], 0.0)[1]["outcome"])
    assert len(answers) > 3
