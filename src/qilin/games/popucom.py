"""Popucom chess in words."""

from qilin.words import Glyph, Text, Words

# Both layers are readable without colour: a stone's shape says whose it is, and it is filled on its own floor.
GAME = Words(
    title=Text(en="Popucom chess", zh="泡姆棋"),
    summary=Text(
        en="Three of your stones in a line leave and paint the line in your colour; most floor wins.",
        zh="己方三子连线即消除，并把所在的线涂成己方颜色；地板多者胜。",
    ),
    players=(Text(en="Black (red)", zh="黑方（红）"), Text(en="White (green)", zh="白方（绿）")),
    moves=Text(en="the cell, as in e5", zh="格子的坐标，如 e5"),
    letters={
        "x": Glyph("△", "bold red"),
        "o": Glyph("○", "bold green"),
        "X": Glyph("▲", "bold red"),
        "O": Glyph("●", "bold green"),
        "b": Glyph("▴", "red"),
        "w": Glyph("•", "green"),
    },
    reasons={
        "floor": Text(en="all stones are out, and the floor is counted", zh="棋子用尽，比较地板"),
        "no_moves": Text(en="the other side has no legal cell", zh="对方无处落子"),
    },
    counters={
        "stones_left": Text(en="stones left", zh="剩余棋子"),
    },
    sets={
        "first_floor": Text(en="floor of Black", zh="黑方地板"),
        "second_floor": Text(en="floor of White", zh="白方地板"),
    },
    whys={
        "taken": Text(en="A stone is there already.", zh="这里已有棋子。"),
        "enemy_floor": Text(en="The floor there is the enemy's.", zh="这里是对方的地板。"),
        "one_cell": Text(en="A ply is one cell: stones are put, never moved.", zh="每步只落一子，棋子不能移动。"),
    },
    faults={
        "the number of its stones left": "该方剩余棋子数",
        "stones have left, and what leaves last leaves three painted cells or more": (
            "已有棋子消除，最后一次消除至少会留下三格涂色的地板"
        ),
        "{} has more stones on the board than the {} it put": "{0} 只落过 {1} 子，棋盘上却更多",
        "{} put {} stones and has {} on the board, but three or more leave at a time": (
            "{0} 落过 {1} 子，棋盘上有 {2} 子；但每次至少消除三子"
        ),
        "{} has floor, but none of its stones has left": "{0} 有地板，却没有棋子消除过",
        "three {} stand in a line; they would have left": "三枚 {0} 连成一线，早应消除",
    },
)
