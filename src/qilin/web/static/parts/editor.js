// The position editor: a palette of pieces, the text of the position, and the rules' opinion of it in words.

import * as api from "../api.js";
import { boardText, rowsOf } from "../board/sample.js";
import { placeOf, frameOf } from "../board/geometry.js";
import { el, piece } from "../board/shapes.js";
import { build, fill, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { settings } from "../settings.js";
import { button, say, wordsOf } from "./controls.js";

/**
 * @param {{game: any, skin: import("../types.js").Skin, board: any, position: () => import("../types.js").View | null, onDone: (text: string) => void, onLeave: () => void}} hooks
 */
export function makeEditor({ game, skin, board, position, onDone, onLeave }) {
  const letters = [null, ...Object.keys(skin.pieces), ...Object.keys(skin.floor ?? {}).filter((letter) => !skin.pieces[letter])];
  const state = { active: false, brush: /** @type {string | null} */ (null), text: "" };
  const palette = h("div", { class: `palette board-colours surface-${skin.surface}`, role: "group", "aria-label": t("edit.palette") });
  const box = h("textarea", { rows: 3, spellcheck: "false", "aria-label": t("edit.text"), oninput: () => typed(box.value) });
  const verdict = h("p", { class: "verdict", role: "status" });
  const tools = h("div", { class: "actions" });
  let serial = 0;

  /** @param {string | null} letter */
  function token(letter) {
    const floor = letter === null ? undefined : skin.floor?.[letter];
    const look = letter === null ? undefined : skin.pieces[letter];
    const drawings = [floor === undefined ? null : el("rect", { class: `floor side${floor}`, x: -0.47, y: -0.47, width: 0.94, height: 0.94, rx: 0.09 }), look ? piece(look, { western: settings().western }) : null, letter === null ? el("path", { class: "banned", d: "M-.25 -.25 L.25 .25 M.25 -.25 L-.25 .25" }) : null];
    const words = look ? pick(look.words) : floor === undefined ? t("edit.erase") : pick((skin.floorWords ?? [])[floor]);
    const svg = build(el("svg", { viewBox: "-.5 -.5 1 1", "aria-hidden": "true", class: "board-colours" }, .../** @type {any[]} */ (drawings.filter(Boolean))));
    return h("button", { type: "button", "aria-label": words, title: words, "aria-pressed": String(state.active && state.brush === letter), onclick: () => take(letter), "data-letter": letter ?? "" }, svg);
  }

  /** @param {string | null} letter */
  function take(letter) {
    state.active = true;
    state.brush = letter;
    board.decorate({});
    draw();
  }

  function draw() {
    fill(palette, letters.map(token));
    fill(tools,
      button("edit.turn", turn, { icon: "flip" }), button("edit.clear", clear, { icon: "trash" }), button("edit.start", start, { icon: "board" }),
      button("edit.use", () => (leave(), onDone(state.text)), { kind: "strong", disabled: verdict.dataset.good !== "yes" }),
      state.active ? button("cancel", () => (leave(), onLeave())) : null);
  }

  function leave() {
    state.active = false;
  }

  /** @param {string} text */
  async function typed(text) {
    state.active = true;
    state.text = text.trim();
    const mine = ++serial;
    try {
      const view = await api.position({ game: game.name, options: position()?.options, position: state.text });
      if (mine !== serial) return;
      board.show({ ...view, moves: [], last: null });
      judged(true, t("edit.good"));
    } catch (error) {
      if (mine === serial) judged(false, wordsOf(error)), sketch();
    }
  }

  /** A position that is not legal yet is drawn all the same. */
  function sketch() {
    const rows = rowsOf(state.text);
    const now = board.view();
    if (rows.length === game.rows && rows.every((row) => row.length === game.cols)) board.show({ ...now, text: state.text, rows, moves: [], last: null, check: null, over: null, sets: {} });
  }

  /** @param {boolean} good @param {string} words */
  function judged(good, words) {
    verdict.textContent = words;
    verdict.className = `verdict ${good ? "good" : "bad"}`;
    verdict.dataset.good = good ? "yes" : "no";
    draw();
  }

  /** @param {(string | null)[][]} rows @param {string[]} [fields] */
  function rewrite(rows, fields = state.text.split(" ").slice(1)) {
    box.value = [boardText(rows), ...fields].join(" ");
    typed(box.value);
  }

  function turn() {
    const [, side, ...rest] = state.text.split(" ");
    rewrite(rowsOf(state.text), [skin.turns[side === skin.turns[0] ? 1 : 0], ...rest]);
  }

  const clear = () => rewrite(Array.from({ length: game.rows }, () => new Array(game.cols).fill(null)));

  async function start() {
    const view = await api.position({ game: game.name, options: position()?.options });
    box.value = view.text;
    typed(view.text);
  }

  /** A press on the board: put the brush down. @param {string} square */
  function press(square) {
    if (!state.active) return false;
    const rows = rowsOf(state.text);
    const { row, col } = placeOf(frameOf(board.view(), false), square);
    rows[row][col] = rows[row][col] === state.brush ? null : state.brush;
    rewrite(rows);
    say(`${square}: ${state.brush === null ? t("say.empty") : (skin.pieces[state.brush] ? pick(skin.pieces[state.brush].words) : state.brush)}`);
    return true;
  }

  function moved() {
    const view = position();
    if (!view || state.active) return;
    state.text = view.text;
    box.value = view.text;
    verdict.textContent = t("edit.now");
    verdict.className = "verdict";
    verdict.dataset.good = "yes";
    draw();
  }

  draw();
  return { element: h("div", { class: "editor" }, palette, box, verdict, tools), active: () => state.active, press, moved };
}
