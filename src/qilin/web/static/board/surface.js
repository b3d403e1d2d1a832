// What a board looks like without pieces: body, grain, grid, coordinates. Drawings in cells, (0, 0) is the upper left corner.

import { MARGIN, plainCoordinates, squares } from "./geometry.js";
import { el } from "./shapes.js";

/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {import("../types.js").Skin} Skin */
/** @typedef {import("../types.js").Drawing} Drawing */

/** @param {Frame} frame @param {Skin} skin @param {string} notation @param {boolean} small @returns {Drawing[]} */
export function surface(frame, skin, notation, small) {
  const grid = skin.grid === "points" ? lines(frame) : tiles(frame);
  const art = skin.art ? skin.art(frame) : [];
  return [...body(frame, small ? 0.2 : MARGIN), ...grid, ...art, ...(small ? [] : coordinates(frame, skin, notation))];
}

/** @param {Frame} frame @param {number} margin */
function body({ rows, cols }, margin) {
  const box = { x: -margin, y: -margin, width: cols + 2 * margin, height: rows + 2 * margin, rx: 0.16 };
  return [el("rect", { class: "board-body", ...box }), el("g", { class: "grain" }, ...grain(rows, cols, margin)), el("rect", { class: "lamp", ...box }), el("rect", { class: "board-rim", ...box })];
}

/** Wood: long, slightly bent threads. The same board always has the same grain. @param {number} rows @param {number} cols @param {number} margin */
function grain(rows, cols, margin) {
  const random = numbers(rows * 31 + cols);
  const top = -margin + 0.06;
  const bottom = rows + margin - 0.06;
  const threads = [];
  for (let x = -margin + 0.1; x < cols + margin - 0.05; x += 0.09 + random() * 0.22) {
    const bend = () => (x + (random() - 0.5) * 0.22).toFixed(2);
    const d = `M${x.toFixed(2)} ${top} C${bend()} ${(rows * 0.3).toFixed(2)} ${bend()} ${(rows * 0.7).toFixed(2)} ${bend()} ${bottom}`;
    threads.push(el("path", { d, "stroke-width": (0.012 + random() * 0.03).toFixed(3), "stroke-opacity": (0.05 + random() * 0.13).toFixed(2) }));
  }
  return threads;
}

/** A small generator, for looks only. @param {number} seed */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {Frame} frame */
function lines({ rows, cols }) {
  const across = Array.from({ length: rows }, (_, row) => `M.5 ${row + 0.5} H${cols - 0.5}`);
  const down = Array.from({ length: cols }, (_, col) => `M${col + 0.5} .5 V${rows - 0.5}`);
  return [el("path", { class: "lines", d: [...across, ...down].join(" ") })];
}

/** @param {Frame} frame */
function tiles(frame) {
  return squares(frame).flatMap((names, row) =>
    names.map((_, col) => el("rect", { class: `tile${(row + col) % 2 ? " odd" : ""}`, x: col + 0.03, y: row + 0.03, width: 0.94, height: 0.94, rx: 0.09 })),
  );
}

/** @param {Frame} frame @param {Skin} skin @param {string} notation */
function coordinates(frame, skin, notation) {
  const { top, bottom, left, right } = skin.coordinates ? skin.coordinates(frame, notation) : plainCoordinates(frame);
  const { rows, cols } = frame;
  return [
    ...top.map((name, col) => label(name, col + 0.5, -0.26)),
    ...bottom.map((name, col) => label(name, col + 0.5, rows + 0.3)),
    ...left.map((name, row) => label(name, -0.3, row + 0.5)),
    ...right.map((name, row) => label(name, cols + 0.3, row + 0.5)),
  ];
}

/** @param {string} name @param {number} x @param {number} y */
const label = (name, x, y) => el("text", { class: "coordinate", x, y, dy: "0.1", "text-anchor": "middle" }, name);
