/**
 * The moves of a study: the main line in two columns, variations indented below the move they belong to, comments in between.
 *
 * @typedef {import("./api.js").Node} Node
 * @typedef {import("./api.js").Outline} Outline
 */
import { make } from "../dom.js";

/** What a sign says of a move, for its colour. @type {Record<number, string>} */
const TONES = { 1: "good", 2: "mistake", 3: "good", 4: "bad", 5: "interest", 6: "doubt" };

/** @param {number} number */
export function tone(number) {
  return TONES[number] ?? "plain";
}

/** A move with its number: 9…b5. @param {{ number: number, side: import("../../types.js").Side, san: string }} move */
export function numbered({ number, side, san }) {
  return san ? `${number}${side === "white" ? "." : "…"}${san}` : "The start";
}

export class Tree {
  #holder;
  /** @type {Node[]} */
  #nodes = [];
  /** @type {number[][]} the moves after each node */
  #next = [];
  /** @type {Map<number, HTMLElement>} */
  #buttons = new Map();
  #here = 0;
  /** @type {HTMLElement} */
  #stop = make("button");
  /** @type {Map<number, { number: number, symbol: string }>} what a review says of moves that nobody has judged */
  extra = new Map();

  /** @param {HTMLElement} holder @param {(node: number) => void} go */
  constructor(holder, go) {
    this.#holder = holder;
    // When the engine takes room, the move stays in sight.
    new ResizeObserver(() => this.mark(this.#here)).observe(holder);
    holder.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (button) go(Number(button.dataset.node));
    });
  }

  /** @param {Outline} outline */
  show({ nodes, result }) {
    this.#nodes = nodes;
    this.#next = nodes.map(() => []);
    for (const { id, parent } of nodes) if (parent !== null) this.#next[parent].push(id);
    this.#buttons.clear();
    const parts = [];
    if (nodes[0].comment) parts.push(this.#comment(nodes[0].comment));
    parts.push(...this.#mainLine());
    if (result !== "*") parts.push(text("p", "outcome", result.replace("1/2-1/2", "½–½").replace("-", "–")));
    if (nodes.length === 1) parts.push(text("p", "muted", "Play a move on the board, or type one."));
    this.#holder.replaceChildren(...parts);
    this.mark(this.#here);
  }

  /** Marks where one stands. @param {number} node */
  mark(node) {
    const old = this.#buttons.get(this.#here);
    old?.removeAttribute("aria-current");
    this.#stop.tabIndex = -1;
    this.#here = node;
    const button = this.#buttons.get(node);
    button?.setAttribute("aria-current", "true");
    // Of all moves only one is a stop of the Tab key.
    this.#stop = button ?? this.#buttons.get(this.after(0)[0]) ?? this.#stop;
    this.#stop.tabIndex = 0;
    if (button) reveal(this.#holder, button);
    else if (node === 0) this.#holder.scrollTop = 0;
  }

  /** The moves that may follow a node. @param {number} node */
  after(node) {
    return this.#next[node] ?? [];
  }

  /** The node before. @param {number} node */
  before(node) {
    return this.#nodes[node]?.parent ?? null;
  }

  /** The last node of the line from here. @param {number} node */
  end(node) {
    let at = node;
    while (this.after(at).length) at = this.after(at)[0];
    return at;
  }

  /** The other choice at the nearest place where there is one. @param {number} node @param {1 | -1} by */
  beside(node, by) {
    for (let at = node; ; ) {
      const parent = this.before(at);
      if (parent === null) return null;
      const all = this.after(parent);
      if (all.length > 1) return all[(all.indexOf(at) + by + all.length) % all.length];
      at = parent;
    }
  }

  #mainLine() {
    /** @type {HTMLElement[]} */
    const parts = [];
    /** @type {HTMLElement | null} */
    let row = null;
    for (let at = this.after(0)[0]; at !== undefined; at = this.after(at)[0]) {
      const node = this.#nodes[at];
      if (!row || node.side === "white") {
        row = make("div", { class: "row" }, text("span", "number", node.side === "white" ? `${node.number}` : `${node.number}…`));
        if (node.side === "black") row.append(make("span"));
        parts.push(row);
      }
      row.append(this.#button(node));
      const below = this.#below(at);
      if (below.length) {
        parts.push(...below);
        row = null;
      }
    }
    return parts;
  }

  /** What is said about a move, and the variations on it. @param {number} at */
  #below(at) {
    const parts = [];
    const { comment, parent } = this.#nodes[at];
    if (comment) parts.push(this.#comment(comment));
    const others = parent === null || this.after(parent)[0] !== at ? [] : this.after(parent).slice(1);
    for (const other of others) parts.push(this.#variation(other));
    return parts;
  }

  /** A variation as running text, its own variations within. @param {number} first */
  #variation(first) {
    const block = make("div", { class: "variation" });
    let fresh = true;
    for (let at = first; at !== undefined; at = this.after(at)[0]) {
      const node = this.#nodes[at];
      if (node.before) block.append(this.#comment(node.before));
      if (node.side === "white" || fresh) block.append(text("span", "number", `${node.number}${node.side === "white" ? "." : "…"}`));
      block.append(this.#button(node));
      const below = at === first ? (node.comment ? [this.#comment(node.comment)] : []) : this.#below(at);
      block.append(...below);
      fresh = below.length > 0;
    }
    return block;
  }

  /** @param {Node} node */
  #button({ id, san: move, glyphs, eval: worth }) {
    const button = make("button", { type: "button", "data-node": String(id), tabindex: "-1" }, move);
    for (const glyph of this.glyphs(id, glyphs)) button.append(text("span", `sign-${tone(glyph.number)}`, glyph.symbol));
    if (worth) button.append(text("span", "worth", worth));
    this.#buttons.set(id, button);
    return button;
  }

  /** The signs of a move: a person's, else the review's. @param {number} id @param {{ number: number, symbol: string }[]} [own] */
  glyphs(id, own = []) {
    const extra = this.extra.get(id);
    return extra && !own.some(({ number }) => number <= 6) ? [extra, ...own] : own;
  }

  /** @param {string} words */
  #comment(words) {
    return make("span", { class: "comment", translate: "no" }, words);
  }
}

/** @param {"span" | "p"} tag @param {string} name @param {string} words */
function text(tag, name, words) {
  return make(tag, { class: name }, words);
}

/** Scrolls the list, not the page. @param {HTMLElement} list @param {HTMLElement} one */
export function reveal(list, one) {
  const outer = list.getBoundingClientRect(), inner = one.getBoundingClientRect();
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 24;
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 24;
}
