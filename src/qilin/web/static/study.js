// What is studied: a tree of moves from a position, the views that the server has shown of it, and judgements. No page, no drawing.

import * as api from "./api.js";
import { grow, lineThrough, movesTo, newTree, nodeAt, pathTo } from "./tree.js";

/** @typedef {import("./types.js").View} View */

/** @param {{game: string, options: Record<string, any>, position: string | null}} start */
export function makeStudy(start) {
  const tree = newTree();
  /** @type {Map<number, View>} */
  const views = new Map();
  let current = 0;

  /** @param {number} [id] @returns {import("./api.js").Line} */
  const lineTo = (id = current) => ({ game: start.game, options: start.options, position: start.position, moves: movesTo(tree, id) });

  /** Add moves after a node and learn who played them; the last one's id. @param {number} at @param {string[]} moves */
  async function add(at, moves) {
    if (!moves.length) return at;
    const line = { ...lineTo(at), moves: [...movesTo(tree, at), ...moves] };
    const seen = await api.views(line);
    const base = seen.length - moves.length;
    let id = at;
    views.set(at, views.get(at) ?? seen[base - 1]);
    moves.forEach((move, index) => {
      id = grow(tree, id, move, seen[base + index].last?.by ?? null);
      if (!views.get(id)?.moves.length) views.set(id, seen[base + index]);
    });
    return id;
  }

  /** The view of a node, with its legal moves. @param {number} [id] @returns {Promise<View>} */
  async function viewOf(id = current) {
    const known = views.get(id);
    if (known && (known.moves.length || known.over || known.chance)) return known;
    const view = await api.position(lineTo(id));
    views.set(id, view);
    return view;
  }

  /** Values and marks from the server's judgement of the line through the current node. @param {any[]} points */
  function judge(points) {
    const line = lineThrough(tree, current);
    for (const point of points) {
      const node = line[point.ply];
      if (node) Object.assign(node, { value: point.after, mark: point.mark, loss: point.loss });
      if (point.ply === 1) line[0].value = point.value;
    }
  }

  return {
    start, tree, add, viewOf, lineTo, judge,
    current: () => current,
    /** @param {number} id */
    go: (id) => void (current = nodeAt(tree, id).id),
    line: () => lineThrough(tree, current),
    ply: () => pathTo(tree, current).length - 1,
    /** @param {number} id */
    known: (id) => views.get(id),
  };
}
