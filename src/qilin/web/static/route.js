// Addresses within the page: #/name/argument?key=value.

/** @typedef {{name: string, argument: string, query: Record<string, string>}} Route */

/** @param {string} hash @returns {Route} */
export function readRoute(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name = "", argument = ""] = path.split("/");
  return { name: name || "play", argument: decodeURIComponent(argument), query: Object.fromEntries(new URLSearchParams(search)) };
}

/** @param {string} name @param {string} [argument] @param {Record<string, string | number | undefined>} [query] */
export function writeRoute(name, argument = "", query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return `#/${name}${argument ? `/${encodeURIComponent(argument)}` : ""}${search ? `?${search}` : ""}`;
}

/** The address of a match that nobody has begun. @param {string} game @param {[string, string]} players @param {number} games @param {Record<string, string | number>} options */
export function newMatch(game, [first, second], games, options) {
  const chosen = Object.fromEntries(Object.entries(options).map(([key, value]) => [`option.${key}`, value]));
  return writeRoute("match", Math.random().toString(36).slice(2, 14), { game, first, second, games, ...chosen });
}
