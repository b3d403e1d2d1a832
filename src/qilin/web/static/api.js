// The server over HTTP. A refusal becomes a Refused with the server's words in both languages.

/** @typedef {import("./types.js").View} View */
/** @typedef {{game: string, options?: Record<string, string | number>, position?: string | null, moves?: string[]}} Line */

export class Refused extends Error {
  /** @param {{code?: string, message?: string, words?: import("./types.js").Text, retry?: number}} error */
  constructor(error) {
    super(error.message ?? "refused");
    this.code = error.code ?? "unknown";
    this.retry = error.retry;
    /** @type {import("./types.js").Text} */
    this.words = error.words ?? { en: this.message, zh: this.message };
  }
}

/** @param {string} path @param {{method?: string, body?: any}} [request] @returns {Promise<any>} */
export async function ask(path, { method = "GET", body } = {}) {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.error ?? { message: `${response.status} ${response.statusText}` });
  return answer;
}

/** @param {string} path @param {any} body */
const post = (path, body) => ask(path, { method: "POST", body });

/** @param {Record<string, any>} query */
const search = (query) => new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "").map(([key, value]) => [key, String(value)]));

/** @type {Promise<any[]> | null} */
let known = null;

/** Every game the server knows, asked once. @returns {Promise<any[]>} */
export function games() {
  known ??= ask("api/games").then((answer) => answer.games);
  known.catch(() => (known = null));
  return known;
}

/** @param {string} name */
export const game = async (name) => (await games()).find((each) => each.name === name);

/** @param {string} name @returns {Promise<import("./types.js").Skin>} */
export const skinOf = async (name) => (await import(`./skins/${name}.js`)).default;

export const position = (/** @type {Line} */ line) => post("api/position", line);
export const views = (/** @type {Line} */ line) => post("api/line", line).then((answer) => answer.views);
export const hint = (/** @type {Line & {player?: string}} */ line) => post("api/hint", line);
export const explain = (/** @type {Line & {from?: string | null, to: string}} */ tried) => post("api/explain", tried);
export const players = (/** @type {string} */ name) => ask(`api/players?${search({ game: name })}`);
export const notation = (/** @type {Line} */ line) => post("api/notation", line).then((answer) => answer.notations);
export const networks = () => ask("api/networks").then((answer) => answer.networks);
export const loadModel = (/** @type {string} */ name) => post("api/load-model", { name });
export const rules = (/** @type {string} */ name) => ask(`api/rules/${name}`).then((answer) => answer.markdown);
export const library = (/** @type {Record<string, any>} */ query) => ask(`api/library?${search(query)}`);
export const record = (/** @type {string} */ id) => ask(`api/library/${encodeURIComponent(id)}`);
export const keep = (/** @type {any} */ document, /** @type {string[]} */ tags = []) => post("api/library", { document, tags });
export const discard = (/** @type {string} */ id) => ask(`api/library/${encodeURIComponent(id)}`, { method: "DELETE" });
export const formats = () => ask("api/convert");
export const convert = (/** @type {any} */ request) => post("api/convert", request);
export const runs = () => ask("api/runs").then((answer) => answer.runs);
export const run = (/** @type {string} */ name) => ask(`api/runs/${encodeURIComponent(name)}`);
export const metrics = (/** @type {string} */ name, after = 0) => ask(`api/runs/${encodeURIComponent(name)}/metrics?${search({ after })}`);
