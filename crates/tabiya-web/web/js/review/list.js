/**
 * The moves of a reviewed game, with the sentence under the move it speaks of.
 *
 * @typedef {import("./api.js").Reviewed} Reviewed
 */
import { make } from "../dom.js";
import { reveal } from "../study/tree.js";

export class ReviewList {
  element = make("ol", { class: "moves reviewlist", "aria-label": "Moves of the game" });
  /** @type {HTMLElement[]} by half-move */
  #buttons = [];
  /** @type {HTMLElement | null} */
  #card = null;

  /** @param {(ply: number) => void} go */
  constructor(go) {
    this.element.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button[data-ply]");
      if (button instanceof HTMLElement) go(Number(button.dataset.ply));
    });
  }

  /** @param {Reviewed[]} moves @param {HTMLElement[]} after what stands at the end */
  show(moves, after) {
    /** @type {HTMLElement[]} */
    const rows = [];
    this.#buttons = [];
    for (const { ply, number, side, san, judgement, symbol } of moves) {
      if (side === "white" || !rows.length) rows.push(make("li", {}, make("span", { class: "number" }, side === "white" ? String(number) : `${number}…`), ...(side === "black" ? [make("span")] : [])));
      const mark = judgement ? [make("span", { class: `mark ${judgement}` }, symbol ?? "")] : [];
      const button = make("button", { type: "button", "data-ply": String(ply), tabindex: "-1" }, make("span", {}, san, ...mark));
      this.#buttons[ply] = button;
      rows.at(-1)?.append(button);
    }
    this.element.replaceChildren(...rows, ...after);
  }

  /** Marks where one stands, and puts a card under a move. @param {number} ply @param {{ ply: number, element: HTMLElement } | null} card */
  mark(ply, card) {
    for (const button of this.#buttons) {
      if (!button) continue;
      const here = button.dataset.ply === String(ply);
      button.tabIndex = here ? 0 : -1;
      if (here) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    if (!this.#buttons[ply] && this.#buttons[1]) this.#buttons[1].tabIndex = 0;
    this.#card?.remove();
    this.#card = card?.element ?? null;
    const under = card && this.#buttons[card.ply]?.parentElement;
    if (card && under) under.append(card.element);
    const row = under ?? this.#buttons[ply]?.parentElement;
    if (row) reveal(this.element, row);
    else if (ply === 0) this.element.scrollTop = 0;
  }
}
