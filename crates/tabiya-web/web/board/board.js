/**
 * `<tabiya-board>`: a board of any size that knows no rules. It is given pieces and where they may go, shows them, and tells
 * what a person wants to do.
 *
 * Attributes: `pieces="vector|cut|pixel"`, `coordinates="inside|outside|none"`, `text` (the board in words),
 * `framed` (the frame of the pixel board is as wide as a square).
 * Properties: `position`, `bottom`, `movable` (the side whose pieces may be picked up, "both" or none), `editing` (any piece goes
 * anywhere), `drawings` (arrows and circles).
 * Events: `move` ({ from, to, promotion, known }), `typed` ({ text }), `ask` ({ question, at }), `point` ({ at }: the square under
 * the mouse or with the keyboard's attention, or none), `drawn` ({ drawings }: all arrows and circles, after one was drawn or
 * taken away). While editing: `move`, `square` ({ at }: a click or Enter), `away`
 * ({ from }: a piece dragged off the board).
 *
 * @typedef {import("../types.js").Position} Position
 * @typedef {import("../types.js").Side} Side
 * @typedef {import("../types.js").Role} Role
 * @typedef {import("./marks.js").Drawing} Drawing
 */
import { atScreen, onScreen } from "./geometry.js";
import { Grid } from "./grid.js";
import * as marks from "./marks.js";
import { Pieces } from "./pieces.js";
import { ask } from "./picker.js";
import { svg } from "./artwork.js";
import { Pointer } from "./pointer.js";
import { moved, premoves } from "./premoves.js";
import { Size } from "./size.js";
import { moves, placement } from "./speech.js";
import { Words } from "./words.js";

/** @type {Position} */
const NOTHING = { columns: 8, rows: 8, pieces: [], destinations: [], last: null, check: null, turn: "white", marks: [] };

export class TabiyaBoard extends HTMLElement {
  static observedAttributes = ["pieces", "coordinates", "text", "framed"];

  #position = NOTHING;
  /** @type {Side} */
  #bottom = "white";
  /** @type {Side | "both" | null} */
  #movable = null;
  #editing = false;
  /** @type {string | null} */
  #pointed = null;
  /** @type {string | null} */
  #selected = null;
  /** @type {string | null} */
  #hovered = null;
  /** Moves that wait for the other side, in order. @type {{ from: string, to: string }[]} */
  #premoves = [];
  /** @type {Drawing[]} */
  #drawings = [];
  /** Whether somebody keeps the drawings: then a click or Escape does not take them away. */
  #kept = false;
  /** @type {Drawing | null} */
  #sketch = null;
  /** @type {{ close: () => void } | null} */
  #question = null;
  /** Whether mouse or finger were used last, not the keyboard. */
  #pointing = false;
  /** @type {HTMLElement | null} */
  #bubble = null;

  #port = box("tb-port");
  #surface = box("tb-surface");
  #under = svg("svg", { class: "tb-under", "aria-hidden": "true" });
  #over = svg("svg", { class: "tb-over", "aria-hidden": "true" });
  #grid = new Grid({
    choose: (at) => this.#choose(at),
    cancel: () => this.#cancel(),
    question: (question, at) => this.#answer(question, at),
    type: () => this.#words.open(),
  });
  #holder = box("tb-pieces");
  #pieces = new Pieces(this.#holder);
  /** @type {Size} */
  #size;
  /** @type {Words} */
  #words;
  /** @type {Pointer} */
  #pointer;

  constructor() {
    super();
    this.#size = new Size(this, this.#port, () => this.#zoomed());
    this.#words = new Words(this, (text) => this.#tell("typed", { text }));
    this.#pointer = new Pointer(this.#surface, this.#handler());
  }

  connectedCallback() {
    if (this.#port.isConnected) return;
    this.#surface.append(this.#grid.element, this.#under, this.#holder, this.#over);
    this.#port.append(this.#surface);
    this.prepend(this.#port, this.#zoomButtons());
    this.addEventListener("focusme", () => this.#grid.focus());
    this.#surface.addEventListener("pointermove", (event) => this.#point(this.#handler().under(event.clientX, event.clientY)));
    // A finger that is lifted still points.
    this.#surface.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.#point(null); });
    this.#grid.element.addEventListener("focusin", (event) => {
      this.#point(/** @type {HTMLElement} */ (event.target).dataset.at ?? null);
    });
    document.addEventListener("keydown", (event) => this.#typing(event));
    // The squares belong to those who came to them by keyboard: for others the arrows walk through the moves.
    document.addEventListener("keydown", () => (this.#pointing = false), { capture: true });
    document.addEventListener("pointerdown", () => (this.#pointing = true), { capture: true });
    this.addEventListener("pointerdown", () => this.classList.remove("keys"), { capture: true });
    this.#grid.element.addEventListener("focusin", () => { if (!this.#pointing) this.classList.add("keys"); });
    this.#grid.element.addEventListener("focusout", () => this.classList.remove("keys"));
    this.addEventListener("pointerdown", () => this.#bubble?.remove(), { capture: true });
    this.#rebuild();
  }

  attributeChangedCallback() {
    if (this.#port.isConnected) this.#rebuild();
  }

  get position() {
    return this.#position;
  }

  set position(position) {
    const old = this.#position;
    this.#position = position;
    // News that move nothing (an evaluation, a clock) do not take a piece out of anybody's hand.
    if (sameBoard(old, position)) {
      this.#show();
      return;
    }
    this.#pointer.cancel();
    this.#question?.close();
    this.#bubble?.remove();
    const other = old.columns !== position.columns || old.rows !== position.rows;
    if (this.#movable === null) this.#words.close();
    if (this.#selected && !this.#mayPick(this.#selected)) this.#selected = null;
    if (other) {
      this.#drawings = [];
      this.#rebuild();
    } else this.#show();
    this.#playPremove();
  }

  get bottom() {
    return this.#bottom;
  }

  set bottom(side) {
    if (side === this.#bottom) return;
    this.#bottom = side;
    this.#rebuild();
  }

  get movable() {
    return this.#movable;
  }

  set movable(side) {
    this.#movable = side;
    this.#grid.mark((at) => this.#mayPick(at));
  }

  get editing() {
    return this.#editing;
  }

  set editing(editing) {
    this.#editing = editing;
    this.#grid.mark((at) => this.#mayPick(at));
  }

  /** Forgets the moves that wait: after a take-back, or when the game has ended. */
  cancelPremove() {
    if (this.#premoves.length === 0) return;
    this.#premoves = [];
    this.#show();
  }

  /** Arrows and circles. Whoever gives them keeps them: `drawn` tells of every change. */
  get drawings() {
    return this.#drawings;
  }

  set drawings(drawings) {
    this.#kept = true;
    this.#drawings = drawings;
    this.#drawMarks();
  }

  /** Takes away what was drawn. */
  wipe() {
    this.#drawings = [];
    this.#drawMarks();
  }

  /** Says why a move was not made, where it was tried. @param {{ from: string, to: string } | null} tried @param {string} sentence */
  refuse(tried, sentence) {
    const at = tried?.to ?? null;
    this.#bubble?.remove();
    const bubble = box(at ? "tb-bubble" : "tb-bubble below");
    bubble.textContent = sentence;
    const { columns, rows } = this.#layout;
    if (at) {
      const { x, y } = onScreen(at, this.#layout);
      bubble.classList.toggle("under", y < 2);
      bubble.style.left = `${Math.max(17, Math.min(83, ((x + 0.5) / columns) * 100))}%`;
      if (y < 2) bubble.style.top = `${((y + 1) / rows) * 100 + 1}%`;
      else bubble.style.bottom = `${((rows - y) / rows) * 100 + 1}%`;
      bubble.style.setProperty("--tip", `${(((x + 0.5) / columns) * 100 - Number.parseFloat(bubble.style.left)) / 100}`);
    }
    this.#surface.append(bubble);
    this.#bubble = bubble;
    this.say(sentence);
    if (tried) this.#pieces.shake(tried.from);
    setTimeout(() => bubble.remove(), 6000);
  }

  /** Reads a sentence aloud. @param {string} text */
  say(text) {
    this.#words.say(text);
  }

  /** Begins to type a move. */
  type() {
    this.#words.open();
  }

  /** @param {number} by steps larger, or smaller if negative */
  zoom(by) {
    this.#size.zoom(by);
    this.#zoomed();
  }

  get #layout() {
    return { columns: this.#position.columns, rows: this.#position.rows, bottom: this.#bottom };
  }

  get #set() {
    const wanted = this.getAttribute("pieces");
    return wanted === "pixel" || wanted === "cut" ? wanted : "vector";
  }

  #rebuild() {
    const layout = this.#layout, pixel = this.#set === "pixel";
    // Pixels of a drawing are two or three dots of the screen: crisp, and the board uses the room there is.
    const rim = pixel ? (this.hasAttribute("framed") ? 1 : 0.5) : this.getAttribute("coordinates") === "outside" ? 0.42 : 0;
    this.#size.set({ ...layout, rim, grain: pixel ? 8 : 1 });
    this.style.setProperty("--columns", String(layout.columns));
    this.style.setProperty("--rows", String(layout.rows));
    const box = `0 0 ${layout.columns} ${layout.rows}`;
    this.#under.setAttribute("viewBox", box);
    this.#over.setAttribute("viewBox", box);
    this.#grid.build(layout);
    this.#pieces.reset(layout, this.#set);
    this.#show();
  }

  #show() {
    // A board that was not shown when it was built has no size yet, and is not to be seen with another first.
    if (this.#size.cell === 0) this.#size.fit();
    const { last } = this.#position;
    const pieces = this.#standing;
    this.#pieces.show(pieces, last);
    this.#grid.show({ ...this.#position, pieces }, (at) => this.#mayPick(at));
    if (this.hasAttribute("text")) this.#words.draw(this.#position, this.#bottom);
    this.#drawMarks();
  }

  /** The pieces, those that are to move already where they go. */
  get #standing() {
    return this.#premoves.reduce(moved, this.#position.pieces);
  }

  #drawMarks() {
    const { last, check, marks: given } = this.#position;
    const at = (/** @type {string} */ name) => onScreen(name, this.#layout);
    const under = [], over = [];
    if (last) under.push(...last.map((one) => marks.brackets(at(one), "last")));
    if (check) under.push(marks.halo(at(check)));
    for (const { from, to } of this.#premoves) under.push(marks.square(at(from), "premove"), marks.square(at(to), "premove"));
    if (this.#selected) under.push(marks.square(at(this.#selected), "selected"));
    const targets = this.#targets(this.#selected);
    for (const target of targets) over.push(marks.target(at(target.at), target.takes, this.#set));
    if (this.#hovered && this.#hovered !== this.#selected) {
      const good = targets.some((target) => target.at === this.#hovered);
      under.push(marks.square(at(this.#hovered), good ? "hovered good" : "hovered"));
    }
    for (const mark of given) {
      if (mark.kind === "hint") over.push(marks.arrow(at(mark.from), at(mark.to), "hint"));
      else if (mark.kind === "threat") over.push(marks.threat(at(mark.at)));
      else if (mark.kind === "area") under.push(marks.square(at(mark.at), "area"));
      else {
        const drawn = marks.study(mark, at);
        under.push(...drawn.under);
        over.push(...drawn.over);
      }
    }
    for (const { from, to, colour } of [...this.#drawings, ...(this.#sketch ? [this.#sketch] : [])])
      over.push(marks.arrow(at(from), at(to), `drawn colour${colour}`));
    this.#under.replaceChildren(...under);
    this.#over.replaceChildren(...over);
    this.#grid.select(this.#selected, new Set(targets.map((target) => target.at)));
  }

  /** @param {string | null} from */
  #targets(from) {
    if (this.#waiting && from) {
      const pieces = this.#standing;
      const piece = pieces.find((one) => one.at === from);
      return piece ? premoves(piece, pieces, this.#layout) : [];
    }
    return this.#position.destinations.find((one) => one.from === from)?.to ?? [];
  }

  /** @param {string} at */
  #mayPick(at) {
    const piece = this.#standing.find((one) => one.at === at);
    if (this.#editing) return piece !== undefined;
    return piece !== undefined && (this.#movable === "both" ? piece.side === this.#position.turn : piece.side === this.#movable);
  }

  /** Whether a move made now has to wait for the other side. */
  get #waiting() {
    return this.#movable !== null && this.#movable !== "both" && this.#movable !== this.#position.turn;
  }

  /** @param {string | null} at */
  #select(at) {
    this.#selected = at;
    this.#drawMarks();
  }

  /** Tells which square is looked at. @param {string | null} at */
  #point(at) {
    if (at === this.#pointed) return;
    this.#pointed = at;
    this.#tell("point", { at });
  }

  /** A click or Enter on a square. @param {string} at */
  #choose(at) {
    if (this.#editing) return this.#tell("square", { at });
    const from = this.#selected;
    if (from === at) return this.#select(null);
    if (from && this.#targets(from).some((target) => target.at === at)) return this.#go(from, at);
    if (this.#mayPick(at)) {
      this.#select(at);
      this.say(moves(this.#position, at));
      return;
    }
    if (from && !this.#waiting) return this.#go(from, at);
    this.#selected = null;
    this.#premoves = [];
    this.#show();
  }

  #cancel() {
    this.#selected = null;
    this.#premoves = [];
    if (!this.#kept) this.#drawings = [];
    this.#show();
  }

  /** @param {string} from @param {string} to */
  async #go(from, to) {
    this.#selected = null;
    if (this.#editing) {
      this.#pieces.release(from);
      return this.#tell("move", { from, to, promotion: null, known: true });
    }
    const target = this.#targets(from).find((one) => one.at === to);
    if (this.#waiting) {
      this.#pieces.release(from);
      if (target) this.#premoves = [...this.#premoves, { from, to }];
      return this.#show();
    }
    if (!target) {
      this.#pieces.release(from);
      this.#drawMarks();
      return this.#tell("move", { from, to, promotion: null, known: false });
    }
    this.#drawMarks();
    /** @type {Role | null} */
    let promotion = target.promotions[0] ?? null;
    if (target.promotions.length > 1) {
      this.#pieces.release(from);
      promotion = await this.#choosePromotion(to, target.promotions);
      if (!promotion) return this.#drawMarks();
    }
    this.#commit(from, to, promotion);
  }

  /** @param {string} to @param {Role[]} roles */
  async #choosePromotion(to, roles) {
    const question = ask({
      surface: this.#surface, at: onScreen(to, this.#layout), rows: this.#position.rows,
      roles, side: this.#position.turn, set: this.#set,
    });
    this.#question = question;
    const role = await question.answer;
    if (this.#question === question) this.#question = null;
    this.#grid.focus(to);
    return role;
  }

  /** Shows the move at once, before the server has agreed, and tells of it. @param {string} from @param {string} to @param {Role | null} promotion */
  #commit(from, to, promotion) {
    const { pieces } = this.#position;
    const moved = pieces.find((piece) => piece.at === from);
    if (!moved) return;
    const taken = pieces.find((piece) => piece.at === to);
    // A king that castles onto its rook is shown when the answer comes.
    if (taken?.side !== moved.side) {
      const rest = pieces.filter((piece) => piece !== moved && piece !== taken);
      const shown = [...rest, { ...moved, at: to, role: promotion ?? moved.role }];
      this.#position = { ...this.#position, pieces: shown, destinations: [], last: [from, to], check: null, marks: [] };
      this.#show();
    } else this.#pieces.release(from);
    this.#tell("move", { from, to, promotion, known: true });
  }

  #playPremove() {
    const [wish, ...rest] = this.#premoves;
    if (!wish || this.#waiting || this.#position.destinations.length === 0) return;
    const target = this.#position.destinations.find((one) => one.from === wish.from)?.to.find((one) => one.at === wish.to);
    this.#premoves = [];
    this.#show();
    // Not in the middle of being told a position. What was to follow waits on; if this cannot be played, nothing follows.
    if (!target) return;
    queueMicrotask(() => {
      this.#commit(wish.from, wish.to, target.promotions[0] ?? null);
      this.#premoves = rest;
      this.#position = { ...this.#position, turn: this.#position.turn === "white" ? "black" : "white" };
      this.#show();
    });
  }

  /** @param {string} question @param {string} at */
  #answer(question, at) {
    if (question === "pieces") this.say(placement(this.#position));
    else if (question === "moves") this.say(moves(this.#position, at));
    else this.#tell("ask", { question, at });
  }

  /** Typing anywhere on the page is typing a move. @param {KeyboardEvent} event */
  #typing(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !this.isConnected) return;
    if (!/^[a-zA-Z0-9]$/.test(event.key) || this.#movable === null || this.#editing) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, textarea, select, [contenteditable], dialog, [role='dialog'], [role='menu']")) return;
    this.#words.open();
  }

  /** @returns {import("./pointer.js").Handler} */
  #handler() {
    const toSquares = (/** @type {number} */ x, /** @type {number} */ y) => {
      const { left, top } = this.#grid.element.getBoundingClientRect();
      return { x: (x - left) / this.#size.cell, y: (y - top) / this.#size.cell };
    };
    return {
      toSquares,
      under: (x, y) => {
        const square = toSquares(x, y);
        return atScreen(Math.floor(square.x), Math.floor(square.y), this.#layout);
      },
      mayPick: (at) => this.#mayPick(at),
      mayGo: (at) => this.#targets(this.#selected).some((target) => target.at === at),
      selected: () => this.#selected,
      select: (at) => { if (!this.#editing) this.#select(at); },
      choose: (at) => this.#choose(at),
      drop: (from, to) => void this.#go(from, to),
      drag: (at, x, y) => this.#pieces.drag(at, x, y),
      release: (at) => this.#pieces.release(at),
      click: (at) => { if (this.#editing) this.#tell("square", { at }); },
      away: (at) => { if (this.#editing) this.#tell("away", { from: at }); },
      hover: (at) => {
        if (at === this.#hovered) return;
        this.#hovered = at;
        this.#drawMarks();
      },
      sketch: (from, to, colour) => {
        this.#sketch = { from, to, colour };
        this.#drawMarks();
      },
      focus: (at) => this.#grid.focus(at),
      sketched: () => this.#keepSketch(),
      wipe: () => {
        if (this.#kept || this.#drawings.length === 0) return;
        this.#drawings = [];
        this.#drawMarks();
      },
    };
  }

  #keepSketch() {
    const sketch = this.#sketch;
    this.#sketch = null;
    if (!sketch) return;
    const others = this.#drawings.filter(({ from, to }) => from !== sketch.from || to !== sketch.to);
    // Drawn a second time, in the same colour, it goes.
    const again = this.#drawings.find(({ from, to }) => from === sketch.from && to === sketch.to);
    this.#drawings = again?.colour === sketch.colour ? others : [...others, sketch];
    this.#drawMarks();
    this.#tell("drawn", { drawings: this.#drawings });
  }

  #zoomButtons() {
    const holder = box("tb-zoom");
    for (const [text, label, by] of /** @type {const} */ ([["+", "Enlarge the board", 1], ["−", "Show more of the board", -1]])) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => this.zoom(by));
      holder.append(button);
    }
    return holder;
  }

  #zoomed() {
    this.#port.classList.toggle("scrolls", this.#size.enlarged);
  }

  /** @param {string} name @param {object} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

/** Whether the same pieces stand on the same squares and may do the same. @param {Position} a @param {Position} b */
function sameBoard(a, b) {
  const key = (/** @type {Position} */ { columns, rows, pieces, destinations, turn }) => JSON.stringify([columns, rows, pieces, destinations, turn]);
  return key(a) === key(b);
}

/** @param {string} name */
function box(name) {
  const element = document.createElement("div");
  element.className = name;
  return element;
}

customElements.define("tabiya-board", TabiyaBoard);
