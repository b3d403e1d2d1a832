"""Connect four in words."""

from qilin.words import Glyph, Text, Words

GAME = Words(
    title=Text(en="Connect four", zh="四子棋"),
    summary=Text(en="Drop discs into columns; four in a row win.", zh="轮流向各列落子，先连成四子者胜。"),
    players=(Text(en="Red", zh="红"), Text(en="Yellow", zh="黄")),
    moves=Text(en="the column, as in d", zh="列的字母，如 d"),
    letters={"x": Glyph("●", "red"), "o": Glyph("●", "yellow")},
    reasons={
        "four": Text(en="four in a row", zh="连成四子"),
        "full": Text(en="the board is full", zh="棋盘已满"),
    },
    sets={
        "four": Text(en="the four that won", zh="获胜的四子"),
    },
    whys={
        "column_full": Text(en="The column is full.", zh="这一列已经满了。"),
        "not_the_landing": Text(
            en="A disc falls to the lowest empty cell of its column.", zh="棋子会落到该列最下面的空格。"
        ),
    },
    faults={
        "a disc hangs in the air": "有棋子悬空",
        "x has {} discs and o {}; x starts, and they take turns": "x 有 {0} 子，o 有 {1} 子；x 先行，双方轮流落子",
        "it is {}'s turn by the discs": "按子数应轮到 {0}",
        "the side to move has won already": "行棋方已经获胜",
    },
)
