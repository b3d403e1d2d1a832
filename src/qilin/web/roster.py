"""Who can be played against: players by what is known of their strength, and networks by name.

A client names a network; only the server knows where it lies. No file outside the two folders is opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any

from qilin.errors import BadSpec
from qilin.players import KINDS
from qilin.players.level import levels
from qilin.spec import Spec, parse_spec, read_options
from qilin.view import said
from qilin.web.errors import Forbidden, NotFound
from qilin.web.limits import Limits
from qilin.words import Text

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,99}")
WEIGHTS = ".safetensors"
SUFFIXES = (".onnx", WEIGHTS)  # data alone: nothing in them is ever run
HEADER = 1 << 20  # bytes of what a file of weights says about itself, at most
KEY = "qilin"
NETWORK = "net"

SUMMARIES = {
    "random": Text(en="any legal move", zh="任意合法着法"),
    "greedy": Text(en="the move that looks best at once", zh="只看眼前一步"),
    "alphabeta": Text(en="alpha-beta over a hand-written evaluation", zh="手写评估的 alpha-beta 搜索"),
    "mcts": Text(en="tree search without a network", zh="不用网络的树搜索"),
    "net": Text(en="tree search with a trained network", zh="训练过的网络加树搜索"),
    "level": Text(en="an opponent of measured strength, 1 the weakest", zh="按实测强度分级的对手，1 级最弱"),
}
TITLES = {
    "random": Text(en="Random", zh="随机"),
    "greedy": Text(en="Greedy", zh="贪心"),
    "alphabeta:time=1s": Text(en="Alpha-beta, 1 s", zh="Alpha-beta，1 秒"),
    "alphabeta:time=5s": Text(en="Alpha-beta, 5 s", zh="Alpha-beta，5 秒"),
    "mcts:time=1s": Text(en="Tree search, 1 s", zh="树搜索，1 秒"),
    "mcts:time=5s": Text(en="Tree search, 5 s", zh="树搜索，5 秒"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A network that is there."""

    name: str
    path: Path

    def facts(self) -> dict[str, Any]:
        """What a file of weights says about itself; nothing of other files, and of damaged ones."""
        try:
            with self.path.open("rb") as file:
                size = int.from_bytes(file.read(8), "little")
                header = json.loads(file.read(size)) if self.path.suffix == WEIGHTS and size <= HEADER else {}
            found = json.loads(header.get("__metadata__", {}).get(KEY, "{}"))
        except (OSError, ValueError, AttributeError):
            return {}
        meta = found.get("meta") if isinstance(found, dict) else None
        return meta if isinstance(meta, dict) else {}


class Roster:
    """The players of this machine."""

    def __init__(self, limits: Limits, models: Path, runs: Path) -> None:
        """`models`: a folder of networks; `runs`: a folder of training runs, whose checkpoints are networks, too."""
        self.limits, self.models, self.runs = limits, models, runs

    def networks(self) -> list[Network]:
        """The networks of both folders, by name; those of runs are called RUN@ITERATION, and RUN@best."""
        found = {network.name: network for network in (*self._of_runs(), *self._of_models())}
        return [found[name] for name in sorted(found)]

    def _of_models(self) -> Iterator[Network]:
        for path in (path for suffix in SUFFIXES for path in self.models.glob(f"*{suffix}")):
            if NAME.fullmatch(path.stem) and self._is_within(path, self.models):
                yield Network(name=path.stem, path=path)

    def _of_runs(self) -> Iterator[Network]:
        for path in sorted(self.runs.glob("*/checkpoints/*/network.safetensors")):
            iteration = path.parent.name
            name = f"{path.parents[2].name}@{int(iteration) if iteration.isdecimal() else iteration}"
            if NAME.fullmatch(name) and self._is_within(path, self.runs):
                yield Network(name=name, path=path)
        for path in sorted(self.runs.glob("*/best.safetensors")):
            name = f"{path.parent.name}@best"
            if NAME.fullmatch(name) and self._is_within(path, self.runs):
                yield Network(name=name, path=path)

    @staticmethod
    def _is_within(path: Path, folder: Path) -> bool:
        """Whether a file lies in a folder, links followed, and a spec can hold its path."""
        return path.is_file() and path.resolve().is_relative_to(folder.resolve()) and "," not in str(path)

    def network(self, name: str) -> Network:
        """The network of that name."""
        for network in self.networks() if NAME.fullmatch(name) else ():
            if network.name == name:
                return network
        raise NotFound(f"no network is called {name[:100]!r}; GET /api/networks lists them")

    def admit(self, spec: str) -> str:
        """A player's spec as an engine gets it: known, within the limits, a network's name replaced by its place.

        :raises BadSpec: as `qilin.player` does.
        :raises Forbidden: for more than the server gives to one search.
        """
        if len(spec) > 200:
            raise BadSpec(f"{spec[:60]!r}… is too long for a player's name")
        parsed = parse_spec(spec)
        if parsed.name not in KINDS:
            raise BadSpec(f"no player is called {parsed.name[:60]!r}; the players are {', '.join(KINDS)}")
        self._check(parsed)
        if parsed.name == NETWORK:
            return self._placed(parsed)
        KINDS[parsed.name].make(spec, parsed, 0)
        return spec

    def _placed(self, parsed: Spec) -> str:
        if parsed.argument is None:
            raise BadSpec(f"{NETWORK} needs a network's name, as in {NETWORK}:NAME")
        parts: list[str] = [str(self.network(parsed.argument).path)]
        parts += [f"{key}={value}" for key, value in parsed.options.items()]
        return f"{NETWORK}:{','.join(parts)}"

    def _check(self, parsed: Spec) -> None:
        kind = KINDS[parsed.name].options
        if kind is None:
            return
        options: Any = read_options(kind, parsed)
        most = {
            "threads": 1,
            "table": self.limits.table_mib,
            "sims": self.limits.simulations,
            "time": self.limits.move_seconds,
        }
        for name, limit in most.items():
            value = getattr(options, name, None)
            if value is not None and value > limit:
                raise Forbidden(f"{parsed.name}: {name} is {value:g}, and this server gives {limit:g} at most")

    def timed(self, spec: str, seconds: float) -> str:
        """The same player, thinking for so long, where it can and nothing else was said."""
        parsed = parse_spec(spec)
        kind = KINDS[parsed.name].options if parsed.name in KINDS else None
        takes_time = kind is not None and any(field.name == "time" for field in fields_of(kind))
        limits = {"time", "depth", "nodes", "sims"}
        if not takes_time or limits & parsed.options.keys():
            return spec
        return f"{spec}{',' if parsed.argument or parsed.options else ':'}time={seconds:g}s"

    def players(self, game: str) -> list[dict[str, Any]]:
        """Everybody who plays this game, the weakest first as far as that is known."""
        return [*_levels(game), *_engines(), *self._network_players(game)]

    def _network_players(self, game: str) -> list[dict[str, Any]]:
        fitting = [network for network in self.networks() if network.facts().get("game", game) == game]
        return [_shown(f"{NETWORK}:{one.name}", "network", Text(en=one.name, zh=one.name)) for one in fitting]


def _levels(game: str) -> list[dict[str, Any]]:
    return [
        {
            **_shown(f"level:{level.number}", "level", Text(en=f"Level {level.number}", zh=f"{level.number} 级")),
            "level": level.number,
            "measured": level.as_json(),
        }
        for level in levels(game)
    ]


def _engines() -> list[dict[str, Any]]:
    return [_shown(spec, "engine", title) for spec, title in TITLES.items()]


def _shown(spec: str, kind: str, title: Text) -> dict[str, Any]:
    summary = said(SUMMARIES[parse_spec(spec).name])
    return {"spec": spec, "kind": kind, "level": None, "title": said(title), "summary": summary, "measured": None}
