// Plies gathered into turns, and turns into the rows of a list. Pure.

/**
 * Plies gathered into turns: one side may have several in a row, and an answer of chance belongs to the ply before it.
 * @param {{by: 0 | 1 | null}[]} plies
 * @returns {{by: 0 | 1, plies: any[]}[]}
 */
export function turnsOf(plies) {
  /** @type {{by: 0 | 1, plies: any[]}[]} */
  const turns = [];
  for (const ply of plies) {
    const last = turns[turns.length - 1];
    if (last && (ply.by === null || ply.by === last.by)) last.plies.push(ply);
    else turns.push({ by: ply.by ?? 0, plies: [ply] });
  }
  return turns;
}

/** Turns two by two: a row has the first player's and the second's. @param {{by: 0 | 1, plies: any[]}[]} turns */
export function rowsOf(turns) {
  /** @type {({by: 0 | 1, plies: any[]} | null)[][]} */
  const rows = [];
  for (const turn of turns) {
    const row = rows[rows.length - 1];
    if (turn.by === 1 && row && row[1] === null) row[1] = turn;
    else rows.push(turn.by === 0 ? [turn, null] : [null, turn]);
  }
  return rows;
}
