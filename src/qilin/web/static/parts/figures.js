// What a training run's figures say: which are shown, what they are called, and how they are read from a row. Pure.

/** @typedef {{name: string, curves: {name: string, of: (row: any) => number | null}[], percent?: boolean}} Figure */

/** The number at a dotted key; null where it was not measured. @param {any} row @param {string} key @returns {number | null} */
export function at(row, key) {
  const found = key.split(".").reduce((inner, part) => inner?.[part], row);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** @param {string} name @param {string} key */
const number = (name, key) => ({ name, of: (/** @type {any} */ row) => at(row, key) });

/** A share of the games of self-play. @param {string} name @param {string} key */
const share = (name, key) => ({ name, of: (/** @type {any} */ row) => (at(row, "selfplay.games") ? (at(row, `selfplay.${key}`) ?? 0) / /** @type {number} */ (at(row, "selfplay.games")) : null) });

/** @type {Figure[]} */
export const FIGURES = [
  { name: "loss", curves: [number("policy", "loss.policy"), number("value", "loss.value")] },
  { name: "accuracy", percent: true, curves: [number("policy", "learner.policy_accuracy"), number("value", "learner.value_accuracy")] },
  { name: "entropy", curves: [number("search", "selfplay.target_entropy"), number("network", "learner.policy_entropy")] },
  { name: "results", percent: true, curves: [share("first", "wins"), share("draws", "draws")] },
  { name: "plies", curves: [number("plies", "selfplay.plies")] },
  { name: "speed", curves: [number("positions", "speed.positions")] },
];

/** The curves of a figure that were measured, each as points. @param {Figure} figure @param {any[]} rows */
export const measured = ({ curves }, rows) =>
  curves
    .map(({ name, of }) => ({ name, points: rows.flatMap((row, index) => (of(row) === null ? [] : [{ x: row.iteration ?? index + 1, y: /** @type {number} */ (of(row)) }])) }))
    .filter(({ points }) => points.length);
