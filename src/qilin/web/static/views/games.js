// The library: games that were played or brought in, searched, opened, thrown away.

import * as api from "../api.js";
import { thumbnail } from "../board/board.js";
import { sampleView } from "../board/sample.js";
import { fill, h, icon } from "../dom.js";
import { pick, t } from "../i18n.js";
import { ICONS } from "../icons.js";
import { button, confirm, dialog, input, notice, select, wordsOf } from "../parts/controls.js";
import { writeRoute } from "../route.js";
import { settings } from "../settings.js";

const PAGE = 20;

/** @param {HTMLElement} host */
export function page(host) {
  const wish = { game: "", query: "", result: "", order: "newest", offset: 0 };
  const list = h("div", { class: "shelf", "aria-live": "polite" });
  const filters = h("div", { class: "filters panel" });
  let serial = 0;
  /** @type {any[]} */
  let games = [];
  /** @type {Record<string, import("../types.js").Skin>} */
  let skins = {};

  async function load() {
    const mine = ++serial;
    try {
      const answer = await api.library({ ...wish, limit: PAGE });
      if (mine === serial) draw(answer);
    } catch (error) {
      fill(list, h("p", { class: "trouble", role: "alert" }, wordsOf(error)));
    }
  }

  /** @param {Partial<typeof wish>} changed */
  function want(changed) {
    Object.assign(wish, { offset: 0 }, changed);
    load();
  }

  /** @param {{games: any[], total: number}} answer */
  function draw({ games: found, total }) {
    const pages = [button("library.newer", () => want({ offset: Math.max(0, wish.offset - PAGE) }), { disabled: !wish.offset }), button("library.older", () => want({ offset: wish.offset + PAGE }), { disabled: wish.offset + PAGE >= total })];
    fill(list, total ? h("p", { class: "quiet" }, t("library.count", { n: total })) : empty(), found.map(record), total > PAGE ? h("div", { class: "bar" }, pages) : null);
  }

  /** Nothing was found, or nothing is there yet. */
  function empty() {
    const narrowed = wish.game || wish.query || wish.result;
    return h("div", { class: "panel empty" }, h("p", {}, t(narrowed ? "library.nothing" : "library.none")), narrowed ? null : h("a", { class: "button strong", href: writeRoute("play") }, t("nav.play")));
  }

  /** @param {any} summary */
  function record(summary) {
    const game = games.find((each) => each.name === summary.game);
    const when = summary.created ? new Date(typeof summary.created === "number" ? summary.created * 1000 : summary.created).toLocaleString(settings().language) : "";
    const result = summary.winner === null || summary.winner === undefined ? t(summary.result === "open" || !summary.reason ? "library.open" : "library.draw") : t("library.won", { who: pick(game.players[summary.winner]) });
    const href = writeRoute("analyse", "", { record: summary.id });
    const small = skins[game.name] ? thumbnail(sampleView(skins[game.name].sample, game), skins[game.name], { western: settings().western }) : null;
    return h("article", { class: "record", "data-record": summary.id }, small,
      h("div", {}, h("h2", {}, h("a", { href, translate: "no" }, summary.players.map((/** @type {string | null} */ name, /** @type {number} */ side) => name || pick(game.players[side])).join(" – "))), h("p", {}, [pick(game.title), result, t("library.plies", { n: summary.plies }), when].filter(Boolean).join(" · "))),
      h("div", { class: "actions" }, h("a", { class: "button", href }, t("library.open_game")), button("library.delete", () => confirm(t("ask.delete"), "library.delete", async () => (await api.discard(summary.id), load())), { icon: "trash", bare: true })));
  }

  function drawFilters() {
    const results = ["", "first", "second", "draw", "open"].map((value) => ({ value, label: t(`library.result_${value || "any"}`) }));
    const orders = ["newest", "oldest", "longest", "shortest"].map((value) => ({ value, label: t(`library.${value}`) }));
    fill(filters,
      select(t("study.game"), [{ value: "", label: t("library.any_game") }, ...games.map((game) => ({ value: game.name, label: pick(game.title) }))], wish.game, (value) => want({ game: value })),
      input(t("library.search"), wish.query, (value) => want({ query: value }), { type: "search" }),
      select(t("library.result"), results, wish.result, (value) => want({ result: value })),
      select(t("library.order"), orders, wish.order, (value) => want({ order: value })),
      button("library.import", () => bringIn(load), { icon: "plus", kind: "strong" }));
  }

  fill(host, h("h1", {}, t("nav.games")), h("div", { class: "shelf" }, filters, list));
  const learn = async (/** @type {any[]} */ known) => {
    games = known;
    skins = Object.fromEntries(await Promise.all(known.map(async ({ name }) => [name, await api.skinOf(name)])));
    drawFilters();
    load();
  };
  api.games().then(learn).catch((error) => fill(list, h("p", { class: "trouble", role: "alert" }, wordsOf(error))));
  return {};
}

/** Read games from a file or from pasted text; the server recognises what they are. @param {() => void} onDone */
function bringIn(onDone) {
  const text = h("textarea", { rows: 8, spellcheck: "false", "aria-label": t("import.text"), placeholder: t("import.hint") });
  const called = h("span", { class: "quiet", translate: "no" });
  const file = h("input", { type: "file", class: "sr", id: "import-file", accept: ".json,.pgn,.jsonl,.txt,.ubb,.xqf", onchange: take });
  const chooser = h("div", { class: "chooser" }, file, h("label", { for: "import-file", class: "button" }, icon(ICONS.share), t("import.file")), called);
  const box = dialog(t("library.import"), [h("p", { class: "quiet" }, t("import.about")), chooser, text], [button("import.read", read, { kind: "strong" })]);

  async function take() {
    const [chosen] = file.files;
    if (!chosen) return;
    called.textContent = chosen.name;
    text.value = await chosen.text();
  }

  async function read() {
    try {
      const { text: converted } = await api.convert({ text: text.value, from: null, to: "json" });
      const read = JSON.parse(converted);
      const documents = Array.isArray(read) ? read : [read];
      for (const document of documents) await api.keep(document);
      notice(t("import.done", { n: documents.length }));
      box.close();
      onDone();
    } catch (error) {
      notice(wordsOf(error), "bad");
    }
  }
}
