// Moves by their names in a notation. The server knows the names; until it has told, a move is called by its text.

import * as api from "../api.js";
import { settings } from "../settings.js";
import { pathTo } from "../tree.js";

/** @typedef {{names: Record<string, string>, next: Map<string, Known>}} Known */

/**
 * @param {{game: string, options: Record<string, any>, position: string | null}} start
 * @param {string[]} notations what the game can be written in
 * @param {() => void} onKnown more names are there
 */
export function makeNames({ game, options, position }, notations, onKnown) {
  /** @returns {Known} */
  const fresh = () => ({ names: {}, next: new Map() });
  const root = fresh();
  /** @type {Set<string>} */
  const asked = new Set();
  const notation = () => (notations.includes(settings().notation) ? settings().notation : "native");

  /** What each move of a line is called. @param {string[]} moves */
  function of(moves) {
    if (notation() === "native") return moves;
    /** @type {Known | undefined} */
    let at = root;
    const found = moves.map((move) => ((at = at?.next.get(move)), at?.names[notation()]));
    if (found.includes(undefined)) learn(moves);
    return found.map((name, index) => name ?? moves[index]);
  }

  /** @param {string[]} moves */
  async function learn(moves) {
    const key = moves.join(" ");
    if (asked.has(key)) return;
    asked.add(key);
    const told = await api.notation({ game, options, position, moves }).catch(() => []);
    for (const { name, moves: names } of told) keep(name, moves, names);
    if (told.length) onKnown();
  }

  /** @param {string} name @param {string[]} moves @param {string[]} names */
  function keep(name, moves, names) {
    let at = root;
    moves.forEach((move, index) => {
      const next = at.next.get(move) ?? fresh();
      at.next.set(move, next);
      next.names[name] = names[index];
      at = next;
    });
  }

  return { of };
}

/** Write its name on every node of a tree. @param {import("../tree.js").Tree} tree @param {ReturnType<typeof makeNames>} names */
export function nameNodes(tree, names) {
  for (const leaf of tree.nodes.values()) {
    if (leaf.children.length) continue;
    const path = pathTo(tree, leaf.id).slice(1);
    const called = names.of(path.map((node) => /** @type {string} */ (node.move)));
    path.forEach((node, index) => (node.name = called[index]));
  }
}
