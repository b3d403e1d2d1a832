// Autoplay: one ply after the other, as fast as one likes.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { select } from "./controls.js";

/** Seconds a ply. */
const PACES = ["0.3", "0.7", "1.5", "3"];

/** @param {{hasNext: () => boolean, next: () => any, onChange: () => void}} hooks */
export function makeReplay({ hasNext, next, onChange }) {
  let seconds = 0.7;
  /** @type {any} */
  let timer = null;

  async function step() {
    await next();
    timer = timer === null ? null : setTimeout(() => (hasNext() ? step() : stop()), seconds * 1000);
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    onChange();
  }

  function start() {
    timer = setTimeout(step, 0);
    onChange();
  }

  const element = h("div", {}, select(t("replay.pace"), PACES.map((value) => ({ value, label: t("setup.seconds", { n: value }) })), String(seconds), (value) => (seconds = Number(value))));
  return { element, on: () => timer !== null, toggle: () => (timer === null ? hasNext() && start() : stop()), stop: () => (clearTimeout(timer), (timer = null)) };
}
