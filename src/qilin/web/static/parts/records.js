// Game files on the page: opened into a study, read from disk, written to disk.

import * as api from "../api.js";
import { documentOf, plant } from "../document.js";
import { h } from "../dom.js";
import { makeStudy } from "../study.js";

/** @param {any} record of the library: {summary, document} */
export async function openRecord({ summary, document }) {
  const study = makeStudy({ game: document.game, options: document.options ?? {}, position: document.start ?? null });
  await study.add(0, (document.moves ?? []).map((/** @type {any} */ step) => step.move));
  plant(study.tree, 0, document.moves ?? []);
  await learnMovers(study);
  return { study, title: summary?.title ?? "", document };
}

/** Who played in variations is told by the positions. @param {ReturnType<typeof makeStudy>} study */
async function learnMovers(study) {
  for (const node of study.tree.nodes.values()) {
    if (node.parent === null || study.known(node.id)) continue;
    const { moves, ...line } = study.lineTo(node.id);
    const seen = await api.views({ ...line, moves });
    node.by = seen[seen.length - 1].last?.by ?? null;
  }
}

/** The file of what is studied. @param {ReturnType<typeof makeStudy>} study @param {any} original the file it came from, if any */
export function fileOf(study, original) {
  const { moves, ...head } = original ?? {};
  const { game, options, position } = study.start;
  return documentOf({ ...head, game, options, ...(position ? { start: position } : {}) }, study.tree);
}

/** Offer a text or a picture as a file. @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
