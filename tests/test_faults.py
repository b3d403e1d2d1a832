"""What is wrong with a position is said in both languages, whatever is wrong with it."""

import random
import re
from pathlib import Path

import pytest

import qilin
from qilin.faults import COMMON
from qilin.games import GAMES

ROOT = Path(__file__).parents[1]
LITERAL = r'"((?:[^"\\]|\\.)*)"'
CALL = re.compile(r"fields\.(impossible|bad|next|letter|number)\((.*?)\);", re.DOTALL)


def said_by(name: str) -> set[str]:
    """The sentences and names that a game's header speaks of its text in."""
    header = re.sub(r'"\s*\n\s*"', "", (ROOT / f"cpp/games/{name}.hpp").read_text())
    found: set[str] = set()
    for kind, inside in CALL.findall(header):
        texts = [text for text in re.findall(LITERAL, inside) if " " in text]
        found |= set(texts[:1] if kind == "bad" else texts)
        found |= {"{} is {}, expected " + text for text in texts[1:] if kind == "bad"}
    return found | set(re.findall(r'"(the \w+ field)"', header))


@pytest.mark.parametrize("name", qilin.games())
def test_every_fault_has_chinese_words(name: str) -> None:
    own = GAMES[name].faults
    sentences = said_by(name)
    assert len(sentences) > 3
    assert not sentences - COMMON.keys() - own.keys()
    assert not {key for key in own if " " in key} - sentences, "words for what is never said"
    assert not COMMON.keys() & own.keys()


def faults(name: str, seed: int) -> list[qilin.BadPosition]:
    """What is said of positions of a random game, after a slip or two in their texts."""
    rng, game, found = random.Random(seed), qilin.game(name), []
    letters = "".join(GAMES[name].letters) + "/ 0123456789-xowbmscr?\x00{}é"
    state = game.start()
    while not state.is_over:
        state = state.play(rng.choice(list(state.outcomes()) if state.is_chance else state.moves()))
        text = list(str(state))
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 1)] = rng.choice(letters) if rng.random() < 0.8 else ""
        try:
            game.parse("".join(text))
        except qilin.BadPosition as error:
            found.append(error)
    return found


@pytest.mark.parametrize("name", qilin.games())
def test_broken_texts_are_refused_in_both_languages(name: str) -> None:
    kinds = set()
    for error in [error for seed in range(12) for error in faults(name, seed)]:
        assert error.words is not None
        kinds.add(re.sub(r"\d+|'.*?'", "·", error.words.zh))
        assert error.words.en[1:-1] in str(error)
        bare = re.sub(r"'.*?'|PPCNRBAKppcnrbak", "", error.words.zh)
        assert re.search(r"[一-鿿]", bare)
        assert not re.search(r"[A-Za-z]{2,}|[{}]", bare), error.words
    assert len(kinds) > 5
