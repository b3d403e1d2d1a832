// What the keys do.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { dialog } from "./controls.js";

/** Keys, and the key of the words that say what they do. @type {Record<string, [string, string][]>} */
const KEYS = {
  "help.board": [["Tab", "help.reach"], ["← ↑ ↓ →", "help.walk"], ["Enter", "help.press"], ["Esc", "help.clear"], ["n  N", "help.next"], ["m", "help.where"]],
  "help.game": [["u", "help.undo"], ["h", "help.hint"], ["f", "help.flip"]],
  "help.study": [["← →", "help.step"], ["Home End", "help.ends"], ["↑ ↓", "help.branch"], ["e", "help.engine"], ["a", "help.arrows"], ["v", "help.heat"], ["Space", "help.best"], ["p", "help.replay"]],
};

export function help() {
  if (document.querySelector("dialog[open]")) return;
  const rows = (/** @type {[string, string][]} */ keys) => keys.map(([key, words]) => [h("dt", {}, key.split(" ").filter(Boolean).map((each) => h("kbd", { translate: "no" }, each))), h("dd", {}, t(words))]);
  dialog(t("help"), [h("p", {}, t("help.intro")), ...Object.entries(KEYS).map(([title, keys]) => h("section", {}, h("h3", {}, t(title)), h("dl", { class: "keys" }, rows(keys))))]);
}
