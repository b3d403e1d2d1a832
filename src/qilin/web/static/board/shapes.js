// Pieces as drawings, around (0, 0), a cell being 1 wide. Light falls from the upper left on all of them.

/** @typedef {import("../types.js").Drawing} Drawing */
/** @typedef {import("../types.js").Look} Look */

/** @param {string} tag @param {Record<string, any>} [attrs] @param {...(Drawing | string)} children @returns {Drawing} */
export const el = (tag, attrs = {}, ...children) => ({ tag, attrs, children });

/** @param {string} className @param {number} r @param {number} [x] @param {number} [y] */
const circle = (className, r, x = 0, y = 0) => el("circle", { class: className, r, cx: x, cy: y });

/** Signs tell the sides apart where colours do not: a triangle and a ring. */
const SIGNS = [
  el("path", { class: "sign", d: "M0 -.2 L.19 .13 H-.19 Z" }),
  el("circle", { class: "sign", r: 0.155 }),
];

/** @param {Look} look @param {{western?: boolean}} [style] @returns {Drawing} */
export function piece(look, style = {}) {
  const side = look.side === null ? "" : ` side${look.side}`;
  const parts = SHAPES[look.shape](look, style);
  const slash = look.struck ? [el("path", { class: "struck-line", d: "M-.3 .3 L.3 -.3" })] : [];
  return el("g", { class: `look ${look.shape}${side}${look.struck ? " struck" : ""}` }, ...parts, ...slash);
}

/** The floor of a cell in a side's colours and pattern. @param {0 | 1} side @returns {Drawing} */
export const floorTile = (side) => el("g", {}, el("rect", { class: `floor side${side}`, x: -0.47, y: -0.47, width: 0.94, height: 0.94, rx: 0.09 }), el("rect", { class: `floor-pattern side${side}`, x: -0.47, y: -0.47, width: 0.94, height: 0.94, rx: 0.09 }));

const shadow = circle("shadow", 0.43, 0.025, 0.05);

/** @type {Record<string, (look: Look, style: {western?: boolean}) => Drawing[]>} */
const SHAPES = {
  stone: (look) => [
    ...(look.struck ? [] : [shadow]),
    circle("body", 0.425),
    ...(look.struck ? [circle("hatch", 0.425)] : [el("ellipse", { class: "shine", rx: 0.2, ry: 0.13, cx: -0.13, cy: -0.19, transform: "rotate(-35 -.13 -.19)" })]),
  ],
  disc: (look, style) => [
    shadow,
    circle("edge", 0.44, 0, 0.018),
    circle("body", 0.43, 0, -0.008),
    circle("ring", 0.35, 0, -0.008),
    circle("ring inner", 0.318, 0, -0.008),
    text(style.western ? look.western : look.glyph, style.western ? "glyph western" : "glyph"),
  ],
  back: () => [
    shadow,
    circle("edge", 0.44, 0, 0.018),
    circle("body", 0.43, 0, -0.008),
    circle("ring", 0.355, 0, -0.008),
    el("path", { class: "flower", d: FLOWER }),
    circle("flower-eye", 0.045),
  ],
  chip: (look) => [
    circle("edge", 0.43, 0, 0.012),
    circle("body", 0.425),
    circle("ring", 0.33),
    circle("ring inner", 0.3),
    SIGNS[look.side ?? 0],
  ],
  gem: (look) => [
    shadow,
    circle("body", 0.39),
    circle("facet", 0.3),
    SIGNS[look.side ?? 0],
    el("ellipse", { class: "shine", rx: 0.17, ry: 0.08, cx: -0.12, cy: -0.26, transform: "rotate(-28 -.12 -.26)" }),
  ],
  block: () => [
    el("rect", { class: "body", x: -0.42, y: -0.42, width: 0.84, height: 0.84, rx: 0.1 }),
    el("path", { class: "hatch-lines", d: "M-.3 .34 L.34 -.3 M-.34 .08 L.08 -.34 M-.08 .34 L.34 -.08" }),
  ],
};

/** Four petals: the back of a piece that lies face down. */
const FLOWER = [0, 90, 180, 270]
  .map((angle) => {
    const [c, s] = [Math.round(Math.cos((angle * Math.PI) / 180)), Math.round(Math.sin((angle * Math.PI) / 180))];
    const turn = (/** @type {number} */ x, /** @type {number} */ y) => `${(c * x - s * y).toFixed(3)} ${(s * x + c * y).toFixed(3)}`;
    return `M0 0 C${turn(0.17, -0.06)} ${turn(0.2, -0.24)} ${turn(0, -0.29)} C${turn(-0.2, -0.24)} ${turn(-0.17, -0.06)} 0 0 Z`;
  })
  .join(" ");

/** @param {string | undefined} glyph @param {string} className */
const text = (glyph, className) =>
  el("text", { class: className, x: 0, y: 0, "text-anchor": "middle", dy: className.includes("western") ? "0.17" : "0.178" }, glyph ?? "");

/** Gradients and patterns, once for a page. Their colours are custom properties. @returns {Drawing} */
export const definitions = () =>
  el(
    "defs",
    {},
    radial("ink-stone", "--stone0-light", "--stone0", "--stone0-dark"),
    radial("shell-stone", "--stone1-light", "--stone1", "--stone1-dark"),
    radial("disc-face", "--disc-light", "--disc", "--disc-dark"),
    radial("back-face", "--back-light", "--back", "--back-dark"),
    radial("gem0", "--side0-light", "--side0", "--side0-dark"),
    radial("gem1", "--side1-light", "--side1", "--side1-dark"),
    hatch("hatch-struck", 0.11, 45, "--struck"),
    hatch("floor0", 0.16, 45, "--floor0-line"),
    dots("floor1", 0.2, "--floor1-line"),
    el("linearGradient", { id: "lamp", x1: 0, y1: 0, x2: 1, y2: 1 }, glow(0, "#fff", 0.28), glow(0.5, "#fff", 0), glow(1, "#000", 0.16)),
  );

/** @param {number} offset @param {string} colour */
const stop = (offset, colour) => el("stop", { offset, "stop-color": `var(${colour})` });

/** @param {number} offset @param {string} colour @param {number} opacity */
const glow = (offset, colour, opacity) => el("stop", { offset, "stop-color": colour, "stop-opacity": opacity });

/** @param {string} id @param {string} light @param {string} body @param {string} dark */
const radial = (id, light, body, dark) =>
  el("radialGradient", { id, cx: 0.36, cy: 0.3, r: 0.75 }, stop(0, light), stop(0.55, body), stop(1, dark));

/** @param {string} id @param {number} step @param {number} angle @param {string} colour */
const hatch = (id, step, angle, colour) =>
  el(
    "pattern",
    { id, width: step, height: step, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${angle})` },
    el("rect", { width: step * 0.42, height: step, fill: `var(${colour})` }),
  );

/** @param {string} id @param {number} step @param {string} colour */
const dots = (id, step, colour) =>
  el(
    "pattern",
    { id, width: step, height: step, patternUnits: "userSpaceOnUse" },
    el("circle", { cx: step / 2, cy: step / 2, r: step * 0.27, fill: `var(${colour})` }),
  );
