"""What is wrong with a position's text, in both languages.

The rules say it in English: a sentence with {} where its values stand. Here and in the games' descriptors is the same
in Chinese, by sentence; names among the values have words of their own.
"""

from collections.abc import Mapping, Sequence

from qilin.words import Text

BOARD = "{} is {}, expected {} ranks of {} squares, top rank first "
BOARD_ZH = "{0}是 {1}，应为 {2} 行、每行 {3} 格，自最高一行写起"

# What every game's text can have, in the order of cpp/core/text.hpp.
COMMON = {
    "it ends before {}": "局面文本不完整，缺少{0}",
    "{} is {}, expected one letter of {}": "{0}是 {1}，应为 {2} 中的一个字母",
    "{} is {}, expected a number from {} to {}": "{0}是 {1}，应为 {2} 至 {3} 的整数",
    "it goes on after its last field, with {}": "末尾多出了 {0}",
    BOARD + "(rank {} from the bottom has {})": BOARD_ZH + "（从下数第 {4} 行只有 {5} 格）",
    BOARD + "(there are more ranks)": BOARD_ZH + "（行数过多）",
    BOARD + "(rank {} from the bottom is too long)": BOARD_ZH + "（从下数第 {4} 行过长）",
    BOARD + "({} is none of {})": BOARD_ZH + "（{4} 不是 {5} 之一）",
    BOARD + "(it ends early)": BOARD_ZH + "（未写完）",
    "the board": "棋盘",
    "the side to move": "行棋方",
    "the number of the move": "回合数",
}


def words_of(sentence: str, values: Sequence[str], own: Mapping[str, str]) -> Text:
    """A fault as two sentences; `own`: what the game's descriptor adds. What has no Chinese stays as it is.

    >>> words_of("it ends before {}", ["the board"], {})
    Text(en='It ends before the board.', zh='局面文本不完整，缺少棋盘。')
    """
    known = {**COMMON, **own}
    english = sentence.format(*values)
    chinese = known.get(sentence, sentence).format(*(known.get(value, value) for value in values))
    return Text(en=f"{english[:1].upper()}{english[1:]}.", zh=f"{chinese}。")
