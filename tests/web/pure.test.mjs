// The page's pure modules, without a browser: node --test tests/web/
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { centre, distance, frameOf, nameOf, neighbour, placeOf, squares } from "../../src/qilin/web/static/board/geometry.js";
import { bareMoves, press, targets } from "../../src/qilin/web/static/board/input.js";
import { effects, motions } from "../../src/qilin/web/static/board/motion.js";
import { boardText, rowsOf, sampleView } from "../../src/qilin/web/static/board/sample.js";
import { cellName, contents, moveSaid, reachSaid, standing } from "../../src/qilin/web/static/board/speech.js";
import { documentOf, harvest, plant } from "../../src/qilin/web/static/document.js";
import { filled } from "../../src/qilin/web/static/i18n.js";
import { parse } from "../../src/qilin/web/static/markdown.js";
import { curves, span, thinned } from "../../src/qilin/web/static/parts/chart.js";
import { graph, plyAt } from "../../src/qilin/web/static/parts/graph.js";
import { rowsOf as pairs, turnsOf } from "../../src/qilin/web/static/parts/turns.js";
import { readRoute, writeRoute } from "../../src/qilin/web/static/route.js";
import { makeConnection } from "../../src/qilin/web/static/socket.js";
import { cut, grow, lineThrough, movesTo, newTree, nodeAt, promote, sibling } from "../../src/qilin/web/static/tree.js";
import en from "../../src/qilin/web/static/words/en.js";
import zh from "../../src/qilin/web/static/words/zh.js";

const STATIC = new URL("../../src/qilin/web/static/", import.meta.url);
const view = (name) => JSON.parse(readFileSync(new URL(`views/${name}.json`, import.meta.url)));
const skin = async (name) => (await import(new URL(`skins/${name}.js`, STATIC))).default;
const english = { t: (key, values = {}) => filled(en[key], values), pick: (text) => text.en, seat: (side) => ["First", "Second"][side] };
const chinese = { ...english, t: (key, values = {}) => filled(zh[key], values), pick: (text) => text.zh, seat: (side) => ["先手", "后手"][side] };
const VIEWS = readdirSync(new URL("views/", import.meta.url)).map((file) => file.slice(0, -5));
const SKINS = readdirSync(new URL("skins/", STATIC)).filter((file) => file.endsWith(".js")).map((file) => file.slice(0, -3));

test("both dictionaries have the same keys, and the same places to fill", () => {
  assert.deepEqual(Object.keys(en).sort(), Object.keys(zh).sort());
  const holes = (text) => (text.match(/\{\w+/g) ?? []).sort().join();
  for (const key of Object.keys(en)) assert.equal(holes(en[key]), holes(zh[key]), key);
});

test("every word the page asks for is there", () => {
  const files = readdirSync(STATIC, { recursive: true }).filter((file) => String(file).endsWith(".js"));
  const asked = files.flatMap((file) => [...readFileSync(new URL(String(file), STATIC), "utf8").matchAll(/\b(?:t|button)\("([a-z_.]+)"/g)].map(([, key]) => key));
  assert.ok(asked.length > 150);
  assert.deepEqual(asked.filter((key) => !(key in en)), []);
});

test("squares have names and places, on a turned board too", () => {
  const frame = { rows: 10, cols: 9, rank0: 0, flipped: false };
  assert.deepEqual(placeOf(frame, "a0"), { row: 9, col: 0 });
  assert.equal(nameOf(frame, { row: 0, col: 8 }), "i9");
  assert.deepEqual(centre(frame, "a0"), { x: 0.5, y: 9.5 });
  assert.deepEqual(centre({ ...frame, flipped: true }, "a0"), { x: 8.5, y: 0.5 });
  assert.equal(squares({ ...frame, flipped: true })[0][0], "i0");
  assert.equal(neighbour(frame, "a0", -1, 0), "a1");
  assert.equal(neighbour({ ...frame, flipped: true }, "a0", 1, 0), "a1");
  assert.equal(neighbour(frame, "a0", 1, 0), null);
  assert.equal(distance("a1", "c2"), 2);
});

test("the text of a board is read and written", () => {
  for (const name of VIEWS) {
    const seen = view(name);
    assert.deepEqual(rowsOf(seen.text), seen.rows, name);
    assert.equal(boardText(seen.rows), seen.text.split(" ")[0], name);
  }
});

test("every letter of every view has a look, and words in both languages", async () => {
  for (const name of VIEWS) {
    const seen = view(name);
    const look = await skin(seen.game);
    for (const square of squares(frameOf(seen, false)).flat()) for (const voice of [english, chinese]) assert.ok(contents(seen, look, square, voice), `${name} ${square}`);
  }
});

test("every legal move can be made with one or two presses", async () => {
  for (const name of VIEWS) {
    const seen = view(name);
    const look = await skin(seen.game);
    for (const move of seen.moves.filter((each) => each.to)) {
      if (move.from) {
        assert.deepEqual(press(seen, look, null, move.from), { kind: "choose", square: move.from }, `${name} ${move.text}`);
        assert.equal(press(seen, look, move.from, move.to).move?.text, move.text, `${name} ${move.text}`);
      } else assert.equal(press(seen, look, null, move.to).move?.text, move.text, `${name} ${move.text}`);
    }
    assert.equal(bareMoves(seen).length, seen.moves.filter((move) => !move.to).length);
  }
});

test("a press elsewhere is refused with what was tried, and a second press lets go", async () => {
  const seen = view("xiangqi-start");
  const look = await skin("xiangqi");
  assert.deepEqual(press(seen, look, "a0", "e9"), { kind: "refused", from: "a0", to: "e9" });
  assert.deepEqual(press(seen, look, "a0", "a0"), { kind: "clear" });
  assert.deepEqual(press(seen, look, "a0", "b0"), { kind: "choose", square: "b0" });
  assert.deepEqual(press(seen, look, null, "a9"), { kind: "refused", from: null, to: "a9" });
});

test("a clone is a dot, a jump a ring, both from the chosen stone", async () => {
  const seen = view("ataxx-start");
  const shown = targets(seen, await skin("ataxx"), "a7");
  assert.deepEqual(shown.filter(({ style }) => style === "dot").map(({ square }) => square).sort(), ["a6", "b6", "b7"]);
  assert.equal(shown.filter(({ style }) => style === "leap").length, 5);
});

test("a press anywhere in a column drops there", async () => {
  assert.equal(press(view("connect_four-start"), await skin("connect_four"), null, "d5").move.text, "d");
});

test("effects tell what is taken, turned, painted", async () => {
  const check = view("xiangqi-check");
  const takes = effects(check.moves.find((move) => move.text === "e5e2"), await skin("xiangqi"));
  assert.deepEqual(takes.map(({ effect }) => effect).sort(), ["leave", "take"]);
  const flips = effects(view("dark_chess-start").moves[0], await skin("dark_chess"));
  assert.deepEqual(flips.map(({ effect }) => effect), ["unknown"]);
});

test("motions follow from two views", async () => {
  const look = await skin("ataxx");
  const before = sampleView("7/7/2o4/7/7/7/x6 x 0 1", { name: "ataxx", rank0: 1 });
  const last = { text: "a1c3", from: "a1", to: "c4", by: 0, changes: [] };
  const after = { ...sampleView("7/7/2x4/2x4/7/7/7 o 1 1", { name: "ataxx", rank0: 1 }), last, ply: 1 };
  assert.deepEqual(motions(before, after, look).map(({ kind, square, from }) => [kind, square, from]), [["turn", "c5", undefined], ["slide", "c4", "a1"]]);
  assert.deepEqual(motions(after, before, look), []);
});

test("a struck stone moves nowhere, a reveal turns over, a painted cell is painted", async () => {
  const mark = sampleView("x5/6/6/6/6/6 x p 0 1 0", { name: "liuzhou", rank0: 1 });
  const marked = { ...mark, text: "X5/…", rows: rowsOf("X5/6/6/6/6/6"), last: { text: "a6", from: null, to: "a6" }, ply: 1 };
  assert.deepEqual(motions(mark, marked, await skin("liuzhou")).map(({ kind }) => kind), ["turn"]);
  const dark = sampleView("?3/4/4/4 r K 0 0 0 0", { name: "dark_chess", rank0: 1 });
  assert.deepEqual(motions(dark, { ...dark, text: "K3", rows: rowsOf("K3/4/4/4"), last: { text: "K", from: null, to: "a4" }, ply: 2 }, await skin("dark_chess")).map(({ kind }) => kind), ["reveal"]);
  const bare = sampleView("9/9/9/9/9/9/9/9/9 x 25", { name: "popucom", rank0: 1 });
  assert.deepEqual(motions(bare, { ...bare, text: "b8", rows: rowsOf("b8/9/9/9/9/9/9/9/9"), last: { text: "a9", from: null, to: "a9" }, ply: 1 }, await skin("popucom")).map(({ kind }) => kind), ["paint"]);
});

test("moves and positions are said in both languages", async () => {
  const look = await skin("xiangqi");
  const check = view("xiangqi-check");
  assert.equal(moveSaid(check, look, english), "Second: black chariot from c2 to e2, 1 taken");
  assert.equal(moveSaid(check, look, chinese), "后手：黑车从 c2 到 e2，取走 1 子");
  assert.equal(cellName(check, look, null, "e0", english), "e0, red general, in check");
  assert.equal(standing(check, english), "First to move, check");
  assert.match(reachSaid(check, look, "a2", english), /^a2 reaches e2$/);
  const turned = view("dark_chess-turned");
  assert.equal(moveSaid(turned, await skin("dark_chess"), english), "black advisor is turned up on a4");
  const shot = { ...turned, last: { text: "A", from: "c3", to: "c1", by: null, changes: [{ square: "c3", before: "c", after: null }, { square: "c1", before: "?", after: "c" }] } };
  assert.equal(moveSaid(shot, await skin("dark_chess"), english), "black cannon from c3 to c1, red advisor is turned up there, and taken");
  assert.equal(standing(view("popucom-end-0"), english), "Second wins: all stones are out, and the floor is counted");
});

test("turns gather plies of one side, and chance's answers", () => {
  const plies = [0, 0, 1, null, 0].map((by) => ({ by }));
  assert.deepEqual(turnsOf(plies).map((turn) => [turn.by, turn.plies.length]), [[0, 2], [1, 2], [0, 1]]);
  assert.equal(pairs(turnsOf(plies)).length, 2);
  assert.equal(pairs(turnsOf([{ by: 1 }, { by: 0 }]))[0][0], null);
});

test("a tree grows, turns, and is cut", () => {
  const tree = newTree();
  const a = grow(tree, 0, "a", 0);
  const b = grow(tree, a, "b", 1);
  const c = grow(tree, a, "c", 1);
  assert.equal(grow(tree, 0, "a", 0), a);
  assert.deepEqual(movesTo(tree, c), ["a", "c"]);
  assert.equal(sibling(tree, b, 1), c);
  promote(tree, c);
  assert.deepEqual(lineThrough(tree, 0).map((node) => node.move), [null, "a", "c"]);
  assert.equal(cut(tree, c), a);
  assert.deepEqual(nodeAt(tree, a).children, [b]);
});

test("a game file goes through the tree without loss", () => {
  const moves = [
    { move: "a", comment: "first", opinion: { first: 0.6, by: "x" }, variations: [[{ move: "b" }, { move: "c", marks: ["!"] }], [{ move: "d" }]] },
    { move: "e", marks: ["??"], clock: { used: 3 } },
  ];
  const tree = newTree();
  plant(tree, 0, moves);
  assert.deepEqual(harvest(tree, 0), moves);
  const head = { game: "ataxx", options: {}, start: "…", tags: { Event: "x" } };
  assert.deepEqual(documentOf(head, tree), { format: "qilin-game", version: 1, ...head, moves });
});

test("addresses are read as they are written", () => {
  const route = { name: "analyse", argument: "x", query: { position: "a/b w - - 0 1", moves: "a1,b2" } };
  assert.deepEqual(readRoute(writeRoute(route.name, route.argument, route.query)), route);
  assert.deepEqual(readRoute(""), { name: "play", argument: "", query: {} });
});

test("markdown becomes nodes, and html stays text", () => {
  const [title, text, code, list, grid] = parse("# A\n\nb **c** `d` <script>\n\n```\nx\n```\n\n- one\n  two\n- three\n\n| a | b |\n|---|---|\n| 1 |  |\n");
  assert.equal(title.tag, "h1");
  assert.deepEqual(text.children.map((child) => child.tag ?? child), ["b ", "strong", " ", "code", " <script>"]);
  assert.equal(code.children[0].children[0], "x");
  assert.deepEqual(list.children.map((item) => item.children[0]), ["one two", "three"]);
  assert.equal(grid.children[1].children[0].children[1].tag, "td");
});

test("curves and graphs keep to their boxes", () => {
  assert.deepEqual(span([2, 2]), [1.5, 2.5]);
  assert.equal(thinned(Array.from({ length: 1000 }, (_, x) => ({ x, y: x }))).length <= 301, true);
  assert.equal(curves([[]]).children.length, 0);
  assert.match(curves([[{ x: 0, y: 1 }, { x: 1, y: 3 }]]).children.at(-1).attrs.d, /^M0\.0 80\.0 L200\.0 0\.0$/);
  assert.equal(plyAt(0.52, 10), 5);
  assert.equal(graph([{ ply: 0, value: 0.5 }, { ply: 1, value: 1, mark: "blunder" }], 1, 1).children.filter((child) => child.tag === "ellipse").length, 1);
});

/** A network of two ends, to be cut at will. */
function wires() {
  const dialled = [];
  const dial = () => {
    const wire = { readyState: 1, sent: [], send: (text) => wire.sent.push(JSON.parse(text)), close: () => ((wire.readyState = 3), wire.onclose?.()) };
    dialled.push(wire);
    return wire;
  };
  const say = (message) => dialled.at(-1).onmessage({ data: JSON.stringify(message) });
  return { dial, dialled, say };
}

test("what was not answered is asked again under the same id", async () => {
  const { dial, dialled, say } = wires();
  const line = makeConnection(dial, { later: (run) => run() });
  say({ type: "hello" });
  const answer = line.request({ type: "move", move: "a1" });
  const [first] = dialled[0].sent;
  line.drop();
  say({ type: "hello" });
  assert.deepEqual(dialled[1].sent, [first]);
  say({ type: "event", re: first.id, seq: 4 });
  assert.equal((await answer).seq, 4);
  line.drop();
  say({ type: "hello" });
  assert.deepEqual(dialled[2].sent, []);
});

test("a stream goes on after its last number", () => {
  const { dial, dialled, say } = wires();
  const line = makeConnection(dial, { later: (run) => run() });
  say({ type: "hello" });
  const heard = [];
  const stop = line.stream({ type: "analyse" }, (message) => heard.push(message.seq));
  const { id } = dialled[0].sent[0];
  say({ type: "analysis", re: id, seq: 1 });
  say({ type: "analysis", re: id, seq: 2 });
  line.drop();
  say({ type: "hello" });
  assert.equal(dialled[1].sent[0].seq, 2);
  assert.equal(dialled[1].sent[0].id, id);
  stop();
  assert.equal(dialled[1].sent.at(-1).what, id);
  assert.deepEqual(heard, [1, 2]);
});

test("skins are data and pure functions, and short", async () => {
  for (const name of SKINS) {
    const source = readFileSync(new URL(`skins/${name}.js`, STATIC), "utf8");
    assert.ok(source.split("\n").length <= 120, name);
    assert.doesNotMatch(source, /document|window|fetch|localStorage/, name);
    const look = await skin(name);
    for (const { words } of Object.values(look.pieces)) assert.ok(words.en && words.zh, name);
    for (const letter of rowsOf(look.sample).flat()) assert.ok(letter === null || look.pieces[letter] || look.floor?.[letter] !== undefined, `${name} ${letter}`);
  }
});
