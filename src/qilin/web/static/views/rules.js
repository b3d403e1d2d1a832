// The rules of each game, from docs/games, beside a picture of its board.

import * as api from "../api.js";
import { thumbnail } from "../board/board.js";
import { sampleView } from "../board/sample.js";
import { h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { parse } from "../markdown.js";
import { whenThere } from "../parts/controls.js";
import { writeRoute } from "../route.js";
import { settings } from "../settings.js";

/** @param {HTMLElement} host @param {import("../route.js").Route} route */
export function page(host, route) {
  whenThere(host, api.games(), (games) => {
    const game = games.find((/** @type {any} */ each) => each.name === route.argument);
    return game ? rules(game) : contents(games);
  });
  return {};
}

/** @param {any[]} games */
async function contents(games) {
  const skins = await Promise.all(games.map((game) => api.skinOf(game.name)));
  const card = (/** @type {any} */ game, /** @type {number} */ index) => h("a", { class: "card", href: writeRoute("rules", game.name) }, thumbnail(sampleView(skins[index].sample, game), skins[index], { western: settings().western }), h("div", { class: "card-words" }, h("h2", {}, pick(game.title)), h("p", {}, pick(game.summary))));
  return [h("h1", {}, t("nav.rules")), h("div", { class: "cards" }, games.map(card))];
}

/** @param {any} game */
async function rules(game) {
  const [markdown, skin] = await Promise.all([api.rules(game.name), api.skinOf(game.name)]);
  const text = markdown[settings().language] ?? markdown.en;
  const [title, ...rest] = parse(text ?? `# ${pick(game.title)}`);
  const figure = h("figure", { class: "figure" }, thumbnail(sampleView(skin.sample, game), skin, { western: settings().western }));
  const ways = h("div", { class: "actions" }, h("a", { class: "button strong", href: writeRoute("play", game.name) }, t("nav.play")), h("a", { class: "button", href: writeRoute("analyse", game.name) }, t("nav.analyse")));
  return [h("a", { class: "crumb", href: writeRoute("rules") }, `‹ ${t("nav.rules")}`),
    h("div", { class: "rules-page" }, h("aside", {}, figure, ways), h("article", { class: "prose", lang: text === markdown.zh ? "zh-Hans" : "en" }, made(title), rest.map(made)))];
}

/** @param {import("../markdown.js").Block} block @returns {any} */
const made = ({ tag, attrs, children }) => h(tag, tag === "code" ? { ...attrs, translate: "no" } : attrs, children.map((child) => (typeof child === "string" ? child : made(child))));
