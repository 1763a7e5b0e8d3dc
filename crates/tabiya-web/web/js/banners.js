/**
 * What is offered, asked or told in a game, above its buttons: each in a line of its own, nothing replaces anything else.
 *
 * @typedef {{ id: string, text: string, act: () => unknown, kind?: "main" | "stop" | "quiet" }} Answer
 */
import { make } from "./dom.js";

/** So long a word in passing stays. */
const WHILE = 7000;

export class Banners {
  #holder;
  /** @type {Map<string, { key: string, element: HTMLElement, timer: number }>} */
  #shown = new Map();

  /** @param {HTMLElement} holder */
  constructor(holder) {
    this.#holder = holder;
  }

  /**
   * Shows a line, instead of the one of that name; no text takes it away.
   *
   * @param {string} name @param {string} text @param {Answer[]} [answers] @param {{ look?: string, passing?: boolean }} [how]
   */
  show(name, text, answers = [], { look = "", passing = false } = {}) {
    const key = JSON.stringify([text, answers.map(({ id, text }) => [id, text]), look]);
    const old = this.#shown.get(name);
    if (old?.key === key && !passing) return;
    clearTimeout(old?.timer);
    old?.element.remove();
    this.#shown.delete(name);
    if (!text) return;
    const buttons = answers.map(({ id, text, act, kind }) => {
      const button = make("button", { type: "button", id, class: `compact ${kind ?? ""}`.trim() }, text);
      button.addEventListener("click", () => void act());
      return button;
    });
    const element = make("div", { class: `banner ${look}`.trim(), "data-name": name }, make("span", {}, text), ...buttons);
    this.#holder.append(element);
    const timer = passing ? window.setTimeout(() => this.show(name, ""), WHILE) : 0;
    this.#shown.set(name, { key, element, timer });
  }

  /** @param {string} name */
  has(name) {
    return this.#shown.has(name);
  }

  clear() {
    for (const name of [...this.#shown.keys()]) this.show(name, "");
  }
}
