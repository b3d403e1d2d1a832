// A running game: the board, both seats, what is to be done now, the moves, and what a player may do beside moving.

import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { button, confirm, dialog, notice, say, wordsOf } from "../parts/controls.js";
import { clockFace, counters, inPeriods, phaseBanner, pool, scores } from "../parts/gauges.js";
import { moveList } from "../parts/moves.js";
import { makeNames, nameNodes } from "../parts/names.js";
import { playerTitle } from "../parts/players.js";
import { makeStage } from "../parts/stage.js";
import { writeRoute } from "../route.js";
import { onChange, settings } from "../settings.js";
import { begin, sitDown } from "../table.js";
import { grow, newTree } from "../tree.js";

/** @param {HTMLElement} host @param {import("../route.js").Route} route */
export function page(host, route) {
  /** @type {ReturnType<typeof play> | null} */
  let game = null;
  fill(host, h("p", { class: "waiting" }, t("loading")));
  const table = sitDown(route.argument, {
    onState: async (state, events) => {
      game ??= play(host, table, state.name);
      (await game).onState(state, events);
    },
    onNote: async (note) => {
      if (game) (await game).onNote(note);
      else if (note.type === "refused") fill(host, h("p", { class: "trouble", role: "alert" }, wordsOf(note)), h("a", { class: "button", href: writeRoute("play") }, t("setup.all")));
    },
    onMood: (online) => document.body.classList.toggle("offline", !online),
  });
  return {
    onKey: (/** @type {KeyboardEvent} */ event) => game?.then((each) => each.onKey(event)),
    dispose() {
      table.leave();
      game?.then((each) => each.dispose());
    },
  };
}

/** @param {HTMLElement} host @param {ReturnType<typeof sitDown>} table @param {string} name */
async function play(host, table, name) {
  const [game, skin, { players }] = await Promise.all([api.game(name), api.skinOf(name), api.players(name)]);
  const parts = { seats: [h("div", { class: "seat" }), h("div", { class: "seat" })], status: h("div", { class: "status" }), moves: h("div", { class: "panel moves-panel" }), actions: h("div", { class: "actions" }), offers: h("div", { class: "offers" }), pool: h("div") };
  /** @type {any} */
  let state = table.state();
  let waiting = false;
  let gone = false;
  let thinking = /** @type {any} */ (null);
  let hintStep = /** @type {any} */ (null);

  const human = (/** @type {number} */ seat) => state.seats[seat].player === "human";
  const mine = (/** @type {number} */ seat) => human(seat) && state.seats[seat].mine;
  const mySeats = () => [0, 1].filter(mine);
  const mayMove = () => !waiting && !state.paused && !state.over && !state.view.over && state.view.to_move !== null && mine(state.view.to_move);
  const line = () => ({ game: state.name, options: state.options, position: state.start, moves: state.moves.map((/** @type {any} */ each) => each.text) });
  const stage = makeStage({ game, skin, flipped: mySeats().join() === "1", mayMove, line, onMove: ({ text }) => move(text) });
  const seatName = (/** @type {number} */ seat) => state.seats[seat].name || (human(seat) ? (mySeats().length === 1 && mine(seat) ? t("seat.you") : t("seat.human")) : playerTitle(players, state.seats[seat].player));

  const names = makeNames({ game: name, options: state.options, position: state.start }, game.notations.map((/** @type {any} */ each) => each.name), () => drawMoves());
  const stopNames = onChange(() => drawMoves());

  /** @param {string} text */
  async function move(text) {
    waiting = true;
    const answer = await table.move(text);
    waiting = false;
    if (answer.type === "refused") stage.board.refresh();
  }

  /** @param {any} next @param {any[]} events */
  function onState(next, events) {
    state = next;
    waiting = false;
    hintStep = null;
    if (state.view.to_move === null || human(state.view.to_move)) thinking = null;
    stage.board.decorate({});
    stage.show(state.view);
    for (const event of events) tell(event);
    draw();
  }

  /** Events that no board shows. @param {any} event */
  function tell(event) {
    if (event.kind === "over") say(endWords()), setTimeout(showEnd, 700);
    if (event.kind === "offer" && !mine(event.by)) notice(t(`offer.${event.what}`, { who: pick(game.players[event.by]) }));
    if (event.kind === "decline") notice(t("offer.declined"));
  }

  /** @param {any} note */
  function onNote(note) {
    if (note.type === "thinking") thinking = note;
    else if (note.type === "busy") notice(t("busy", { n: note.retry }));
    else if (note.type === "refused") notice(wordsOf(note), "bad");
    draw();
  }

  function draw() {
    const order = stage.board.flipped() ? [0, 1] : [1, 0];
    order.forEach((seat, at) => fill(parts.seats[at], seatBar(seat)));
    fill(parts.status, scores(state.view, (side) => pick(game.players[side])), h("p", { class: "standing" }, state.over ? endWords() : stage.standing(state.view)), state.over ? null : phaseBanner(state.view, pick(game.players[state.view.to_move ?? 0])), counters(state.view, (side) => pick(game.players[side])));
    fill(parts.pool, pool(state.view, skin, settings().western));
    fill(parts.offers, offers());
    fill(parts.actions, actions());
    drawMoves();
  }

  function drawMoves() {
    const tree = newTree();
    let at = 0;
    for (const each of state.moves) at = grow(tree, at, each.text, each.by);
    nameNodes(tree, names);
    fill(parts.moves, moveList(tree, at, (id) => review(id), skin));
    parts.moves.scrollTop = parts.moves.scrollHeight;
  }

  /** @param {number} seat */
  function seatBar(seat) {
    const turn = state.view.to_move === seat && !state.over;
    const clock = state.clocks ? h("span", { class: `clock${state.running === seat ? " running" : ""}`, "data-clock": seat }, clockParts(seat)) : null;
    const busy = thinking?.seat === seat && turn && !human(seat);
    return [h("span", { class: `seat-mark side${seat}${turn ? " turn" : ""}`, "aria-hidden": "true" }), h("span", { class: "seat-name" }, h("b", {}, seatName(seat)), h("small", {}, pick(game.players[seat]))), busy ? h("span", { class: "thinking" }, t("thinking")) : null, clock];
  }

  function endWords() {
    const over = state.over ?? state.view.over;
    const why = pick(over.words);
    const margin = over.margin ? ` (${over.margin > 0 ? "+" : ""}${over.margin})` : "";
    return (over.winner === null ? t("state.draw", { why }) : t("state.wins", { who: pick(game.players[over.winner]), why })) + margin;
  }

  function showEnd() {
    if (!state.over || document.querySelector("dialog[open]") || gone) return;
    const won = mySeats().length === 1 && state.over.winner !== null ? (mine(state.over.winner) ? t("end.won") : t("end.lost")) : t("end.title");
    const box = dialog(won, h("p", {}, endWords()), [button("end.again", () => (box.close(), rematch()), { kind: "strong" }), button("end.analyse", () => (box.close(), review()))]);
  }

  async function rematch() {
    const seats = state.seats.map((/** @type {any} */ { player, name: called }) => ({ player, ...(called ? { name: called } : {}) })).reverse();
    location.hash = writeRoute("game", await begin({ game: state.name, options: state.options, position: state.start, seats, ...(state.clock ? { clock: state.clock } : {}) }));
  }

  /** Look at the game so far on the analysis page. @param {number} [at] */
  function review(at) {
    location.hash = writeRoute("analyse", state.name, { position: state.start, ...options(state.options), moves: line().moves.join(","), at });
  }

  function offers() {
    return state.offers.filter((/** @type {any} */ { by }) => mine(1 - by)).map((/** @type {any} */ { by, what }) => h("div", { class: "offer", role: "alert" }, h("span", {}, t(`offer.${what}`, { who: pick(game.players[by]) })), button("offer.accept", () => table.say({ type: "accept", seat: 1 - by, what }), { kind: "strong" }), button("offer.decline", () => table.say({ type: "decline", seat: 1 - by, what }))));
  }

  function actions() {
    const open = !state.over;
    const seat = state.view.to_move !== null && mine(state.view.to_move) ? state.view.to_move : mySeats()[0];
    const people = human(0) && human(1);
    const pass = state.view.moves.find((/** @type {any} */ each) => !each.to);
    return [
      pass && mayMove() ? button("act.pass", () => move(pass.text), { kind: "strong" }) : null,
      open && seat !== undefined ? button("act.undo", () => table.say({ type: "undo", by: "turn" }), { icon: "undo", disabled: !state.can_undo }) : null,
      open && seat !== undefined && state.view.phase ? button("act.undo_ply", () => table.say({ type: "undo", by: "ply" }), { icon: "undo", disabled: !state.can_undo }) : null,
      button("act.flip", flip, { icon: "flip" }),
      open && seat !== undefined ? button("act.hint", hint, { icon: "bulb", disabled: !mayMove() }) : null,
      open && people && seat !== undefined ? button("act.draw", () => table.say({ type: "offer", seat, what: "draw" }), { icon: "hand" }) : null,
      open && seat !== undefined ? button("act.resign", () => confirm(t("ask.resign"), "act.resign", () => table.say({ type: "resign", seat })), { icon: "flag" }) : null,
      open && !people ? button(state.paused ? "act.go" : "act.pause", () => table.say({ type: state.paused ? "go" : "pause" }), { icon: state.paused ? "play" : "pause" }) : null,
      button("nav.analyse", () => review(), { icon: "chart" }),
      state.over ? button("end.again", rematch, { icon: "plus" }) : null,
    ];
  }

  function flip() {
    stage.board.restyle({ flipped: !stage.board.flipped() });
    draw();
  }

  /** First where to look, then the move. */
  async function hint() {
    if (!mayMove()) return;
    hintStep ??= { answer: await api.hint(line()), step: 0 };
    const { move: text, from, to, squares } = hintStep.answer;
    const opinions = hintStep.step++ ? [{ from, to, grade: 1, rank: 0, kind: "hint" }] : squares.map((/** @type {string} */ square) => ({ from: null, to: square, grade: 0.4, rank: 0, text: "?", kind: "hint" }));
    stage.board.decorate({ opinions });
    const words = hintStep.step > 1 ? t("hint.move", { move: names.of([...line().moves, text]).at(-1) ?? text }) : t("hint.look", { squares: squares.join(t("say.list")) });
    notice(words);
    say(words);
  }

  const ticking = setInterval(() => tick(), 200);
  let heard = performance.now();
  function tick() {
    if (!state.clocks || state.running === null) return void (heard = performance.now());
    const now = performance.now();
    const [seat, before] = [state.running, state.clocks[state.running]];
    state.clocks[seat] -= (now - heard) / 1000;
    heard = now;
    const shown = host.querySelector(`[data-clock="${seat}"]`);
    if (shown) fill(shown, clockParts(seat));
    const count = inPeriods(state.clocks[seat], state.clock);
    if (mine(seat) && count && count <= state.clock.periods && count < inPeriods(before, state.clock)) say(t("clock.periods", { n: count }));
  }

  /** @param {number} seat */
  function clockParts(seat) {
    const [time, periods] = clockFace(state.clocks[seat], state.clock);
    return [time, periods ? h("small", {}, periods) : null];
  }

  fill(host, h("div", { class: "table-page", style: stage.dress }, h("h1", { class: "sr" }, pick(game.title)),
    h("div", { class: "board-side" }, parts.seats[0], stage.host, parts.seats[1]),
    h("div", { class: "panel-side" }, h("div", { class: "panel" }, h("h2", { class: "panel-title" }, pick(game.title)), parts.status, parts.pool, parts.offers, parts.actions), parts.moves)));

  /** @type {Record<string, () => void>} */
  const keys = { f: flip, u: () => table.say({ type: "undo", by: "turn" }), h: hint };
  return {
    onState,
    onNote,
    onKey: (/** @type {KeyboardEvent} */ event) => keys[event.key]?.(),
    dispose() {
      gone = true;
      clearInterval(ticking);
      stage.stop();
      stopNames();
    },
  };
}

/** @param {Record<string, any>} chosen */
const options = (chosen) => Object.fromEntries(Object.entries(chosen).map(([name, value]) => [`option.${name}`, value]));
