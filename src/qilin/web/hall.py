"""Everything that a running server has, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from qilin.web.analyses import Analyses
from qilin.web.engines import Engines
from qilin.web.library import Library
from qilin.web.limits import Limits
from qilin.web.matches import Matches
from qilin.web.places import home
from qilin.web.rooms import House
from qilin.web.roster import Roster
from qilin.web.runs import Runs
from qilin.web.store import Keeper, open_keeper


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where a server finds and keeps things, and what it gives to whom."""

    database: Path = field(default_factory=lambda: home() / "web.sqlite")
    models: Path = field(default_factory=lambda: home() / "models")
    runs: Path = field(default_factory=lambda: Path("runs"))
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")  # names that a request may address
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """The parts of a server."""

    limits: Limits
    engines: Engines
    keeper: Keeper
    roster: Roster
    house: House
    analyses: Analyses
    matches: Matches
    library: Library
    runs: Runs


@asynccontextmanager
async def open_hall(settings: Settings) -> AsyncIterator[Hall]:
    """Everything started; and ended in the end."""
    limits = settings.limits
    engines, roster = Engines(limits), Roster(limits, settings.models, settings.runs)
    with open_keeper(settings.database) as keeper:
        library = Library(keeper)
        house = House(limits, engines, keeper, roster, library.keep_table)
        analyses = Analyses(limits, engines, roster)
        matches = Matches(limits, engines, roster, library)
        await engines.start()
        try:
            yield Hall(
                limits=limits,
                engines=engines,
                keeper=keeper,
                roster=roster,
                house=house,
                analyses=analyses,
                matches=matches,
                library=library,
                runs=Runs(settings.runs),
            )
        finally:
            await analyses.close()
            await matches.close()
            await house.close()
            await engines.close()
