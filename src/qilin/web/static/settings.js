// What a person has chosen, kept in the browser. One store, many listeners.

/**
 * @typedef {object} Settings
 * @property {"en" | "zh"} language
 * @property {"light" | "dark" | "system"} theme
 * @property {"classic" | "safe"} palette
 * @property {boolean} sound
 * @property {"full" | "fast" | "off"} motion
 * @property {boolean} dots
 * @property {boolean} western
 * @property {string} notation
 */

const KEY = "qilin.settings";

/** @returns {Settings} */
const defaults = () => ({
  language: navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en",
  theme: "system",
  palette: "classic",
  sound: true,
  motion: "full",
  dots: true,
  western: false,
  notation: "native",
});

/** @type {Settings | null} */
let current = null;
/** @type {Set<(settings: Settings) => void>} */
const listeners = new Set();

/** @returns {Settings} */
export function settings() {
  current ??= { ...defaults(), ...kept() };
  return current;
}

/** @returns {Partial<Settings>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // no storage in this browser, or not ours: begin anew
  }
}

/** @param {Partial<Settings>} changed */
export function change(changed) {
  current = { ...settings(), ...changed };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // a private window keeps nothing: the choice holds until it is closed
  }
  for (const listener of [...listeners]) listener(current);
}

/** @param {(settings: Settings) => void} listener @returns {() => void} stops listening */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How long a motion takes, in milliseconds; 0 where motion is not wanted. */
export function pace() {
  const still = settings().motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  return still ? 0 : settings().motion === "fast" ? 100 : 200;
}
