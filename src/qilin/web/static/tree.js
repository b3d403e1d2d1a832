// Moves and variations as a tree of plain nodes. Pure: every change answers a new id or a path, the tree itself is a map of nodes.

/** @typedef {{id: number, parent: number | null, move: string | null, by: 0 | 1 | null, children: number[], name?: string, comment?: string, mark?: string | null, loss?: number, value?: number | null, nag?: any}} Node */
/** @typedef {{nodes: Map<number, Node>, next: number}} Tree */

/** @returns {Tree} */
export const newTree = () => ({ nodes: new Map([[0, { id: 0, parent: null, move: null, by: null, children: [] }]]), next: 1 });

/** The child of a node by a move; made where it is missing. @param {Tree} tree @param {number} at @param {string} move @param {0 | 1 | null} [by] */
export function grow(tree, at, move, by = null) {
  const parent = nodeAt(tree, at);
  const known = parent.children.find((id) => nodeAt(tree, id).move === move);
  if (known !== undefined) return known;
  const id = tree.next++;
  tree.nodes.set(id, { id, parent: at, move, by, children: [] });
  parent.children.push(id);
  return id;
}

/** @param {Tree} tree @param {number} id @returns {Node} */
export function nodeAt(tree, id) {
  const node = tree.nodes.get(id);
  if (!node) throw new Error(`no node ${id}`);
  return node;
}

/** From the root to a node. @param {Tree} tree @param {number} id @returns {Node[]} */
export function pathTo(tree, id) {
  const node = nodeAt(tree, id);
  return node.parent === null ? [node] : [...pathTo(tree, node.parent), node];
}

/** The moves to a node. @param {Tree} tree @param {number} id @returns {string[]} */
export const movesTo = (tree, id) => pathTo(tree, id).slice(1).map((node) => /** @type {string} */ (node.move));

/** From a node along first children to the end. @param {Tree} tree @param {number} id @returns {Node[]} */
export function lineFrom(tree, id) {
  const line = [nodeAt(tree, id)];
  while (line[line.length - 1].children.length) line.push(nodeAt(tree, line[line.length - 1].children[0]));
  return line;
}

/** The line through a node: to it, and on from it. @param {Tree} tree @param {number} id */
export const lineThrough = (tree, id) => [...pathTo(tree, id), ...lineFrom(tree, id).slice(1)];

/** Make a variation the main line, all the way up. @param {Tree} tree @param {number} id */
export function promote(tree, id) {
  for (const node of pathTo(tree, id)) {
    if (node.parent === null) continue;
    const parent = nodeAt(tree, node.parent);
    parent.children = [node.id, ...parent.children.filter((child) => child !== node.id)];
  }
}

/** Cut a node and all below; the parent's id. @param {Tree} tree @param {number} id */
export function cut(tree, id) {
  const { parent } = nodeAt(tree, id);
  if (parent === null) return id;
  const gone = [id];
  for (const each of gone) gone.push(...nodeAt(tree, each).children);
  gone.forEach((each) => tree.nodes.delete(each));
  const keeper = nodeAt(tree, parent);
  keeper.children = keeper.children.filter((child) => child !== id);
  return parent;
}

/** The next or previous sibling of a node. @param {Tree} tree @param {number} id @param {number} step */
export function sibling(tree, id, step) {
  const { parent } = nodeAt(tree, id);
  if (parent === null) return id;
  const { children } = nodeAt(tree, parent);
  return children[(children.indexOf(id) + step + children.length) % children.length];
}
