// Where a square lies. Rows count from the top of a position's text, columns from the left; a flipped board turns half round.

/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {import("../types.js").Place} Place */

/** Room around the cells, in cells: coordinates stand there. */
export const MARGIN = 0.62;

/** @param {import("../types.js").View} view @param {boolean} flipped @returns {Frame} */
export const frameOf = (view, flipped) => ({
  rows: view.rows.length,
  cols: view.rows[0].length,
  rank0: view.rank0,
  flipped,
});

/** @param {Frame} frame @param {Place} place */
export const nameOf = (frame, { row, col }) => String.fromCharCode(97 + col) + (frame.rank0 + frame.rows - 1 - row);

/** @param {Frame} frame @param {string} square @returns {Place} */
export const placeOf = (frame, square) => ({
  row: frame.rank0 + frame.rows - 1 - Number(square.slice(1)),
  col: square.charCodeAt(0) - 97,
});

/** Where a place is seen: the same numbers on a board that may be turned. @param {Frame} frame @param {Place} place @returns {Place} */
export const seen = (frame, { row, col }) =>
  frame.flipped ? { row: frame.rows - 1 - row, col: frame.cols - 1 - col } : { row, col };

/** The middle of a square, in cells from the board's upper left corner. @param {Frame} frame @param {string} square */
export function centre(frame, square) {
  const { row, col } = seen(frame, placeOf(frame, square));
  return { x: col + 0.5, y: row + 0.5 };
}

/** Every square in the order in which it is seen, row by row. @param {Frame} frame */
export function squares(frame) {
  const rows = [];
  for (let row = 0; row < frame.rows; row++) {
    const names = [];
    for (let col = 0; col < frame.cols; col++) names.push(nameOf(frame, seen(frame, { row, col })));
    rows.push(names);
  }
  return rows;
}

/** @param {import("../types.js").View} view @param {string} square */
export function letterAt(view, square) {
  const { row, col } = placeOf(frameOf(view, false), square);
  return view.rows[row]?.[col] ?? null;
}

/** Distance as a king walks. @param {string} a @param {string} b */
export const distance = (a, b) =>
  Math.max(Math.abs(a.charCodeAt(0) - b.charCodeAt(0)), Math.abs(Number(a.slice(1)) - Number(b.slice(1))));

/** The square a step away on the screen, or null beyond the edge. @param {Frame} frame @param {string} square @param {number} down @param {number} right */
export function neighbour(frame, square, down, right) {
  const turn = frame.flipped ? -1 : 1;
  const { row, col } = placeOf(frame, square);
  const place = { row: row + down * turn, col: col + right * turn };
  const inside = place.row >= 0 && place.row < frame.rows && place.col >= 0 && place.col < frame.cols;
  return inside ? nameOf(frame, place) : null;
}

/** Files and ranks as letters and numbers. @param {Frame} frame @returns {import("../types.js").Coordinates} */
export function plainCoordinates(frame) {
  const grid = squares(frame);
  const files = grid[0].map((name) => name[0]);
  const ranks = grid.map((row) => row[0].slice(1));
  return { top: [], bottom: files, left: ranks, right: [] };
}
