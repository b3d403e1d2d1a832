"""The page's colours for pictures that no browser draws: just enough CSS to say how an element of a board looks.

Rules are flat; selectors are tags and classes, nested by spaces; custom properties are replaced by their values. An
element gets what applies to it as plain attributes, so that every program that draws SVG draws the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
USE = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
FONT = re.compile(r"^(\d+) ([\d.]+)px (.+)$")
DRAWN = {"fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity"}
DRAWN |= {"opacity", "fill-opacity", "paint-order", "stop-color", "font-family", "font-size", "font-weight"}

Compound = tuple[str, frozenset[str]]  # a tag, "" for any, and classes


@dataclass(frozen=True, slots=True)
class Rule:
    """What a selector gives to what it selects."""

    path: tuple[Compound, ...]  # outermost first
    says: Mapping[str, str]

    @property
    def weight(self) -> tuple[int, int]:
        """Which of two rules wins: more classes, then more tags."""
        return sum(len(classes) for _, classes in self.path), sum(bool(tag) for tag, _ in self.path)

    def selects(self, element: Compound, ancestors: Sequence[Compound]) -> bool:
        """Whether it applies to an element inside these, outermost first."""
        *outer, own = self.path
        if not _matches(own, element):
            return False
        above = iter(ancestors)
        return all(any(_matches(wanted, other) for other in above) for wanted in outer)


def _matches(wanted: Compound, element: Compound) -> bool:
    return wanted[0] in ("", element[0]) and wanted[1] <= element[1]


@dataclass(frozen=True, slots=True)
class Stylesheet:
    """All rules, weakest first."""

    rules: tuple[Rule, ...]

    def look(self, element: Compound, ancestors: Sequence[Compound]) -> dict[str, str]:
        """The attributes that the rules give an element."""
        found: dict[str, str] = {}
        for rule in self.rules:
            if rule.selects(element, ancestors):
                found |= {name: value for name, value in rule.says.items() if name in DRAWN}
        return found


def read(*sheets: str, classes: frozenset[str]) -> Stylesheet:
    """The rules of several sheets, for a picture whose outermost element has these classes: they choose the colours."""
    raw = [rule for sheet in sheets for rule in _rules(COMMENT.sub("", sheet))]
    root: Compound = ("svg", classes)
    values: dict[str, str] = {}
    for path, says in raw:
        if path == ((":root", frozenset()),) or (len(path) == 1 and _matches(path[0], root)):
            values |= {name: value for name, value in says.items() if name.startswith("--")}
    rules = [Rule(path, _expanded({k: resolved(v, values) for k, v in says.items()})) for path, says in raw]
    return Stylesheet(tuple(sorted(rules, key=lambda rule: rule.weight)))


def _rules(sheet: str) -> Iterator[tuple[tuple[Compound, ...], dict[str, str]]]:
    for selectors, body in RULE.findall(sheet):
        pairs = (line.partition(":") for line in body.split(";") if ":" in line)
        says = {name.strip(): value.strip() for name, _, value in pairs}
        for selector in selectors.split(","):
            path = tuple(_compound(part) for part in selector.split())
            if path and all(re.fullmatch(r"(:root)?[\w.-]*", part) for part in selector.split()):
                yield path, says


def _compound(text: str) -> Compound:
    tag, *classes = text.split(".")
    return tag, frozenset(classes)


def resolved(value: str, values: Mapping[str, str]) -> str:
    """The value with custom properties replaced by what they stand for."""
    while found := USE.search(value):
        value = value.replace(found[0], values.get(found[1], found[2] or "none"))
    return value


def _expanded(says: dict[str, str]) -> dict[str, str]:
    """`font: 700 .5px family` said in three properties."""
    found = FONT.match(says.get("font", ""))
    if not found:
        return says
    return {**says, "font-weight": found[1], "font-size": found[2], "font-family": found[3].replace('"', "'")}
