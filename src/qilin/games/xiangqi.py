"""Xiangqi in words."""

from qilin.words import Glyph, Text, Words

GAME = Words(
    title=Text(en="Xiangqi", zh="中国象棋"),
    summary=Text(
        en="Chinese chess: checkmate the general, or leave the enemy without a move.",
        zh="将死对方的将帅，或使对方无子可走者胜。",
    ),
    players=(Text(en="Red", zh="红"), Text(en="Black", zh="黑")),
    moves=Text(en="from and to, as in h2e2", zh="起点和终点，如 h2e2"),
    letters={
        "K": Glyph("帅", "bold red"),
        "A": Glyph("仕", "bold red"),
        "B": Glyph("相", "bold red"),
        "N": Glyph("马", "bold red"),
        "R": Glyph("车", "bold red"),
        "C": Glyph("炮", "bold red"),
        "P": Glyph("兵", "bold red"),
        "k": Glyph("将", "bold blue"),
        "a": Glyph("士", "bold blue"),
        "b": Glyph("象", "bold blue"),
        "n": Glyph("馬", "bold blue"),
        "r": Glyph("車", "bold blue"),
        "c": Glyph("砲", "bold blue"),
        "p": Glyph("卒", "bold blue"),
    },
    reasons={
        "checkmate": Text(en="checkmate", zh="将死"),
        "stalemate": Text(en="the other side has no legal move", zh="困毙"),
        "perpetual_check": Text(en="the other side gave perpetual check", zh="对方长将"),
        "repetition": Text(en="the position came three times", zh="同一局面出现三次"),
        "no_capture": Text(en="too long without a capture", zh="长时间未吃子"),
        "ply_limit": Text(en="the limit of plies is reached", zh="达到步数上限"),
    },
)
