// The list of moves, turn by turn, with variations below the move that they replace.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { nodeAt } from "../tree.js";
import { rowsOf, turnsOf } from "./turns.js";

/** @typedef {import("../tree.js").Node} Node */
/** @typedef {import("../tree.js").Tree} Tree */

/** @param {Node} node */
const mark = (node) => ({ inaccuracy: "?!", mistake: "?", blunder: "??" })[node.mark ?? ""] ?? "";

/**
 * @param {Tree} tree @param {number} current @param {(id: number) => void} onJump
 * @param {import("../types.js").Skin} skin what chance turned up is shown as the piece that it is
 */
export function moveList(tree, current, onJump, skin) {
  const name = (/** @type {Node} */ node) => (node.by === null ? `=${skin.pieces[node.move ?? ""]?.glyph ?? node.move}` : (node.name ?? node.move ?? ""));
  const main = lineBelow(tree, 0);
  return h("div", { class: "moves", translate: "no", role: "group", "aria-label": t("moves.title") }, main.length ? rows(tree, main, current, onJump, name, 1) : h("p", { class: "quiet" }, t("moves.none")));
}

/** The first children below a node. @param {Tree} tree @param {number} id @returns {Node[]} */
function lineBelow(tree, id) {
  const line = [];
  for (let node = nodeAt(tree, id); node.children.length; ) line.push((node = nodeAt(tree, node.children[0])));
  return line;
}

/** @param {Tree} tree @param {Node[]} line @param {number} current @param {(id: number) => void} onJump @param {(node: Node) => string} name @param {number} first */
function rows(tree, line, current, onJump, name, first) {
  return rowsOf(turnsOf(line)).flatMap((row, index) => {
    const cells = row.map((turn) => h("span", { class: "turn" }, turn ? turn.plies.map((node) => ply(node, current, onJump, name)) : "…"));
    const others = row.flatMap((turn) => (turn ? turn.plies : [])).flatMap((node) => variations(tree, node, current, onJump, name));
    return [h("div", { class: "move-row" }, h("span", { class: "number" }, String(first + index)), cells), ...others];
  });
}

/** @param {Node} node @param {number} current @param {(id: number) => void} onJump @param {(node: Node) => string} name */
function ply(node, current, onJump, name) {
  const here = node.id === current;
  return h("button", { type: "button", class: `ply${node.by === null ? " chance" : ""}${here ? " here" : ""}${node.mark ? ` ${node.mark}` : ""}`, "aria-current": here ? "true" : null, "data-node": node.id, onclick: () => onJump(node.id) }, name(node) + mark(node));
}

/** Other moves in the place of this one. @param {Tree} tree @param {Node} node @param {number} current @param {(id: number) => void} onJump @param {(node: Node) => string} name @returns {any[]} */
function variations(tree, node, current, onJump, name) {
  const parent = nodeAt(tree, /** @type {number} */ (node.parent));
  if (parent.children[0] !== node.id) return [];
  return parent.children.slice(1).map((id) => {
    const line = [nodeAt(tree, id), ...lineBelow(tree, id)];
    return h("div", { class: "variation" }, line.map((each) => [ply(each, current, onJump, name), ...variations(tree, each, current, onJump, name)]));
  });
}
