// The board as a picture that stands alone: SVG with its styles and its font, or PNG.

const STYLES = ["css/tokens.css", "css/board.css"];
const FONT = "fonts/brush.woff2";

/** @param {HTMLElement} board @returns {Promise<string>} */
export async function svgOf(board) {
  const [under, over] = /** @type {NodeListOf<SVGSVGElement>} */ (board.querySelectorAll(":scope > svg"));
  const [styles, font] = await Promise.all([Promise.all(STYLES.map((path) => fetch(path).then((answer) => answer.text()))), fontData()]);
  const svg = /** @type {SVGSVGElement} */ (under.cloneNode(true));
  const [, , width, height] = (under.getAttribute("viewBox") ?? "").split(" ").map(Number);
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", class: board.className, width: width * 60, height: height * 60, "data-theme": document.documentElement.dataset.theme, "data-palette": document.documentElement.dataset.palette })) svg.setAttribute(name, String(value));
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = styles.join("\n").replace(/url\("[^"]*brush\.woff2"\)/, `url("${font}")`);
  const defs = document.querySelector("svg.defs > defs");
  svg.prepend(style, ...(defs ? [defs.cloneNode(true)] : []));
  for (const layer of over.children) svg.append(layer.cloneNode(true));
  return new XMLSerializer().serializeToString(svg);
}

/** @returns {Promise<string>} */
async function fontData() {
  const blob = await (await fetch(FONT)).blob();
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsDataURL(blob);
  });
}

/** @param {HTMLElement} board @returns {Promise<Blob>} */
export async function pngOf(board) {
  const svg = await svgOf(board);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
