// Motions, played on the pieces' elements. Nothing waits for them: the board already shows the new position.

import { centre } from "./geometry.js";
import { build } from "../dom.js";
import { piece } from "./shapes.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {import("../types.js").Skin} Skin */

const EASE = "cubic-bezier(.33, 0, .2, 1)";

/**
 * @param {{pieces: SVGElement, floor: SVGElement, ghosts: SVGElement}} layers
 * @param {Motion[]} motions @param {Frame} frame @param {Skin} skin @param {number} pace milliseconds; 0 plays nothing
 */
export function animate(layers, motions, frame, skin, pace) {
  layers.ghosts.replaceChildren();
  if (pace < 70) return;
  for (const motion of motions) PLAYS[motion.kind](motion, layers, frame, skin, pace);
}

/** @param {SVGElement} layer @param {string} square @returns {SVGElement | null} */
const inner = (layer, square) => layer.querySelector(`[data-at="${square}"] > *`);

/** @param {SVGElement | null} element @param {Keyframe[]} frames @param {number} duration @param {number} delay @param {string} [easing] */
function run(element, frames, duration, delay, easing = EASE) {
  return element?.animate(frames, { duration, delay, easing, fill: "backwards" });
}

/** @type {Record<string, (motion: Motion, layers: {pieces: SVGElement, floor: SVGElement, ghosts: SVGElement}, frame: Frame, skin: Skin, pace: number) => void>} */
const PLAYS = {
  slide({ square, from, before }, layers, frame, skin, pace) {
    const [a, b] = [centre(frame, from ?? square), centre(frame, square)];
    run(inner(layers.pieces, square), [{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` }, { transform: "none" }], pace, 0);
    if (before) ghost(layers, square, before, frame, skin, [{ opacity: 1 }, { opacity: 0.5, offset: 0.7 }, { opacity: 0 }], pace, 0);
  },
  drop({ square }, { pieces }, frame, _skin, pace) {
    const fall = centre(frame, square).y + 0.6;
    const frames = [
      { transform: `translateY(${-fall}px)`, easing: "cubic-bezier(.5, 0, 1, .7)" },
      { transform: "none", offset: 0.72, easing: "ease-out" },
      { transform: `translateY(${-0.05 * Math.min(4, fall)}px)`, offset: 0.86, easing: "ease-in" },
      { transform: "none" },
    ];
    run(inner(pieces, square), frames, pace * (0.9 + fall * 0.16), 0, "linear");
  },
  appear({ square, delay }, { pieces }, _frame, _skin, pace) {
    run(inner(pieces, square), [{ transform: "scale(1.25)", opacity: 0 }, { transform: "none", opacity: 1 }], pace * 0.8, Math.min(delay, pace));
  },
  vanish({ square, before, delay }, layers, frame, skin, pace) {
    ghost(layers, square, before, frame, skin, [{ opacity: 1, transform: "none" }, { opacity: 0, transform: "scale(.45)" }], pace, delay);
  },
  turn(motion, layers, frame, skin, pace) {
    turnOver(motion, layers, frame, skin, pace, motion.delay);
  },
  reveal(motion, layers, frame, skin, pace) {
    turnOver(motion, layers, frame, skin, pace * 1.6, 0);
  },
  paint({ square, delay }, { floor }, _frame, _skin, pace) {
    run(inner(floor, square), [{ opacity: 0, transform: "scale(.3)" }, { opacity: 1, transform: "none" }], pace, delay);
  },
};

/** The old face narrows to a line, then the new one widens. @param {Motion} motion @param {{pieces: SVGElement, floor: SVGElement, ghosts: SVGElement}} layers @param {Frame} frame @param {Skin} skin @param {number} pace @param {number} delay */
function turnOver({ square, before }, layers, frame, skin, pace, delay) {
  ghost(layers, square, before, frame, skin, [{ transform: "none" }, { transform: "scale(0, .94)" }], pace / 2, delay, "ease-in");
  run(inner(layers.pieces, square), [{ transform: "scale(0, .94)" }, { transform: "none" }], pace / 2, delay + pace / 2, "ease-out");
}

/** A piece that is gone, shown until its motion ends. @param {{ghosts: SVGElement}} layers @param {string} square @param {string | null} letter @param {Frame} frame @param {Skin} skin @param {Keyframe[]} frames @param {number} duration @param {number} delay @param {string} [easing] */
function ghost(layers, square, letter, frame, skin, frames, duration, delay, easing = EASE) {
  const look = letter === null ? undefined : skin.pieces[letter];
  if (!look) return;
  const { x, y } = centre(frame, square);
  const element = build({ tag: "g", attrs: { transform: `translate(${x} ${y})` }, children: [piece(look)] });
  layers.ghosts.append(element);
  const played = /** @type {SVGElement} */ (element.firstChild).animate(frames, { duration, delay, easing, fill: "both" });
  played.onfinish = () => element.remove();
}
