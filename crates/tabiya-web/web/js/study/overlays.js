/**
 * For learners: who attacks the square one points at, which pieces are pinned, what could be taken, who controls what.
 *
 * @typedef {import("./api.js").Sight} Sight
 * @typedef {import("../../types.js").Mark} Mark
 * @typedef {import("../../types.js").Piece} Piece
 */
import { get } from "../dom.js";
import { attacks } from "./api.js";

const KEPT = "tabiya.study.overlays";
const ALL = /** @type {const} */ (["attackers", "pins", "heat", "threats"]);

export class Overlays {
  #said = get("attacks");
  #changed;
  /** @type {Record<string, boolean>} */
  #on = {};
  /** @type {{ study: number, node: number, sequence: number } | null} */
  #asked = null;
  /** @type {Sight | null} */
  #attacks = null;
  /** @type {string | null} */
  #at = null;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
    try {
      this.#on = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    } catch {
      // What cannot be read was never said.
    }
    for (const name of ALL)
      get(`show-${name}`).addEventListener("click", () => {
        this.#on[name] = !this.#on[name];
        localStorage.setItem(KEPT, JSON.stringify(this.#on));
        this.#show();
        void this.#ask();
      });
    this.#show();
  }

  /** @param {number} study @param {number} node @param {number} sequence */
  look(study, node, sequence) {
    this.#asked = { study, node, sequence };
    this.#attacks = null;
    void this.#ask();
  }

  /** The square that somebody points at. @param {string | null} at */
  point(at) {
    this.#at = at;
    if (!this.#on.attackers) return;
    this.#tell();
    this.#changed();
  }

  /** @param {Piece[]} pieces @returns {Mark[]} */
  marks(pieces) {
    const found = this.#attacks;
    if (!found) return [];
    /** @type {Mark[]} */
    const marks = [];
    if (this.#on.heat)
      for (const { at, white, black } of found.squares)
        if (white.length || black.length) marks.push({ kind: "heat", at, white: white.length, black: black.length });
    if (this.#on.pins) for (const { at, by, king } of found.pins) marks.push({ kind: "pin", at, by, king });
    if (this.#on.threats) marks.push(...found.threats.map((at) => ({ kind: /** @type {const} */ ("threat"), at })));
    const square = this.#on.attackers && found.squares.find((one) => one.at === this.#at);
    if (square) {
      // Of an empty square nobody is the owner: then both sides look at it to attack.
      const owner = pieces.find((piece) => piece.at === square.at)?.side;
      for (const side of /** @type {const} */ (["white", "black"]))
        for (const from of square[side]) marks.push({ kind: "look", from, to: square.at, role: side === owner ? "defends" : "attacks" });
    }
    return marks;
  }

  #show() {
    for (const name of ALL) get(`show-${name}`).setAttribute("aria-pressed", String(Boolean(this.#on[name])));
    this.#tell();
    this.#changed();
  }

  async #ask() {
    const asked = this.#asked;
    if (!asked || this.#attacks || !ALL.some((name) => this.#on[name])) return;
    try {
      const found = await attacks(asked.study, asked.node);
      if (asked !== this.#asked) return;
      this.#attacks = found;
      this.#tell();
      this.#changed();
    } catch {
      // The board is told about trouble elsewhere; this is only a help.
    }
  }

  #tell() {
    const words = [];
    if (this.#on.attackers) {
      const square = this.#attacks?.squares.find((one) => one.at === this.#at);
      words.push(square ? square.text : "Point at a square to see who attacks and defends it.");
    }
    if (this.#on.pins && this.#attacks) words.push(...this.#attacks.pins.map((pin) => pin.text));
    if (this.#on.pins && this.#attacks?.pins.length === 0) words.push("Nothing is pinned.");
    if (this.#on.heat) words.push("Dots are White's control, squares Black's.");
    this.#said.textContent = words.join(" ");
  }
}
