/**
 * The list of moves, and the way through it.
 *
 * @typedef {import("../types.js").Played} Played
 */
import { make } from "./dom.js";

export class Moves {
  #list;
  #browse;

  /** @param {HTMLElement} list @param {(ply: number) => void} browse */
  constructor(list, browse) {
    this.#list = list;
    this.#browse = browse;
    list.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (button) this.#browse(Number(button.dataset.ply));
    });
  }

  /** @param {Played[]} moves @param {number} shown the ply that the board shows */
  show(moves, shown) {
    /** @type {HTMLLIElement[]} */
    const rows = [];
    moves.forEach((played, index) => {
      let row = rows[rows.length - 1];
      if (!row || played.side === "white") rows.push((row = this.#row(played)));
      row.append(this.#button(played, index + 1, shown));
    });
    this.#list.replaceChildren(...rows);
    const current = this.#list.querySelector("[aria-current]");
    if (current instanceof HTMLElement) reveal(this.#list, current);
  }

  /** @param {Played} played */
  #row({ number, side }) {
    const row = document.createElement("li");
    const label = document.createElement("span");
    label.className = "number";
    label.textContent = side === "white" ? `${number}` : `${number}…`;
    row.append(label);
    if (side === "black") row.append(document.createElement("span"));
    return row;
  }

  /** Only the move that is looked at is a stop of the Tab key. @param {Played} played @param {number} ply @param {number} shown */
  #button({ san, spent_ms: spent }, ply, shown) {
    const here = ply === shown;
    const button = make("button", { type: "button", "data-ply": String(ply), tabindex: here ? "0" : "-1", "aria-current": here ? "true" : undefined }, san);
    if (spent !== undefined) button.append(make("small", {}, timeOf(spent)));
    return button;
  }
}

/** A time in short: 0.4s, 8s, 1:05. @param {number} ms */
function timeOf(ms) {
  if (ms < 950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Scrolls the list, not the page. @param {HTMLElement} list @param {HTMLElement} one */
function reveal(list, one) {
  const outer = list.getBoundingClientRect(), inner = one.getBoundingClientRect();
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 4;
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 4;
  if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right + 8;
  if (inner.left < outer.left) list.scrollLeft -= outer.left - inner.left + 8;
}
