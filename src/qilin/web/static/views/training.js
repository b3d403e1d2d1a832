// A training run, as it goes: curves, games on small boards, warnings in words, and its networks to play against.

import * as api from "../api.js";
import { thumbnail } from "../board/board.js";
import { build, fill, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { curve, thinned } from "../parts/chart.js";
import { whenThere, wordsOf } from "../parts/controls.js";
import { writeRoute } from "../route.js";
import { settings } from "../settings.js";
import { connection } from "../socket.js";

/** Boards shown at once, and milliseconds a ply on them. */
const BOARDS = 6;
const PLY = 600;

/** @param {HTMLElement} host @param {import("../route.js").Route} route */
export function page(host, route) {
  /** @type {(() => void)[]} */
  const endings = [];
  whenThere(host, route.argument ? run(route.argument, endings) : runs(), (content) => content);
  return { dispose: () => endings.forEach((end) => end()) };
}

async function runs() {
  const [found, games] = await Promise.all([api.runs(), api.games()]);
  const card = (/** @type {any} */ each) => h("a", { class: "record", href: writeRoute("training", each.name) }, h("h2", {}, each.name), h("p", {}, [pick(games.find((game) => game.name === each.game)?.title ?? { en: each.game, zh: each.game }), t("run.iterations", { n: each.iterations }), each.live ? t("run.live") : t("run.resting")].join(" · ")));
  return [h("h1", {}, t("nav.training")), found.length ? h("div", { class: "runs" }, found.map(card)) : h("div", { class: "panel" }, h("p", {}, t("run.none")), h("pre", {}, h("code", {}, "qilin train GAME")))];
}

/** @param {string} name @param {(() => void)[]} endings */
async function run(name, endings) {
  const seen = await api.run(name);
  const [game, skin, first] = await Promise.all([api.game(seen.game), api.skinOf(seen.game), api.metrics(name)]);
  const parts = { charts: h("div", { class: "charts" }), warnings: h("div", { role: "status" }), boards: h("div", { class: "live" }), checkpoints: h("div", { class: "actions" }) };
  /** @type {any[]} */
  const rows = [...first.rows];

  function draw() {
    const last = rows[rows.length - 1] ?? {};
    const names = Object.keys(last).filter((key) => typeof last[key] === "number" && key !== AXIS);
    fill(parts.charts, names.map((key) => chart(key, rows)));
  }

  async function refresh() {
    const now = await api.run(name);
    fill(parts.warnings, now.warnings.map((/** @type {any} */ words) => h("p", { class: "warning" }, pick(words))));
    fill(parts.checkpoints, now.checkpoints.slice(-6).reverse().map((/** @type {any} */ each) => h("a", { class: "button", href: writeRoute("play", seen.game, { player: each.player }) }, t("run.play", { name: each.name }))));
  }

  draw();
  await refresh();
  endings.push(connection().stream({ type: "follow", run: name, after: first.next }, (answer) => {
    if (answer.type !== "rows") return;
    rows.push(...answer.rows);
    draw();
    refresh().catch((error) => fill(parts.warnings, h("p", { class: "trouble" }, wordsOf(error))));
  }));
  endings.push(showGames(parts.boards, name, skin, game));
  return [h("a", { class: "crumb", href: writeRoute("training") }, `‹ ${t("nav.training")}`), h("h1", {}, `${name} · ${pick(game.title)}`), parts.warnings, h("h2", {}, t("run.games")), parts.boards, h("h2", {}, t("run.curves")), parts.charts, h("h2", {}, t("run.checkpoints")), parts.checkpoints];
}

const AXIS = "iteration";

/** @param {string} key @param {any[]} rows */
function chart(key, rows) {
  const points = thinned(rows.map((row, index) => ({ x: row[AXIS] ?? index, y: row[key] })).filter(({ y }) => typeof y === "number"));
  const last = points[points.length - 1];
  return h("figure", { class: "panel chart" }, h("figcaption", {}, h("b", {}, key)), build(curve(points)), h("div", { class: "chart-foot" }, h("span", {}, t("run.from", { n: points[0]?.x ?? 0 })), h("span", {}, last ? last.y.toPrecision(4) : "")));
}

/** The last games, played over and over on small boards. @param {HTMLElement} host @param {string} name @param {import("../types.js").Skin} skin @param {any} game */
function showGames(host, name, skin, game) {
  let gone = false;
  /** @type {{views: any[], at: number, host: HTMLElement}[]} */
  let shown = [];

  async function load() {
    const { games } = await api.runGames(name, 0, 100);
    const chosen = games.slice(-BOARDS);
    const lines = await Promise.all(chosen.map((/** @type {any} */ each) => api.views({ game: game.name, options: each.options, position: each.start, moves: each.moves }).catch(() => null)));
    shown = lines.filter(Boolean).map((views) => ({ views, at: 0, host: h("div", { class: "live-board" }) }));
    fill(host, shown.length ? shown.map((each) => each.host) : h("p", { class: "quiet" }, t("run.no_games")));
    shown.forEach(drawOne);
  }

  /** @param {{views: any[], at: number, host: HTMLElement}} each */
  const drawOne = (each) => fill(each.host, thumbnail(each.views[each.at], skin, { western: settings().western }));

  load().catch(() => fill(host, h("p", { class: "quiet" }, t("run.no_games"))));
  const timer = setInterval(() => {
    if (gone || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const each of shown) (each.at = (each.at + 1) % each.views.length), drawOne(each);
  }, PLY);
  return () => ((gone = true), clearInterval(timer));
}
