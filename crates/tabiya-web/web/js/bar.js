/** The bar beside a board: White's share from below, and what it is in figures. */
export class Bar {
  #element;
  #figure = document.createElement("span");
  #name;

  /** @param {HTMLElement} element @param {string} name whose evaluation it is */
  constructor(element, name) {
    this.#element = element;
    this.#name = name;
    const share = document.createElement("div");
    share.className = "share";
    this.#figure.className = "figure";
    element.replaceChildren(share, this.#figure);
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", name);
  }

  /** @param {number} chances White's @param {string} text @param {import("../types.js").Side} bottom whose side of the board is below */
  show(chances, text, bottom) {
    const black = bottom === "black";
    this.#element.style.setProperty("--chances", `${Math.round(chances * 100)}%`);
    this.#element.classList.toggle("black", black);
    // The figure stands at the lower end, which may be all Black's.
    this.#element.classList.toggle("on-dark", black ? chances < 0.94 : chances < 0.06);
    this.#figure.textContent = text;
    this.#element.setAttribute("aria-label", `${this.#name}: ${text}`);
  }
}

/**
 * Lets the bar beside a board be as long as what is drawn of the board, not as the room for it.
 * @param {HTMLElement} board
 */
export function measure(board) {
  const surface = board.querySelector(".tb-surface");
  const hero = /** @type {HTMLElement} */ (board.parentElement);
  if (!surface) return;
  new ResizeObserver(() => {
    const drawn = surface.getBoundingClientRect(), room = board.getBoundingClientRect();
    const width = Math.min(drawn.width, room.width), height = Math.min(drawn.height, room.height);
    hero.style.setProperty("--board-width", `${width}px`);
    hero.style.setProperty("--board-height", `${height}px`);
    hero.style.setProperty("--board-left", `${(room.width - width) / 2}px`);
    hero.style.setProperty("--board-top", `${(room.height - height) / 2}px`);
  }).observe(surface);
}
