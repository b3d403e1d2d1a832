// The win-rate graph: pure drawing, and the ply that a press on it means.

import { el } from "../board/shapes.js";

/** @typedef {import("../types.js").Drawing} Drawing */
/** @typedef {{ply: number, value: number | null, mark?: string | null}} Sample */

const HEIGHT = 60;
const STEP = 4;

/** Where a ply stands on the graph. @param {number} ply @param {number} plies */
const across = (ply, plies) => (plies ? (ply / plies) * width(plies) : 0);
/** @param {number} plies */
const width = (plies) => Math.max(plies, 8) * STEP;
/** @param {number} value of the first player, 0 … 1 */
const down = (value) => HEIGHT * (1 - value);

/** @param {Sample[]} samples @param {number} plies @param {number} current @returns {Drawing} */
export function graph(samples, plies, current) {
  const known = samples.filter((sample) => sample.value !== null);
  const points = known.map(({ ply, value }) => `${across(ply, plies).toFixed(1)} ${down(value ?? 0.5).toFixed(1)}`);
  const [first, last] = [known[0], known[known.length - 1]];
  const area = known.length ? `M${across(first.ply, plies).toFixed(1)} ${HEIGHT} L${points.join(" L")} L${across(last.ply, plies).toFixed(1)} ${HEIGHT} Z` : "";
  const x = across(current, plies);
  return el("svg", { class: "graph", viewBox: `0 0 ${width(plies)} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    el("rect", { class: "back", width: width(plies), height: HEIGHT }),
    el("path", { class: "area", d: area }),
    el("path", { class: "line", d: points.length ? `M${points.join(" L")}` : "" }),
    el("line", { class: "even", x1: 0, x2: width(plies), y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    ...known.filter((sample) => sample.mark).map(({ ply, value, mark }) => el("ellipse", { class: `dot ${mark}`, cx: across(ply, plies), cy: down(value ?? 0.5), rx: width(plies) / 90, ry: 2.6 })),
    el("line", { class: "cursor", x1: x, x2: x, y1: 0, y2: HEIGHT }));
}

/** The ply below a place on the graph. @param {number} share 0 at the left edge, 1 at the right @param {number} plies */
export const plyAt = (share, plies) => Math.max(0, Math.min(plies, Math.round(share * plies)));
