"""The golden games: played by slow reference rules, move by move; ours must agree at every ply."""

import json
from pathlib import Path
from typing import Any

import pytest

import qilin

FILES = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_games_agree_at_every_ply(path: Path) -> None:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        replay(json.loads(line), f"{path.name} line {number}")


def replay(record: dict[str, Any], where: str) -> None:
    state = qilin.game(record["game"], **record["options"]).start()
    for ply, (move, player, legal, *outcome) in enumerate(record["plies"]):
        here = f"{where}, ply {ply}, '{state}'"
        assert not state.is_over, f"{here}: over ({state.reason}), but {move} was played"
        assert (state.to_move, len(state.moves())) == (player, legal), f"{here}: player and number of legal moves"
        state = state.play(move)
        assert state.is_chance == bool(outcome), f"{here}: {move} and chance"
        for letter in outcome:
            state = state.play(letter)
    assert state.is_over, f"{where}: still open at '{state}'"
    assert state.winner == record["winner"], f"{where}: winner, by {state.reason}"
    if "margin" in record:
        assert state.margin == record["margin"], f"{where}: margin"
    if "score" in record:
        red, black = record["score"]
        assert state.margin == red - black, f"{where}: points"


def test_there_are_golden_games_for_every_seed() -> None:
    games = {json.loads(path.read_text().splitlines()[0])["game"] for path in FILES}
    assert games == {"ataxx", "dark_chess", "liuzhou", "popucom", "xiangqi"}
