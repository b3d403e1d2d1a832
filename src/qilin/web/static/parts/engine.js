// The engine beside the board: on or off, its lines, arrows, heat, a hint in two steps, and a judgement of the whole line.

import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { pick, short, t } from "../i18n.js";
import { connection } from "../socket.js";
import { button, notice, say, select, toggle, wordsOf } from "./controls.js";
import { chanceBar } from "./gauges.js";
import { heatOf, lineList, opinionsOf, worth } from "./lines.js";
import { playerChoices, thinkers } from "./players.js";

/** @typedef {import("../types.js").View} View */

/**
 * @param {{game: any, players: any[], usual: string, names: (moves: string[]) => string[], line: () => import("../api.js").Line, view: () => View | null, onChange: () => void,
 *   onPlay: (moves: string[]) => void, onHover: (line: any | null) => void, onReport: (points: any[]) => void}} hooks
 */
export function makeEngine({ game, players, usual, names, line, view, onChange, onPlay, onHover, onReport }) {
  const choices = thinkers(players);
  const state = { on: false, player: choices.find((each) => each.spec.startsWith("mcts"))?.spec ?? choices[choices.length - 1]?.spec ?? usual, lines: 3, seconds: 30, arrows: true, heat: /** @type {"off" | "visits" | "policy"} */ ("off"), analysis: /** @type {any} */ (null), hint: /** @type {any} */ (null), steps: 0, over: -1, judging: /** @type {any} */ (null) };
  const parts = { value: h("span", { class: "engine-value" }), facts: h("span", { class: "engine-facts" }), bar: h("div"), lines: h("div"), options: h("div"), actions: h("div", { class: "actions" }), report: h("div") };
  const onOff = toggle(t("engine.on"), state.on, (on) => turn(on));
  const switcher = onOff.querySelector("input");
  /** @type {() => void} */
  let stopStream = () => {};
  /** @type {() => void} */
  let stopJudge = () => {};

  function listen() {
    stopStream();
    stopStream = () => {};
    state.analysis = null;
    const seen = view();
    if (!state.on || !seen || seen.over || seen.to_move === null) return draw();
    const text = seen.text;
    stopStream = connection().stream({ type: "analyse", ...line(), player: state.player, lines: state.lines, seconds: state.seconds }, (answer) => {
      if (answer.type === "refused") return notice(wordsOf(answer), "bad"), (state.on = false), draw();
      if (answer.type !== "analysis" || view()?.text !== text) return;
      state.analysis = answer.analysis;
      draw();
    });
    draw();
  }

  function draw() {
    const { analysis } = state;
    const facts = analysis ? [analysis.depth && t("line.depth", { n: analysis.depth }), analysis.nodes && t("line.nodes", { n: short(analysis.nodes) }), analysis.done ? t("engine.done") : null].filter(Boolean).join(" · ") : state.on ? t("thinking") : t("engine.off");
    switcher.checked = state.on;
    fill(parts.value, analysis?.lines.length ? worth(analysis.lines[0]) : "");
    fill(parts.facts, facts);
    const odds = chances();
    fill(parts.bar, odds ? chanceBar(odds, [pick(game.players[0]), pick(game.players[1])]) : null);
    drawLines();
    onChange();
  }

  /** Lines come anew many times a second: what had the focus keeps it, and what is pointed at stays shown. */
  function drawLines() {
    const had = rows().indexOf(/** @type {any} */ (document.activeElement));
    fill(parts.lines, state.analysis ? lineList(state.analysis, { onPlay, name: names }) : null);
    rows()[had]?.focus();
    point(state.over);
  }

  /** @returns {HTMLElement[]} */
  const rows = () => [...parts.lines.querySelectorAll(".pv")];

  /** @param {number} row the line that is pointed at; -1 for none */
  function point(row) {
    state.over = row;
    onHover(state.analysis?.lines[row] ?? null);
  }

  const rowOf = (/** @type {Event} */ event) => rows().findIndex((row) => row.contains(/** @type {Node} */ (event.target)));
  for (const name of ["pointerover", "focusin"]) parts.lines.addEventListener(name, (/** @type {Event} */ event) => point(rowOf(event)));
  for (const name of ["pointerleave", "focusout"]) parts.lines.addEventListener(name, () => point(-1));

  /** @param {boolean} on */
  function turn(on) {
    state.on = on;
    state.hint = null;
    listen();
  }

  function drawOptions() {
    fill(parts.options,
      select(t("engine.who"), playerChoices(choices), state.player, (value) => ((state.player = value), listen())),
      select(t("engine.lines"), ["1", "2", "3", "5"].map((value) => ({ value, label: value })), String(state.lines), (value) => ((state.lines = Number(value)), listen())),
      select(t("setup.time"), ["3", "10", "30", "60"].map((value) => ({ value, label: t("setup.seconds", { n: value }) })), String(state.seconds), (value) => ((state.seconds = Number(value)), listen())),
      toggle(t("engine.arrows"), state.arrows, (on) => ((state.arrows = on), onChange())),
      select(t("engine.heat"), ["off", "visits", "policy"].map((value) => ({ value, label: t(`heat.${value}`) })), state.heat, (value) => ((state.heat = /** @type {any} */ (value)), onChange())));
    fill(parts.actions, button("act.hint", hint, { icon: "bulb" }), button("engine.best", playBest, { icon: "play" }), button("engine.judge", judge, { icon: "chart" }));
  }

  /** First the squares to look at, then the move. */
  async function hint() {
    const seen = view();
    if (!seen || seen.over || seen.to_move === null) return;
    if (!state.hint) (state.hint = await api.hint(line()).catch((error) => (notice(wordsOf(error), "bad"), null))), (state.steps = 0);
    if (!state.hint) return;
    const words = state.steps++ ? t("hint.move", { move: names([state.hint.move])[0] }) : t("hint.look", { squares: state.hint.squares.join(t("say.list")) });
    notice(words);
    say(words);
    onChange();
  }

  async function playBest() {
    const best = state.analysis?.lines[0]?.move ?? (await api.hint(line()).catch(() => null))?.move;
    if (best) onPlay([best]);
  }

  /** Every ply of the line, looked at and marked. */
  function judge() {
    stopJudge();
    /** @type {any[]} */
    const points = [];
    stopJudge = connection().stream({ type: "judge", ...line(), player: state.player, seconds: 0.3 }, (answer) => {
      if (answer.type === "refused") return notice(wordsOf(answer), "bad");
      if (answer.type === "judged") points.push(answer.point), onReport(points), fill(parts.report, h("p", { class: "quiet" }, t("judge.progress", { n: answer.ply, of: answer.of })));
      if (answer.type === "report") onReport(answer.report.points), fill(parts.report, reportTable(answer.report));
    });
  }

  /** @param {any} report */
  function reportTable(report) {
    const facts = ["accuracy", "inaccuracies", "mistakes", "blunders"];
    const cell = (/** @type {any} */ player, /** @type {string} */ fact) => h("td", {}, player[fact] === null || player[fact] === undefined ? "–" : fact === "accuracy" ? `${player[fact].toFixed(0)}%` : String(player[fact]));
    const row = (/** @type {string} */ fact) => h("tr", { class: fact }, h("th", { scope: "row" }, t(`judge.${fact}`)), report.players.map((/** @type {any} */ player) => cell(player, fact)));
    return h("table", { class: "report" }, h("thead", {}, h("tr", {}, h("td", {}), game.players.map((/** @type {any} */ player) => h("th", { scope: "col" }, pick(player))))), h("tbody", {}, facts.map(row)));
  }

  /** What the board shows of it all. @returns {import("../board/board.js").Decorations} */
  function decorations() {
    if (state.hint) return { opinions: hintOpinions() };
    if (!state.analysis) return {};
    const heat = state.heat === "off" ? undefined : heatOf(state.analysis.heat ?? [], state.heat);
    return { opinions: state.arrows && !heat ? opinionsOf(state.analysis.lines) : undefined, heat, heatKind: state.heat };
  }

  /** @returns {import("../board/marks.js").Opinion[]} */
  function hintOpinions() {
    const { from, to, squares } = state.hint;
    if (state.steps > 1) return [{ from, to, grade: 1, rank: 0, kind: "hint" }];
    return squares.map((/** @type {string} */ square) => ({ from: null, to: square, grade: 0.4, rank: 0, text: "?", kind: "hint" }));
  }

  /** The chances of both players, first player first. */
  function chances() {
    const best = state.analysis?.lines[0];
    if (!best) return null;
    const [win, loss] = state.analysis.to_move === 0 ? [best.win, best.loss] : [best.loss, best.win];
    return { win, draw: best.draw, loss };
  }

  function moved() {
    state.hint = null;
    state.over = -1;
    listen();
  }

  drawOptions();
  return {
    element: h("div", { class: "engine" }, h("div", { class: "engine-head" }, onOff, parts.value, parts.facts), parts.bar, parts.lines, parts.actions, parts.report, h("details", {}, h("summary", {}, t("engine.options")), parts.options)),
    decorations, chances, draw, moved, hint, playBest,
    toggle: () => turn(!state.on),
    toggleArrows: () => ((state.arrows = !state.arrows), drawOptions(), onChange()),
    nextHeat: () => ((state.heat = state.heat === "off" ? "visits" : state.heat === "visits" ? "policy" : "off"), drawOptions(), onChange()),
    stop() {
      stopStream();
      stopJudge();
    },
  };
}
