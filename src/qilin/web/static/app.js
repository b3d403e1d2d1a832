// Where the page begins: header, settings, routes, keys. Everything else is a view.

import { definitions } from "./board/shapes.js";
import { build, fill, h, icon, set } from "./dom.js";
import { t } from "./i18n.js";
import { ICONS } from "./icons.js";
import { button, notice } from "./parts/controls.js";
import { help } from "./parts/help.js";
import { preferences } from "./parts/preferences.js";
import { readRoute, writeRoute } from "./route.js";
import { change, onChange, settings } from "./settings.js";

/** Views are loaded when they are first opened. @type {Record<string, () => Promise<{page: (host: HTMLElement, route: import("./route.js").Route) => any}>>} */
const VIEWS = {
  play: () => import("./views/setup.js"),
  game: () => import("./views/game.js"),
  match: () => import("./views/match.js"),
  analyse: () => import("./views/analyse.js"),
  games: () => import("./views/games.js"),
  rules: () => import("./views/rules.js"),
  training: () => import("./views/training.js"),
};
const NAVIGATION = /** @type {[string, keyof typeof ICONS][]} */ ([["play", "board"], ["analyse", "chart"], ["games", "games"], ["rules", "book"], ["training", "train"]]);

const SIGNS = /** @type {const} */ ({ light: "sun", dark: "moon", system: "auto" });

/** @type {any} */
let current = null;
let visit = 0;
const header = h("header", { class: "top" });
const main = h("main", { id: "main", tabindex: "-1" });

/** Language, theme and palette, as the style sheets and the browser read them. */
function dress() {
  const { language, theme, palette } = settings();
  const root = document.documentElement;
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.lang = language === "zh" ? "zh-Hans" : "en";
  Object.assign(root.dataset, { language, theme: dark ? "dark" : "light", palette });
}

function drawHeader() {
  const { language, theme, sound } = settings();
  const { name } = readRoute(location.hash);
  const link = (/** @type {[string, keyof typeof ICONS]} */ [view, sign]) => h("a", { href: writeRoute(view), class: "nav-link", "aria-current": view === name || (view === "play" && ["game", "match"].includes(name)) ? "page" : null }, icon(ICONS[sign]), h("span", {}, t(`nav.${view}`)));
  const themes = /** @type {const} */ (["light", "dark", "system"]);
  const next = themes[(themes.indexOf(theme) + 1) % 3];
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.do : undefined;
  fill(header,
    h("a", { class: "brand", href: writeRoute("play"), }, h("span", { class: "seal", lang: "zh-Hans", translate: "no" }, "棋林"), h("span", { class: "brand-name", lang: "en", translate: "no" }, "Qilin")),
    h("nav", { "aria-label": t("nav.label") }, NAVIGATION.map(link)),
    h("div", { class: "tools" },
      h("button", { type: "button", class: "button bare", lang: language === "zh" ? "en" : "zh-Hans", onclick: () => change({ language: language === "zh" ? "en" : "zh" }), "data-do": "language" }, language === "zh" ? "EN" : "中文"),
      button(`theme.${theme}`, () => change({ theme: next }), { icon: SIGNS[theme], bare: true, id: "theme" }),
      button(sound ? "sound.on" : "sound.off", () => change({ sound: !sound }), { icon: sound ? "sound" : "mute", bare: true, id: "sound", pressed: sound }),
      button("preferences", preferences, { icon: "gear", bare: true }),
      button("help", help, { icon: "help", bare: true })));
  if (focused) /** @type {HTMLElement | null} */ (header.querySelector(`[data-do="${focused}"]`))?.focus();
}

/** Leave one view and open another. */
async function open() {
  const mine = ++visit;
  const route = readRoute(location.hash);
  const load = VIEWS[route.name] ?? VIEWS.play;
  current?.dispose?.();
  current = null;
  drawHeader();
  const { page } = await load();
  if (mine !== visit) return;
  fill(main);
  main.className = `view-${route.name}`;
  document.title = `${t(VIEWS[route.name] && !["game", "match"].includes(route.name) ? `nav.${route.name}` : "nav.play")} · ${t("brand.name")}`;
  current = page(main, route);
  scrollTo(0, 0);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const typing = event.target instanceof HTMLElement && event.target.closest("input, select, textarea, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?") help();
  else current?.onKey?.(event);
}

let language = settings().language;
/** @param {import("./settings.js").Settings} next */
function onSettings(next) {
  dress();
  if (next.language === language) return drawHeader();
  language = next.language;
  open();
}

document.body.append(
  build({ tag: "svg", attrs: { width: 0, height: 0, class: "defs", "aria-hidden": "true", focusable: "false" }, children: [definitions()] }),
  h("a", { class: "skip", href: "#main", onclick: (/** @type {Event} */ event) => (event.preventDefault(), main.focus()) }, "⇥"),
  header, main, h("div", { id: "notices", "aria-hidden": "true" }), h("div", { id: "spoken", class: "sr", role: "log", "aria-live": "polite" }));
dress();
set(/** @type {HTMLElement} */ (document.querySelector(".skip")), "aria-label", t("skip"));
onChange(onSettings);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
addEventListener("hashchange", () => open().then(() => main.focus({ preventScroll: true })));
document.addEventListener("keydown", onKey);
addEventListener("unhandledrejection", (event) => notice(String(event.reason?.words?.[settings().language] ?? event.reason?.message ?? event.reason), "bad"));
open();
