// Study a position or a game: engine, lines, graph, variations, replay, editor.

import * as api from "../api.js";
import { build, fill, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { button, notice, select, tabs, whenThere, wordsOf } from "../parts/controls.js";
import { counters, gauge, phaseBanner, pool, scores } from "../parts/gauges.js";
import { graph, plyAt } from "../parts/graph.js";
import { moveList } from "../parts/moves.js";
import { makeNames, nameNodes } from "../parts/names.js";
import { makeEngine } from "../parts/engine.js";
import { makeEditor } from "../parts/editor.js";
import { makeReplay } from "../parts/replay.js";
import { sharing } from "../parts/sharing.js";
import { openRecord } from "../parts/records.js";
import { makeStage } from "../parts/stage.js";
import { writeRoute } from "../route.js";
import { onChange, settings } from "../settings.js";
import { makeStudy } from "../study.js";
import { cut, nodeAt, promote, sibling } from "../tree.js";

/** @param {HTMLElement} host @param {import("../route.js").Route} route */
export function page(host, route) {
  /** @type {any} */
  let opened = null;
  let gone = false;
  whenThere(host, prepare(route), async (ready) => {
    if (gone) return [];
    opened = await study(ready, route);
    return opened.element;
  });
  return {
    onKey: (/** @type {KeyboardEvent} */ event) => opened?.onKey(event),
    dispose() {
      gone = true;
      opened?.dispose();
    },
  };
}

/** What the address names: a record of the library, or a game with a position and moves. @param {import("../route.js").Route} route */
async function prepare({ argument, query }) {
  if (query.record) return openRecord(await api.record(query.record));
  const games = await api.games();
  const game = games.find((each) => each.name === argument) ?? games[games.length - 1];
  const options = Object.fromEntries(Object.entries(query).filter(([key]) => key.startsWith("option.")).map(([key, value]) => [key.slice(7), /^\d+$/.test(value) ? Number(value) : value]));
  const made = makeStudy({ game: game.name, options, position: query.position ?? null });
  const end = await made.add(0, query.moves ? query.moves.split(",") : []);
  made.go(query.at ? Math.min(Number(query.at), end) : end);
  return { study: made, title: null };
}

/** @param {any} ready @param {import("../route.js").Route} route */
async function study({ study: made, title, document: original }, route) {
  const name = made.start.game;
  const [games, game, skin, { players, default: usual }] = await Promise.all([api.games(), api.game(name), api.skinOf(name), api.players(name)]);
  const tree = made.tree;
  const parts = { status: h("div", { class: "status" }), gauge: h("div", { class: "gauge", "aria-hidden": "true" }), moves: h("div", { class: "moves-panel" }), graph: h("div", { class: "graph-host" }), report: h("div"), pool: h("div"), controls: h("div", { class: "bar" }) };
  /** @type {import("../types.js").View | null} */
  let view = null;
  const stage = makeStage({ game, skin, mayMove: () => view !== null && view.to_move !== null && !view.over && !editor.active(), line: () => made.lineTo(), onMove: ({ text }) => playOn([text]), onPress: (square) => editor.press(square) });
  const names = makeNames({ game: name, options: made.start.options, position: made.start.position }, game.notations.map((/** @type {any} */ each) => each.name), () => (drawMoves(), engine.draw()));
  const engine = makeEngine({ game, players, usual, names: (moves) => names.of([...(made.lineTo().moves ?? []), ...moves]).slice(-moves.length), line: () => made.lineTo(), view: () => view, onChange: decorate, onPlay: playOn, onHover: (line) => stage.board.preview(line ? (view?.moves.find((each) => each.text === line.moves[0]) ?? null) : null), onReport: (points) => (made.judge(points), drawGraph(), drawMoves()) });
  const editor = makeEditor({ game, skin, board: stage.board, position: () => view, onDone: (text) => (location.hash = writeRoute("analyse", name, { position: text, ...optionQuery(made.start.options) })), onLeave: () => show() });
  const replay = makeReplay({ hasNext: () => nodeAt(tree, made.current()).children.length > 0, next: () => go(nodeAt(tree, made.current()).children[0]), onChange: drawControls });

  function decorate() {
    if (!editor.active()) stage.board.decorate(engine.decorations());
    fill(parts.gauge, gauge(engine.chances()));
  }

  /** @param {string[]} moves */
  async function playOn(moves) {
    try {
      const [first] = moves;
      const played = view?.moves.find((each) => each.text === first);
      if (played && /** @type {any} */ (played).chance) return await playChance(first);
      await go(await made.add(made.current(), moves));
    } catch (error) {
      notice(wordsOf(error), "bad");
    }
  }

  /** A ply that chance answers: the server draws. @param {string} move */
  async function playChance(move) {
    const { played } = await api.ask("api/move", { method: "POST", body: { ...made.lineTo(), move } });
    await go(await made.add(made.current(), played));
  }

  /** @param {number | undefined | null} id */
  async function go(id) {
    if (id === undefined || id === null) return;
    made.go(id);
    await show();
  }

  async function show() {
    const at = made.current();
    const seen = await made.viewOf();
    if (at !== made.current()) return;
    view = seen;
    stage.board.decorate({});
    stage.show(seen);
    fill(parts.status, scores(seen, (side) => pick(game.players[side])), h("p", { class: "standing" }, stage.standing(seen)), seen.over ? null : phaseBanner(seen, pick(game.players[seen.to_move ?? 0])), counters(seen, (side) => pick(game.players[side])));
    fill(parts.pool, pool(seen, skin, settings().western));
    engine.moved();
    editor.moved();
    drawMoves();
    drawGraph();
    drawControls();
    keepAddress();
  }

  function keepAddress() {
    if (route.query.record) return;
    history.replaceState(null, "", address());
  }

  /** The link that shows this very line. */
  const address = () => writeRoute("analyse", name, { position: made.start.position ?? undefined, ...optionQuery(made.start.options), moves: made.line().slice(1).map((/** @type {any} */ node) => node.move).join(","), at: made.ply() });

  function drawMoves() {
    nameNodes(tree, names);
    fill(parts.moves, moveList(tree, made.current(), go, skin));
    parts.moves.querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }

  function drawGraph() {
    const line = made.line();
    const samples = line.map((/** @type {any} */ node, /** @type {number} */ ply) => ({ ply, value: node.value ?? null, mark: node.mark }));
    const drawn = build(graph(samples, line.length - 1, made.ply()));
    const slider = h("input", { type: "range", class: "sr", min: 0, max: line.length - 1, value: made.ply(), "aria-label": t("graph.label"), oninput: (/** @type {any} */ event) => go(line[Number(event.target.value)].id) });
    drawn.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const box = drawn.getBoundingClientRect();
      go(line[plyAt((event.clientX - box.left) / box.width, line.length - 1)].id);
    });
    parts.graph.hidden = samples.filter((/** @type {any} */ { value }) => value !== null).length < 2;
    fill(parts.graph, drawn, slider);
  }

  function drawControls() {
    const node = nodeAt(tree, made.current());
    const line = made.line();
    fill(parts.controls,
      button("step.first", () => go(0), { icon: "first", bare: true, disabled: node.parent === null }),
      button("step.back", () => go(node.parent), { icon: "back", bare: true, disabled: node.parent === null }),
      button(replay.on() ? "replay.stop" : "replay.start", replay.toggle, { icon: replay.on() ? "pause" : "play", bare: true, disabled: !node.children.length, pressed: replay.on() }),
      button("step.next", () => go(node.children[0]), { icon: "next", bare: true, disabled: !node.children.length }),
      button("step.last", () => go(line[line.length - 1].id), { icon: "last", bare: true, disabled: !node.children.length }),
      button("act.flip", flip, { icon: "flip", bare: true }));
  }

  function flip() {
    stage.board.restyle({ flipped: !stage.board.flipped() });
    parts.gauge.classList.toggle("flipped", stage.board.flipped());
  }

  /** Variations up and down. @param {number} step */
  const branch = (step) => go(sibling(tree, made.current(), step));

  const variationTools = () => h("div", { class: "actions" },
    button("variation.promote", () => (promote(tree, made.current()), drawMoves()), { icon: "save" }),
    button("variation.cut", () => go(cut(tree, made.current())), { icon: "trash" }),
    button("play.from_here", () => (location.hash = writeRoute("play", name, { ...made.start.options, position: made.start.position ?? undefined, moves: made.lineTo().moves?.join(",") }))));

  const chooser = select(t("study.game"), games.map((each) => ({ value: each.name, label: pick(each.title) })), name, (value) => (location.hash = writeRoute("analyse", value)));
  const panel = tabs(t("study.tabs"), [
    { key: "tab.engine", content: [engine.element] },
    { key: "tab.moves", content: [replay.element, variationTools()] },
    { key: "tab.edit", content: [editor.element] },
    { key: "tab.share", content: [sharing({ study: made, view: () => view, board: stage.board, skin, game, link: address, document: original })] },
  ]);
  const element = h("div", { class: "study-page", style: stage.dress }, h("h1", { class: "sr" }, t("nav.analyse")),
    h("div", { class: "board-side" }, h("div", { class: "board-row" }, stage.host, parts.gauge), parts.controls),
    h("div", { class: "panel-side" },
      h("div", { class: "panel tool-panel" }, panel.element),
      h("div", { class: "panel line-panel" }, title ? h("h2", { class: "panel-title", translate: "no" }, title) : chooser, parts.status, parts.pool, parts.graph, parts.moves)));
  const stopNames = onChange(() => (drawMoves(), engine.draw()));
  await show();

  /** @type {Record<string, () => any>} */
  const keys = {
    ArrowLeft: () => go(nodeAt(tree, made.current()).parent), ArrowRight: () => go(nodeAt(tree, made.current()).children[0]), Home: () => go(0), End: () => go(made.line()[made.line().length - 1].id),
    ArrowUp: () => branch(-1), ArrowDown: () => branch(1), k: () => go(nodeAt(tree, made.current()).parent), j: () => go(nodeAt(tree, made.current()).children[0]),
    f: flip, e: engine.toggle, a: engine.toggleArrows, v: engine.nextHeat, " ": engine.playBest, p: replay.toggle, h: engine.hint,
  };
  return {
    element,
    onKey(/** @type {KeyboardEvent} */ event) {
      if (!keys[event.key] || (event.key === " " && event.target instanceof HTMLButtonElement)) return;
      event.preventDefault();
      keys[event.key]();
    },
    dispose() {
      engine.stop();
      replay.stop();
      stage.stop();
      stopNames();
    },
  };
}

/** @param {Record<string, any>} options */
const optionQuery = (options) => Object.fromEntries(Object.entries(options).map(([key, value]) => [`option.${key}`, value]));

