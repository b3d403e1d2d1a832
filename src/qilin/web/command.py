"""The command `qilin serve`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from qilin.errors import QilinError

console = Console(highlight=False)


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0: all of them.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8000,
    opens: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    models: Annotated[Path | None, typer.Option(help="The folder of networks.")] = None,
    runs: Annotated[Path, typer.Option(help="The folder of training runs.")] = Path("runs"),
    database: Annotated[Path | None, typer.Option("--db", help="Where games are kept.")] = None,
) -> None:
    """Open the board in a browser: play, analyse, replay, and watch training. Ctrl-C ends it."""
    if missing := [name for name in ("fastapi", "uvicorn", "websockets") if find_spec(name) is None]:
        raise QilinError(f"{', '.join(missing)} is missing: install the server's parts with: pip install 'qilin[web]'")
    from qilin.web.hall import Settings
    from qilin.web.places import home
    from qilin.web.serve import hosts_for, run

    settings = Settings(
        database=database or home() / "web.sqlite",
        models=models or home() / "models",
        runs=runs,
        hosts=hosts_for(host),
    )
    run(settings, host, port, opens=opens, say=lambda address: console.print(f"Qilin is at {address} (Ctrl-C ends it)"))
