// What a press on a square means. Pure: the server's legal moves decide, a skin only says how squares are meant.

import { letterAt } from "./geometry.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../types.js").Skin} Skin */
/**
 * @typedef {{kind: "move", move: Move} | {kind: "choose", square: string} | {kind: "clear"}
 *   | {kind: "refused", from: string | null, to: string}} Answer
 */

/** Moves that begin on a chosen square. @param {View} view @param {Skin} skin @param {string} square @returns {Move[]} */
export const movesFrom = (view, skin, square) =>
  view.moves.filter((move) => move.to && (move.from === square || (!move.from && skin.joins?.(move, square) && isOwn(view, skin, square))));

/** Moves that are one press on their target. @param {View} view @returns {Move[]} */
export const directMoves = (view) => view.moves.filter((move) => move.to && !move.from);

/** Moves without a square, as a pass. @param {View} view @returns {Move[]} */
export const bareMoves = (view) => view.moves.filter((move) => !move.to);

/** @param {View} view @param {Skin} skin @param {string} square */
export function isOwn(view, skin, square) {
  const letter = letterAt(view, square);
  return letter !== null && view.to_move !== null && skin.pieces[letter]?.side === view.to_move;
}

/** @param {View} view @param {Skin} skin @param {string} square */
export const canBegin = (view, skin, square) => movesFrom(view, skin, square).length > 0;

/** A piece that can't move may be chosen all the same where pieces move: trying tells why it can't. @param {View} view @param {Skin} skin @param {string} square */
const mayChoose = (view, skin, square) => canBegin(view, skin, square) || (isOwn(view, skin, square) && view.moves.some((move) => move.from));

/**
 * @param {View} view @param {Skin} skin @param {string | null} chosen @param {string} square
 * @returns {Answer}
 */
export function press(view, skin, chosen, square) {
  const aimed = skin.aim ? skin.aim(square, view.moves) : square;
  if (chosen === null) return pressFresh(view, skin, aimed);
  const move = movesFrom(view, skin, chosen).find((each) => each.to === aimed);
  if (move) return { kind: "move", move };
  if (square === chosen) return { kind: "clear" };
  return mayChoose(view, skin, square) ? { kind: "choose", square } : { kind: "refused", from: chosen, to: square };
}

/** @param {View} view @param {Skin} skin @param {string} square @returns {Answer} */
function pressFresh(view, skin, square) {
  const direct = directMoves(view).find((move) => move.to === square);
  if (direct) return { kind: "move", move: direct };
  if (mayChoose(view, skin, square)) return { kind: "choose", square };
  return { kind: "refused", from: null, to: square };
}

/**
 * Where a chosen piece may go, or, with nothing chosen, which pieces may be pointed at.
 * @param {View} view @param {Skin} skin @param {string | null} chosen
 * @returns {{square: string, style: "dot" | "ring" | "leap", move: Move}[]}
 */
export function targets(view, skin, chosen) {
  const moves = chosen ? movesFrom(view, skin, chosen) : directMoves(view).filter((move) => pointsAtPiece(view, skin, move));
  return moves.map((move) => ({ square: /** @type {string} */ (move.to), style: styleOf(view, skin, move), move }));
}

/** What the shots among these go over. @param {{move: Move}[]} targets */
export const screensOf = (targets) => new Set(targets.flatMap(({ move }) => move.screens ?? []));

/** A target that stands there face up: only a phase that chooses among pieces has such. @param {View} view @param {Skin} skin @param {Move} move */
function pointsAtPiece(view, skin, move) {
  const letter = letterAt(view, /** @type {string} */ (move.to));
  return letter !== null && typeof skin.pieces[letter]?.side === "number";
}

/** @param {View} view @param {Skin} skin @param {Move} move @returns {"dot" | "ring" | "leap"} */
function styleOf(view, skin, move) {
  const letter = letterAt(view, /** @type {string} */ (move.to));
  if (letter !== null && skin.pieces[letter]) return "ring";
  return skin.far?.(move) ? "leap" : "dot";
}
