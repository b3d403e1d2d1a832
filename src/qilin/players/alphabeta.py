"""The alpha-beta search as a player."""

from __future__ import annotations

from dataclasses import dataclass, field

from qilin import _core
from qilin.errors import BadSpec
from qilin.players.analysis import Analysis, Line, Watch, moves_of
from qilin.spec import option, seconds, whole
from qilin.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaBetaOptions:
    """How far an alpha-beta search goes. Several limits: the first one reached ends it. None at all: one second."""

    time: float | None = field(
        default=None,
        metadata=option(seconds, "a time, as in 980ms or 1.5s", "time a move; the answer is there by then"),
    )
    depth: int | None = field(default=None, metadata=option(whole, "a whole number from 1 up", "plies to look ahead"))
    nodes: int | None = field(default=None, metadata=option(whole, "a whole number from 1 up", "positions to look at"))
    threads: int = field(default=1, metadata=option(whole, "a whole number from 1 up", "threads that search together"))
    table: int = field(default=16, metadata=option(whole, "MiB, from 1 up", "memory for positions seen, in MiB"))


@dataclass(slots=True, kw_only=True)
class AlphaBeta:
    """Alpha-beta search over the hand-written evaluation."""

    name: str
    options: AlphaBetaOptions
    seed: int = 0  # the search takes no chances; kept so that all players are made alike
    _rules: _core.Rules | None = field(init=False, default=None)
    _engine: _core.AlphaBeta | None = field(init=False, default=None)

    def choose(self, state: State) -> str:
        """The first move of the best line."""
        moves_of(state)
        return self._search(state, 1, None).lines[0].moves[0]

    def analyse(self, state: State, *, lines: int = 1, watch: Watch | None = None) -> Analysis:
        """The best lines; `watch` is told after every completed depth."""
        return self._search(state, lines, watch)

    def _search(self, state: State, lines: int, watch: Watch | None) -> Analysis:
        limits = self.options
        unlimited = limits.time is None and limits.depth is None and limits.nodes is None
        found = self._engine_for(state).search(
            state._position,
            depth=limits.depth,
            nodes=limits.nodes,
            time=1.0 if unlimited else limits.time,
            lines=lines,
            watch=(lambda found: watch(_analysis(found))) if watch else None,
        )
        return _analysis(found)

    def _engine_for(self, state: State) -> _core.AlphaBeta:
        rules = state.game._rules
        if self._engine is None or self._rules is not rules:
            try:
                self._engine = _core.AlphaBeta(rules, table_mib=self.options.table, threads=self.options.threads)
            except ValueError as error:
                raise BadSpec(f"{self.name!r}: {error}") from None
            self._rules = rules
        return self._engine

    def stop(self) -> None:
        """End the search; it answers with the last completed depth."""
        if self._engine is not None:
            self._engine.stop()

    def forget(self) -> None:
        """Empty the table."""
        if self._engine is not None:
            self._engine.forget()


def _analysis(found: _core.Found) -> Analysis:
    lines = tuple(Line(moves=tuple(line.moves), win=line.win, ends=line.ends, depth=line.depth) for line in found.lines)
    return Analysis(lines=lines, depth=found.depth, nodes=found.nodes, seconds=found.seconds, stopped=found.stopped)
