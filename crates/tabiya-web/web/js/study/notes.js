/**
 * What one says about a move: a comment, and signs of judgement.
 *
 * @typedef {import("./api.js").Node} Node
 */
import { get, make } from "../dom.js";
import { numbered } from "./tree.js";

/** @type {[number, string, string][]} */
const MOVES = [[1, "!", "Good move"], [2, "?", "Mistake"], [3, "!!", "Brilliant move"], [4, "??", "Blunder"], [5, "!?", "Interesting move"], [6, "?!", "Dubious move"]];
/** @type {[number, string, string][]} */
const POSITIONS = [
  [10, "=", "Equal"], [13, "∞", "Unclear"], [14, "⩲", "White is slightly better"], [15, "⩱", "Black is slightly better"],
  [16, "±", "White is better"], [17, "∓", "Black is better"], [18, "+-", "White is winning"], [19, "-+", "Black is winning"],
  [7, "□", "Only move"], [146, "N", "Novelty"],
];
/** Two keys within this time are one sign. */
const TOGETHER_MS = 900;
/** So long after the last letter a comment is kept. */
const PAUSE_MS = 700;

export class Notes {
  #box = /** @type {HTMLTextAreaElement} */ (get("comment"));
  #title = get("notes-move");
  #list = get("said-so-far");
  #judge;
  #comment;
  #more = make("select", { "aria-label": "Judgement of the position" });
  /** @type {Map<number, HTMLButtonElement>} */
  #buttons = new Map();
  #node = 0;
  #kept = "";
  #timer = 0;
  #typed = { text: "", at: 0 };

  /** @param {(nag: number) => Promise<void>} judge @param {(node: number, text: string) => Promise<void>} comment @param {(node: number) => void} go */
  constructor(judge, comment, go) {
    this.#judge = judge;
    this.#comment = comment;
    this.#list.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (button) go(Number(button.dataset.node));
    });
    for (const [number, symbol, name] of MOVES) {
      const button = make("button", { type: "button", title: name, "aria-label": name }, symbol);
      button.addEventListener("click", () => void judge(number));
      this.#buttons.set(number, button);
    }
    this.#more.append(new Option("Position…", ""), ...POSITIONS.map(([number, symbol, name]) => new Option(`${symbol}  ${name}`, String(number))));
    this.#more.addEventListener("change", () => {
      if (this.#more.value) void judge(Number(this.#more.value));
      this.#more.value = "";
    });
    get("glyphs").append(...this.#buttons.values(), this.#more);
    this.#box.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.keep(), PAUSE_MS);
    });
    this.#box.addEventListener("blur", () => void this.keep());
  }

  /** Everything that is said in the study. @param {Node[]} nodes @returns {number} how much that is */
  list(nodes) {
    const said = nodes.filter(({ comment }) => comment);
    this.#list.replaceChildren(...said.map((node) => {
      const button = make("button", { type: "button", "data-node": String(node.id) }, make("b", {}, numbered(node)), make("span", { translate: "no" }, node.comment ?? ""));
      return make("li", {}, button);
    }));
    return said.length;
  }

  /** @param {Node} node @param {boolean} ours */
  show(node, ours) {
    this.#title.textContent = numbered(node);
    for (const button of this.#list.querySelectorAll("button")) button.toggleAttribute("data-here", button.dataset.node === String(node.id));
    const own = new Set((node.glyphs ?? []).map((glyph) => glyph.number));
    for (const [number, button] of this.#buttons) {
      button.setAttribute("aria-pressed", String(own.has(number)));
      button.disabled = !ours || node.id === 0;
    }
    this.#more.disabled = !ours || node.id === 0;
    this.#box.readOnly = !ours;
    const same = this.#node === node.id && this.#kept === (node.comment ?? "");
    this.#node = node.id;
    this.#kept = node.comment ?? "";
    // Whoever is writing is not interrupted.
    if (!same || document.activeElement !== this.#box) this.#box.value = this.#kept;
  }

  /** Keeps what was written, if it is new. */
  async keep() {
    clearTimeout(this.#timer);
    const text = this.#box.value.trim().replace(/\s+/g, " ");
    if (this.#box.readOnly || text === this.#kept) return;
    this.#kept = text;
    await this.#comment(this.#node, text);
  }

  /** A sign typed with one key or two; a question mark alone is none. @param {string} key @param {Node} node @returns {boolean} whether it was a sign */
  typed(key, node) {
    const now = performance.now();
    const before = now - this.#typed.at < TOGETHER_MS ? this.#typed.text : "";
    const pair = MOVES.find(([, symbol]) => symbol === before + key);
    const sign = pair ?? MOVES.find(([, symbol]) => symbol === key);
    if (!sign || (key === "?" && !before)) return false;
    this.#typed = { text: pair && before ? "" : key, at: now };
    const had = (node.glyphs ?? []).some((glyph) => glyph.number === sign[0]);
    if (!had || !before) void this.#judge(sign[0]);
    return true;
  }
}
