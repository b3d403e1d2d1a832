"""Dark chess in words."""

from qilin.words import Glyph, Text, Words

GAME = Words(
    title=Text(en="Dark chess", zh="暗棋"),
    summary=Text(
        en="Turn pieces up and capture by rank; the first to have 60 points wins.",
        zh="翻开暗子，按大小吃子，先得 60 分者胜。",
    ),
    players=(Text(en="Red", zh="红"), Text(en="Black", zh="黑")),
    moves=Text(en="a square to turn up, as in b2, or from and to, as in b2b3", zh="翻子打格名，如 b2；走子如 b2b3"),
    letters={
        "?": Glyph("■", "yellow"),
        "P": Glyph("兵", "bold red"),
        "C": Glyph("炮", "bold red"),
        "N": Glyph("马", "bold red"),
        "R": Glyph("车", "bold red"),
        "B": Glyph("相", "bold red"),
        "A": Glyph("仕", "bold red"),
        "K": Glyph("帅", "bold red"),
        "p": Glyph("卒", "bold blue"),
        "c": Glyph("砲", "bold blue"),
        "n": Glyph("馬", "bold blue"),
        "r": Glyph("車", "bold blue"),
        "b": Glyph("象", "bold blue"),
        "a": Glyph("士", "bold blue"),
        "k": Glyph("将", "bold blue"),
    },
    reasons={
        "points": Text(en="60 points are reached", zh="得满 60 分"),
        "no_moves": Text(en="the other side has no legal ply", zh="对方无棋可走"),
        "no_progress": Text(en="24 plies without a capture or a flip", zh="连续 24 步未吃子、未翻子"),
        "ply_limit": Text(en="the limit of 100 plies is reached", zh="满 100 步"),
    },
)
