// Words in the language of the page. Two dictionaries with the same keys; a test compares them.

import en from "./words/en.js";
import zh from "./words/zh.js";
import { settings } from "./settings.js";

/** @type {Record<string, Record<string, string>>} */
const DICTIONARIES = { en, zh };

/**
 * `{name}` is replaced by its value, `{name|one|many}` by the value and the form that fits it.
 * @param {string} text @param {Record<string, string | number>} values
 */
export const filled = (text, values) =>
  text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => `${values[name] ?? ""}${one === undefined ? "" : ` ${String(values[name]) === "1" ? one : many}`}`);

/** The words behind a key, with their values. @param {string} key @param {Record<string, string | number>} [values] */
export function t(key, values = {}) {
  const text = DICTIONARIES[settings().language][key];
  if (text === undefined) throw new Error(`no words for ${JSON.stringify(key)}`);
  return filled(text, values);
}

/** Whether there are words behind a key. @param {string} key */
export const known = (key) => key in en;

/** @param {import("./types.js").Text} text */
export const pick = (text) => text[settings().language];

/** @param {number} number @param {number} [digits] */
export const decimal = (number, digits = 0) => number.toLocaleString(settings().language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A big number, short: 12.3k. @param {number} number */
export const short = (number) => (number < 1e3 ? String(Math.round(number)) : number < 1e6 ? `${(number / 1e3).toFixed(number < 1e4 ? 1 : 0)}k` : `${(number / 1e6).toFixed(1)}M`);

/** @param {number} share 0 … 1 */
export const percent = (share) => `${Math.round(share * 100)}%`;
