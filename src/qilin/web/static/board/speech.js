// A position and a move in spoken words. Pure: `t` translates, `pick` chooses the language of what the server said.

import { letterAt } from "./geometry.js";
import { effects } from "./motion.js";
import { canBegin, directMoves, isOwn, screensOf, targets } from "./input.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Skin} Skin */
/** @typedef {import("../types.js").Move} Move */
/**
 * @typedef {object} Voice
 * @property {(key: string, values?: Record<string, string | number>) => string} t
 * @property {(text: import("../types.js").Text) => string} pick
 * @property {(side: number) => string} seat what a side is called
 */

/** @param {View} view @param {Skin} skin @param {string} square @param {Voice} voice */
export function contents(view, skin, square, { t, pick }) {
  const letter = letterAt(view, square);
  const look = letter === null ? undefined : skin.pieces[letter];
  if (look) return pick(look.words);
  const floor = letter === null ? undefined : skin.floor?.[letter];
  return floor === undefined ? t("say.empty") : pick((skin.floorWords ?? [])[floor]);
}

/** What a cell of the grid is called. @param {View} view @param {Skin} skin @param {string | null} chosen @param {string} square @param {Voice} voice @param {ReturnType<typeof targets>} [reach] of what is chosen, for whoever names many cells */
export function cellName(view, skin, chosen, square, voice, reach = targets(view, skin, chosen)) {
  const notes = [];
  if (square === chosen) notes.push(voice.t("say.chosen"));
  else if (reach.some((target) => target.square === square)) notes.push(voice.t("say.target"));
  else if (!chosen && canBegin(view, skin, square)) notes.push(voice.t("say.can_move"));
  if (screensOf(reach).has(square)) notes.push(voice.t("say.screen"));
  if (view.check === square) notes.push(voice.t("say.in_check"));
  if (view.last?.to === square) notes.push(voice.t("say.last_here"));
  return [square, contents(view, skin, square, voice), ...notes].join(voice.t("say.comma"));
}

/** The move that led here: who, what, where, and what became of the others. @param {View} view @param {Skin} skin @param {Voice} voice */
export function moveSaid(view, skin, voice) {
  const move = view.last;
  if (!move) return "";
  const who = typeof move.by === "number" ? voice.t("say.who", { who: voice.seat(move.by) }) : "";
  const more = move.by === null ? [] : results(move, skin, voice); // what chance did is said in the deed
  return [who + deed(move, skin, voice), ...more].join(voice.t("say.comma"));
}

/** @param {Move} move @param {Skin} skin @param {Voice} voice */
function deed(move, skin, voice) {
  const name = (/** @type {string | null | undefined} */ letter) => (letter && skin.pieces[letter] ? voice.pick(skin.pieces[letter].words) : "");
  const change = (/** @type {string | null} */ square) => move.changes?.find((each) => each.square === square);
  const [there, here] = [change(move.to), change(move.from)];
  if (!move.to) return voice.t("say.pass");
  if (move.from && move.by === null) return [voice.t("say.step", { what: name(here?.before), from: move.from, to: move.to }), voice.t("say.exposed", { what: name(move.text) })].join(voice.t("say.comma"));
  if (move.from) return voice.t(skin.far?.(move) ? "say.jump" : "say.step", { what: name(here?.before), from: move.from, to: move.to });
  if (!there) return voice.t("say.point", { to: move.to });
  if (move.by === null) return voice.t("say.reveal", { what: name(there.after), to: move.to });
  if (name(there.before)) return voice.t(there.after === null ? "say.removed" : "say.becomes", { what: name(there.after ?? there.before), to: move.to });
  return voice.t("say.put", { what: name(there.after) || name(ownLetter(move, skin)), to: move.to });
}

/** A stone that left at once is in no change: whose it was shows in its side. @param {Move} move @param {Skin} skin */
const ownLetter = (move, skin) => Object.keys(skin.pieces).find((letter) => skin.pieces[letter].side === move.by);

/** @param {Move} move @param {Skin} skin @param {Voice} voice @returns {string[]} */
function results(move, skin, { t }) {
  const found = effects(move, skin);
  const count = (/** @type {string} */ effect) => found.filter((each) => each.effect === effect && !(effect === "take" && !move.from && each.square === move.to)).length;
  return ["take", "turn", "paint"].filter(count).map((effect) => t(`say.${effect}`, { n: count(effect) }));
}

/** How the game stands. @param {View} view @param {Voice} voice */
export function standing(view, { t, pick, seat }) {
  if (view.over) {
    const why = pick(view.over.words);
    return view.over.winner === null ? t("state.draw", { why }) : t("state.wins", { who: seat(view.over.winner), why });
  }
  if (view.to_move === null) return t("state.chance");
  const phase = view.phase ? `${t("say.comma")}${pick(view.phase.words)}` : "";
  return `${t("state.to_move", { who: seat(view.to_move) })}${phase}${view.check ? t("say.comma") + t("state.check") : ""}`;
}

/** Where a square's piece can go, or what may be done there. @param {View} view @param {Skin} skin @param {string} square @param {Voice} voice */
export function reachSaid(view, skin, square, { t }) {
  const reached = targets(view, skin, square).map((target) => target.square);
  const direct = directMoves(view).some((move) => move.to === square);
  if (reached.length) return t("say.reach", { square, list: reached.join(t("say.list")) });
  if (direct) return t("say.direct", { square });
  return t(isOwn(view, skin, square) ? "say.stuck" : "say.not_yours", { square });
}
