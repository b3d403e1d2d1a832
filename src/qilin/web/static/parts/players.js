// The opponents as choices: levels, engines with a time to think, networks.

import { pick, t } from "../i18n.js";

/** Seconds an engine may be given. */
export const TIMES = ["", "0.2", "0.5", "1", "3", "10"];

/** @param {any[]} players */
export const playerChoices = (players) => players.map(({ spec, kind, title }) => ({ value: spec, label: pick(title), group: t(`players.${kind}`) }));

/** Engines and networks that can think for as long as one likes: each once, without a time of its own. @param {any[]} players */
export function thinkers(players) {
  const able = players.filter(({ spec }) => timed(spec));
  const bare = able.map((each) => ({ ...each, spec: each.kind === "engine" ? each.spec.split(":")[0] : each.spec, title: { en: each.title.en.split(",")[0], zh: each.title.zh.split("，")[0] } }));
  return bare.filter(({ spec }, index) => bare.findIndex((other) => other.spec === spec) === index);
}

/**
 * An engine's or a network's spec with a time to think; without `seconds`, whether the spec may have one.
 * @param {string} spec @param {string} [seconds]
 * @returns {string | null}
 */
export function timed(spec, seconds) {
  const [name, rest = ""] = spec.split(/:(.*)/s);
  if (!["alphabeta", "mcts", "net"].includes(name)) return null;
  if (!seconds) return spec;
  const kept = rest.split(",").filter((part) => part && !/^(time|depth|nodes|sims)=/.test(part));
  return `${name}:${[...kept, `time=${seconds}s`].join(",")}`;
}

/** What a player is called. @param {any[]} players @param {string} spec */
export function playerTitle(players, spec) {
  const known = players.find((each) => each.spec === spec) ?? players.find((each) => each.kind !== "level" && spec.split(":")[0] === each.spec.split(":")[0]);
  const seconds = /time=([\d.]+)s/.exec(spec)?.[1];
  return known ? `${pick(known.title)}${seconds && !pick(known.title).includes(seconds) ? ` · ${t("setup.seconds", { n: seconds })}` : ""}` : spec;
}
