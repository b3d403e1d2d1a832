// Discs face up and lacquered backs face down, on a cloth of four by four.

/** @typedef {import("../types.js").Look} Look */

const KINDS = [
  ["k", "帥", "將", "G", "general", "帅", "将"],
  ["a", "仕", "士", "A", "advisor", "仕", "士"],
  ["b", "相", "象", "E", "elephant", "相", "象"],
  ["r", "俥", "車", "R", "chariot", "车", "车"],
  ["n", "傌", "馬", "H", "horse", "马", "马"],
  ["c", "炮", "砲", "C", "cannon", "炮", "炮"],
  ["p", "兵", "卒", "S", "soldier", "兵", "卒"],
];

/** @returns {Record<string, Look>} */
function pieces() {
  /** @type {Record<string, Look>} */
  const found = { "?": { shape: "back", side: null, words: { en: "face down", zh: "暗子" } } };
  for (const [letter, red, black, western, name, hong, hei] of KINDS) {
    found[letter.toUpperCase()] = { shape: "disc", side: 0, glyph: red, western, words: { en: `red ${name}`, zh: `红${hong}` } };
    found[letter] = { shape: "disc", side: 1, glyph: black, western, words: { en: `black ${name}`, zh: `黑${hei}` } };
  }
  return found;
}

/** @type {import("../types.js").Skin} */
export default {
  surface: "cloth",
  grid: "cells",
  seats: ["var(--seat-red)", "var(--seat-black)"],
  sample: "?r?C/n2?/1Kp?/?Rb? r PNBAppcak 10 10 2 14",
  turns: ["r", "b"],
  pieces: pieces(),
};
