/**
 * Mouse, pen and finger: click and click, or drag; the right button draws arrows and circles.
 *
 * @typedef {object} Handler What the board does about it.
 * @property {(x: number, y: number) => { x: number, y: number }} toSquares from the window to squares from the top left
 * @property {(x: number, y: number) => string | null} under the square at a point of the window
 * @property {(at: string) => boolean} mayPick whether a piece there may be picked up
 * @property {(at: string) => boolean} mayGo whether the selected piece may go there
 * @property {() => string | null} selected
 * @property {(at: string | null) => void} select
 * @property {(at: string) => void} choose a click on a square
 * @property {(from: string, to: string) => void} drop the end of a drag
 * @property {(at: string, x: number, y: number) => void} drag
 * @property {(at: string) => void} release a drag that leads nowhere
 * @property {(at: string) => void} click a press on a piece that has not wandered
 * @property {(at: string) => void} away a piece was dropped outside of the board
 * @property {(at: string | null) => void} hover the square below a dragged piece
 * @property {(from: string, to: string, colour: number) => void} sketch an arrow while it is drawn
 * @property {(at: string) => void} focus the keyboard goes on from here
 * @property {() => void} sketched the arrow is finished
 * @property {() => void} wipe all arrows go
 */

/** So many pixels may a press wander and still be a click. */
const STILL = 5;

export class Pointer {
  #surface;
  #handler;
  /** @type {{ id: number, from: string, x: number, y: number, wasSelected: boolean, moving: boolean } | null} */
  #press = null;
  /** @type {{ from: string, colour: number } | null} */
  #arrow = null;

  /** @param {HTMLElement} surface @param {Handler} handler */
  constructor(surface, handler) {
    this.#surface = surface;
    this.#handler = handler;
    surface.addEventListener("pointerdown", (event) => this.#down(event));
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerup", (event) => this.#up(event));
    surface.addEventListener("pointercancel", () => this.cancel());
    // The browser would give the keyboard to the square after us, and take it from the choice of a promotion.
    surface.addEventListener("mousedown", (event) => event.preventDefault());
    surface.addEventListener("contextmenu", (event) => event.preventDefault());
    // A finger on a piece drags it; the page must not scroll below it.
    surface.addEventListener("touchmove", (event) => { if (this.#press) event.preventDefault(); }, { passive: false });
  }

  /** Puts everything back as if nothing had been pressed. */
  cancel() {
    if (this.#press?.moving) this.#handler.release(this.#press.from);
    this.#handler.hover(null);
    this.#press = null;
    this.#arrow = null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const at = this.#handler.under(event.clientX, event.clientY);
    if (!at) return;
    if (event.button === 2) {
      if (this.#press) return this.cancel();
      this.#arrow = { from: at, colour: (event.shiftKey ? 1 : 0) + (event.altKey ? 2 : 0) };
      this.#surface.setPointerCapture(event.pointerId);
      this.#handler.sketch(at, at, this.#arrow.colour);
      return;
    }
    if (event.button !== 0 || !event.isPrimary) return;
    this.#handler.wipe();
    this.#handler.focus(at);
    const selected = this.#handler.selected();
    if (selected && selected !== at && this.#handler.mayGo(at)) return this.#handler.choose(at);
    if (!this.#handler.mayPick(at)) return this.#handler.choose(at);
    this.#press = { id: event.pointerId, from: at, x: event.clientX, y: event.clientY, wasSelected: selected === at, moving: false };
    this.#surface.setPointerCapture(event.pointerId);
    this.#handler.select(at);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { clientX, clientY } = event;
    if (this.#arrow) {
      const at = this.#handler.under(clientX, clientY);
      if (at) this.#handler.sketch(this.#arrow.from, at, this.#arrow.colour);
      return;
    }
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    press.moving ||= Math.hypot(clientX - press.x, clientY - press.y) > STILL;
    if (!press.moving) return;
    const { x, y } = this.#handler.toSquares(clientX, clientY);
    // Under a finger the piece would not be seen, so it floats above.
    this.#handler.drag(press.from, x, event.pointerType === "touch" ? y - 0.6 : y);
    this.#handler.hover(this.#handler.under(clientX, clientY));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (this.#arrow) {
      this.#arrow = null;
      return this.#handler.sketched();
    }
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    this.#press = null;
    this.#handler.hover(null);
    const at = this.#handler.under(event.clientX, event.clientY);
    if (press.moving && at && at !== press.from) return this.#handler.drop(press.from, at);
    if (press.moving) this.#handler.release(press.from);
    else this.#handler.click(press.from);
    if (press.moving && !at) this.#handler.away(press.from);
    // The second click on the same piece puts it down.
    if (press.wasSelected && !press.moving) this.#handler.select(null);
  }
}
