"""Liuzhou chess in words."""

from qilin.words import Glyph, Text, Words

GAME = Words(
    title=Text(en="Liuzhou chess", zh="六洲棋"),
    summary=Text(
        en="Fill the board, then slide stones; squares and lines of your colour take stones of the other.",
        zh="先落满棋盘，再移动棋子；己方成方、成洲便可吃去对方的棋子。",
    ),
    players=(Text(en="Black", zh="黑"), Text(en="White", zh="白")),
    moves=Text(en="a point, as in c3, or a step, as in c3c4", zh="点，如 c3；走一步，如 c3c4"),
    letters={
        "x": Glyph("●", "bold cyan"),
        "o": Glyph("○", "bold yellow"),
        "X": Glyph("◆", "dim cyan"),  # marked: another shape, not another colour alone
        "O": Glyph("◇", "dim yellow"),
    },
    reasons={
        "captured_all": Text(en="the other side has no stone left", zh="对方棋子全部被吃"),
        "under_four": Text(en="the other side has fewer than four stones left", zh="对方棋子不足四枚"),
        "no_moves": Text(en="the other side has nothing to choose", zh="对方无棋可选"),
        "ply_limit": Text(en="the limit of plies is reached", zh="步数已达上限"),
        "no_loss": Text(en="no stone has left the board for 36 plies", zh="连续 36 步没有吃子"),
    },
)
