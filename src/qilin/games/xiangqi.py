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
    counters={
        "no_capture": Text(en="half-moves without a capture: a draw at the limit", zh="未吃子的步数，到限判和"),
        "plies": Text(en="half-moves played: a draw at the limit", zh="总步数，到限判和"),
        "repetition": Text(en="the same position: a draw at the third time", zh="局面重复，三次判和"),
        "perpetual_check": Text(en="perpetual check: loses at the third time", zh="长将，三次判负"),
    },
    sets={
        "check": Text(en="in check", zh="被将军"),
        "attackers": Text(en="gives check", zh="将军的棋子"),
    },
    whys={
        "no_piece": Text(en="There is no piece to move.", zh="起点没有棋子。"),
        "not_yours": Text(en="That piece is the enemy's.", zh="那是对方的棋子。"),
        "own_piece": Text(en="Your own piece stands there.", zh="那里是自己的棋子。"),
        "general_moves": Text(en="The general moves one point straight.", zh="将帅每次横或直走一格。"),
        "advisor_moves": Text(en="An advisor moves one point diagonally.", zh="仕士每次斜走一格。"),
        "elephant_moves": Text(
            en="An elephant moves exactly two points diagonally.", zh="相象每次斜走两格（走田字）。"
        ),
        "horse_moves": Text(en="A horse moves one point straight and one diagonally on.", zh="马走日字。"),
        "chariot_moves": Text(en="A chariot moves straight.", zh="车只能走直线。"),
        "cannon_moves": Text(en="A cannon moves straight.", zh="炮只能走直线。"),
        "soldier_moves": Text(
            en="A soldier moves one point forward, and sideways once over the river.",
            zh="兵卒每次向前一格，过河后可横走，不能后退。",
        ),
        "palace": Text(en="It can't leave the palace.", zh="不能走出九宫。"),
        "river": Text(en="An elephant can't cross the river.", zh="相象不能过河。"),
        "elephant_eye": Text(en="The elephant's eye is blocked.", zh="塞象眼。"),
        "horse_leg": Text(en="The horse is hobbled: a piece stands at its leg.", zh="蹩马腿。"),
        "path_blocked": Text(en="A piece stands in the way.", zh="路线上有棋子阻挡。"),
        "no_screen": Text(en="A cannon needs a screen to capture.", zh="炮吃子须有炮架。"),
        "many_screens": Text(
            en="A cannon captures over exactly one screen; there are more.", zh="炮只能隔一个炮架吃子，这里不止一个。"
        ),
        "soldier_river": Text(en="A soldier moves sideways only after crossing the river.", zh="兵卒过河前不能横走。"),
        "generals_face": Text(en="The generals would face each other.", zh="将帅照面。"),
        "still_check": Text(en="The general would still be in check.", zh="没有应将。"),
        "exposes": Text(en="The general would be left to be taken.", zh="送将：走后将帅会被吃。"),
        "into_check": Text(en="The general would walk into check.", zh="将帅会走入对方的攻击。"),
    },
    options={
        "rules": Text(en="Rules", zh="规则"),
        "no_capture_plies": Text(en="Draw after so many half-moves without a capture", zh="未吃子步数上限，到限判和"),
        "max_plies": Text(en="Draw after so many half-moves", zh="步数上限，到限判和"),
    },
    choices={
        "standard": Text(en="standard: perpetual check loses", zh="标准：长将判负"),
        "selfplay": Text(en="self-play: every repetition draws", zh="自对弈：重复一律判和"),
    },
)
