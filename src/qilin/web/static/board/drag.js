// Dragging with a mouse or a pen; fingers tap, so that a page can still be scrolled over the board.

/** Pixels before a press becomes a drag. */
const SLACK = 3;

/**
 * @param {HTMLElement} grid
 * @param {{mayBegin: (square: string) => boolean, pieceAt: (square: string) => SVGElement | null, unit: () => number,
 *   onLift: (square: string) => void, onDrop: (from: string, to: string | null) => void, onHover: (square: string | null) => void}} hooks
 */
export function makeDraggable(grid, { mayBegin, pieceAt, unit, onLift, onDrop, onHover }) {
  /** @type {{square: string, x: number, y: number, lifted: boolean} | null} */
  let drag = null;

  grid.addEventListener("pointerdown", (event) => {
    const square = squareOf(event.target);
    if (event.pointerType !== "touch" && event.button === 0 && square && mayBegin(square)) drag = { square, x: event.clientX, y: event.clientY, lifted: false };
  });
  grid.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    onHover(squareUnder(event));
    if (drag) follow(event);
  });
  grid.addEventListener("pointerleave", () => onHover(null));

  /** @param {PointerEvent} event */
  function follow(event) {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.lifted && Math.hypot(dx, dy) < SLACK) return;
    if (!drag.lifted) lift(event);
    const piece = pieceAt(drag.square);
    if (piece) piece.style.transform = `translate(${dx / unit()}px, ${dy / unit()}px) scale(1.08)`;
  }

  /** @param {PointerEvent} event */
  function lift(event) {
    if (!drag) return;
    drag.lifted = true;
    grid.setPointerCapture(event.pointerId);
    grid.classList.add("dragging");
    onLift(drag.square);
  }

  /** @param {PointerEvent} event */
  function release(event) {
    const done = drag;
    drag = null;
    if (!done?.lifted) return;
    grid.classList.remove("dragging");
    const piece = pieceAt(done.square);
    if (piece) piece.style.transform = "";
    swallowClick();
    onDrop(done.square, event.type === "pointerup" ? squareUnder(event) : null);
  }

  /** The click that follows a drag means nothing. */
  function swallowClick() {
    const swallow = (/** @type {Event} */ event) => event.stopPropagation();
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
  }

  grid.addEventListener("pointerup", release);
  grid.addEventListener("pointercancel", release);
}

/** @param {EventTarget | null} target */
const squareOf = (target) => /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest("[data-square]") : null)?.dataset.square ?? null;

/** The cell below the pointer, also while the pointer is captured. @param {PointerEvent} event */
const squareUnder = (event) => squareOf(document.elementFromPoint(event.clientX, event.clientY));
