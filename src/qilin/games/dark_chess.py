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
    counters={
        "points": Text(en="points", zh="得分"),
        "idle": Text(en="plies without a capture or a flip", zh="未吃子、未翻子的步数"),
        "plies": Text(en="plies played", zh="已走步数"),
    },
    sets={
        "turning": Text(en="is being turned up", zh="正在翻开"),
    },
    whys={
        "nothing_here": Text(en="That square is empty.", zh="这一格是空的。"),
        "face_up": Text(en="That piece is face up already: say where it goes.", zh="该子已翻开：请选择走到哪里。"),
        "turn_first": Text(en="A face-down piece can't move: it can only be turned up.", zh="暗子不能走动，只能翻开。"),
        "not_yours": Text(en="That piece is the enemy's.", zh="那是对方的棋子。"),
        "own_piece": Text(en="Your own piece stands there.", zh="那里是自己的棋子。"),
        "cannon_screen": Text(
            en="A cannon never steps: it takes the piece right behind exactly one screen.",
            zh="炮不能走动，只能隔一个炮架吃紧接其后的棋子。",
        ),
        "one_step": Text(en="A piece goes one square along a rank or a file.", zh="棋子每次只能横或直走一格。"),
        "hidden_target": Text(en="Only a cannon can take a face-down piece.", zh="只有炮能吃暗子。"),
        "general_soldier": Text(en="A general can't take a soldier.", zh="将帅不能吃兵卒。"),
        "soldier_takes": Text(en="A soldier takes soldiers and the general only.", zh="兵卒只能吃兵卒和将帅。"),
        "outranked": Text(en="That piece has a higher rank.", zh="对方的棋子更大。"),
    },
    faults={
        "the pool": "暗子池",
        "a side's points": "一方的得分",
        "the plies without progress": "未吃子、未翻子的步数",
        "the plies played": "已走步数",
        "the pending ply": "待翻的一步",
        "r starts, so it is r's turn after an even number of plies": "r 先行，走过偶数步后应轮到 r",
        "{} is {}, expected '-' or letters of PPCNRBAKppcnrbak, in this order, that aren't on the board": (
            "{0}是 {1}，应为 - ，或 PPCNRBAKppcnrbak 中不在棋盘上的字母，按此顺序"
        ),
        "{} is {}, expected a flip or a cannon's shot that turns a piece up": "{0}是 {1}，应为翻子，或炮打暗子",
        "there are too many {}": "{0} 过多",
        "the pool must hold as many pieces as are face down": "暗子池的子数应与棋盘上的暗子数相同",
        "the captured pieces make {} and {} points": "被吃的棋子应使双方得 {0} 分和 {1} 分",
        "{} pieces are turned up, and the plies don't fit": "已翻开 {0} 子，与步数不符",
        "the game ends when a side has 60 points": "一方得满 60 分时棋局已经结束",
    },
    options={
        "own_capture": Text(en="Points for an own face-down piece taken by a cannon", zh="炮吃到己方暗子时得分归"),
    },
    choices={
        "enemy": Text(en="to the enemy", zh="对方"),
        "capturer": Text(en="to the capturer", zh="吃子方"),
    },
)
