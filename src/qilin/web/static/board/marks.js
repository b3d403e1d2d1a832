// What is drawn on and under the pieces: the last move, targets, previews, arrows, heat. Pure drawings, in cells.

import { centre } from "./geometry.js";
import { el, piece } from "./shapes.js";

/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {import("../types.js").Drawing} Drawing */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../types.js").Skin} Skin */

/**
 * An opinion on a move, drawn as an arrow or a mark. `grade` is 1 for the best and falls to 0.
 * @typedef {{from: string | null, to: string, grade: number, rank: number, text?: string, small?: string, faint?: boolean, far?: boolean, kind?: string}} Opinion
 */

/** @param {Frame} frame @param {string} square @param {Drawing[]} children @param {string} [className] */
const at = (frame, square, children, className) => {
  const { x, y } = centre(frame, square);
  return el("g", { transform: `translate(${x} ${y})`, class: className }, ...children);
};

/** Where the last move began is told by a dashed frame, where it ended by solid corners. @param {Frame} frame @param {Move} move */
export function lastMove(frame, move) {
  const from = move.from ? [at(frame, move.from, [el("rect", { class: "last-from", x: -0.4, y: -0.4, width: 0.8, height: 0.8, rx: 0.16 })])] : [];
  const to = move.to ? [at(frame, move.to, [el("path", { class: "last-to", d: CORNERS })])] : [];
  return [...from, ...to];
}

const CORNERS = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
  .map(([h, v]) => `M${h * 0.47} ${v * 0.24} V${v * 0.47} H${h * 0.24}`)
  .join(" ");

/** Squares that belong together: a shape that earned something, four in a row. @param {Frame} frame @param {string[]} squares */
export const outlines = (frame, squares) => squares.map((square) => at(frame, square, [el("rect", { class: "shape", x: -0.485, y: -0.485, width: 0.97, height: 0.97, rx: 0.24 })]));

/** What only repetition forbids. @param {Frame} frame @param {Move[]} moves */
export const banned = (frame, moves) => moves.map((move) => at(frame, /** @type {string} */ (move.to), [el("path", { class: "banned", d: "M-.13 -.13 L.13 .13 M.13 -.13 L-.13 .13" })]));

/** @param {Frame} frame @param {string} square */
export const chosen = (frame, square) => [at(frame, square, [el("circle", { class: "chosen", r: 0.475 })])];

/** @param {Frame} frame @param {string} square */
export const check = (frame, square) => [at(frame, square, [el("circle", { class: "check", r: 0.48 }), el("path", { class: "check-rays", d: RAYS })])];

const RAYS = Array.from({ length: 12 }, (_, ray) => {
  const [c, s] = [Math.cos((ray * Math.PI) / 6), Math.sin((ray * Math.PI) / 6)];
  return `M${(c * 0.5).toFixed(3)} ${(s * 0.5).toFixed(3)} L${(c * 0.57).toFixed(3)} ${(s * 0.57).toFixed(3)}`;
}).join(" ");

/** @param {Frame} frame @param {{square: string, style: string}[]} targets */
export const targets = (frame, targets) =>
  targets.map(({ square, style }) =>
    at(frame, square, [el("circle", { class: `target ${style}`, r: { dot: 0.12, leap: 0.15, ring: 0.465 }[style] })]),
  );

/** What a shot goes over. @param {Frame} frame @param {string[]} squares @param {boolean} faint */
export const screens = (frame, squares, faint) => squares.map((square) => at(frame, square, [el("path", { class: "screen", d: "M0 -.49 L.49 0 L0 .49 L-.49 0 Z" })], faint ? "faint" : undefined));

/** What a move would do. @param {Frame} frame @param {Skin} skin @param {ReturnType<import("./motion.js").effects>} effects */
export const preview = (frame, skin, effects) => effects.flatMap((effect) => previewOf(frame, skin, effect));

/** @param {Frame} frame @param {Skin} skin @param {{square: string, effect: string, letter: string | null}} effect */
function previewOf(frame, skin, { square, effect, letter }) {
  const look = letter === null ? undefined : skin.pieces[letter];
  const parts = [];
  if (letter !== null && skin.floor?.[letter] !== undefined) parts.push(el("rect", { class: `floor side${skin.floor[letter]}`, x: -0.47, y: -0.47, width: 0.94, height: 0.94, rx: 0.09 }));
  if (look) parts.push(piece(look));
  if (effect === "take") parts.push(el("path", { class: "cross", d: "M-.22 -.22 L.22 .22 M.22 -.22 L-.22 .22" }));
  if (effect === "turn") parts.push(el("path", { class: "turning", d: "M-.2 -.02 A.2 .2 0 0 1 .16 -.12 M.16 -.25 V-.11 H.02 M.2 .02 A.2 .2 0 0 1 -.16 .12 M-.16 .25 V.11 H-.02" }));
  if (effect === "unknown") parts.push(el("circle", { class: "unknown", r: 0.36 }), el("text", { class: "unknown-text", dy: "0.14", "text-anchor": "middle" }, "?"));
  return parts.length ? [at(frame, square, parts, `preview ${effect}`)] : [];
}

/** @param {Frame} frame @param {Opinion[]} opinions */
export const opinions = (frame, opinions) => [...opinions].reverse().flatMap((opinion) => (opinion.from ? [arrow(frame, opinion)] : [badge(frame, opinion)]));

/** An arrow whose width tells how good the move is. @param {Frame} frame @param {Opinion} opinion */
function arrow(frame, opinion) {
  const [a, b] = [centre(frame, /** @type {string} */ (opinion.from)), centre(frame, opinion.to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const width = 0.06 + 0.14 * opinion.grade;
  const head = width * 2.1;
  const [tip, neck] = [length - 0.18, length - 0.18 - head];
  const d = `M0 ${-width / 2} H${neck} V${-width * 1.25} L${tip} 0 L${neck} ${width * 1.25} V${width / 2} H0 Z`;
  const angle = (Math.atan2(uy, ux) * 180) / Math.PI;
  const start = 0.3;
  const body = el("path", { class: "arrow-body", d, transform: `translate(${a.x + ux * start} ${a.y + uy * start}) rotate(${angle}) scale(${(length - start) / length} 1)` });
  return el("g", { class: `opinion ${rankClass(opinion)}` }, body, numeral(opinion, b.x - ux * 0.12 + 0.3, b.y - uy * 0.12 - 0.3));
}

/** @param {Opinion} opinion */
const rankClass = ({ rank, faint, kind }) => `${rank === 1 ? "best" : "other"}${faint ? " faint" : ""}${kind ? ` ${kind}` : ""}`;

/** @param {Opinion} opinion @param {number} x @param {number} y */
const numeral = ({ rank, text }, x, y) =>
  text || rank < 1
    ? el("g", {})
    : el("g", { transform: `translate(${x} ${y})` }, el("circle", { class: "numeral-back", r: 0.14 }), el("text", { class: "numeral", dy: "0.07", "text-anchor": "middle" }, String(rank)));

/** @param {Frame} frame @param {Opinion} opinion */
function badge(frame, opinion) {
  const r = 0.24 + 0.18 * opinion.grade;
  const words = opinion.faint || !opinion.text ? [el("text", { class: "badge-text", dy: "0.08", "text-anchor": "middle" }, opinion.faint ? "" : String(opinion.rank))] : labels(opinion);
  return at(frame, opinion.to, [el("circle", { class: "badge", r: opinion.faint ? 0.12 : r }), ...words], `opinion ${rankClass(opinion)}`);
}

/** @param {Opinion} opinion */
const labels = ({ text, small }) => [
  el("text", { class: "badge-text", dy: small ? "0" : "0.08", "text-anchor": "middle" }, text ?? ""),
  el("text", { class: "badge-small", dy: "0.19", "text-anchor": "middle" }, small ?? ""),
];

/** Shares of visits, or of a raw policy, as glowing spots. @param {Frame} frame @param {{square: string, share: number}[]} shares @param {string} kind */
export const heat = (frame, shares, kind) =>
  shares.map(({ square, share }) =>
    at(frame, square, [el("circle", { class: "spot", r: 0.47, "fill-opacity": (0.12 + 0.68 * Math.sqrt(share)).toFixed(2) }), el("text", { class: "spot-text", dy: "0.08", "text-anchor": "middle" }, percent(share))], `heat ${kind}`),
  );

/** @param {number} share */
const percent = (share) => (share >= 0.005 ? `${Math.round(share * 100)}` : "");
