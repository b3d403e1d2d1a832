// A board with its voice, its reactions to settings, and its size: what the table and the study both put on the page.

import { mountBoard } from "../board/board.js";
import { moveSaid, standing } from "../board/speech.js";
import { h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { notice, say } from "./controls.js";
import { onChange, pace, settings } from "../settings.js";
import { sound } from "../sound.js";
import * as api from "../api.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Skin} Skin */

/**
 * @param {{game: any, skin: Skin, flipped?: boolean, mayMove: () => boolean, onMove: (move: import("../types.js").Move) => void,
 *   line: () => import("../api.js").Line, onPress?: (square: string) => boolean}} options
 */
export function makeStage({ game, skin, flipped = false, mayMove, onMove, line, onPress }) {
  const host = h("div", { class: "board-host" });
  const voice = { t, pick, seat: (/** @type {number} */ side) => pick(game.players[side]) };
  const board = mountBoard(host, {
    skin, voice, flipped, mayMove, onMove, onPress, pace, onSay: say, label: t("board.label", { game: pick(game.title) }),
    notation: settings().notation, western: settings().western, onRefused: (tried) => explain(tried),
  });
  const stop = onChange(({ notation, western }) => board.restyle({ notation, western }));

  /** Why a move is not legal, in the rules' words. @param {{from: string | null, to: string}} tried */
  async function explain(tried) {
    const view = board.view();
    if (!view || view.over || (!tried.from && !occupied(view, skin, tried.to))) return;
    sound("no");
    try {
      const { words, legal } = await api.explain({ ...line(), from: tried.from, to: tried.to });
      if (!legal) notice(pick(words)), say(pick(words));
    } catch {
      // no answer, no reason: the board has shown already that nothing happened
    }
  }

  /** @param {View} view */
  function show(view) {
    const before = board.view();
    board.show(view);
    if (!before) return say([pick(game.title), spoken(view)].join(t("say.stop")));
    if (before.text === view.text || view.ply < before.ply) return;
    soundOf(view, skin);
    say(spoken(view));
  }

  /** @param {View} view */
  const spoken = (view) => [moveSaid(view, skin, voice), standing(view, voice)].filter(Boolean).join(t("say.stop"));

  /** The sides' colours and the board's shape, for the style sheets. */
  const dress = { "--seat0": skin.seats?.[0] ?? "var(--stone0)", "--seat1": skin.seats?.[1] ?? "var(--stone1)", "--shape": String((game.cols + 1.24) / (game.rows + 1.24)) };

  return { host, dress, board, voice, show, spoken, stop, standing: (/** @type {View} */ view) => standing(view, voice) };
}

/** @param {View} view @param {Skin} skin @param {string} square */
function occupied(view, skin, square) {
  const row = view.rows[view.rank0 + view.rows.length - 1 - Number(square.slice(1))];
  const letter = row?.[square.charCodeAt(0) - 97];
  return Boolean(letter && skin.pieces[letter]);
}

/** @param {View} view @param {Skin} skin */
function soundOf(view, skin) {
  if (view.over) return sound("end");
  if (view.check) return sound("check");
  const changes = view.last?.changes ?? [];
  const taken = changes.some(({ before, after }) => before && skin.pieces[before] && (!after || skin.pieces[after]?.side !== skin.pieces[before].side));
  sound(changes.length > 2 ? "turn" : taken && view.last?.by !== null ? "take" : "move");
}
