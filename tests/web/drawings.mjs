// Writes every skin as plain data, for pictures that are made without a browser: node tests/web/drawings.mjs > src/qilin/web/static/skins/drawings.json
import { readdirSync } from "node:fs";
import { MARGIN } from "../../src/qilin/web/static/board/geometry.js";
import { rowsOf } from "../../src/qilin/web/static/board/sample.js";
import { check, lastMove } from "../../src/qilin/web/static/board/marks.js";
import { definitions, el, floorTile, piece } from "../../src/qilin/web/static/board/shapes.js";
import { surface } from "../../src/qilin/web/static/board/surface.js";

const folder = new URL("../../src/qilin/web/static/skins/", import.meta.url);
const ranks = { xiangqi: 0 };

async function drawn(name) {
  const skin = (await import(new URL(`${name}.js`, folder))).default;
  const rows = rowsOf(skin.sample);
  const frame = (flipped) => ({ rows: rows.length, cols: rows[0].length, rank0: ranks[name] ?? 1, flipped });
  const side = (flipped) => ({ surface: surface(frame(flipped), skin, "", false), front: skin.front?.(frame(flipped)) ?? [] });
  const pieces = Object.fromEntries(Object.entries(skin.pieces).map(([letter, look]) => [letter, piece(look)]));
  const floor = Object.fromEntries(Object.entries(skin.floor ?? {}).map(([letter, side]) => [letter, floorTile(side)]));
  return { className: `surface-${skin.surface}`, grid: skin.grid, upright: side(false), flipped: side(true), pieces, floor };
}

/** Marks are drawn on squares: on a board of one square they stand around (0, 0). */
function marks() {
  const alone = { rows: 1, cols: 1, rank0: 1, flipped: false };
  const around = (drawings) => el("g", { transform: "translate(-0.5 -0.5)" }, ...drawings);
  const [from, to] = [lastMove(alone, { from: "a1", to: null }), lastMove(alone, { from: null, to: "a1" })];
  return { from: around(from), to: around(to), check: around(check(alone, "a1")) };
}

const names = readdirSync(folder).filter((file) => file.endsWith(".js")).map((file) => file.slice(0, -3)).sort();
const games = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await drawn(name)])));
console.log(JSON.stringify({ margin: MARGIN, definitions: definitions(), marks: marks(), games }));
