// The only ways in which elements are made. Text is always text: nothing that came from a game or a server is read as markup.

/** @typedef {import("./types.js").Drawing} Drawing */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. `on…` are listeners, `class`, `data-…`, `aria-…` attributes; null and false leave an attribute out.
 * @param {string} tag
 * @param {Record<string, any>} [attrs]
 * @param {...any} children elements, text, or lists of them; null and false are left out
 * @returns {any}
 */
export function h(tag, attrs = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) set(element, name, value);
  element.replaceChildren(...flattened(children));
  return element;
}

/** @param {Element} element @param {string} name @param {any} value */
export function set(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") Object.assign(element, { [name]: value });
  else if (name === "style") for (const [key, text] of Object.entries(value)) /** @type {any} */ (element).style.setProperty(key, text);
  else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  else element.removeAttribute(name);
}

/** Replace what an element holds. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren(...flattened(children));
}

/** @param {any[]} children @returns {(Node | string)[]} */
const flattened = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

/** A drawing as SVG elements. @param {Drawing} drawing @returns {any} */
export function build({ tag, attrs, children }) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attrs)) if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  for (const child of children) element.append(typeof child === "string" ? child : build(child));
  return element;
}

/** An icon from the sprite of paths in icons.js. @param {string} path */
export function icon(path) {
  return build({
    tag: "svg",
    attrs: { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" },
    children: [{ tag: "path", attrs: { d: path }, children: [] }],
  });
}
