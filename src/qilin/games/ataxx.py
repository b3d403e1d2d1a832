"""Ataxx in words."""

from qilin.words import Glyph, Text, Words

GAME = Words(
    title=Text(en="Ataxx", zh="同化棋"),
    summary=Text(
        en="Clone stones or jump with them; enemies next to the landing cell turn; more stones at the end win.",
        zh="棋子向邻格复制或跳到两格外，落点四周的敌子变为己方；终局子多者胜。",
    ),
    players=(Text(en="Black", zh="黑"), Text(en="White", zh="白")),
    moves=Text(
        en="the cell to clone to, as in g2, or a jump, as in g1g3; 0000 passes",
        zh="复制到的格，如 g2；跳跃写起点和终点，如 g1g3；0000 表示停一手",
    ),
    letters={
        "x": Glyph("●", "bold cyan"),
        "o": Glyph("○", "bold yellow"),
        "-": Glyph("▒", "dim"),
    },
    reasons={
        "wiped_out": Text(en="the other side has no stone left", zh="对方棋子全部被同化"),
        "no_moves": Text(en="a side has no move left", zh="有一方无棋可走"),
        "full": Text(en="the board is full", zh="棋盘已满"),
        "ply_limit": Text(en="401 plies have been played", zh="已走满 401 步"),
        "no_progress": Text(en="100 half-moves without a clone", zh="连续 100 步没有复制"),
        "repetition": Text(en="every ply of the other side would repeat the game", zh="对方只剩重复局面的着法"),
    },
    counters={
        "plies": Text(en="plies played", zh="已走步数"),
        "no_clone": Text(en="half-moves without a clone", zh="未复制的步数"),
    },
    whys={
        "taken": Text(en="A stone is there already.", zh="这里已有棋子。"),
        "blocked": Text(en="That cell is blocked.", zh="这一格被封住了。"),
        "too_far": Text(
            en="A stone clones one cell away and jumps two; that cell is farther.",
            zh="棋子只能复制到邻格或跳到两格远，这里太远。",
        ),
        "no_stone": Text(en="There is no stone to move.", zh="起点没有棋子。"),
        "not_yours": Text(en="That stone is the enemy's.", zh="那是对方的棋子。"),
        "beside": Text(
            en="That cell is next to the stone: to clone, name the target cell alone.",
            zh="目标就在旁边：复制时只写目标格。",
        ),
        "repeats": Text(
            en="This ply would repeat the game: both its positions stood one right after the other already.",
            zh="这步会使局面重复：走前与走后的局面已相继出现过。",
        ),
    },
    faults={
        "plies since the last clone": "未复制的步数",
        "neither side has a stone": "双方都没有棋子",
        "there were {} plies, so not {} since the last clone": "一共才走了 {0} 步，不可能有 {1} 步未复制",
        "without a clone every {} plies the game would have ended": "若不是每 {0} 步内都有复制，棋局早已结束",
    },
    options={
        "rules": Text(en="Rules", zh="规则"),
    },
    choices={
        "botzone": Text(en="Botzone: no passing, no repeating", zh="Botzone：不可停手、不可重复"),
        "uai": Text(en="UAI: passing", zh="UAI：无棋可走时停一手"),
    },
)
