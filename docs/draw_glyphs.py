"""Write the outlines of the brush font, for pictures made without a browser: src/qilin/web/static/skins/glyphs.json.

    python docs/draw_glyphs.py

Needs fonttools and brotli, which read the font.
"""

import json
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

STATIC = Path(__file__).parents[1] / "src/qilin/web/static"


def outlines() -> str:
    """The file's text."""
    font = TTFont(STATIC / "fonts/brush.woff2")
    shapes, found = font.getGlyphSet(), {}
    for code, name in sorted(font.getBestCmap().items()):
        pen = SVGPathPen(shapes, ntos=lambda number: str(round(number)))
        shapes[name].draw(pen)
        found[chr(code)] = {"advance": shapes[name].width, "d": pen.getCommands()}
    table = {"em": font["head"].unitsPerEm, "glyphs": found}
    return json.dumps(table, ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    (STATIC / "skins/glyphs.json").write_text(outlines(), encoding="utf-8")
