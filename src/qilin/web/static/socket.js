// One WebSocket to the server. Lost connections come back by themselves; what was asked and not answered is asked again under the same id.

/** @typedef {(message: any) => void} Listener */
/** @typedef {{send: (text: string) => void, close: () => void, onopen: any, onmessage: any, onclose: any, readyState: number}} Wire */

const OPEN = 1;
/** Milliseconds until the next attempt, by how many failed. */
const WAITS = [150, 400, 1000, 2000, 4000];

/**
 * @param {() => Wire} dial opens a socket
 * @param {{later?: (run: () => void, millis: number) => any}} [clock]
 */
export function makeConnection(dial, { later = (run, millis) => setTimeout(run, millis) } = {}) {
  /** @type {Wire | null} */
  let wire = null;
  let failures = 0;
  let counter = 0;
  let closed = false;
  const salt = Math.random().toString(36).slice(2, 8);
  /** Asked, and not yet answered. @type {Map<string, {message: any, listener: Listener}>} */
  const pending = new Map();
  /** Streams by id, games by their id. @type {Map<string, Listener>} */
  const streams = new Map();
  /** @type {Set<Listener>} */
  const watchers = new Set();
  /** @type {Set<(online: boolean) => void>} */
  const moods = new Set();

  function open() {
    wire = dial();
    wire.onmessage = (/** @type {{data: string}} */ event) => receive(JSON.parse(event.data));
    wire.onopen = () => {};
    wire.onclose = () => lost();
  }

  function lost() {
    wire = null;
    if (closed) return;
    tell(false);
    later(open, WAITS[Math.min(failures++, WAITS.length - 1)]);
  }

  /** @param {boolean} online */
  const tell = (online) => [...moods].forEach((mood) => mood(online));

  /** @param {any} message */
  function receive(message) {
    if (message.type === "hello") return greeted();
    const stream = message.re && streams.get(message.re);
    if (stream) stream(message);
    const asked = message.re && pending.get(message.re);
    if (asked) pending.delete(message.re), asked.listener(message);
    for (const watcher of [...watchers]) watcher(message);
  }

  function greeted() {
    failures = 0;
    tell(true);
    for (const { message } of pending.values()) wire?.send(JSON.stringify(message));
  }

  const fresh = () => `${salt}-${++counter}`;

  /** @param {any} message */
  const transmit = (message) => wire?.readyState === OPEN && wire.send(JSON.stringify(message));

  /** Ask once, and hear one answer. @param {any} message @returns {Promise<any>} */
  function request(message) {
    const id = message.id ?? fresh();
    return new Promise((resolve) => {
      pending.set(id, { message: { ...message, id }, listener: resolve });
      transmit({ ...message, id });
    });
  }

  /** Ask once, and hear many answers. @param {any} message @param {Listener} listener @returns {() => void} stops the stream */
  function stream(message, listener) {
    const id = fresh();
    const full = { ...message, id };
    streams.set(id, (answer) => ((full.seq = answer.seq), listener(answer)));
    const again = (/** @type {boolean} */ online) => online && streams.has(id) && transmit(full);
    moods.add(again);
    transmit(full);
    return () => {
      moods.delete(again);
      if (streams.delete(id)) transmit({ type: "stop", id: fresh(), what: id });
    };
  }

  open();
  return {
    request,
    stream,
    transmit,
    /** @param {Listener} listener */
    watch: (listener) => (watchers.add(listener), () => watchers.delete(listener)),
    /** @param {(online: boolean) => void} mood */
    onMood: (mood) => (moods.add(mood), () => moods.delete(mood)),
    online: () => wire?.readyState === OPEN,
    close() {
      closed = true;
      wire?.close();
    },
    /** For tests: as if the network had failed. */
    drop: () => wire?.close(),
  };
}

/** @type {ReturnType<typeof makeConnection> | null} */
let shared = null;

/** The page's connection, opened when it is first needed. */
export function connection() {
  shared ??= makeConnection(() => /** @type {any} */ (new WebSocket(new URL("ws", location.href.replace(/^http/, "ws").replace(/#.*/, "")))));
  return shared;
}
