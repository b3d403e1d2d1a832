// The shapes of what the server says and of what the modules hand each other. Types only: nothing runs here.

/** @typedef {{en: string, zh: string}} Text */
/** @typedef {{square: string, before: string | null, after: string | null, unknown?: boolean}} Change */
/** @typedef {{text: string, from: string | null, to: string | null, kind?: string, by?: 0 | 1 | null, changes?: Change[], screens?: string[]}} Move */
/** @typedef {{winner: 0 | 1 | null, reason: string, words: Text, margin: number | null}} Over */
/** @typedef {{name: string, words: Text, left: number | null, of: number | null}} Phase */
/** @typedef {{name: string, words: Text, player: 0 | 1 | null, value: number, limit: number | null}} Counter */
/** @typedef {{letter: string, count: number, probability: number}} Hidden */

/**
 * A position as the server shows it.
 * @typedef {object} View
 * @property {string} game
 * @property {Record<string, string | number>} options
 * @property {string} text
 * @property {(string | null)[][]} rows top rank first
 * @property {number} rank0 the number of the lowest rank
 * @property {0 | 1 | null} to_move
 * @property {boolean} chance
 * @property {Over | null} over
 * @property {Phase | null} phase
 * @property {Counter[]} counters
 * @property {Hidden[]} pool what chance may still turn up
 * @property {[number, number] | null} scores
 * @property {Record<string, {words: Text, squares: string[]}>} sets
 * @property {Move[]} banned
 * @property {Move[]} moves
 * @property {Move | null} last
 * @property {number} ply
 * @property {string} key
 * @property {string | null} check
 */

/** @typedef {{rows: number, cols: number, rank0: number, flipped: boolean}} Frame */
/** @typedef {{row: number, col: number}} Place */
/** @typedef {{x: number, y: number}} Point */

/**
 * A piece of SVG as data: pure modules make it, dom.js builds it.
 * @typedef {{tag: string, attrs: Record<string, string | number | null | undefined>, children: (Drawing | string)[]}} Drawing
 */

/**
 * How a letter of the board is drawn. `side` picks the colours, `glyph` is written on it, `sign` is a shape that tells the
 * sides apart without colour.
 * @typedef {object} Look
 * @property {"stone" | "disc" | "chip" | "gem" | "back" | "block"} shape
 * @property {0 | 1 | null} side
 * @property {string} [glyph]
 * @property {string} [western]
 * @property {boolean} [struck] still there, but out of play
 * @property {Text} words
 */

/**
 * A game's look: data and pure functions, no rules.
 * @typedef {object} Skin
 * @property {string} surface names a style of board.css
 * @property {"cells" | "points"} grid
 * @property {Record<string, Look>} pieces by letter
 * @property {Record<string, 0 | 1>} [floor] letters that say whose floor a cell is
 * @property {Text[]} [floorWords] what such a cell is called, by side
 * @property {(frame: Frame) => Drawing[]} [art] what is drawn on the surface, beside the grid
 * @property {(frame: Frame) => Drawing[]} [front] what is drawn over the pieces
 * @property {(frame: Frame, notation: string) => Coordinates} [coordinates]
 * @property {(move: Move, square: string) => boolean} [joins] whether a move without origin may be begun by choosing `square`
 * @property {(square: string, moves: Move[]) => string} [aim] the square that a press on `square` means
 * @property {boolean} [drops] new pieces fall from above
 * @property {(move: Move) => boolean} [far] a move to be shown as a leap
 * @property {(view: View) => string[]} [outlines] squares to be framed
 * @property {[string, string]} [seats] the sides' colours beside the board, as CSS
 * @property {string} sample a position for pictures
 * @property {[string, string]} turns the sides in a position's text
 */
/** @typedef {{top: string[], bottom: string[], left: string[], right: string[]}} Coordinates */

export {};
