// The numbers of a run as curves. Pure drawing.

import { el } from "../board/shapes.js";

/** @typedef {{x: number, y: number}} Point */

const [WIDTH, HEIGHT] = [200, 80];

/** The smallest and the largest, apart even where they are the same. @param {number[]} values @returns {[number, number]} */
export function span(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? [least - 0.5, most + 0.5] : [least, most];
}

/** One or two curves over the same axes. @param {Point[][]} series */
export function curves(series) {
  const known = series.map((points) => points.filter(({ y }) => Number.isFinite(y)));
  const all = known.flat();
  if (!all.length) return el("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  const [left, right] = span(all.map(({ x }) => x));
  const [low, high] = span(all.map(({ y }) => y));
  const place = (/** @type {Point} */ { x, y }) => `${(((x - left) / (right - left)) * WIDTH).toFixed(1)} ${(HEIGHT - ((y - low) / (high - low)) * HEIGHT).toFixed(1)}`;
  const path = (/** @type {Point[]} */ points) => (points.length === 1 ? `M0 ${place(points[0]).split(" ")[1]} H${WIDTH}` : `M${points.map(place).join(" L")}`);
  return el("svg", { viewBox: `0 -4 ${WIDTH} ${HEIGHT + 8}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    ...[0, 0.5, 1].map((share) => el("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT * share, y2: HEIGHT * share })),
    ...known.flatMap((points, index) => (points.length ? [el("path", { class: `curve${index ? " second" : ""}`, d: path(points) })] : [])));
}

/** At most so many points: the shape stays. @param {Point[]} points @param {number} most */
export function thinned(points, most = 300) {
  const step = Math.ceil(points.length / most);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
