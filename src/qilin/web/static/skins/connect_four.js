// Discs in a lacquered frame: a press anywhere in a column drops there.

import { squares } from "../board/geometry.js";
import { el } from "../board/shapes.js";

/** @typedef {import("../types.js").Frame} Frame */

/** @type {import("../types.js").Skin} */
export default {
  surface: "frame",
  grid: "cells",
  seats: ["var(--chip0)", "var(--chip1)"],
  drops: true,
  pieces: {
    x: { shape: "chip", side: 0, words: { en: "red disc", zh: "红子" } },
    o: { shape: "chip", side: 1, words: { en: "yellow disc", zh: "黄子" } },
  },
  sample: "7/3o3/2xx3/1ooxo2/1xoox2/xooxxo1 x",
  turns: ["x", "o"],
  outlines: (view) => view.sets.four?.squares ?? [],
  aim: (square, moves) => moves.find((move) => move.to?.[0] === square[0])?.to ?? square,
  front: (frame) => [el("path", { class: "frame-front", d: plate(frame), "fill-rule": "evenodd" }), ...rims(frame)],
};

/** The front of the frame, with a hole for each cell. @param {Frame} frame */
function plate({ rows, cols }) {
  const holes = middles({ rows, cols }).map(([x, y]) => `M${x - 0.4} ${y} a.4 .4 0 1 0 .8 0 a.4 .4 0 1 0 -.8 0`);
  return `M-.14 -.14 H${cols + 0.14} V${rows + 0.14} H-.14 Z ${holes.join(" ")}`;
}

/** @param {Frame} frame */
const rims = (frame) => middles(frame).map(([cx, cy]) => el("circle", { class: "frame-rim", cx, cy, r: 0.405 }));

/** @param {{rows: number, cols: number}} frame @returns {[number, number][]} */
const middles = ({ rows, cols }) =>
  squares({ rows, cols, rank0: 1, flipped: false }).flatMap((names, row) => names.map((_, col) => /** @type {[number, number]} */ ([col + 0.5, row + 0.5])));
