/** The bar beside a board: White's share from below, and what it is in figures, at the line it speaks of. */
import { make } from "./dom.js";

export class Bar {
  #element;
  #figure = make("span", { class: "figure" });
  #name;

  /** @param {HTMLElement} element @param {string} name whose evaluation it is */
  constructor(element, name) {
    this.#element = element;
    this.#name = name;
    element.replaceChildren(make("div", { class: "tube" }, make("div", { class: "share" })), this.#figure);
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", name);
  }

  /** @param {number} chances White's @param {string} text @param {import("../types.js").Side} bottom whose side of the board is below */
  show(chances, text, bottom) {
    this.#element.classList.add("on");
    this.#element.style.setProperty("--chances", `${Math.round(chances * 100)}%`);
    this.#element.classList.toggle("black", bottom === "black");
    this.#figure.textContent = text;
    this.#element.setAttribute("aria-label", `${this.#name}: ${text}`);
  }

  hide() {
    this.#element.classList.remove("on");
  }
}
