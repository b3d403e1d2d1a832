"""The games of a training run: a line of JSON each, in `games/*.jsonl` of the run's folder."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from qilin.errors import BadRecord
from qilin.game_file import GameFile, Opinion, Result, Seat, Step, checked, result_of
from qilin.spec import parse_spec
from qilin.state import Game, game

NEEDED = ("number", "start", "moves", "winner", "reason")
TERMS = ("search", "temperature")  # what else is worth keeping
RESIGNED = "resigned"  # what self-play calls it


def looks_like_training(data: bytes) -> bool:
    """Whether the first line is such a game."""
    first = data.split(b"\n", 1)[0].strip()
    return first.startswith(b"{") and first.endswith(b"}") and all(f'"{key}"'.encode() in first for key in NEEDED)


def read_training(data: bytes, name: str | None = None) -> list[GameFile]:
    """All games of such a file; `name`: the game, with its options as in `ataxx:rules=uai`."""
    return list(games_in(data.splitlines(), _game(name)))


def games_in(lines: list[bytes], played: Game, number: int | None = None) -> Iterator[GameFile]:
    """The games of the lines; only that with `number`, where there is one."""
    for at, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            table = json.loads(line)
            if number is None or table["number"] == number:
                yield _file(table, played)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadRecord(f"line {at} is no game of a training run: {error!r}") from None


def _game(name: str | None) -> Game:
    if name is None:
        raise BadRecord("games of a training run do not name their game: expected it beside them, as in GAME:rules=uai")
    spec = parse_spec(name)
    return game(spec.name, **spec.options)


def run_of(path: Path) -> Path | None:
    """The folder of the run that a path lies in; None where it is in no run."""
    return next((folder for folder in (path, *path.parents) if (folder / "recipe.toml").is_file()), None)


def game_of_run(folder: Path) -> Game:
    """The game that a run trains."""
    recipe = tomllib.loads((folder / "recipe.toml").read_text(encoding="utf-8"))
    return game(recipe["game"], **recipe.get("options", {}))


def _file(table: dict[str, Any], played: Game) -> GameFile:
    values = [*table.get("values", ())]
    moves = table["moves"]
    opinions = [_opinion(value) for value in values[: len(moves)]] + [None] * (len(moves) + 1 - len(values))
    opening = table.get("opening") or 0
    file = GameFile(
        game=played,
        start=str(played.parse(table["start"])),
        steps=tuple(Step(move=move, opinion=opinions[ply]) for ply, move in enumerate(moves, 1)),
        opinion=opinions[0],
        seats=(Seat(name="self-play"), Seat(name="self-play")),
        event=f"game {table['number']}",
        comment=f"{opening} plies at random" if opening else "",
        tags={key: json.dumps(table[key]) for key in TERMS if key in table},
    )
    return checked(_with_result(file, table))


def _with_result(file: GameFile, table: dict[str, Any]) -> GameFile:
    """The same with its result: the rules', or a resignation."""
    by_rules = result_of(file.states()[-1])
    if by_rules is None and table["reason"] == RESIGNED:
        by_rules = Result(winner=table["winner"], reason="resignation")
    elif by_rules is None:
        by_rules = Result(winner=table["winner"], reason="recorded")
    elif by_rules.winner != table["winner"]:
        raise BadRecord(f"winner {table['winner']}, by the rules {by_rules.winner} ({by_rules.reason})")
    return replace(file, result=by_rules)


def _opinion(value: float | None) -> Opinion | None:
    return None if value is None else Opinion(first=min(1.0, max(0.0, (value + 1) / 2)), by="self-play")
