// A view made from the text of a position alone: enough for a picture. It knows no moves.

/** @typedef {import("../types.js").View} View */

/** The letters of a position's text, top rank first. @param {string} text @returns {(string | null)[][]} */
export const rowsOf = (text) => text.split(" ")[0].split("/").map((rank) => [...rank.matchAll(/\d+|\D/g)].flatMap(([cell]) => (/\d/.test(cell) ? new Array(Number(cell)).fill(null) : [cell])));

/** The board's part of a position's text. @param {(string | null)[][]} rows */
export const boardText = (rows) => rows.map((row) => row.map((letter) => letter ?? ".").join("").replace(/\.+/g, (run) => String(run.length))).join("/");

/** @param {string} text @param {{name: string, rank0: number}} game @returns {View} */
export const sampleView = (text, game) => ({
  game: game.name, options: {}, text, rows: rowsOf(text), rank0: game.rank0, sets: {}, to_move: null, chance: false, over: null, phase: null,
  counters: [], pool: [], scores: null, moves: [], banned: [], last: null, ply: 0, key: text, check: null,
});
