// A board on the page: one way in (`show`), few ways out (`onMove`, `onRefused`, `onSay`). Knows views and skins, no rules, no game.

import { build, fill, h } from "../dom.js";
import { animate } from "./animate.js";
import { makeDraggable } from "./drag.js";
import { MARGIN, centre, frameOf, letterAt, squares } from "./geometry.js";
import { makeGrid } from "./grid.js";
import { canBegin, directMoves, movesFrom, press, screensOf, targets } from "./input.js";
import * as marks from "./marks.js";
import { effects, motions } from "./motion.js";
import { el, floorTile, piece } from "./shapes.js";
import { cellName, reachSaid } from "./speech.js";
import { surface } from "./surface.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Skin} Skin */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("./marks.js").Opinion} Opinion */
/**
 * @typedef {object} Options
 * @property {Skin} skin
 * @property {import("./speech.js").Voice} voice
 * @property {string} label the board's name for a screen reader
 * @property {boolean} [flipped]
 * @property {string} [notation]
 * @property {boolean} [western]
 * @property {() => number} pace milliseconds of a motion
 * @property {() => boolean} mayMove
 * @property {(move: Move) => void} onMove
 * @property {(tried: {from: string | null, to: string}) => void} [onRefused]
 * @property {(text: string) => void} [onSay]
 * @property {(square: string) => boolean} [onPress] an editor's: true where the press was used up
 */
/** @typedef {{opinions?: Opinion[], heat?: {square: string, share: number}[], heatKind?: string}} Decorations */

/** @param {HTMLElement} host @param {Options} options */
export function mountBoard(host, options) {
  const { skin, voice } = options;
  const layers = makeLayers();
  /** @type {{view: View | null, chosen: string | null, hovered: string | null, previewed: Move | null, flipped: boolean, decorations: Decorations}} */
  const state = { view: null, chosen: null, hovered: null, previewed: null, flipped: options.flipped ?? false, decorations: {} };
  /** @type {ReturnType<typeof makeGrid> | null} */
  let grid = null;
  const element = h("div", { class: `board surface-${skin.surface}${skin.grid === "points" ? " points" : ""}` }, layers.under, layers.over);
  host.append(element);

  const frame = () => frameOf(/** @type {View} */ (state.view), state.flipped);

  /** Draw what stays: body, grid, coordinates, and the cells. */
  function drawSurface() {
    const shape = frame();
    const box = `${-MARGIN} ${-MARGIN} ${shape.cols + 2 * MARGIN} ${shape.rows + 2 * MARGIN}`;
    layers.under.setAttribute("viewBox", box);
    layers.over.setAttribute("viewBox", box);
    element.style.setProperty("--cols", String(shape.cols));
    element.style.setProperty("--rows", String(shape.rows));
    fill(layers.under, surface(shape, skin, options.notation ?? "", false).map(build));
    fill(layers.front, (skin.front ? skin.front(shape) : []).map(build));
    replaceGrid(shape);
  }

  /** @param {import("../types.js").Frame} shape */
  function replaceGrid(shape) {
    const had = grid?.element.contains(document.activeElement) ? grid.current() : null;
    grid?.element.remove();
    grid = makeGrid(shape, { label: options.label, onPress: pressed, onKey: keyed, onFocus: hover });
    makeDraggable(grid.element, { mayBegin, pieceAt, unit, onLift, onDrop, onHover: hover });
    element.append(grid.element);
    if (had) grid.focus(had);
  }

  /** @param {boolean} moving */
  function drawPieces(moving) {
    const view = /** @type {View} */ (state.view);
    const shape = frame();
    const letters = squares(shape).flat().flatMap((square) => (letterAt(view, square) === null ? [] : [{ square, letter: /** @type {string} */ (letterAt(view, square)) }]));
    fill(layers.pieces, letters.filter(({ letter }) => skin.pieces[letter]).map(({ square, letter }) => placed(shape, square, piece(skin.pieces[letter], { western: options.western }))));
    fill(layers.floor, letters.filter(({ letter }) => skin.floor?.[letter] !== undefined).map(({ square, letter }) => placed(shape, square, floorTile(/** @type {any} */ (skin.floor)[letter]))));
    if (!moving) layers.ghosts.replaceChildren();
  }

  function drawMarks() {
    const view = /** @type {View} */ (state.view);
    const shape = frame();
    const { opinions, heat, heatKind } = state.decorations;
    const reach = options.mayMove() ? targets(view, skin, state.chosen) : [];
    const shown = state.previewed ?? hoveredMove();
    fill(layers.marksUnder, [...(view.check ? marks.check(shape, view.check) : []), ...(heat && !state.chosen ? marks.heat(shape, heat, heatKind ?? "") : [])].map(build));
    fill(layers.marksOver, [
      ...(view.last ? marks.lastMove(shape, view.last) : []),
      ...marks.outlines(shape, skin.outlines ? skin.outlines(view) : []),
      ...marks.banned(shape, options.mayMove() ? (view.banned ?? []).filter((move) => move.to && (!move.from || move.from === state.chosen)) : []),
      ...(state.chosen ? marks.chosen(shape, state.chosen) : []),
      ...marks.targets(shape, reach.filter(({ move }) => move !== shown)),
      ...marks.screens(shape, shown ? (shown.screens ?? []) : [...screensOf(reach)], !shown),
      ...(shown ? marks.preview(shape, skin, effects(shown, skin)) : []),
      ...(opinions && !state.chosen && !shown ? marks.opinions(shape, opinions) : []),
    ].map(build));
    nameCells();
  }

  /** The move that a press on the square below the pointer would play. */
  function hoveredMove() {
    if (!state.hovered || !state.view || !options.mayMove()) return null;
    const answer = press(state.view, skin, state.chosen, state.hovered);
    return answer.kind === "move" ? answer.move : null;
  }

  function nameCells() {
    const view = /** @type {View} */ (state.view);
    const active = options.mayMove() ? view : { ...view, moves: [] };
    const reach = targets(active, skin, state.chosen);
    for (const [square, cell] of grid?.cells ?? []) {
      rename(cell, "aria-label", cellName(active, skin, state.chosen, square, voice, reach));
      rename(cell, "aria-selected", String(square === state.chosen));
      cell.classList.toggle("grab", mayBegin(square));
    }
  }

  /** @param {string} square */
  const mayBegin = (square) => Boolean(state.view && options.mayMove() && !options.onPress && canBegin(state.view, skin, square));
  /** @param {string} square @returns {SVGElement | null} */
  const pieceAt = (square) => layers.pieces.querySelector(`[data-at="${square}"] > *`);
  const unit = () => element.getBoundingClientRect().width / (frame().cols + 2 * MARGIN);

  /** @param {string | null} square */
  function hover(square) {
    if (square === state.hovered) return;
    const [was, before] = [hoveredMove(), state.hovered];
    state.hovered = square;
    if (was !== hoveredMove() || (before === null) !== (square === null)) drawMarks();
  }

  /** @param {string} square */
  function onLift(square) {
    state.chosen = square;
    drawMarks();
  }

  /** @param {string} from @param {string | null} to */
  function onDrop(from, to) {
    state.chosen = from;
    if (to && to !== from) pressed(to, true);
    else choose(null);
  }

  /** @param {string} square @param {boolean} [dropped] */
  function pressed(square, dropped = false) {
    if (!state.view || options.onPress?.(square)) return;
    if (!options.mayMove()) return;
    const answer = press(state.view, skin, state.chosen, square);
    if (answer.kind === "move") return played(answer.move, dropped);
    if (answer.kind === "refused") options.onRefused?.({ from: answer.from, to: answer.to });
    choose(answer.kind === "choose" ? answer.square : null);
    if (answer.kind === "choose") options.onSay?.(reachSaid(state.view, skin, answer.square, voice));
  }

  /** @param {Move} move @param {boolean} dropped */
  function played(move, dropped) {
    state.chosen = null;
    state.hovered = null;
    settled = dropped ? move.to : null;
    drawMarks();
    options.onMove(move);
  }

  /** A piece that was dropped by hand lies there already: it does not slide again. @type {string | null} */
  let settled = null;

  /** @param {string | null} square */
  function choose(square) {
    state.chosen = square;
    drawMarks();
  }

  /** @param {string} key @param {string} square */
  function keyed(key, square) {
    if (!state.view) return false;
    if (key === "Enter" || key === " ") pressed(square);
    else if (key === "Escape" && state.chosen) choose(null);
    else if (key === "m") options.onSay?.(reachSaid(state.view, skin, square, voice));
    else if (key === "n" || key === "N") nextMovable(square, key === "n" ? 1 : -1);
    else return false;
    return true;
  }

  /** Walk to the next square where a move begins or ends. @param {string} square @param {number} step */
  function nextMovable(square, step) {
    const view = /** @type {View} */ (state.view);
    const all = squares(frame()).flat();
    const wanted = new Set(state.chosen ? movesFrom(view, skin, state.chosen).map((move) => move.to) : [...directMoves(view).map((move) => move.to), ...all.filter((each) => canBegin(view, skin, each))]);
    const at = all.indexOf(square);
    const turn = all.map((_, index) => all[(at + step * (index + 1) + 2 * all.length) % all.length]);
    const found = turn.find((each) => wanted.has(each));
    if (found) grid?.focus(found);
  }

  /** @param {View} view */
  function show(view) {
    const before = state.view;
    const again = before && before.rows.length === view.rows.length && before.game === view.game;
    state.view = view;
    state.chosen = state.chosen && before?.text === view.text ? state.chosen : null;
    state.previewed = null;
    if (!again) drawSurface();
    const moving = motions(before, view, skin).filter((motion) => !(motion.kind === "slide" && motion.square === settled));
    settled = null;
    drawPieces(moving.length > 0);
    drawMarks();
    animate(layers, moving, frame(), skin, options.pace());
    return moving;
  }

  return {
    element,
    show,
    /** @param {Decorations} decorations */
    decorate(decorations) {
      state.decorations = decorations;
      if (state.view) drawMarks();
    },
    /** @param {Move | null} move */
    preview(move) {
      state.previewed = move;
      if (state.view) drawMarks();
    },
    /** @param {{flipped?: boolean, notation?: string, western?: boolean}} changed */
    restyle(changed) {
      Object.assign(options, changed);
      if (changed.flipped !== undefined) state.flipped = changed.flipped;
      if (state.view) drawSurface(), drawPieces(false), drawMarks();
    },
    choose,
    refresh: () => state.view && drawMarks(),
    /** @param {string} square */
    focus: (square) => grid?.focus(square),
    view: () => state.view,
    flipped: () => state.flipped,
  };
}

/** What stays the same is not written again: a browser would style and lay out all of it anew. @param {Element} cell @param {string} name @param {string} value */
function rename(cell, name, value) {
  if (cell.getAttribute(name) !== value) cell.setAttribute(name, value);
}

/** @param {import("../types.js").Frame} shape @param {string} square @param {import("../types.js").Drawing} drawing */
function placed(shape, square, drawing) {
  const { x, y } = centre(shape, square);
  return build(el("g", { transform: `translate(${x} ${y})`, "data-at": square }, drawing));
}

/** Everything that is drawn, from the bottom up. */
function makeLayers() {
  const names = ["floor", "marksUnder", "pieces", "ghosts", "front", "marksOver"];
  const groups = Object.fromEntries(names.map((name) => [name, build(el("g", { class: name }))]));
  const svg = (/** @type {string} */ name) => build(el("svg", { class: name, "aria-hidden": "true", focusable: "false" }));
  const [under, over] = [svg("under"), svg("over")];
  over.append(...Object.values(groups));
  return /** @type {Record<string, any> & {pieces: SVGElement, floor: SVGElement, ghosts: SVGElement}} */ (/** @type {unknown} */ ({ under, over, ...groups }));
}

/** A small board that only shows. @param {View} view @param {Skin} skin @param {{flipped?: boolean, western?: boolean}} [style] */
export function thumbnail(view, skin, { flipped = false, western = false } = {}) {
  const shape = frameOf(view, flipped);
  const pad = 0.24;
  const all = squares(shape).flat().map((square) => ({ square, letter: letterAt(view, square) ?? "" }));
  const svg = build(el("svg", { class: `thumbnail surface-${skin.surface}`, viewBox: `${-pad} ${-pad} ${shape.cols + 2 * pad} ${shape.rows + 2 * pad}`, "aria-hidden": "true", focusable: "false" }));
  svg.append(...surface(shape, skin, "", true).map(build));
  svg.append(...all.filter(({ letter }) => skin.floor?.[letter] !== undefined).map(({ square, letter }) => placed(shape, square, floorTile(/** @type {any} */ (skin.floor)[letter]))));
  if (view.last) svg.append(...marks.lastMove(shape, view.last).map(build));
  svg.append(...all.filter(({ letter }) => skin.pieces[letter]).map(({ square, letter }) => placed(shape, square, piece(skin.pieces[letter], { western }))));
  svg.append(...(skin.front ? skin.front(shape) : []).map(build));
  return svg;
}
