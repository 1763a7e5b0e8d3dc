/**
 * The chapters of a study: a list to choose from, more of them, their names and their order.
 *
 * @typedef {import("./api.js").Book} Book
 * @typedef {typeof import("./page.js").page} Page
 */
import { get, icon, make } from "../dom.js";
import { toast } from "../toast.js";
import { chapter } from "./api.js";

export class Chapters {
  #list = get("chapters");
  #add = get("act-chapter-add");
  #page;
  /** @type {Book | null} */
  #book = null;
  #id = 0;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    this.#add.addEventListener("click", () => page.ask("chapter"));
  }

  /** @param {Book} book @param {number} id the chapter that is open @param {boolean} ours */
  show(book, id, ours) {
    const same = JSON.stringify([book, id, ours]) === JSON.stringify([this.#book, this.#id, !this.#add.hidden]);
    this.#book = book;
    this.#id = id;
    this.#add.hidden = !ours;
    if (!same) this.#list.replaceChildren(...book.chapters.map((_, place) => this.#row(place, ours)));
  }

  /** @param {number} place @param {boolean} ours */
  #row(place, ours) {
    const { chapters } = /** @type {Book} */ (this.#book);
    const { id, title } = chapters[place];
    const open = make("button", { type: "button", class: "chapter", "aria-current": id === this.#id ? "true" : undefined }, make("span", { class: "number" }, String(place + 1)), make("span", { class: "name" }, title));
    open.addEventListener("click", () => void this.#page.turnTo(id));
    const act = (/** @type {string} */ picture, /** @type {string} */ label, /** @type {() => unknown} */ done, off = false) => {
      const button = make("button", { type: "button", class: "icon", "aria-label": `${label}: ${title}`, title: label, disabled: off }, icon(picture));
      // The second click of a double click would meet the row that slid there.
      button.addEventListener("click", (event) => { if (event.detail < 2) void done(); });
      return button;
    };
    const acts = ours
      ? [
          act("raise", "Move up", () => this.step({ step: "move", chapter: id, place: place - 1 }), place === 0),
          act("pencil", "Rename", () => this.#page.ask("chapter-name", id)),
          act("bin", "Delete", () => this.#delete(id, title), chapters.length < 2),
        ]
      : [];
    return make("li", {}, open, ...acts);
  }

  /** Changes the chapters, and gives the one to be shown. @param {{ step: string, [key: string]: unknown }} step */
  async step(step) {
    const book = this.#book;
    if (!book) return 0;
    const done = await chapter(book.id, step);
    this.#page.rebind(done.book);
    return done.chapter;
  }

  /** @param {number} id @param {string} title */
  async #delete(id, title) {
    const book = this.#book;
    try {
      await this.step({ step: "delete", chapter: id });
    } catch (error) {
      return this.#page.object(error);
    }
    if (id === this.#id && this.#book) await this.#page.turnTo(this.#book.chapters[0].id);
    toast(`“${title}” was deleted.`, {
      label: "Undo",
      act: async () => {
        if (this.#book?.id === book?.id) await this.#page.turnTo(await this.step({ step: "restore", chapter: id }));
      },
    });
  }
}
