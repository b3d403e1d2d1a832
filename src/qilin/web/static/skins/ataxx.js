// Stones on slate. A clone is a dot, a jump a hollow ring.

import { distance } from "../board/geometry.js";

/** @type {import("../types.js").Skin} */
export default {
  surface: "slate",
  grid: "cells",
  pieces: {
    x: { shape: "stone", side: 0, words: { en: "black stone", zh: "黑子" } },
    o: { shape: "stone", side: 1, words: { en: "white stone", zh: "白子" } },
    "-": { shape: "block", side: null, words: { en: "blocked", zh: "障碍" } },
  },
  sample: "x5o/1xx2oo/2-x-o1/3xo2/2-o-1x/1oo1xx1/o4xx x 0 20",
  turns: ["x", "o"],
  joins: (move, square) => move.to !== null && distance(square, move.to) === 1,
  far: (move) => move.from !== null,
};
