// A training run, as it goes: curves, games on small boards, warnings in words, and its networks to play against.

import * as api from "../api.js";
import { thumbnail } from "../board/board.js";
import { build, fill, h } from "../dom.js";
import { known, percent, pick, short, t } from "../i18n.js";
import { curves, span, thinned } from "../parts/chart.js";
import { FIGURES, measured } from "../parts/figures.js";
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
  const card = (/** @type {any} */ each) => h("a", { class: "record", href: writeRoute("training", each.name) }, h("h2", { translate: "no" }, each.name), h("p", {}, [pick(games.find((game) => game.name === each.game)?.title ?? { en: each.game, zh: each.game }), t("run.iterations", { n: each.iterations }), each.live ? t("run.live") : t("run.resting")].join(" · ")));
  return [h("h1", {}, t("nav.training")), found.length ? h("div", { class: "runs" }, found.map(card)) : h("div", { class: "panel" }, h("p", {}, t("run.none")), h("pre", {}, h("code", { translate: "no" }, "qilin train GAME")))];
}

/** @param {string} name @param {(() => void)[]} endings */
async function run(name, endings) {
  const seen = await api.run(name);
  const [game, skin, first] = await Promise.all([api.game(seen.game), api.skinOf(seen.game), api.metrics(name)]);
  const parts = { numbers: h("dl", { class: "numbers" }), charts: h("div", { class: "charts" }), warnings: h("div", { role: "status" }), boards: h("div", { class: "live" }), checkpoints: h("div", { class: "actions checkpoints" }) };
  /** @type {any[]} */
  const rows = [...first.rows];

  function draw() {
    fill(parts.numbers, numbers(rows[rows.length - 1], seen.recipe));
    fill(parts.charts, FIGURES.map((figure) => chart(figure, rows)));
  }

  async function refresh() {
    const now = await api.run(name);
    fill(parts.warnings, now.warnings.map(warning));
    const buttons = now.checkpoints.slice(0, 6).map((/** @type {any} */ each) => h("a", { class: "button", href: writeRoute("play", seen.game, { player: each.player }) }, t("run.play", { name: each.name === "best" ? t("run.best") : each.name })));
    fill(parts.checkpoints, buttons.length ? buttons : h("p", { class: "quiet" }, t("run.no_checkpoints")));
  }

  draw();
  await refresh();
  const live = showGames(parts.boards, skin, game, seen.recipe?.options);
  endings.push(live.stop, connection().stream({ type: "follow", run: name, after: first.next }, (answer) => {
    if (answer.type !== "rows") return;
    rows.push(...answer.rows);
    draw();
    live.show(answer.games);
    refresh().catch((error) => fill(parts.warnings, h("p", { class: "trouble" }, wordsOf(error))));
  }));
  return [h("a", { class: "crumb", href: writeRoute("training") }, `‹ ${t("nav.training")}`),
    h("div", { class: "run-head" }, h("div", {}, h("h1", { translate: "no" }, name), h("p", { class: "quiet" }, pick(game.title), " · ", seen.live ? t("run.live") : t("run.resting"))), parts.checkpoints),
    parts.numbers, parts.warnings, h("h2", {}, t("run.games")), parts.boards, h("h2", {}, t("run.curves")), parts.charts];
}

/** A run's last figures, big. @param {any} row @param {any} recipe */
function numbers(row, recipe) {
  if (!row) return [];
  const of = recipe?.run?.iterations;
  const facts = { iteration: Number.isFinite(of) ? `${row.iteration} / ${of}` : String(row.iteration), games: short(row.games ?? 0), positions: short(row.samples ?? 0), seconds: t("setup.seconds", { n: (row.seconds ?? 0).toFixed(1) }) };
  return Object.entries(facts).map(([name, value]) => h("div", {}, h("dt", {}, t(`run.number.${name}`)), h("dd", {}, value)));
}

/** In a few words of the page, and in all of the trainer's. @param {{kind: string, words: import("../types.js").Text}} found */
const warning = ({ kind, words }) => h("div", { class: "warning" }, h("b", {}, known(`run.warning.${kind}`) ? t(`run.warning.${kind}`) : t("run.warning")), h("p", {}, pick(words).split(/\b([a-z]+\.[a-z_0-9]+)\b/).map((part, at) => (at % 2 ? h("code", { translate: "no" }, part) : part))));

/** @param {import("../parts/figures.js").Figure} figure @param {any[]} rows */
function chart(figure, rows) {
  const shown = measured(figure, rows);
  if (!shown.length) return null;
  const [low, high] = span(shown.flatMap(({ points }) => points.map(({ y }) => y)));
  const write = (/** @type {number} */ y) => (figure.percent ? percent(y) : y >= 100 ? short(y) : y.toPrecision(3));
  const legend = shown.map(({ name, points }, index) => h("li", { class: index ? "second" : "" }, t(`run.curve.${name}`), " ", h("b", {}, write(points[points.length - 1].y))));
  const ends = shown[0].points;
  return h("figure", { class: "panel chart" }, h("figcaption", {}, h("h3", {}, t(`run.figure.${figure.name}`)), h("ul", { class: "legend" }, legend)),
    h("div", { class: "plot" }, h("span", {}, write(high)), build(curves(shown.map(({ points }) => thinned(points)))), h("span", {}, write(low))),
    h("div", { class: "chart-foot" }, h("span", {}, String(ends[0].x)), h("span", {}, t("run.iterations", { n: ends[ends.length - 1].x }))));
}

/** The last games, played over and over on small boards. @param {HTMLElement} host @param {import("../types.js").Skin} skin @param {any} game @param {Record<string, any> | undefined} options of the run */
function showGames(host, skin, game, options) {
  /** @type {{views: any[], at: number, host: HTMLElement}[]} */
  let shown = [];

  /** @param {any[]} games none: those that are shown stay */
  async function show(games) {
    if (!games.length) return;
    const lines = await Promise.all(games.slice(-BOARDS).map((each) => api.views({ game: game.name, options, position: each.start, moves: each.moves }).catch(() => null)));
    shown = lines.filter(Boolean).map((views, index) => ({ views, at: Math.floor((views.length * (index + 1)) / (BOARDS + 1)), host: h("div", { class: "live-board" }) }));
    fill(host, shown.map((each) => each.host));
    shown.forEach(drawOne);
  }

  /** @param {{views: any[], at: number, host: HTMLElement}} each */
  const drawOne = (each) => fill(each.host, thumbnail(each.views[each.at], skin, { western: settings().western }));

  fill(host, h("p", { class: "quiet" }, t("run.no_games")));
  const timer = setInterval(() => {
    if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const each of shown) (each.at = (each.at + 1) % each.views.length), drawOne(each);
  }, PLY);
  return { show, stop: () => clearInterval(timer) };
}
