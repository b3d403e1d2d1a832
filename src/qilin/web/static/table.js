// A running game as this page knows it: the server's last state, and how to say something about it. Survives lost connections.

import { connection } from "./socket.js";

/** @typedef {any} State the STATE of docs/web_api.md */
/** @typedef {{kind: string, [more: string]: any}} Event */

/** @param {string} id */
const keysOf = (id) => JSON.parse(localStorage.getItem(`qilin.keys.${id}`) ?? "[]");

/** Begin a game; its id. @param {any} wanted */
export async function begin(wanted) {
  const answer = await connection().request({ type: "new", ...wanted });
  if (answer.type === "refused") throw answer;
  localStorage.setItem(`qilin.keys.${answer.game}`, JSON.stringify(answer.keys ?? []));
  return answer.game;
}

/**
 * Sit down at a game.
 * @param {string} id
 * @param {{onState: (state: State, events: Event[]) => void, onNote?: (message: any) => void, onMood?: (online: boolean) => void}} hooks
 */
export function sitDown(id, { onState, onNote = () => {}, onMood = () => {} }) {
  const line = connection();
  const keys = keysOf(id);
  /** @type {State | null} */
  let state = null;
  let gone = false;
  /** The number of the last event, and events whose state is still to come: an answer of chance follows its flip. */
  let seen = 0;
  /** @type {Event[]} */
  let held = [];

  /** @param {any} message */
  function hear(message) {
    if (gone || message.game !== id) return;
    if (message.type === "event") take(message);
    else if (message.type !== "game" && message.type !== "refused") onNote(message); // a refusal answers whoever asked
  }

  /** A gap in the numbers means that something was missed: ask for all of it. @param {any} message */
  function take({ state: next, event, seq }) {
    if (!state || seq <= seen) return;
    if (seq > seen + 1) return void resume();
    seen = seq;
    held.push(event);
    if (next) tell(next);
  }

  /** @param {State} next */
  function tell(next) {
    const events = held;
    held = [];
    state = next;
    onState(next, events);
  }

  function resume() {
    return line.request({ type: "resume", game: id, seq: seen, keys }).then((answer) => {
      if (gone) return;
      if (answer.type === "refused") onNote(answer);
      else if (!state || answer.seq > seen) (seen = answer.seq), (held = answer.events), tell(answer.state);
    });
  }

  const unwatch = line.watch(hear);
  const unmood = line.onMood((online) => {
    onMood(online);
    if (online) resume();
  });
  if (line.online()) resume();

  /** @param {any} message */
  async function say(message) {
    const answer = await line.request({ ...message, game: id });
    if (answer.type === "refused") {
      if (answer.code === "stale") resume();
      onNote(answer);
    }
    return answer;
  }

  return {
    id,
    state: () => state,
    say,
    /** @param {string} move */
    move: (move) => say({ type: "move", ply: state?.view.ply, move }),
    leave() {
      gone = true;
      unwatch();
      unmood();
      line.transmit({ type: "leave", id: `leave-${id}-${Date.now()}`, game: id });
    },
  };
}
