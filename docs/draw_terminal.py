"""Draws docs/terminal.svg, the README's picture: python docs/draw_terminal.py."""

from pathlib import Path

from rich.console import Console

import qilin
from qilin.drawing import picture

console = Console(record=True, width=72, file=open("/dev/null", "w"))  # noqa: SIM115  # lives as long as the script
state = qilin.game("xiangqi").start()
for move in ("h2e2", "h9g7", "h0g2", "i9h9"):
    state = state.play(move)
console.print("[dim]$[/] qilin play xiangqi --against alphabeta:time=1s")
console.print(picture(state))
console.print("[dim]>[/] i0h0")
console.print("  Black plays [bold]" + qilin.player("alphabeta:depth=6").choose(state.play("i0h0")) + "[/]")
console.save_svg(str(Path(__file__).parent / "terminal.svg"), title="qilin")
