// The Markdown of the rules pages as plain nodes. Pure: {tag, attrs, children}, as drawings are.

/** @typedef {{tag: string, attrs: Record<string, string>, children: (Block | string)[]}} Block */

/** @param {string} tag @param {(Block | string)[]} children @param {Record<string, string>} [attrs] @returns {Block} */
const node = (tag, children, attrs = {}) => ({ tag, attrs, children });

/** @param {string} text @returns {Block[]} */
export function parse(text) {
  const lines = text.replace(/\r/g, "").split("\n");
  /** @type {Block[]} */
  const blocks = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = blockAt(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** @param {string[]} lines @param {number} at @returns {[Block | null, number]} */
function blockAt(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (line.startsWith("```")) return fence(lines, at);
  const heading = /^(#{1,4})\s+(.*)/.exec(line);
  if (heading) return [node(`h${heading[1].length}`, inline(heading[2])), at + 1];
  if (line.startsWith("|")) return table(lines, at);
  if (ITEM.test(line)) return list(lines, at);
  return paragraph(lines, at);
}

const ITEM = /^\s*([-*]|\d+\.)\s+/;

/** @param {string[]} lines @param {number} at @returns {[Block, number]} */
function fence(lines, at) {
  let end = at + 1;
  while (end < lines.length && !lines[end].startsWith("```")) end++;
  return [node("pre", [node("code", [lines.slice(at + 1, end).join("\n")])], { tabindex: "0" }), end + 1];
}

/** @param {string[]} lines @param {number} at @returns {[Block, number]} */
function table(lines, at) {
  let end = at;
  while (end < lines.length && lines[end].startsWith("|")) end++;
  const rows = lines.slice(at, end).map((line) => line.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|")));
  const [head, , ...body] = rows;
  const row = (/** @type {string[]} */ cells, /** @type {string} */ tag) => node("tr", cells.map((cell) => node(cell ? tag : "td", inline(cell))));
  return [node("table", [node("thead", [row(head, "th")]), node("tbody", body.map((cells) => row(cells, "td")))], { tabindex: "0" }), end];
}

/** Items, their following lines indented. @param {string[]} lines @param {number} at @returns {[Block, number]} */
function list(lines, at) {
  const ordered = /^\s*\d/.test(lines[at]);
  /** @type {string[]} */
  const items = [];
  let end = at;
  for (; end < lines.length && lines[end].trim(); end++) {
    if (ITEM.test(lines[end])) items.push(lines[end].replace(ITEM, ""));
    else items[items.length - 1] = joined([items[items.length - 1], lines[end].trim()]);
  }
  return [node(ordered ? "ol" : "ul", items.map((item) => node("li", inline(item)))), end];
}

/** Lines as one; between Chinese characters there is no space. @param {string[]} lines */
const joined = (lines) => lines.join(" ").replace(/([\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])/g, "$1");

/** @param {string[]} lines @param {number} at @returns {[Block, number]} */
function paragraph(lines, at) {
  let end = at;
  while (end < lines.length && lines[end].trim() && !lines[end].startsWith("```") && !(end > at && (ITEM.test(lines[end]) || lines[end].startsWith("|")))) end++;
  return [node("p", inline(joined(lines.slice(at, end)))), end];
}

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|!?\[([^\]]*)\]\(([^)\s]+)\)/;

/** Code, strong, emphasis, links; a link that leads out of the page stays as its words. @param {string} text @returns {(Block | string)[]} */
export function inline(text) {
  const found = MARKS.exec(text);
  if (!found) return text ? [text] : [];
  const [whole, code, strong, soft, words] = found;
  const mark = code !== undefined ? node("code", [code]) : strong !== undefined ? node("strong", inline(strong)) : soft !== undefined ? node("em", inline(soft)) : node("span", inline(words));
  return [...(found.index ? [text.slice(0, found.index)] : []), mark, ...inline(text.slice(found.index + whole.length))];
}
