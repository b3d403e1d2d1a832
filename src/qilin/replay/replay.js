// One game on one page, opened from disk: board, moves with variations, graph, autoplay. All it shows lies in the page itself.

import skin from "qilin/skin";
import { mountBoard } from "../web/static/board/board.js";
import { rowsOf } from "../web/static/board/sample.js";
import { definitions } from "../web/static/board/shapes.js";
import { moveSaid, standing } from "../web/static/board/speech.js";
import { plant } from "../web/static/document.js";
import { build, fill, h } from "../web/static/dom.js";
import { percent, pick, t } from "../web/static/i18n.js";
import { button, say, select } from "../web/static/parts/controls.js";
import { counters, phaseBanner, pool, scores } from "../web/static/parts/gauges.js";
import { graph, plyAt } from "../web/static/parts/graph.js";
import { moveList } from "../web/static/parts/moves.js";
import { makeReplay } from "../web/static/parts/replay.js";
import { change, onChange, pace, settings } from "../web/static/settings.js";
import { lineThrough, newTree, nodeAt, pathTo, sibling } from "../web/static/tree.js";

/** @typedef {import("../web/static/types.js").Text} Text */

/** What qilin.replay wrote into the page: a game file, and what the rules say of its every position, in the order of the steps. */
const { document: file, game, views, names, notations, result } = JSON.parse(document.getElementById("game")?.textContent ?? "");

/** Words that only this page needs. @type {Record<string, Text>} */
const WORDS = {
  notation: { en: "Moves written in", zh: "着法写法" },
  keys: { en: "← → step · ↑ ↓ variation · Home End · space autoplay · f flip · l language", zh: "← → 前后一步 · ↑ ↓ 变着 · Home End 首尾 · 空格 自动播放 · f 翻转 · l 语言" },
};

const tree = newTree();
const ids = [0, ...plant(tree, 0, file.moves)];
/** @type {Map<number, any>} */
const seen = new Map();
ids.forEach((id, index) => {
  if (seen.has(id)) return;
  const blank = { game: game.name, options: file.options, moves: [], banned: [], key: "" };
  seen.set(id, { ...blank, ...views[index], rows: rowsOf(views[index].text) });
  Object.assign(nodeAt(tree, id), { by: seen.get(id).last?.by ?? null, names: names[index] });
});
Object.assign(nodeAt(tree, 0), { value: file.opinion?.first ?? null, remarks: { comment: file.comment } });

const { rows } = seen.get(0);
const dress = { "--seat0": skin.seats?.[0] ?? "var(--stone0)", "--seat1": skin.seats?.[1] ?? "var(--stone1)", "--shape": String((rows[0].length + 1.24) / (rows.length + 1.24)) };
let current = 0;
let notation = notations[0]?.name ?? "native";
const seat = (/** @type {number} */ side) => pick(game.players[side]);
const who = (/** @type {number} */ side) => file.players[side]?.name || file.players[side]?.player || seat(side);
const voice = { t, pick, seat };
const parts = { head: h("header", { class: "top" }), players: h("h1", { class: "panel-title" }), status: h("div", { class: "status" }), note: h("p", { class: "remark" }), moves: h("div", { class: "moves-panel" }), graph: h("div", { class: "graph-host" }), pool: h("div"), bar: h("div", { class: "bar" }), extra: h("div") };
const host = h("div", { class: "board-host" });
const board = mountBoard(host, { skin, voice, label: pick(game.title), pace, mayMove: () => false, onMove: () => {}, onSay: say, notation, western: false });
const autoplay = () => makeReplay({ hasNext: () => nodeAt(tree, current).children.length > 0, next: () => go(nodeAt(tree, current).children[0]), onChange: drawBar });
let replay = autoplay();

/** @param {number | null | undefined} id */
function go(id) {
  if (id === null || id === undefined) return;
  current = id;
  const view = seen.get(id);
  board.show(view);
  say([moveSaid(view, skin, voice), standing(view, voice)].filter(Boolean).join(t("say.stop")));
  drawPanel();
}

function drawPanel() {
  const view = seen.get(current);
  const node = /** @type {any} */ (nodeAt(tree, current));
  const value = typeof node.value === "number" ? h("p", { class: "quiet" }, `${who(0)} ${percent(node.value)} · ${percent(1 - node.value)} ${who(1)}`) : null;
  const ended = !view.over && result && node.children.length === 0 && onMainLine() ? h("p", { class: "standing" }, told(result)) : null;
  fill(parts.status, scores(view, seat), h("p", { class: "standing" }, standing(view, voice)), ended, view.over ? null : phaseBanner(view, seat(view.to_move ?? 0)), counters(view, seat), value);
  parts.note.textContent = node.remarks?.comment ?? "";
  parts.note.hidden = !parts.note.textContent;
  fill(parts.pool, pool(view, skin, settings().western));
  drawMoves();
  drawGraph();
  drawBar();
}

/** Whether the current node lies on the game as it was played. */
const onMainLine = () => pathTo(tree, current).every((node) => node.parent === null || nodeAt(tree, node.parent).children[0] === node.id);

/** A result that the rules did not give. @param {{winner: 0 | 1 | null, words: Text}} ended */
const told = ({ winner, words }) => (winner === null ? t("state.draw", { why: pick(words) }) : t("state.wins", { who: seat(winner), why: pick(words) }));

function drawMoves() {
  for (const node of /** @type {Iterable<any>} */ (tree.nodes.values())) node.name = (node.names?.[notation] ?? node.move) + (node.remarks?.marks ?? []).filter((/** @type {string} */ mark) => !["?", "??", "?!"].includes(mark)).join("");
  fill(parts.moves, moveList(tree, current, go, skin));
  keepInSight(parts.moves, parts.moves.querySelector(".here"));
}

/** Scroll the list, and nothing around it. @param {HTMLElement} panel @param {HTMLElement | null} here */
function keepInSight(panel, here) {
  if (!here) return;
  const [outer, inner] = [panel.getBoundingClientRect(), here.getBoundingClientRect()];
  if (inner.top < outer.top) panel.scrollTop -= outer.top - inner.top + 8;
  if (inner.bottom > outer.bottom) panel.scrollTop += inner.bottom - outer.bottom + 8;
}

function drawGraph() {
  const line = lineThrough(tree, current);
  const samples = line.map((node, ply) => ({ ply, value: node.value ?? null, mark: node.mark }));
  parts.graph.hidden = samples.every(({ value }) => value === null);
  const ply = pathTo(tree, current).length - 1;
  const drawn = build(graph(samples, line.length - 1, ply));
  drawn.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const box = drawn.getBoundingClientRect();
    go(line[plyAt((event.clientX - box.left) / box.width, line.length - 1)].id);
  });
  const slider = h("input", { type: "range", class: "sr", min: 0, max: line.length - 1, value: ply, "aria-label": t("graph.label"), oninput: (/** @type {any} */ event) => go(line[Number(event.target.value)].id) });
  fill(parts.graph, drawn, slider);
}

function drawBar() {
  const node = nodeAt(tree, current);
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.do : undefined;
  fill(parts.bar,
    button("step.first", () => go(0), { icon: "first", bare: true, disabled: node.parent === null }),
    button("step.back", () => go(node.parent), { icon: "back", bare: true, disabled: node.parent === null }),
    button(replay.on() ? "replay.stop" : "replay.start", replay.toggle, { icon: replay.on() ? "pause" : "play", bare: true, disabled: !node.children.length, pressed: replay.on(), id: "replay" }),
    button("step.next", () => go(node.children[0]), { icon: "next", bare: true, disabled: !node.children.length }),
    button("step.last", toEnd, { icon: "last", bare: true, disabled: !node.children.length }),
    button("act.flip", flip, { icon: "flip", bare: true }));
  if (focused) /** @type {HTMLElement | null} */ (parts.bar.querySelector(`[data-do="${focused}"]:not(:disabled)`))?.focus();
}

const toEnd = () => go(lineThrough(tree, current).at(-1)?.id);
const flip = () => board.restyle({ flipped: !board.flipped() });
const speak = () => change({ language: settings().language === "zh" ? "en" : "zh" });

/** Everything with words in it, in the language of now. */
function drawAll() {
  const { language, theme, palette } = settings();
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  Object.assign(document.documentElement.dataset, { language, theme: dark ? "dark" : "light", palette });
  document.title = `${who(0)} – ${who(1)} · ${pick(game.title)}`;
  fill(parts.head,
    h("span", { class: "brand" }, h("span", { class: "seal", "aria-hidden": "true" }, "棋林"), h("span", { class: "brand-name" }, pick(game.title))),
    h("span", { class: "grow quiet" }, [file.event, file.date.slice(0, 10)].filter(Boolean).join(" · ")),
    h("div", { class: "tools" },
      h("button", { type: "button", class: "button bare", lang: language === "zh" ? "en" : "zh-Hans", onclick: speak, "data-do": "language" }, language === "zh" ? "EN" : "中文"),
      button(dark ? "theme.dark" : "theme.light", () => change({ theme: dark ? "light" : "dark" }), { icon: dark ? "moon" : "sun", bare: true, id: "theme" })));
  replay.stop();
  replay = autoplay(); // its words too
  fill(parts.players, `${who(0)} – ${who(1)}`);
  const written = notations.length > 1 ? select(pick(WORDS.notation), notations.map((/** @type {{name: string, words: Text}} */ each) => ({ value: each.name, label: pick(each.words) })), notation, (value) => ((notation = value), board.restyle({ notation: value }), drawMoves())) : null;
  fill(parts.extra, replay.element, written, h("p", { class: "quiet small" }, pick(WORDS.keys)));
  drawPanel();
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => go(nodeAt(tree, current).parent), ArrowRight: () => go(nodeAt(tree, current).children[0]),
  ArrowUp: () => go(sibling(tree, current, -1)), ArrowDown: () => go(sibling(tree, current, 1)),
  Home: () => go(0), End: toEnd, " ": () => replay.toggle(), f: flip, l: speak,
};
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLElement && event.target.closest("input:not([type=range]), select, .grid");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key] || (event.key === " " && event.target instanceof HTMLButtonElement)) return;
  event.preventDefault();
  KEYS[event.key]();
});
document.body.append(
  build({ tag: "svg", attrs: { width: 0, height: 0, class: "defs", "aria-hidden": "true", focusable: "false" }, children: [definitions()] }),
  parts.head,
  h("main", {}, h("div", { class: "study-page", style: dress },
    h("div", { class: "board-side" }, host, parts.bar),
    h("div", { class: "panel-side" }, h("div", { class: "panel" }, parts.players, parts.status, parts.graph, parts.note, parts.moves, parts.pool), h("div", { class: "panel" }, parts.extra)))),
  h("div", { id: "notices", "aria-hidden": "true" }), h("div", { id: "spoken", class: "sr", role: "log", "aria-live": "polite" }));
onChange(drawAll);
go(0);
drawAll();
