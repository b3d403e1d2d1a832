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
    counters={
        "plies": Text(en="plies played", zh="已走步数"),
        "no_loss": Text(en="plies without a loss", zh="未吃子的步数"),
    },
    phases={
        "placement": Text(en="put a stone", zh="落子"),
        "mark": Text(en="mark an enemy stone", zh="标记对方一子"),
        "forced": Text(en="take an enemy stone: nobody marked one", zh="无标记：吃去对方一子"),
        "movement": Text(en="move a stone", zh="移动一子"),
        "capture": Text(en="take an enemy stone", zh="吃去对方一子"),
        "counter": Text(en="take a stone of the stuck side", zh="吃去被困方一子"),
        "stuck": Text(en="no step is possible: take an enemy stone", zh="无子可动：吃去对方一子"),
    },
    sets={
        "marked": Text(en="marked: leaves when the board is full", zh="已标记，棋盘满时移除"),
        "first_shapes": Text(en="squares and lines of Black", zh="黑方的方与洲"),
        "second_shapes": Text(en="squares and lines of White", zh="白方的方与洲"),
        "takeable": Text(en="may be chosen", zh="可以选择"),
    },
    whys={
        "taken": Text(en="That point is taken.", zh="这一点已有棋子。"),
        "place_only": Text(
            en="Stones are still being placed: name one empty point.", zh="现在是落子阶段：请选一个空点。"
        ),
        "take_only": Text(en="A stone is to be chosen, not moved.", zh="现在要选对方的棋子，不能移动。"),
        "step_only": Text(
            en="A stone is to be moved: name where from and where to.", zh="现在要移动棋子：请选起点和终点。"
        ),
        "no_stone": Text(en="There is no stone.", zh="这里没有棋子。"),
        "own_stone": Text(en="That stone is your own.", zh="那是自己的棋子。"),
        "marked_already": Text(en="That stone is marked already.", zh="这枚棋子已被标记。"),
        "in_shape": Text(
            en="That stone is protected by a square or a line, and others are not.",
            zh="该子在方或洲中受保护，须先选其他棋子。",
        ),
        "not_yours": Text(en="That stone is the enemy's.", zh="那是对方的棋子。"),
        "one_step": Text(en="A stone moves one step along a line.", zh="棋子只能沿线走一步。"),
    },
    faults={
        "the phase": "阶段",
        "the targets left": "还可标记或吃的子数",
        "the plies": "已走手数",
        "the plies without a loss": "未吃子的手数",
        "{} has more than 18 stones": "{0} 超过 18 子",
        "targets are left in the phases m and c, and in no other": "只有 m 与 c 阶段还可标记或吃子",
        "marked stones leave before the phases f, s, c and r": "f、s、c、r 阶段之前，被标记的子已经离开",
        "no stone of the side to move can have earned these targets": "行棋方没有能够成方或洲而得到这些目标的棋子",
        "x should be one stone ahead": "x 应比 o 多一子",
        "x and o should be level": "x 与 o 的子数应相等",
        "no point is left to place a stone on": "已没有空点可以落子",
        "each stone and each mark is one ply": "每落一子、每标记一子各算一手，与手数不符",
        "plies without a loss are counted from REMOVAL on": "未吃子的手数自提子起才计算",
        "only a shape, of four stones at least, marks": "至少四子成方或洲才能标记",
        "each side takes one stone of 18": "双方各从 18 子中取走一子",
        "37 plies come before o takes, 38 before x takes": "白方取子前应有 37 手，黑方取子前应有 38 手",
        "a shape would have marked a stone": "有方或洲，就会有被标记的子",
        "REMOVAL leaves some point empty, and some stone": "提子之后应有空点，也应有棋子",
        "that takes more plies": "走到这一局面需要更多手数",
        "o is the first to move": "走子阶段由 o 先走",
        "one side had too few stones before the last ply": "上一手之前，有一方的子数已经不足",
        "the stuck side has just taken a stone": "无子可动的一方刚取走一子",
        "the stuck side could have made a step": "被困的一方其实有子可动",
    },
    options={
        "rules": Text(en="Rules", zh="规则"),
        "shapes": Text(en="Targets for several shapes at once", zh="同时成多个方洲时可吃"),
        "max_plies": Text(en="Draw after so many plies", zh="步数上限，到限判和"),
    },
    choices={
        "classic": Text(en="classic", zh="传统"),
        "modern": Text(en="modern: under four stones lose", zh="现代：不足四子判负"),
        "best": Text(en="of the best shape", zh="按最大的算"),
        "additive": Text(en="added up", zh="累加"),
    },
)
