// What moves when one position follows another: pure, from the cells before and after and the move between them.

import { distance, frameOf, letterAt, squares } from "./geometry.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Skin} Skin */
/** @typedef {{kind: "slide" | "drop" | "appear" | "vanish" | "turn" | "reveal" | "paint", square: string, from?: string, before: string | null, delay: number}} Motion */

/** All delays of one move stay below this, in milliseconds. */
const CASCADE = 300;
const PER_CELL = 45;

/** @param {View | null} before @param {View} after @param {Skin} skin @returns {Motion[]} */
export function motions(before, after, skin) {
  if (!before || !after.last || !follows(before, after)) return [];
  const changed = squares(frameOf(after, false)).flat().filter((square) => letterAt(before, square) !== letterAt(after, square));
  return changed.flatMap((square) => motionsAt(square, before, after, skin));
}

/** @param {View} before @param {View} after */
const follows = (before, after) => before.game === after.game && before.text !== after.text && after.ply >= before.ply && after.ply - before.ply <= 2;

/** @param {string} square @param {View} before @param {View} after @param {Skin} skin @returns {Motion[]} */
function motionsAt(square, before, after, skin) {
  const was = letterAt(before, square);
  const now = letterAt(after, square);
  const delay = delayAt(square, after.last);
  const found = /** @type {Motion[]} */ ([]);
  if (skin.floor && skin.floor[was ?? ""] !== skin.floor[now ?? ""]) found.push({ kind: "paint", square, before: was, delay });
  const kind = kindOf(square, was && skin.pieces[was], now && skin.pieces[now], after, skin);
  if (kind) found.push({ kind, square, before: was, delay: kind === "slide" ? 0 : delay, ...(kind === "slide" ? { from: /** @type {string} */ (after.last?.from) } : {}) });
  return found;
}

/** @param {string} square @param {any} was @param {any} now @param {View} after @param {Skin} skin @returns {Motion["kind"] | null} */
function kindOf(square, was, now, after, skin) {
  if (now && after.last?.from && square === after.last.to) return "slide";
  if (was && now) return was.shape === "back" ? "reveal" : was.side === now.side && was.struck === now.struck ? null : "turn";
  if (now) return skin.drops ? "drop" : "appear";
  return was && square !== after.last?.from ? "vanish" : null;
}

/** @param {string} square @param {import("../types.js").Move | null} last */
function delayAt(square, last) {
  const origin = last?.to;
  return origin ? Math.min(CASCADE, distance(square, origin) * PER_CELL) : 0;
}

/**
 * What a move would do, square by square, for the preview: take, turn, paint, put, leave or unknown.
 * @param {import("../types.js").Move} move @param {Skin} skin
 * @returns {{square: string, effect: string, letter: string | null}[]}
 */
export function effects(move, skin) {
  return (move.changes ?? []).map(({ square, before, after, unknown }) => ({
    square,
    effect: unknown ? "unknown" : effectOf(move, square, before, after, skin),
    letter: after,
  }));
}

/** @param {import("../types.js").Move} move @param {string} square @param {string | null} before @param {string | null} after @param {Skin} skin */
function effectOf(move, square, before, after, skin) {
  const was = before === null ? undefined : skin.pieces[before];
  const now = after === null ? undefined : skin.pieces[after];
  if (square === move.from && !now) return "leave";
  if (was && now && square !== move.to) return "turn";
  if (now) return was && was.side !== now.side ? "take" : "put";
  return was ? "take" : "paint";
}
