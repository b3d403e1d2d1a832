// What an engine thinks: its value, how far it looked, and its best lines.

import { h } from "../dom.js";
import { percent, short, t } from "../i18n.js";

/** @typedef {import("../board/marks.js").Opinion} Opinion */

/** Below this many visits a value says little. */
const FEW = 25;

/** A line's worth for the player to move, in few characters. @param {any} line */
export function worth(line) {
  if (line.ends) return line.ends > 0 ? t("line.wins_in", { n: line.ends }) : t("line.loses_in", { n: -line.ends });
  return percent(line.win + (line.draw ?? 0) / 2);
}

/** How much worse than the best, 0 … 1. @param {any} best @param {any} line */
const lossOf = (best, line) => Math.max(0, best.win + (best.draw ?? 0) / 2 - line.win - (line.draw ?? 0) / 2);

/**
 * Lines as arrows and marks: narrower the worse they are, none for what loses much.
 * @param {any[]} lines @returns {Opinion[]}
 */
export function opinionsOf(lines) {
  return lines
    .map((line, index) => ({ line, loss: lossOf(lines[0], line), rank: index + 1 }))
    .filter(({ line, loss }) => line.to && loss < 0.2)
    .map(({ line, loss, rank }) => ({ from: line.from, to: line.to, rank, grade: Math.max(0, 1 - loss * 5), faint: line.visits !== null && line.visits < FEW, text: line.from ? undefined : worth(line), small: line.visits ? short(line.visits) : undefined }));
}

/**
 * @param {any} analysis @param {{onPlay: (moves: string[]) => void, name: (moves: string[]) => string[]}} hooks
 */
export function lineList(analysis, { onPlay, name }) {
  const row = (/** @type {any} */ line) => {
    const thin = line.visits !== null && line.visits !== undefined && line.visits < FEW;
    const facts = [line.depth && t("line.depth", { n: line.depth }), line.visits && t("line.visits", { n: short(line.visits) })].filter(Boolean).join(" · ");
    return h("li", {}, h("button", { type: "button", class: `pv${thin ? " thin" : ""}`, title: thin ? t("line.thin") : null, onclick: () => onPlay(line.moves) },
      h("b", {}, worth(line)), h("span", {}, h("span", { translate: "no" }, name(line.moves).join(" ")), facts ? h("small", {}, `  ${facts}`) : null)));
  };
  return h("ol", { class: "lines" }, analysis.lines.map(row));
}

/** Shares of visits, or of the raw policy, by square. @param {any[]} heat @param {"visits" | "policy"} kind */
export function heatOf(heat, kind) {
  /** @type {Map<string, number>} */
  const shares = new Map();
  for (const { to, share, prior } of heat) if (to) shares.set(to, (shares.get(to) ?? 0) + ((kind === "policy" ? prior : share) ?? 0));
  return [...shares].map(([square, share]) => ({ square, share })).filter(({ share }) => share >= 0.005);
}
