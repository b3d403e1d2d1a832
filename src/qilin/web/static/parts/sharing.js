// What leaves the page: links, files, pictures, and games kept in the library.

import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { button, notice, select, wordsOf } from "./controls.js";
import { pngOf, svgOf } from "./picture.js";
import { download, fileOf } from "./records.js";

/** @param {{study: any, view: () => any, board: any, skin: any, game: any, link: () => string, document: any}} hooks */
export function sharing({ study, view, board, game, link, document: original }) {
  const files = h("div");
  const file = () => fileOf(study, original);
  drawFormats(files, file, game);
  return h("div", {},
    h("div", { class: "actions" },
      button("share.link", () => copy(new URL(link(), location.href).href)),
      button("share.position", () => copy(view().text)),
      button("share.save", () => keep(file()), { icon: "save" }),
      button("share.svg", async () => download(`${game.name}.svg`, new Blob([await svgOf(board.element)], { type: "image/svg+xml" }))),
      button("share.png", async () => download(`${game.name}.png`, await pngOf(board.element)))),
    files);
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice(t("share.copied"));
  } catch {
    notice(text); // no clipboard here: at least it can be read
  }
}

/** @param {any} document */
async function keep(document) {
  try {
    await api.keep(document);
    notice(t("share.saved"));
  } catch (error) {
    notice(wordsOf(error), "bad");
  }
}

/** @param {HTMLElement} host @param {() => any} file @param {any} game */
async function drawFormats(host, file, game) {
  const { formats } = await api.formats();
  const writable = formats.filter((/** @type {any} */ each) => each.writes && (!each.games || each.games.includes(game.name)));
  const state = { format: "json", notation: "" };
  const draw = () => {
    const notations = writable.find((/** @type {any} */ each) => each.name === state.format)?.notations?.[game.name] ?? [];
    fill(host,
      select(t("share.format"), writable.map((/** @type {any} */ each) => ({ value: each.name, label: pick(each.words) })), state.format, (value) => ((state.format = value), (state.notation = ""), draw())),
      notations.length > 1 ? select(t("pref.notation"), notations.map((/** @type {any} */ each) => ({ value: each.name, label: pick(each.words) })), state.notation || notations[0].name, (value) => (state.notation = value)) : null,
      h("div", { class: "actions" }, button("share.download", () => exportAs(file(), state), { icon: "share" })));
  };
  draw();
}

/** @param {any} document @param {{format: string, notation: string}} wish */
async function exportAs(document, { format, notation }) {
  try {
    const { text, mime, name } = await api.convert({ text: JSON.stringify(document), from: "json", to: format, ...(notation ? { options: { notation } } : {}) });
    download(name ?? `game.${format}`, new Blob([text], { type: mime }));
  } catch (error) {
    notice(wordsOf(error), "bad");
  }
}
