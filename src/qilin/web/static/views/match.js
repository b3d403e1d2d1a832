// A match between two engines: the game that is played, the score, and what it says about their strength.

import * as api from "../api.js";
import { thumbnail } from "../board/board.js";
import { fill, h } from "../dom.js";
import { decimal, percent, pick, t } from "../i18n.js";
import { button, say, whenThere, wordsOf } from "../parts/controls.js";
import { playerTitle } from "../parts/players.js";
import { newMatch, writeRoute } from "../route.js";
import { settings } from "../settings.js";
import { connection } from "../socket.js";

/** @param {HTMLElement} host @param {import("../route.js").Route} route */
export function page(host, route) {
  /** @type {(() => void)[]} */
  const endings = [];
  whenThere(host, prepare(route), (ready) => match(ready, route, endings));
  return { dispose: () => endings.forEach((end) => end()) };
}

/** @param {import("../route.js").Route} route */
async function prepare({ query }) {
  const [game, skin, { players }] = await Promise.all([api.game(query.game), api.skinOf(query.game), api.players(query.game)]);
  return { game, skin, players };
}

/** @param {{game: any, skin: import("../types.js").Skin, players: any[]}} ready @param {import("../route.js").Route} route @param {(() => void)[]} endings */
function match({ game, skin, players }, { argument, query }, endings) {
  const specs = /** @type {[string, string]} */ ([query.first, query.second]);
  const names = specs.map((spec) => playerTitle(players, spec));
  const options = Object.fromEntries(Object.entries(query).filter(([key]) => key.startsWith("option.")).map(([key, value]) => [key.slice(7), /^\d+$/.test(value) ? Number(value) : value]));
  const parts = { seats: [h("div", { class: "seat" }), h("div", { class: "seat" })], board: h("div", { class: "board-host" }), status: h("p", { class: "standing" }), facts: h("div"), actions: h("div", { class: "actions" }), games: h("ol", { class: "match-games", reversed: true }) };
  /** @type {any[]} */
  let played = [];
  /** @type {any} */
  let last = null;
  let stopped = false;

  /** @param {any} answer */
  function hear(answer) {
    if (answer.type === "refused") return fill(parts.status, h("span", { class: "trouble", role: "alert" }, wordsOf(answer)));
    if (answer.type !== "match") return;
    const fresh = answer.games.slice(Math.max(0, played.length - (answer.seq - answer.games.length)));
    played = [...played, ...fresh];
    if (last) fresh.forEach((/** @type {any} */ each, /** @type {number} */ at) => say(`${t("match.game", { n: played.length - fresh.length + at + 1 })}${t("say.colon")}${resultOf(each)}`));
    last = answer;
    draw(fresh.length > 0);
  }

  /** Which player sits first in a game. @param {boolean} turned */
  const seated = (turned) => (turned ? [names[1], names[0]] : names);

  /** @param {any} each */
  const resultOf = (each) => (each.winner === null ? t("state.draw", { why: pick(each.words) }) : t("state.wins", { who: seated(each.turned)[each.winner], why: pick(each.words) }));

  /** @param {boolean} more whether a game has ended */
  function draw(more) {
    const { board, of, done } = last;
    const running = Math.min(played.length + 1, of);
    const turned = running % 2 === 0;
    [1, 0].forEach((seat, at) => fill(parts.seats[at], h("span", { class: `seat-mark side${seat}${board?.to_move === seat ? " turn" : ""}`, "aria-hidden": "true" }), h("span", { class: "seat-name" }, h("b", {}, seated(turned)[seat]), h("small", {}, pick(game.players[seat])))));
    if (board) fill(parts.board, thumbnail(board, skin, { western: settings().western }));
    fill(parts.status, done ? t("match.over") : stopped ? t("match.stopped") : t("match.progress", { n: running, of }));
    if (!more && parts.facts.childElementCount) return;
    fill(parts.facts, facts());
    fill(parts.actions, done || stopped ? button("match.again", () => (location.hash = newMatch(game.name, specs, of, options)), { icon: "plus", kind: "strong" }) : button("match.stop", stop, { icon: "pause" }));
    fill(parts.games, played.map(row).reverse());
  }

  /** @param {any} each @param {number} at */
  const row = (each, at) => h("li", { value: at + 1 }, h("a", { href: writeRoute("analyse", "", { record: each.record }) }, seated(each.turned).join(" – ")), h("span", {}, `${resultOf(each)} · ${t("library.plies", { n: each.plies })}`));

  function facts() {
    const { wins, draws, losses, superiority, pentanomial, elo } = last.standing;
    const points = wins + draws / 2;
    const share = (/** @type {number} */ count) => (played.length ? count / played.length : 0);
    const number = (/** @type {string} */ label, /** @type {string} */ value, more = "") => h("div", {}, h("dt", {}, label, more ? h("small", {}, more) : null), h("dd", {}, value));
    const bar = h("div", { class: "chance-bar", role: "img", "aria-label": t("match.bar", { first: names[0], win: wins, draw: draws, second: names[1], loss: losses }) }, [["first", wins], ["draw", draws], ["second", losses]].map(([kind, count]) => h("span", { class: `part ${kind}`, style: { "flex-grow": String(Math.max(share(Number(count)), 0.0001)) } }, count ? h("span", {}, String(count)) : null)));
    return [
      h("dl", { class: "numbers" }, number(t("match.score"), `${decimal(points, points % 1 ? 1 : 0)} – ${decimal(played.length - points, points % 1 ? 1 : 0)}`), number(t("match.results"), `${wins} / ${draws} / ${losses}`), number(t("match.elo"), ...eloSaid(elo))),
      bar,
      pentanomial.some(Boolean) ? h("p", { class: "quiet small" }, t("match.stronger", { who: names[0], share: percent(superiority) })) : null,
      h("p", { class: "quiet small" }, t("match.about")),
    ];
  }

  function stop() {
    stopped = true;
    leave();
    draw(true);
  }

  const leave = connection().stream({ type: "match", match: argument, game: game.name, options, players: specs, games: Number(query.games) }, hear);
  endings.push(leave);
  fill(parts.status, t("loading"));
  const dress = { "--seat0": skin.seats?.[0] ?? "var(--stone0)", "--seat1": skin.seats?.[1] ?? "var(--stone1)", "--shape": String(game.cols / game.rows) };
  return [h("a", { class: "crumb", href: writeRoute("play", game.name) }, `‹ ${pick(game.title)}`),
    h("div", { class: "table-page", style: dress }, h("h1", { class: "sr" }, `${t("match.title")}${t("say.colon")}${names.join(" – ")}`),
      h("div", { class: "board-side" }, parts.seats[0], parts.board, parts.seats[1]),
      h("div", { class: "panel-side" }, h("div", { class: "panel" }, h("h2", { class: "panel-title" }, names.join(" – ")), parts.status, parts.facts, parts.actions), h("div", { class: "panel moves-panel", tabindex: "0", role: "region", "aria-label": t("match.games") }, parts.games)))];
}

/** The Elo difference with its interval; one end where the other is not known. @param {(number | null)[]} elo @returns {[string, string]} */
function eloSaid([low, value, high]) {
  const whole = (/** @type {number} */ number) => `${number > 0 ? "+" : ""}${decimal(Math.round(number))}`;
  if (value !== null && low !== null && high !== null) return [whole(value), t("match.interval", { low: whole(low), high: whole(high) })];
  const known = low ?? high;
  return known === null ? ["–", t("match.open")] : [`${low === null ? "<" : ">"} ${whole(known)}`, "95 %"];
}
