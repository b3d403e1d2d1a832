// One curve per number of a run. Pure drawing.

import { el } from "../board/shapes.js";

/** @typedef {{x: number, y: number}} Point */

const [WIDTH, HEIGHT] = [200, 80];

/** The smallest and the largest, apart even where they are the same. @param {number[]} values @returns {[number, number]} */
export function span(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? [least - 0.5, most + 0.5] : [least, most];
}

/** @param {Point[]} points */
export function curve(points) {
  const known = points.filter(({ y }) => Number.isFinite(y));
  if (!known.length) return el("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  const [left, right] = span(known.map(({ x }) => x));
  const [low, high] = span(known.map(({ y }) => y));
  const place = (/** @type {Point} */ { x, y }) => `${(((x - left) / (right - left)) * WIDTH).toFixed(1)} ${(HEIGHT - ((y - low) / (high - low)) * HEIGHT).toFixed(1)}`;
  const last = known[known.length - 1];
  return el("svg", { viewBox: `0 -4 ${WIDTH} ${HEIGHT + 8}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    ...[0, 0.5, 1].map((share) => el("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT * share, y2: HEIGHT * share })),
    el("path", { class: "curve", d: `M${known.length === 1 ? `0 ${place(last).split(" ")[1]} L${WIDTH} ${place(last).split(" ")[1]}` : known.map(place).join(" L")}` }));
}

/** At most so many points: the shape stays. @param {Point[]} points @param {number} most */
export function thinned(points, most = 300) {
  const step = Math.ceil(points.length / most);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
