"""Names with options: `alphabeta:time=1s,depth=4`. Read here, for players and whatever else is chosen by one word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from typing import Any, TypeVar

from qilin.errors import BadSpec

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spec:
    """A name, what stands before the first `=` without a key, and the options."""

    name: str
    argument: str | None
    options: Mapping[str, str]


def parse_spec(text: str) -> Spec:
    """Split `name:argument,key=value,…`.

    >>> parse_spec("net:best,sims=200").options
    {'sims': '200'}
    """
    name, _, rest = text.partition(":")
    argument: str | None = None
    options: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals and argument is None and not options:
            argument = part
        elif not equals or not key or key in options:
            raise BadSpec(f"{text!r}: {part!r} is not understood, expected KEY=VALUE, each key once")
        else:
            options[key] = value
    return Spec(name, argument, options)


def seconds(text: str) -> float:
    """A time: `980ms`, `1.5s`, `2m`, or plain seconds."""
    units = {"ms": 1e-3, "s": 1.0, "m": 60.0, "": 1.0}
    number = text.rstrip("ms")
    value = float(number) * units[text[len(number) :]]
    if not 0 < value < 1e9:
        raise ValueError(text)
    return value


def whole(text: str) -> int:
    """A positive whole number; `1e6` and `10k` are fine."""
    scaled = text.replace("k", "e3").replace("M", "e6")
    value = float(scaled)
    if value != int(value) or value < 1:
        raise ValueError(text)
    return int(value)


def amount(text: str) -> float:
    """A number from 0 up."""
    value = float(text)
    if not 0 <= value < 1e9:
        raise ValueError(text)
    return value


def one_of(*choices: str) -> Callable[[str], str]:
    """A word out of a few."""

    def convert(text: str) -> str:
        if text not in choices:
            raise ValueError(text)
        return text

    return convert


def option(convert: Callable[[str], Any], expected: str, help: str) -> dict[str, Any]:
    """Metadata for a dataclass field that an option fills."""
    return {"convert": convert, "expected": expected, "help": help}


def read_options(kind: type[T], spec: Spec) -> T:
    """A frozen dataclass from a spec's options, every value converted and checked."""
    known = {field.name: field for field in fields(kind) if field.metadata}  # type: ignore[arg-type]  # T is a dataclass
    values: dict[str, Any] = {}
    for key, text in spec.options.items():
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BadSpec(f"{spec.name} has no option {key!r}; it knows {', '.join(known) or 'none'}{hint}")
        metadata = known[key].metadata
        try:
            values[key] = metadata["convert"](text)
        except (ValueError, KeyError, OverflowError):
            raise BadSpec(f"{spec.name}: {key} is {text!r}, expected {metadata['expected']}") from None
    missing = [name for name, field in known.items() if field.default is MISSING and name not in values]
    if missing:
        raise BadSpec(f"{spec.name} needs {', '.join(missing)}")
    return kind(**values)
