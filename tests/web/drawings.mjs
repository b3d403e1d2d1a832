// Writes every skin as plain data, for pictures that are made without a browser: node tests/web/drawings.mjs > src/qilin/web/static/skins/drawings.json
import { readdirSync } from "node:fs";
import { MARGIN } from "../../src/qilin/web/static/board/geometry.js";
import { rowsOf } from "../../src/qilin/web/static/board/sample.js";
import { definitions, piece } from "../../src/qilin/web/static/board/shapes.js";
import { surface } from "../../src/qilin/web/static/board/surface.js";

const folder = new URL("../../src/qilin/web/static/skins/", import.meta.url);
const ranks = { xiangqi: 0 };

async function drawn(name) {
  const skin = (await import(new URL(`${name}.js`, folder))).default;
  const rows = rowsOf(skin.sample);
  const frame = (flipped) => ({ rows: rows.length, cols: rows[0].length, rank0: ranks[name] ?? 1, flipped });
  const side = (flipped) => ({ surface: surface(frame(flipped), skin, "", false), front: skin.front?.(frame(flipped)) ?? [] });
  const pieces = Object.fromEntries(Object.entries(skin.pieces).map(([letter, look]) => [letter, piece(look)]));
  return { className: `surface-${skin.surface}`, grid: skin.grid, upright: side(false), flipped: side(true), pieces, floor: skin.floor ?? {} };
}

const names = readdirSync(folder).filter((file) => file.endsWith(".js")).map((file) => file.slice(0, -3)).sort();
const games = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await drawn(name)])));
console.log(JSON.stringify({ margin: MARGIN, definitions: definitions(), games }));
