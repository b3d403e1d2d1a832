// Discs on a board with palaces and a river; coordinates from Red's side first.

import { el } from "../board/shapes.js";

/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {import("../types.js").Look} Look */

const HAN = "九八七六五四三二一";
const KINDS = [
  ["k", "帥", "將", "G", "general", "帅", "将"],
  ["a", "仕", "士", "A", "advisor", "仕", "士"],
  ["b", "相", "象", "E", "elephant", "相", "象"],
  ["n", "傌", "馬", "H", "horse", "马", "马"],
  ["r", "俥", "車", "R", "chariot", "车", "车"],
  ["c", "炮", "砲", "C", "cannon", "炮", "炮"],
  ["p", "兵", "卒", "S", "soldier", "兵", "卒"],
];

/** @returns {Record<string, Look>} */
function pieces() {
  /** @type {Record<string, Look>} */
  const found = {};
  for (const [letter, red, black, western, name, hong, hei] of KINDS) {
    found[letter.toUpperCase()] = { shape: "disc", side: 0, glyph: red, western, words: { en: `red ${name}`, zh: `红${hong}` } };
    found[letter] = { shape: "disc", side: 1, glyph: black, western, words: { en: `black ${name}`, zh: `黑${hei}` } };
  }
  return found;
}

/** @type {import("../types.js").Skin} */
export default {
  surface: "wood",
  grid: "points",
  seats: ["var(--seat-red)", "var(--seat-black)"],
  pieces: pieces(),
  sample: "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 5",
  turns: ["w", "b"],
  art: (frame) => [
    el("rect", { class: "river", x: 0.51, y: 4.515, width: 7.98, height: 0.97 }),
    el("path", { class: "lines outer", d: "M.42 .42 H8.58 V9.58 H.42 Z" }),
    el("path", { class: "lines", d: "M3.5 .5 L5.5 2.5 M5.5 .5 L3.5 2.5 M3.5 7.5 L5.5 9.5 M5.5 7.5 L3.5 9.5 M.5 4.5 V5.5 M8.5 4.5 V5.5" }),
    el("path", { class: "lines", d: STANDS.flatMap(([x, y]) => corners(x, y)).join(" ") }),
    ...river(frame),
  ],
  coordinates: (frame, notation) => (["iccs", "ucci"].includes(notation) ? letters(frame) : numerals(frame)),
};

/** Where cannons and soldiers stand at the start. */
const STANDS = [2.5, 7.5].flatMap((y) => [[1.5, y], [7.5, y]]).concat([3.5, 6.5].flatMap((y) => [0.5, 2.5, 4.5, 6.5, 8.5].map((x) => [x, y])));

/** Four small angles around a point, none beyond the edge. @param {number} x @param {number} y */
function corners(x, y) {
  const sides = [-1, 1].filter((side) => x + side > 0 && x + side < 9);
  return sides.flatMap((h) => [-1, 1].map((v) => `M${x + h * 0.07} ${y + v * 0.22} V${y + v * 0.07} H${x + h * 0.22}`));
}

/** @param {Frame} frame */
function river({ flipped }) {
  const [left, right] = flipped ? ["漢界", "楚河"] : ["楚河", "漢界"];
  const word = (/** @type {string} */ text, /** @type {number} */ x) => el("text", { class: "river-text", x, y: 5.18, "text-anchor": "middle" }, text);
  return [word(left[0], 1.9), word(left[1], 2.9), word(right[0], 6.1), word(right[1], 7.1)];
}

/** Red counts 一 to 九 from its right, Black 1 to 9 from its own. @param {Frame} frame */
function numerals({ flipped }) {
  const red = [...HAN];
  const black = [...HAN].map((_, file) => String(file + 1));
  return flipped ? { top: red.reverse(), bottom: black.reverse(), left: [], right: [] } : { top: black, bottom: red, left: [], right: [] };
}

/** @param {Frame} frame */
function letters({ rows, cols, flipped }) {
  const files = Array.from({ length: cols }, (_, col) => String.fromCharCode(97 + col));
  const ranks = Array.from({ length: rows }, (_, row) => String(rows - 1 - row));
  return { top: [], bottom: flipped ? files.reverse() : files, left: flipped ? ranks.reverse() : ranks, right: [] };
}
