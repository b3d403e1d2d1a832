// Buttons, choices, dialogs, notices: what every page is made of.

import { fill, h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { ICONS } from "../icons.js";

/** @param {string} key @param {() => void} onclick @param {{icon?: keyof typeof ICONS, kind?: string, pressed?: boolean, disabled?: boolean, bare?: boolean, id?: string}} [look] */
export function button(key, onclick, { icon: name, kind = "", pressed, disabled = false, bare = false, id } = {}) {
  const label = t(key);
  return h("button", { type: "button", class: `button ${kind}${bare ? " bare" : ""}`, onclick, disabled, "aria-pressed": pressed === undefined ? null : String(pressed), "aria-label": bare ? label : null, title: bare ? label : null, "data-do": id ?? key },
    name ? icon(ICONS[name]) : null, bare ? null : h("span", {}, label));
}

/** @typedef {{value: string, label: string, group?: string, lang?: string}} Choice */

let serial = 0;
const freshId = () => `control-${++serial}`;

/** A labelled drop-down. @param {string} label @param {Choice[]} choices @param {string} value @param {(value: string) => void} onPick */
export function select(label, choices, value, onPick) {
  const id = freshId();
  const groups = [...new Set(choices.map((choice) => choice.group))];
  const option = (/** @type {Choice} */ choice) => h("option", { value: choice.value, selected: choice.value === value }, choice.label);
  const inside = groups.map((group) => {
    const options = choices.filter((choice) => choice.group === group).map(option);
    return group ? h("optgroup", { label: group }, options) : options;
  });
  return h("div", { class: "field" }, h("label", { for: id }, label), h("select", { id, onchange: (/** @type {any} */ event) => onPick(event.target.value) }, inside));
}

/** A labelled line of text or a number. @param {string} label @param {string} value @param {(value: string) => void} onType @param {Record<string, any>} [attrs] */
export function input(label, value, onType, attrs = {}) {
  const id = freshId();
  return h("div", { class: "field" }, h("label", { for: id }, label), h("input", { id, value, oninput: (/** @type {any} */ event) => onType(event.target.value), ...attrs }));
}

/** A few choices side by side. @param {string} label @param {Choice[]} choices @param {string} value @param {(value: string) => void} onPick */
export function segments(label, choices, value, onPick) {
  const name = freshId();
  const one = (/** @type {Choice} */ choice) => {
    const id = freshId();
    return [h("input", { type: "radio", id, name, value: choice.value, checked: choice.value === value, onchange: () => onPick(choice.value) }), h("label", { for: id, lang: choice.lang ?? null }, choice.label)];
  };
  return h("fieldset", { class: "segments" }, h("legend", {}, label), h("div", { class: "segment-row" }, choices.map(one)));
}

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} onFlip */
export function toggle(label, on, onFlip) {
  const id = freshId();
  return h("div", { class: "toggle" }, h("input", { type: "checkbox", role: "switch", id, checked: on, onchange: (/** @type {any} */ event) => onFlip(event.target.checked) }), h("label", { for: id }, label));
}

/** @param {string} title @param {any} content @param {any[]} [actions] what stands at the foot, beside the closing button */
export function dialog(title, content, actions = []) {
  const id = freshId();
  const element = h("dialog", { "aria-labelledby": id, onclose: () => element.remove() },
    h("div", { class: "dialog-head" }, h("h2", { id }, title), button("close", () => element.close(), { icon: "close", bare: true })),
    h("div", { class: "dialog-body" }, content), actions.length ? h("div", { class: "dialog-foot" }, actions) : null);
  document.body.append(element);
  element.showModal();
  return element;
}

/** Ask before something that can't be taken back. @param {string} question @param {string} yes key of the button @param {() => void} onYes */
export function confirm(question, yes, onYes) {
  const box = dialog(question, null, [button(yes, () => (box.close(), onYes()), { kind: "danger" }), button("cancel", () => box.close())]);
}

/** A notice that leaves by itself. @param {string} text @param {string} [kind] */
export function notice(text, kind = "") {
  const host = document.getElementById("notices");
  const element = h("div", { class: `notice ${kind}` }, text);
  host?.append(element);
  setTimeout(() => element.remove(), 2500 + text.length * 60);
}

/** Say something to whoever listens instead of looking. @param {string} text */
export function say(text) {
  const host = document.getElementById("spoken");
  if (!host || !text) return;
  host.append(h("p", {}, text));
  while (host.children.length > 12) host.firstChild?.remove();
}

/** Tabs. @param {string} label @param {{key: string, content: any}[]} tabs @param {number} [first] */
export function tabs(label, tabs, first = 0) {
  const panels = tabs.map(({ content, key }) => h("div", { role: "tabpanel", id: freshId(), tabindex: "0", "aria-label": t(key) }, content));
  const heads = tabs.map(({ key }, index) => h("button", { type: "button", role: "tab", id: freshId(), "aria-controls": panels[index].id, onclick: () => open(index), "data-do": key }, t(key)));
  const row = h("div", { role: "tablist", "aria-label": label, onkeydown: (/** @type {KeyboardEvent} */ event) => walk(event) }, heads);

  /** @param {number} index */
  function open(index) {
    heads.forEach((head, at) => (head.setAttribute("aria-selected", String(at === index)), head.setAttribute("tabindex", at === index ? "0" : "-1")));
    panels.forEach((panel, at) => (panel.hidden = at !== index));
  }

  /** @param {KeyboardEvent} event */
  function walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = (heads.indexOf(document.activeElement) + step + heads.length) % heads.length;
    open(next);
    heads[next].focus();
    event.stopPropagation();
  }

  open(first);
  return { element: h("div", { class: "tabs" }, row, panels), open };
}

/** Something that takes a while, with words for what went wrong. @param {HTMLElement} host @param {Promise<any>} promise @param {(value: any) => any} draw */
export async function whenThere(host, promise, draw) {
  const waiting = setTimeout(() => fill(host, h("p", { class: "waiting" }, t("loading"))), 150);
  try {
    fill(host, await draw(await promise));
  } catch (error) {
    fill(host, h("p", { class: "trouble", role: "alert" }, wordsOf(error)));
  } finally {
    clearTimeout(waiting);
  }
}

/** @param {any} error */
export function wordsOf(error) {
  const language = /** @type {"en" | "zh"} */ (document.documentElement.dataset.language);
  return error?.words?.[language] ?? error?.message ?? String(error);
}
