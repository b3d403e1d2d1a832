"""Games from and to files of other programs, and our own: one door, that recognises what it is given.

>>> [file] = read_games('[Game "connect_four"]\\n\\n1. d d 2. d *')
>>> [step.move for step in file.steps]
['d', 'd', 'd']
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from qilin.convert.format import Format
from qilin.convert.matches import looks_like_matches, match_games
from qilin.convert.pgn import looks_like_pgn, read_pgn, write_pgn
from qilin.convert.training import game_of_run, games_in, looks_like_training, read_training, run_of
from qilin.errors import BadRecord
from qilin.game_file import GameFile, read_game, write_game
from qilin.replay import html
from qilin.words import Text

LARGEST = 16 << 20  # bytes of a file that is read


def _is_ours(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{" and b'"format"' in data[:4096]


OWN: Mapping[str, Format] = {
    "json": Format(
        words=Text(en="Qilin game file", zh="棋林棋谱"),
        suffix=".json",
        mime="application/json",
        recognise=_is_ours,
        read=lambda data, game: [read_game(data)],
        write=lambda file, notation: write_game(file),
    ),
    "training": Format(
        words=Text(en="games of a training run", zh="训练对局"),
        suffix=".jsonl",
        mime="application/x-ndjson",
        recognise=looks_like_training,
        read=read_training,
    ),
    "html": Format(
        words=Text(en="page that opens from disk", zh="可离线打开的网页"),
        suffix=".html",
        mime="text/html",
        write=lambda file, notation: html(file),
    ),
    "pgn": Format(
        words=Text(en="PGN", zh="PGN 棋谱"),
        suffix=".pgn",
        mime="application/x-chess-pgn",
        recognise=looks_like_pgn,
        read=read_pgn,
        write=write_pgn,
    ),
}


@cache
def formats() -> dict[str, Format]:
    """Every kind of file; those that belong to one game come from the module of that game in `qilin.foreign`."""
    import qilin.foreign

    found = dict(OWN)
    for module in iter_modules(qilin.foreign.__path__):
        found |= import_module(f"qilin.foreign.{module.name}").FORMATS
    return found


def read_games(data: bytes | str, *, form: str | None = None, game: str | None = None) -> list[GameFile]:
    """All games of a file, given as its bytes, its text, or a data address.

    `form`: what kind of file it is; None: that is recognised. `game`: for files that do not say.

    :raises BadRecord: where it is none of these, or damaged; the message says where.
    """
    raw = _raw(data)
    if len(raw) > LARGEST:
        raise BadRecord(f"the file has {len(raw)} bytes, expected at most {LARGEST}")
    kind = _recognised(raw) if form is None else _known(form)
    if kind.read is None:
        able = ", ".join(name for name, other in formats().items() if other.read)
        raise BadRecord(f"files of kind {form!r} are not read; expected one of {able}")
    return kind.read(raw, game)


def _recognised(raw: bytes) -> Format:
    for kind in formats().values():
        if kind.recognise(raw):
            return kind
    raise BadRecord(f"the file begins with {raw[:40]!r}: expected one of {', '.join(formats())}")


def _raw(data: bytes | str) -> bytes:
    """The bytes of a file; a text may be a data address, as a browser makes it of a file."""
    if isinstance(data, bytes):
        return data
    head, comma, _ = data[:200].partition(";base64,")
    if not (comma and head.startswith("data:")):
        return data.encode()
    try:
        return base64.b64decode(data[len(head) + len(comma) :], validate=True)
    except ValueError as error:
        raise BadRecord(f"the file's data address is damaged: {error}") from None


def games_at(path: Path, *, game: str | None = None, number: int | None = None) -> Iterator[GameFile]:
    """The games of a file or of a training run's folder; only the one with `number`, where it is given.

    Games of a run have numbers of their own; in other files they are counted from 1.
    """
    if not path.exists():
        raise BadRecord(f"{path}: there is no such file")
    run = run_of(path.resolve())
    if path.is_dir() or (run and path.suffix == ".jsonl"):
        if run is None:
            raise BadRecord(f"{path} is a folder without a recipe.toml: expected a file of games, or a training run")
        files = sorted((run / "games").glob("*.jsonl")) if path.is_dir() else [path]
        for file in files:
            yield from games_in(file.read_bytes().splitlines(), game_of_run(run), number)
    elif looks_like_matches(path):
        yield from match_games(path, number)
    else:
        games = read_games(path.read_bytes(), game=game)
        yield from games if number is None else games[number - 1 : number]


def write_game_as(file: GameFile, form: str = "json", *, notation: str | None = None) -> str:
    """The text of a file of kind `form`."""
    kind = _known(form)
    if kind.write is None:
        able = ", ".join(name for name, other in formats().items() if other.write)
        raise BadRecord(f"files of kind {form!r} are only read; expected one of {able}")
    if kind.games is not None and file.game.name not in kind.games:
        raise BadRecord(
            f"files of kind {form!r} hold games of {', '.join(kind.games)}, this is one of {file.game.name}"
        )
    return kind.write(file, notation)


def _known(form: str) -> Format:
    if form not in formats():
        raise BadRecord(f"no kind of file is called {form!r}; there are {', '.join(formats())}")
    return formats()[form]
