// A game file and a tree of moves, one from the other without loss. Pure. The format is docs/game_file.md.

import { grow, nodeAt } from "./tree.js";

/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {{move: string, variations?: Step[][], [more: string]: any}} Step */

/** What is said about a step, beside its move and its variations. @param {Step} step */
function remarks({ move, variations, ...rest }) {
  return rest;
}

/** Put the steps of a file below a node; all nodes made, parents first. @param {Tree} tree @param {number} at @param {Step[]} steps @returns {number[]} */
export function plant(tree, at, steps) {
  const made = [];
  for (const step of steps) {
    const id = grow(tree, at, step.move);
    Object.assign(nodeAt(tree, id), { remarks: remarks(step), value: step.opinion?.first ?? null, mark: markOf(step.marks) });
    made.push(id, ...(step.variations ?? []).flatMap((variation) => plant(tree, at, variation)));
    at = id;
  }
  return made;
}

const SIGNS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
/** @param {string[] | undefined} marks */
const markOf = (marks) => (marks ?? []).map((mark) => SIGNS[/** @type {keyof typeof SIGNS} */ (mark)]).find(Boolean) ?? null;

/** The steps below a node: its first child's line, the others as variations of it. @param {Tree} tree @param {number} at @returns {Step[]} */
export function harvest(tree, at) {
  const [first, ...others] = nodeAt(tree, at).children;
  if (first === undefined) return [];
  const variations = others.map((other) => [stepOf(tree, other), ...harvest(tree, other)]);
  return [{ ...stepOf(tree, first), ...(variations.length ? { variations } : {}) }, ...harvest(tree, first)];
}

/** @param {Tree} tree @param {number} id @returns {Step} */
function stepOf(tree, id) {
  const node = /** @type {any} */ (nodeAt(tree, id));
  const sign = Object.keys(SIGNS).find((each) => SIGNS[/** @type {keyof typeof SIGNS} */ (each)] === node.mark);
  const kept = node.remarks ?? {};
  const opinion = typeof node.value === "number" ? { opinion: { ...(kept.opinion ?? {}), first: node.value } } : {};
  return { move: node.move, ...kept, ...(sign && !kept.marks ? { marks: [sign] } : {}), ...opinion };
}

/** A whole file. @param {any} head what the file said beside its moves @param {Tree} tree */
export const documentOf = (head, tree) => ({ format: "qilin-game", version: 1, ...head, moves: harvest(tree, 0) });
