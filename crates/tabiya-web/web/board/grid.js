/**
 * The squares: what they are called, which one has the keyboard's attention, and the keys that act on it.
 *
 * @typedef {import("../types.js").Position} Position
 * @typedef {import("./geometry.js").Layout} Layout
 *
 * @typedef {object} Keys
 * @property {(at: string) => void} choose Enter or space on a square
 * @property {() => void} cancel Escape
 * @property {(question: string, at: string) => void} question a key that asks something
 * @property {() => void} type the key that begins a typed move
 */
import { atScreen, isDark, onScreen } from "./geometry.js";
import { called } from "./speech.js";

/** Single keys that ask, while the board has the keyboard in text mode. */
/** @type {Record<string, string>} */
const QUESTIONS = { l: "last", p: "pieces", c: "clock", a: "attackers", m: "moves", s: "status", o: "evaluation" };

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Grid {
  element = document.createElement("div");
  #keys;
  /** @type {Layout} */
  #layout = { columns: 8, rows: 8, bottom: "white" };
  /** @type {Map<string, HTMLElement>} */
  #cells = new Map();
  #here = "";

  /** @param {Keys} keys */
  constructor(keys) {
    this.#keys = keys;
    this.element.className = "tb-cells";
    this.element.setAttribute("role", "grid");
    this.element.setAttribute("aria-label", "Board");
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("focusin", (event) => {
      const at = /** @type {HTMLElement} */ (event.target).dataset.at;
      if (at) this.#roam(at);
    });
  }

  /** Lays out the squares. @param {Layout} layout */
  build(layout) {
    this.#layout = layout;
    this.#cells.clear();
    const rows = [];
    for (let y = 0; y < layout.rows; y++) {
      const row = document.createElement("div");
      row.className = "tb-row";
      row.setAttribute("role", "row");
      for (let x = 0; x < layout.columns; x++) row.append(this.#cell(x, y));
      rows.push(row);
    }
    this.element.replaceChildren(...rows);
    if (!this.#cells.has(this.#here)) this.#here = atScreen(layout.columns >> 1, layout.rows - 1, layout) ?? "a1";
    this.#roam(this.#here);
  }

  /** Names every square after what stands on it. @param {Position} position @param {(at: string) => boolean} movable */
  show({ pieces }, movable) {
    const by = new Map(pieces.map((piece) => [piece.at, piece]));
    for (const [at, cell] of this.#cells) {
      const label = `${at}, ${called(by.get(at))}`;
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    }
    this.mark(movable);
  }

  /** Marks the squares whose piece may be picked up. @param {(at: string) => boolean} movable */
  mark(movable) {
    for (const [at, cell] of this.#cells) cell.classList.toggle("movable", movable(at));
  }

  /** @param {string | null} selected @param {Set<string>} targets */
  select(selected, targets) {
    for (const [at, cell] of this.#cells) {
      cell.classList.toggle("goal", targets.has(at));
      if (at === selected) cell.setAttribute("aria-selected", "true");
      else cell.removeAttribute("aria-selected");
    }
  }

  /** Gives the keyboard to a square. @param {string} [at] */
  focus(at = this.#here) {
    this.#cells.get(at)?.focus({ preventScroll: true });
  }

  /** @param {number} x @param {number} y */
  #cell(x, y) {
    const at = atScreen(x, y, this.#layout) ?? "";
    const cell = document.createElement("div");
    cell.className = `tb-cell ${isDark(at) ? "dark" : "light"}`;
    cell.dataset.at = at;
    cell.setAttribute("role", "gridcell");
    cell.tabIndex = -1;
    if (y === this.#layout.rows - 1) cell.dataset.file = at[0];
    if (x === 0) cell.dataset.rank = at.slice(1);
    this.#cells.set(at, cell);
    return cell;
  }

  /** @param {string} at */
  #roam(at) {
    this.#cells.get(this.#here)?.setAttribute("tabindex", "-1");
    this.#here = at;
    this.#cells.get(at)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = this.element.closest("tabiya-board")?.classList.contains("keys");
    const step = keys ? STEPS[event.key] : undefined;
    if (step) {
      const { x, y } = onScreen(this.#here, this.#layout);
      const next = atScreen(x + step[0], y + step[1], this.#layout);
      if (next) this.#cells.get(next)?.focus();
    } else if (keys && (event.key === "Enter" || event.key === " ")) this.#keys.choose(this.#here);
    else if (event.key === "Escape") this.#keys.cancel();
    else if (this.element.closest("[text]") && QUESTIONS[event.key]) this.#keys.question(QUESTIONS[event.key], this.#here);
    else if (this.element.closest("[text]") && event.key === "i") this.#keys.type();
    else return;
    event.preventDefault();
  }
}
