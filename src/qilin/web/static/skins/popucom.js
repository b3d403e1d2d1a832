// Two layers: gems on floor tiles. Triangles and hatched floor are one side's, rings and dotted floor the other's.

const red = { en: "red stone", zh: "红子" };
const green = { en: "green stone", zh: "绿子" };

/** @type {import("../types.js").Skin} */
export default {
  surface: "tiles",
  grid: "cells",
  seats: ["var(--side0)", "var(--side1)"],
  pieces: {
    x: { shape: "gem", side: 0, words: red },
    o: { shape: "gem", side: 1, words: green },
    X: { shape: "gem", side: 0, words: { en: "red stone on red floor", zh: "红子，红色地板" } },
    O: { shape: "gem", side: 1, words: { en: "green stone on green floor", zh: "绿子，绿色地板" } },
  },
  sample: "ow3x3/x1w1ox1o1/o2w1x1xo/2x1w2xb/x4w1b1/x1o3bo1/2o2b1w1/o3b2xx/o1oXo3x x 10",
  turns: ["x", "o"],
  floor: { X: 0, b: 0, O: 1, w: 1 },
  floorWords: [
    { en: "red floor", zh: "红色地板" },
    { en: "green floor", zh: "绿色地板" },
  ],
};
