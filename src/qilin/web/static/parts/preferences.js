// How the page looks, moves and sounds.

import { change, settings } from "../settings.js";
import { t } from "../i18n.js";
import { dialog, segments, toggle } from "./controls.js";

/** @param {string[]} values @param {string} prefix */
const choices = (values, prefix) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));

export function preferences() {
  const { language, theme, palette, motion, sound, western, notation } = settings();
  dialog(t("preferences"), [
    segments(t("pref.language"), [{ value: "en", label: "English", lang: "en" }, { value: "zh", label: "中文", lang: "zh-Hans" }], language, (value) => (document.querySelector("dialog")?.close(), change({ language: /** @type {any} */ (value) }))),
    segments(t("pref.theme"), choices(["light", "dark", "system"], "pref.theme"), theme, (value) => change({ theme: /** @type {any} */ (value) })),
    segments(t("pref.palette"), choices(["classic", "safe"], "pref.palette"), palette, (value) => change({ palette: /** @type {any} */ (value) })),
    segments(t("pref.motion"), choices(["full", "fast", "off"], "pref.motion"), motion, (value) => change({ motion: /** @type {any} */ (value) })),
    segments(t("pref.notation"), choices(["native", "chinese", "wxf", "iccs", "ucci"], "pref.notation"), notation, (value) => change({ notation: value })),
    toggle(t("pref.western"), western, (on) => change({ western: on })),
    toggle(t("pref.sound"), sound, (on) => change({ sound: on })),
  ]);
}
