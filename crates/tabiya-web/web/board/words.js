/**
 * The board's own words: the line where a move is typed, the board as a table, and what is read aloud.
 *
 * @typedef {import("../types.js").Position} Position
 */
import { table } from "./speech.js";

export class Words {
  #form = document.createElement("form");
  #input = document.createElement("input");
  #live = document.createElement("div");
  #table = document.createElement("table");

  /** @param {HTMLElement} host @param {(text: string) => void} typed */
  constructor(host, typed) {
    this.#form.className = "tb-typed";
    const label = document.createElement("label");
    label.textContent = "Move";
    this.#input.type = "text";
    Object.assign(this.#input, { autocomplete: "off", spellcheck: false, maxLength: 16, placeholder: "e4, Nf3, e2e4" });
    this.#input.setAttribute("autocapitalize", "off");
    label.append(this.#input);
    this.#form.append(label);
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.#input.value.trim();
      this.clear();
      if (text) typed(text);
    });
    this.#input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.clear();
      host.querySelector("[tabindex='0']")?.dispatchEvent(new Event("focusme", { bubbles: true }));
    });
    this.#input.addEventListener("blur", () => { if (!this.#input.value) this.#form.classList.remove("open"); });
    this.#live.className = "tb-live";
    this.#live.setAttribute("aria-live", "polite");
    this.#table.className = "tb-table";
    host.append(this.#form, this.#table, this.#live);
  }

  /** Begins to type: the key that was pressed lands in the line. */
  open() {
    this.#form.classList.add("open");
    this.#input.focus({ preventScroll: true });
  }

  /** Puts the line away, whoever is in it. */
  close() {
    this.clear();
    this.#input.blur();
    this.#form.classList.remove("open");
  }

  clear() {
    this.#input.value = "";
    if (document.activeElement !== this.#input) this.#form.classList.remove("open");
  }

  /** Says something to a screen reader. @param {string} text */
  say(text) {
    // A sentence that is said twice must differ, or it is not read again.
    this.#live.textContent = this.#live.textContent === text ? text + "\u00a0" : text;
  }

  /** @param {Position} position @param {"white" | "black"} bottom */
  draw(position, bottom) {
    const { columns, rows } = table(position, bottom);
    const row = (/** @type {string} */ head, /** @type {string[]} */ cells, /** @type {"td" | "th"} */ tag) => {
      const line = document.createElement("tr");
      line.append(cell("th", head, tag === "td" ? "row" : ""), ...cells.map((text) => cell(tag, text, tag === "th" ? "col" : "")));
      return line;
    };
    const caption = document.createElement("caption");
    caption.textContent = "The board: capitals are White's";
    this.#table.replaceChildren(caption, row("", columns, "th"), ...rows.map(({ name, cells }) => row(name, cells, "td")));
  }
}

/** @param {"td" | "th"} tag @param {string} text @param {string} scope */
function cell(tag, text, scope) {
  const element = document.createElement(text ? tag : "td");
  element.textContent = text;
  if (scope && text) element.setAttribute("scope", scope);
  return element;
}
