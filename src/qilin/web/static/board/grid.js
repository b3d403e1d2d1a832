// The board as people without a mouse meet it: an ARIA grid of cells over the drawing, walked with the arrow keys.

import { h } from "../dom.js";
import { neighbour, squares } from "./geometry.js";

/** @typedef {import("../types.js").Frame} Frame */

/**
 * @param {Frame} frame
 * @param {{label: string, onPress: (square: string) => void, onKey: (key: string, square: string) => boolean, onFocus: (square: string) => void}} options
 */
export function makeGrid(frame, { label, onPress, onKey, onFocus }) {
  const cell = (/** @type {string} */ square) => h("div", { role: "gridcell", class: "cell", "data-square": square, tabindex: "-1" });
  const rows = squares(frame).map((names) => h("div", { role: "row", class: "row" }, names.map(cell)));
  const element = h("div", { role: "grid", class: "grid", "aria-label": label }, rows);
  const cells = new Map([...element.querySelectorAll(".cell")].map((each) => [each.dataset.square, each]));
  let current = squares(frame)[frame.rows - 1][0];

  /** @param {string} square */
  function enter(square) {
    cells.get(current)?.setAttribute("tabindex", "-1");
    current = square;
    cells.get(square)?.setAttribute("tabindex", "0");
  }

  /** @param {string} square */
  function focus(square) {
    enter(square);
    cells.get(square)?.focus();
  }

  element.addEventListener("focusin", (/** @type {any} */ event) => {
    const square = event.target.dataset.square;
    if (square) enter(square), onFocus(square);
  });
  // A mouse leaves the focus where it is: the arrow keys go on to step through the moves.
  element.addEventListener("mousedown", (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && !element.contains(focused)) focused.blur();
  });
  element.addEventListener("click", (/** @type {any} */ event) => {
    const square = event.target.closest("[data-square]")?.dataset.square;
    if (!square) return;
    if (element.contains(document.activeElement)) focus(square);
    else enter(square);
    onPress(square);
  });
  element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = stepOf(frame, current, event.key);
    if (next) focus(next);
    if (next !== undefined || onKey(event.key, current)) event.preventDefault(), event.stopPropagation();
  });
  enter(current);
  return { element, cells, focus, enter, current: () => current };
}

/** Where a key leads: a square, null at the edge, undefined where the key is no step. @param {Frame} frame @param {string} square @param {string} key */
export function stepOf(frame, square, key) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  if (step) return neighbour(frame, square, step[0], step[1]);
  if (key === "Home" || key === "End") return edge(frame, square, key === "Home" ? -1 : 1);
  return undefined;
}

/** @param {Frame} frame @param {string} square @param {number} right @returns {string} */
function edge(frame, square, right) {
  const next = neighbour(frame, square, 0, right);
  return next === null ? square : edge(frame, next, right);
}
