/**
 * Those around a game: who is away, how many watch, and what players say to each other: set phrases, and their own words
 * where the owner of the server allows it.
 *
 * @typedef {import("../types.js").Presence} Presence
 * @typedef {import("../types.js").Side} Side
 */
import { ask } from "./api.js";
import { get } from "./dom.js";

const MUTED = "tabiya.muted";

export class Talk {
  #dialog = /** @type {HTMLDialogElement} */ (get("talk"));
  #words = /** @type {HTMLInputElement} */ (get("own-words-text"));
  #mute = /** @type {HTMLInputElement} */ (get("mute"));
  #say;
  #shown = 0;
  /** @type {Presence} */
  presence = { watching: 0, away: [], said: [] };

  /** @param {(said: { phrase: number } | { text: string }) => void} say */
  constructor(say) {
    this.#say = say;
    this.#mute.checked = localStorage.getItem(MUTED) === "yes";
    this.#mute.addEventListener("change", () => localStorage.setItem(MUTED, this.#mute.checked ? "yes" : "no"));
    get("talk-close").addEventListener("click", () => this.#dialog.close());
    get("own-words").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.#words.value.trim();
      if (!text) return;
      this.#words.value = "";
      this.#dialog.close();
      this.#say({ text });
    });
  }

  async open() {
    const list = get("phrases");
    if (list.children.length === 0) {
      const { phrases, own_words: longest } = await ask("GET", "/phrases");
      get("own-words").hidden = longest === null;
      this.#words.maxLength = longest ?? 0;
      list.append(...phrases.map((/** @type {string} */ text, /** @type {number} */ number) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.addEventListener("click", () => {
          this.#dialog.close();
          this.#say({ phrase: number });
        });
        return button;
      }));
    }
    this.#dialog.showModal();
  }

  /** A game begins: nothing was said in it yet that we have shown. */
  reset() {
    this.#shown = 0;
    this.presence = { watching: 0, away: [], said: [] };
  }

  /**
   * Takes in who is there and what was said; gives what is new, unless it is not wanted.
   *
   * @param {Presence} presence @param {boolean} first whether this is the first we hear
   * @returns {Presence["said"]}
   */
  take(presence, first) {
    this.presence = presence;
    // The server has begun to count again.
    if ((presence.said.at(-1)?.number ?? 0) < this.#shown) this.#shown = 0;
    const fresh = presence.said.filter(({ number }) => number > this.#shown);
    this.#shown = presence.said.at(-1)?.number ?? this.#shown;
    return first || this.#mute.checked ? [] : fresh;
  }
}

/** How many watch, for those who play and for those who watch. @param {Presence} presence @param {boolean} plays */
export function watchers({ watching }, plays) {
  if (plays) return watching === 0 ? "" : `${watching} watching`;
  return watching < 2 ? "You are watching" : `You are watching, ${watching} in all`;
}
