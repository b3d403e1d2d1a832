"""Write the tables of settings in training.md anew, from the settings' own help.

python docs/write_settings.py
"""

from dataclasses import fields
from pathlib import Path
from typing import Any

from qilin.train.recipe import SECTIONS

PAGE = Path(__file__).with_name("training.md")
BEGIN, END = "<!-- written by docs/write_settings.py -->", "<!-- to here -->"


def tables() -> str:
    """All sections, each a table."""
    return "\n".join(part for name, kind in SECTIONS.items() for part in section(name, kind))


def section(name: str, kind: type) -> list[str]:
    """One section: its sentence, and what can be set in it."""
    head = [f"### [{name}]", "", str(kind.__doc__), "", "| setting | at first | takes | what it is good for |"]
    rows = [
        f"| `{item.name}` | {shown(item.default)} | {takes(item)} | {item.metadata['help']} |" for item in fields(kind)
    ]
    return [*head, "|---|---|---|---|", *rows, ""]


def shown(value: Any) -> str:
    """A default as a recipe has it."""
    if value is None:
        return "off"
    if isinstance(value, tuple):
        return ", ".join(map(shown, value))
    return str(value).lower() if isinstance(value, bool) else f"{value:,}" if isinstance(value, int) else str(value)


def takes(item: Any) -> str:
    """The values that a setting takes."""
    least, most, choices = (item.metadata[key] for key in ("least", "most", "choices"))
    kind = str(item.type).replace(" | None", "")
    if choices:
        said = ", ".join(choices)
    elif kind == "bool":
        said = "true, false"
    elif least is not None and most is not None:
        said = f"{least:g} … {most:g}"
    else:
        said = (
            f"from {least:g}" if least is not None else {"str": "a word", "tuple[str, ...]": "a list"}.get(kind, kind)
        )
    return f"{said}, off" if "None" in str(item.type) else said


def written(page: str) -> str:
    """A page with its tables as they are now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
