/**
 * The dialogues of a study: a new one, and its name.
 *
 * @typedef {import("./api.js").Shown} Shown
 */
import { get } from "../dom.js";
import { begin } from "./api.js";

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

  /** Whether it is about a chapter, and not about a study. */
  #chapter = false;

  /**
   * @param {(shown: Shown) => void} begun @param {() => void} setUp a position is put together instead
   * @param {(what: { fen?: string, pgn?: string }) => Promise<void>} add a chapter
   */
  constructor(begun, setUp, add) {
    this.#form.addEventListener("input", () => this.#refresh());
    this.#form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        if (this.#chapter) await add(this.#wish());
        else begun(await begin(this.#wish()));
        this.#dialog.close();
      } catch (error) {
        this.#refusal.textContent = error instanceof Error ? error.message : String(error);
      }
    });
    get("new-editor").addEventListener("click", () => {
      this.#dialog.close();
      setUp();
    });
  }

  /** @param {"start" | "pgn"} [kind] what is offered first @param {boolean} [chapter] */
  open(kind = "start", chapter = false) {
    this.#chapter = chapter;
    get("new-study-title").textContent = chapter ? "New chapter" : "New study";
    get("begin").textContent = chapter ? "Add" : "Study";
    get("new-editor").hidden = chapter;
    this.#refusal.textContent = "";
    /** @type {HTMLInputElement} */ (/** @type {unknown} */ (this.#form.elements.namedItem("begin"))).value = kind;
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
}

/** What something is called; of a chapter also from which side its board is seen. */
export class Rename {
  #dialog = dialog("rename");
  #form = /** @type {HTMLFormElement} */ (get("rename-form"));
  /** @type {(title: string, side: string) => Promise<void>} */
  #keep = async () => {};

  constructor() {
    this.#form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await this.#keep(this.#title.value, this.#side.value);
        this.#dialog.close();
      } catch (error) {
        get("rename-refusal").textContent = error instanceof Error ? error.message : String(error);
      }
    });
  }

  get #title() {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem("title"));
  }

  get #side() {
    return /** @type {RadioNodeList} */ (this.#form.elements.namedItem("side"));
  }

  /** @param {string} what @param {string} title @param {string | null} side of the board; nothing if it is not asked for @param {(title: string, side: string) => Promise<void>} keep */
  open(what, title, side, keep) {
    this.#keep = keep;
    get("rename-title").textContent = what;
    get("rename-refusal").textContent = "";
    get("rename-side").hidden = side === null;
    this.#side.value = side ?? "white";
    this.#title.value = title;
    this.#dialog.showModal();
    this.#title.select();
  }
}
