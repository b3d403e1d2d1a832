// Choose a game, then how to play it.

import * as api from "../api.js";
import { thumbnail } from "../board/board.js";
import { sampleView } from "../board/sample.js";
import { fill, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { input, segments, select, toggle, whenThere, notice, wordsOf } from "../parts/controls.js";
import { playerChoices, timed, TIMES } from "../parts/players.js";
import { newMatch, writeRoute } from "../route.js";
import { settings } from "../settings.js";
import { begin } from "../table.js";

/** @param {HTMLElement} host @param {import("../route.js").Route} route */
export function page(host, route) {
  whenThere(host, api.games(), (games) => {
    const game = games.find((/** @type {any} */ each) => each.name === route.argument);
    return game ? setup(game, route.query) : gallery(games);
  });
  return {};
}

/** @param {any[]} games */
async function gallery(games) {
  const skins = await Promise.all(games.map((game) => api.skinOf(game.name)));
  const card = (/** @type {any} */ game, /** @type {number} */ index) =>
    h("a", { class: "card", href: writeRoute("play", game.name), "data-game": game.name },
      thumbnail(sampleView(skins[index].sample, game), skins[index], { western: settings().western }),
      h("div", { class: "card-words" }, h("h2", {}, pick(game.title)), h("p", {}, pick(game.summary))));
  return [h("div", { class: "hero" }, h("h1", {}, t("home.title")), h("p", {}, t("home.line"))), h("div", { class: "cards" }, games.map(card))];
}

/** Games between two engines: one, or a match of pairs. */
const GAMES = ["1", "2", "10", "20", "50", "100", "200"];
const CLOCKS = ["", "60+1", "180+2", "300+3", "600+5", "1800+10", "60+0+3x20", "600+0+3x30", "1800+0+5x60"];

/** @param {any} game @param {Record<string, string>} query */
async function setup(game, query) {
  const [skin, { players, default: usual }] = await Promise.all([api.skinOf(game.name), api.players(game.name)]);
  const { player, position, moves, ...preset } = query;
  const wish = { seat: player ? "first" : kept("seat", "first"), player: player ?? kept(`player.${game.name}`, usual), other: usual, time: kept("time", ""), clock: "", games: "1", undo: true, from: position || moves ? { position: position ?? null, moves: moves ? moves.split(",") : [] } : null, /** @type {Record<string, string>} */ options: { ...preset } };
  if (!players.some((/** @type {any} */ each) => each.spec === wish.player)) wish.player = usual;
  const form = h("form", { class: "setup", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), start(game, wish)) });
  const picture = h("div", { class: "setup-picture" }, thumbnail(wish.from ? await api.position({ game: game.name, options: numbered(game, wish.options), ...wish.from }) : sampleView(skin.sample, game), skin, { western: settings().western }));
  fill(form, fields(game, wish, players), h("div", { class: "actions" }, h("button", { type: "submit", class: "button strong", "data-do": "start" }, t("setup.start")), h("a", { class: "button", href: writeRoute("rules", game.name) }, t("nav.rules")), h("a", { class: "button", href: writeRoute("analyse", game.name) }, t("nav.analyse"))));
  return [h("a", { class: "crumb", href: writeRoute("play") }, `‹ ${t("setup.all")}`), h("div", { class: "setup-page" }, picture, h("div", { class: "panel" }, h("h1", {}, pick(game.title)), h("p", { class: "quiet" }, wish.from ? t("setup.from_here") : pick(game.summary)), form))];
}

/** @param {any} game @param {any} wish @param {any[]} players */
function fields(game, wish, players) {
  const seats = ["first", "second", "random", "both", "none"].map((value) => ({ value, label: seatLabel(game, value) }));
  const rivals = h("div");
  const manners = h("div");
  const redraw = () => (fill(rivals, rivalFields(game, wish, players)), fill(manners, mannerFields(wish, redraw)));
  redraw();
  return [
    segments(t("setup.seat"), seats, wish.seat, (value) => ((wish.seat = value), keep("seat", value), redraw())),
    rivals,
    ...game.options.map((/** @type {any} */ option) => optionField(option, wish)),
    manners,
  ];
}

/** How many games, where engines play; or the clock, and whether moves may be taken back. @param {any} wish @param {() => void} redraw */
function mannerFields(wish, redraw) {
  const watch = wish.seat === "none" && !wish.from;
  const games = watch ? select(t("setup.games"), GAMES.map((value) => ({ value, label: value === "1" ? t("setup.games_one") : t("setup.games_value", { n: value }) })), wish.games, (value) => ((wish.games = value), redraw())) : null;
  if (watch && wish.games !== "1") return games;
  return [games, select(t("setup.clock"), CLOCKS.map((value) => ({ value, label: clockLabel(value) })), wish.clock, (value) => (wish.clock = value)), wish.seat === "none" ? null : toggle(t("setup.undo"), wish.undo, (on) => (wish.undo = on))];
}

/** Who plays against the person, or both players of a game to watch. @param {any} game @param {any} wish @param {any[]} players */
function rivalFields(game, wish, players) {
  if (wish.seat === "both") return [];
  const choices = playerChoices(players);
  const about = h("p", { class: "quiet small" }, aboutPlayer(players, wish.player));
  const time = h("div", {}, timeField(wish));
  const take = (/** @type {string} */ value) => ((wish.player = value), keep(`player.${game.name}`, value), fill(about, aboutPlayer(players, value)), fill(time, timeField(wish)));
  const other = wish.seat === "none" ? select(pick(game.players[1]), choices, wish.other, (value) => ((wish.other = value), fill(time, timeField(wish)))) : null;
  return [select(wish.seat === "none" ? pick(game.players[0]) : t("setup.opponent"), choices, wish.player, take), other, about, time];
}

/** @param {any} wish */
function timeField(wish) {
  if (!timed(wish.player) && !(wish.seat === "none" && timed(wish.other))) return null;
  return select(t("setup.time"), TIMES.map((value) => ({ value, label: value ? t("setup.seconds", { n: value }) : t("setup.time_usual") })), wish.time, (value) => ((wish.time = value), keep("time", value)));
}

/** @param {any} game @param {string} value */
const seatLabel = (game, value) => (value === "first" ? pick(game.players[0]) : value === "second" ? pick(game.players[1]) : t(`setup.seat_${value}`));

/** @param {string} value */
function clockLabel(value) {
  if (!value) return t("setup.clock_none");
  const { seconds, increment, periods, period } = clockOf(value);
  return t(periods ? "setup.clock_periods" : "setup.clock_value", { minutes: seconds / 60, increment, periods, period });
}

/** @param {string} value one of CLOCKS */
function clockOf(value) {
  const [seconds, increment, reserve = "0x0"] = value.split("+");
  const [periods, period] = reserve.split("x").map(Number);
  return { seconds: Number(seconds), increment: Number(increment), periods, period };
}

/** @param {any} option @param {any} wish */
function optionField(option, wish) {
  const label = option.words ? pick(option.words) : option.name;
  const value = String(wish.options[option.name] ?? option.default);
  const take = (/** @type {string} */ text) => (wish.options[option.name] = text);
  if (option.choices?.length) return select(label, option.choices.map((/** @type {string} */ choice) => ({ value: choice, label: option.choice_words?.[choice] ? pick(option.choice_words[choice]) : choice })), value, take);
  return input(label, value, take, { type: "number", name: option.name, min: option.least, max: option.most, required: true });
}

/** A level's strength with its interval, as far as it was measured. @param {[number, number, number] | null | undefined} rating */
function aboutLevel(rating) {
  if (!rating) return t("players.unmeasured");
  const [low, value, high] = rating.map(Math.round);
  return value === 0 && low === high ? t("players.weakest") : t("players.rating", { value, low, high });
}

/** @param {any[]} players @param {string} spec */
function aboutPlayer(players, spec) {
  const player = players.find((each) => each.spec === spec);
  if (player?.kind === "level") return aboutLevel(player.measured?.rating);
  return player?.summary?.en ? pick(player.summary) : "";
}

/** Options as the rules take them: numbers where there are no choices. @param {any} game @param {Record<string, string>} options */
const numbered = (game, options) => Object.fromEntries(Object.entries(options).map(([name, value]) => [name, game.options.find((/** @type {any} */ each) => each.name === name)?.choices?.length ? value : Number(value)]));

/** @param {any} game @param {any} wish */
async function start(game, wish) {
  const rival = { player: timed(wish.player, wish.time) || wish.player };
  const other = { player: timed(wish.other, wish.time) || wish.other };
  if (wish.seat === "none" && !wish.from && wish.games !== "1") return void (location.hash = newMatch(game.name, [rival.player, other.player], Number(wish.games), numbered(game, wish.options)));
  const human = { player: "human" };
  const first = wish.seat === "first" || (wish.seat === "random" && Math.random() < 0.5);
  const seats = { both: [human, human], none: [rival, other] }[/** @type {string} */ (wish.seat)] ?? (first ? [human, rival] : [rival, human]);
  try {
    const id = await begin({ game: game.name, options: numbered(game, wish.options), seats, ...(wish.from ?? {}), undo: wish.undo, ...(wish.clock ? { clock: clockOf(wish.clock) } : {}) });
    location.hash = writeRoute("game", id);
  } catch (refusal) {
    notice(wordsOf(refusal), "bad");
  }
}

/** @param {string} key @param {string} fallback */
const kept = (key, fallback) => localStorage.getItem(`qilin.${key}`) ?? fallback;
/** @param {string} key @param {string} value */
const keep = (key, value) => localStorage.setItem(`qilin.${key}`, value);

