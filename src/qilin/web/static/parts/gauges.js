// Bars and counts beside a board: win, draw and loss; phase and pips; counters; what is still face down.

import { build, h } from "../dom.js";
import { pick, percent, t } from "../i18n.js";
import { el, piece } from "../board/shapes.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Skin} Skin */

/** The chances of both players as one bar; `shares` are the first player's win, the draw, the second's. @param {{win: number, draw: number | null, loss: number}} shares @param {[string, string]} names */
export function chanceBar({ win, draw, loss }, names) {
  const part = (/** @type {string} */ kind, /** @type {number} */ share) => h("span", { class: `part ${kind}`, style: { "flex-grow": String(Math.max(share, 0.0001)) } }, share >= 0.12 ? h("span", {}, percent(share)) : null);
  const label = t("bar.label", { first: names[0], win: percent(win), draw: draw === null ? "–" : percent(draw), second: names[1], loss: percent(loss) });
  return h("div", { class: "chance-bar", role: "img", "aria-label": label }, part("first", win), draw === null ? null : part("draw", draw), part("second", loss));
}

/** The same as a thin column beside the board: the first player's chances from below. @param {{win: number, draw: number | null, loss: number} | null} shares */
export function gauge(shares) {
  const height = shares ? percent(shares.win + (shares.draw ?? 0) / 2) : "50%";
  return [h("span", { class: `gauge-fill${shares ? "" : " idle"}`, style: { height } }), h("span", { class: "gauge-even" })];
}

/** What the player is to choose now, and how many of it. @param {View} view @param {string} who */
export function phaseBanner(view, who) {
  const { phase } = view;
  if (!phase) return null;
  const pips = phase.of ? Array.from({ length: phase.of }, (_, index) => h("i", { class: index < /** @type {number} */ (phase.of) - (phase.left ?? 0) ? "pip done" : "pip" })) : [];
  const words = `${pick(phase.words)}${phase.left ? ` · ${t("phase.left", { left: phase.left, of: phase.of ?? phase.left })}` : ""}`;
  return h("div", { class: `phase side${view.to_move}`, "data-phase": phase.name }, h("span", { class: "phase-who" }, who), h("span", { class: "phase-words" }, words), pips.length ? h("span", { class: "pips", "aria-hidden": "true" }, pips) : null);
}

/** @param {View} view @param {(side: number) => string} seat */
export function counters(view, seat) {
  const rows = view.counters.map(({ words, player, value, limit }) => {
    const label = `${pick(words)}${player === null ? "" : ` (${seat(player)})`}`;
    const near = limit !== null && player === null && value >= limit * 0.75;
    return h("li", { class: near ? "near" : "" }, h("span", {}, label), h("b", {}, limit === null ? String(value) : `${value} / ${limit}`));
  });
  return rows.length ? h("ul", { class: "counters", "aria-label": t("counters") }, rows) : null;
}

/** What is still face down, and how likely each is. @param {View} view @param {Skin} skin @param {boolean} western */
export function pool(view, skin, western) {
  if (!view.pool?.length) return null;
  const one = (/** @type {import("../types.js").Hidden} */ { letter, count, probability }) => {
    const look = skin.pieces[letter];
    const drawing = build(el("svg", { class: "token", viewBox: "-.5 -.5 1 1", role: "img", "aria-label": pick(look.words) }, piece(look, { western })));
    return h("li", { title: pick(look.words) }, drawing, h("span", {}, `×${count}`), h("small", {}, percent(probability)));
  };
  return h("section", { class: "pool", "aria-label": t("pool") }, h("h3", {}, t("pool")), h("ul", {}, view.pool.map(one)));
}

/** Both players' points, where there are any. @param {View} view @param {(side: number) => string} seat */
export function scores(view, seat) {
  if (!view.scores) return null;
  const [first, second] = view.scores;
  const share = first + second ? first / (first + second) : 0.5;
  return h("div", { class: "scores", role: "img", "aria-label": t("scores.label", { first: seat(0), a: first, second: seat(1), b: second }) },
    h("b", { class: "side0" }, String(first)), h("span", { class: "score-track" }, h("span", { class: "score-fill", style: { width: percent(share) } })), h("b", { class: "side1" }, String(second)));
}

/** @typedef {{periods: number, period: number}} Byoyomi */

/** How many periods of byo-yomi would make up what is left. @param {number} left @param {Byoyomi} clock */
export const inPeriods = (left, { periods, period }) => (periods ? Math.max(0, Math.ceil(left / period)) : 0);

/**
 * A clock's face: the main time and the periods after it; or what is left of a period, and how many there are.
 * @param {number} left of all together @param {Byoyomi} clock @returns {[string, string]}
 */
export function clockFace(left, clock) {
  if (!clock.periods) return [clockText(left), ""];
  const main = left - clock.periods * clock.period;
  const count = Math.min(clock.periods, inPeriods(left, clock));
  return [clockText(main > 0 ? main : left - Math.max(0, count - 1) * clock.period), `${count} × ${t("setup.seconds", { n: clock.period })}`];
}

/** Seconds as people read them. @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  const [minutes, rest] = [Math.floor(left / 60), left % 60];
  return left < 10 ? rest.toFixed(1) : `${minutes}:${String(Math.floor(rest)).padStart(2, "0")}`;
}
