// Go stones on a small board of bamboo; a marked stone is hatched and struck through, and still stands.

/** Phases in which the shapes of the player to move have earned something. */
const earning = new Set(["mark", "capture"]);

/** @type {import("../types.js").Skin} */
export default {
  surface: "bamboo",
  grid: "points",
  sample: "2xxo1/1oxxo1/1oOo2/xx1oxo/1Xo1x1/2ox2 x m 1 20 0",
  turns: ["x", "o"],
  outlines: (view) => (earning.has(view.phase?.name ?? "") ? (view.sets[view.to_move === 0 ? "first_shapes" : "second_shapes"]?.squares ?? []) : []),
  pieces: {
    x: { shape: "stone", side: 0, words: { en: "black stone", zh: "黑子" } },
    o: { shape: "stone", side: 1, words: { en: "white stone", zh: "白子" } },
    X: { shape: "stone", side: 0, struck: true, words: { en: "marked black stone", zh: "已标记的黑子" } },
    O: { shape: "stone", side: 1, struck: true, words: { en: "marked white stone", zh: "已标记的白子" } },
  },
};
