/**
 * The dialogues of a study: a new one, and its name.
 *
 * @typedef {import("./api.js").Shown} Shown
 */
import { ask } from "../api.js";
import { begin } from "./api.js";

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
export function dialog(id) {
  const element = /** @type {HTMLDialogElement} */ (get(id));
  element.querySelector("[data-close]")?.addEventListener("click", () => element.close());
  return element;
}

export class NewStudy {
  #dialog = dialog("new-study");
  #form = /** @type {HTMLFormElement} */ (get("new-study-form"));
  #refusal = get("new-study-refusal");

  /** @param {(shown: Shown) => void} begun */
  constructor(begun) {
    this.#form.addEventListener("input", () => this.#refresh());
    this.#form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        begun(await begin(this.#wish()));
        this.#dialog.close();
      } catch (error) {
        this.#refusal.textContent = error instanceof Error ? error.message : String(error);
      }
    });
    get("earlier").addEventListener("toggle", () => void this.#list());
  }

  open() {
    this.#refusal.textContent = "";
    this.#refresh();
    this.#dialog.showModal();
    get("begin").focus();
  }

  /** @param {string} name @returns {string} */
  #value(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name)).value;
  }

  #wish() {
    const kind = this.#value("begin");
    if (kind === "fen") return { fen: this.#value("fen") };
    return kind === "pgn" ? { pgn: this.#value("pgn") } : {};
  }

  #refresh() {
    const kind = this.#value("begin");
    get("new-fen").hidden = kind !== "fen";
    get("new-pgn").hidden = kind !== "pgn";
  }

  async #list() {
    try {
      const { studies } = await ask("GET", "/studies?limit=30");
      get("studies").replaceChildren(...studies.map((/** @type {{ id: number, title: string, when: string }} */ { id, title, when }) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = `/study?study=${id}`;
        link.textContent = title;
        const date = document.createElement("span");
        date.className = "muted";
        date.textContent = when;
        item.append(link, date);
        return item;
      }));
    } catch (error) {
      this.#refusal.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}

export class Rename {
  #dialog = dialog("rename");
  #form = /** @type {HTMLFormElement} */ (get("rename-form"));

  /** @param {(title: string) => Promise<void>} rename @param {() => Promise<void>} remove */
  constructor(rename, remove) {
    const refusal = get("rename-refusal");
    const attempt = async (/** @type {() => Promise<void>} */ act) => {
      try {
        await act();
        this.#dialog.close();
      } catch (error) {
        refusal.textContent = error instanceof Error ? error.message : String(error);
      }
    };
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void attempt(() => rename(this.#title.value));
    });
    get("act-remove").addEventListener("click", () => void attempt(remove));
  }

  get #title() {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem("title"));
  }

  /** @param {string} title */
  open(title) {
    get("rename-refusal").textContent = "";
    this.#title.value = title;
    this.#dialog.showModal();
    this.#title.select();
  }
}
