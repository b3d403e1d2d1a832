"""Engine processes: bounded, cancelled when nobody waits, replaced when they fail."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qilin
from qilin.web.engines import Engines, Job
from qilin.web.errors import Busy, EngineFailed
from qilin.web.limits import Limits


def job(player: str = "random", do: str = "choose", seconds: float = 10.0, **more: Any) -> Job:
    game = qilin.game("connect_four")
    return Job(
        do=do,
        game="connect_four",
        options=game.options,
        position=str(game.start()),
        moves=(),
        player=player,
        seed=1,
        owner=more.pop("owner", "test"),
        seconds=seconds,
        **more,
    )


FOREVER = "alphabeta:depth=1000,table=1"


def run(work: Callable[[Engines], Awaitable[None]], **limits: Any) -> None:
    async def go() -> None:
        engines = Engines(Limits(**{"workers": 2, **limits}))
        await engines.start()
        try:
            await asyncio.wait_for(work(engines), 60)
        finally:
            await engines.close()

    asyncio.run(go())


async def is_idle(engines: Engines) -> bool:
    for _ in range(100):
        if engines.running == engines.waiting == 0:
            return True
        await asyncio.sleep(0.05)
    return False


def test_a_full_server_is_busy_and_says_until_when() -> None:
    async def work(engines: Engines) -> None:
        await asyncio.gather(engines.ask(job(FOREVER, seconds=0.2)), engines.ask(job(FOREVER, seconds=0.2)))
        asked = [asyncio.create_task(engines.ask(job(FOREVER, seconds=60))) for _ in range(2)]
        while engines.running < 2:
            await asyncio.sleep(0.05)
        asked += [asyncio.create_task(engines.ask(job(FOREVER, seconds=60))) for _ in range(3)]
        await asyncio.sleep(0.1)
        assert engines.running == 2
        assert engines.waiting == 3
        with pytest.raises(Busy) as caught:
            await engines.ask(job())
        assert caught.value.retry >= 1
        assert caught.value.as_json()["retry"] == caught.value.retry
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert await is_idle(engines)
        assert "move" in await engines.ask(job())

    run(work, waiting=3)


def test_a_search_ends_when_nobody_waits() -> None:
    async def work(engines: Engines) -> None:
        await engines.ask(job())
        task = asyncio.create_task(engines.ask(job(FOREVER, seconds=60)))
        await asyncio.sleep(0.5)
        assert engines.running == 1
        task.cancel()
        began = time.monotonic()
        assert await is_idle(engines)
        assert time.monotonic() - began < 3
        assert "move" in await engines.ask(job())

    run(work)


def test_a_search_ends_when_its_time_is_up() -> None:
    async def work(engines: Engines) -> None:
        await engines.ask(job())
        began = time.monotonic()
        assert (await engines.ask(job(FOREVER, seconds=0.3)))["move"]
        assert time.monotonic() - began < 5

    run(work)


def test_analyses_never_take_the_last_engine() -> None:
    async def work(engines: Engines) -> None:
        asked = [asyncio.create_task(engines.ask(job(FOREVER, "analyse", seconds=60))) for _ in range(3)]
        await asyncio.sleep(1.0)
        assert engines.running == 1
        began = time.monotonic()
        await engines.ask(job())
        assert time.monotonic() - began < 3
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    run(work)


def test_an_analysis_gives_way_when_others_wait() -> None:
    async def work(engines: Engines) -> None:
        asked = [asyncio.create_task(engines.ask(job(FOREVER, "analyse", seconds=60))) for _ in range(2)]
        first = await asyncio.wait_for(asked[0], 20)
        assert first["analysis"]["lines"]
        asked[1].cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    run(work, share=0.3)


def test_improvements_come_while_it_thinks() -> None:
    async def work(engines: Engines) -> None:
        told: list[dict[str, Any]] = []
        last = await engines.ask(job("mcts:time=700ms", "analyse", lines=2), told.append)
        assert len(told) >= 2
        assert told[-1]["analysis"]["heat"]
        assert len(last["analysis"]["lines"]) == 2
        assert sum(move["share"] for move in last["analysis"]["heat"]) == pytest.approx(1)
        assert {move["to"] for move in last["analysis"]["heat"]} == {f"{column}1" for column in "abcdefg"}

    run(work)


def test_an_engine_that_has_seen_many_games_still_has_memory() -> None:
    """A tree that grows by the clock may take 512 MiB, and a process has 2 GiB: what is not needed goes at once."""

    async def work(engines: Engines) -> None:
        for name in qilin.games() * 2:
            start = qilin.game(name).start()
            one = replace(
                job("mcts:time=1s", seconds=0.05, owner=name),
                game=name,
                options=start.game.options,
                position=str(start),
            )
            assert (await engines.ask(one))["move"]

    run(work, workers=1)


def test_a_failed_engine_is_named_and_replaced() -> None:
    async def work(engines: Engines) -> None:
        with pytest.raises(EngineFailed, match="no player is called 'nobody'"):
            await engines.ask(job("nobody"))
        with pytest.raises(EngineFailed):
            await engines.ask(job("alphabeta:table=100000,depth=3"))
        for _ in range(4):
            assert "move" in await engines.ask(job())

    run(work, memory=1 << 30)


def test_a_killed_engine_is_replaced() -> None:
    async def work(engines: Engines) -> None:
        await engines.ask(job())
        task = asyncio.create_task(engines.ask(job("alphabeta:depth=1000", seconds=60)))
        await asyncio.sleep(0.5)
        for pid in await children():
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(EngineFailed):
            await task
        assert "move" in await engines.ask(job())

    run(work)


async def children() -> list[int]:
    """The engine processes of this test."""
    path = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    found = [int(pid) for pid in path.read_text().split()]
    return [pid for pid in found if b"qilin.web.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]
