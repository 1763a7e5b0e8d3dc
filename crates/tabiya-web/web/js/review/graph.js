/**
 * White's winning chances over a game, with marks where moves were judged and, below, the time each move took. Pointing tells of a
 * move, clicking, dragging and the arrow keys go there.
 *
 * @typedef {import("./api.js").Review} Review
 */
import { svg as draw } from "../../board/artwork.js";
import { make } from "../dom.js";

/** Lower where the window is. */
const LOW = matchMedia("(max-height: 720px), (max-width: 1100px) and (orientation: landscape)");
const TIMES_HIGH = 22;

export class Graph {
  element = make("div", { class: "graph", role: "slider", tabindex: "0", "aria-label": "Where one stands in the game", "aria-valuemin": "0" });
  /** @type {Review | null} */
  #review = null;
  #wide = 0;
  #deep = 84;
  #ply = 0;
  /** @type {SVGElement | null} */
  #cursor = null;
  /** @type {SVGElement | null} */
  #finger = null;
  #go;
  #point;

  /** @param {(ply: number) => void} go @param {(ply: number | null) => void} point */
  constructor(go, point) {
    this.#go = go;
    this.#point = point;
    this.#listen();
    new ResizeObserver(() => {
      if (this.element.clientWidth !== this.#wide) this.#draw();
    }).observe(this.element);
  }

  /** @param {Review} review */
  show(review) {
    this.#review = review;
    this.element.setAttribute("aria-valuemax", String(review.moves.length));
    this.#draw();
  }

  /** Marks where one stands; nothing while that is in a variation. @param {number | null} ply @param {string} words */
  mark(ply, words) {
    if (ply !== null) this.#ply = ply;
    this.element.setAttribute("aria-valuenow", String(this.#ply));
    this.element.setAttribute("aria-valuetext", words);
    this.#draw();
    this.#cursor?.classList.toggle("off", ply === null);
  }

  get #last() {
    return this.#review?.moves.length ?? 0;
  }

  /** @param {number} ply */
  #x(ply) {
    return (this.#wide * ply) / Math.max(1, this.#last);
  }

  #listen() {
    const element = this.element;
    const at = (/** @type {PointerEvent} */ event) => {
      const { left, width } = element.getBoundingClientRect();
      const ply = Math.round(((event.clientX - left) / Math.max(1, width)) * this.#last);
      return Math.min(this.#last, Math.max(0, ply));
    };
    element.addEventListener("pointermove", (event) => {
      const ply = at(event);
      this.#show(ply);
      if (event.buttons & 1 && ply !== this.#ply) this.#go(ply);
    });
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      this.#go(at(event));
    });
    element.addEventListener("pointerleave", () => this.#show(null));
    element.addEventListener("keydown", (event) => {
      /** @type {Record<string, number>} */
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };
      const step = steps[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.#go(Math.min(this.#last, Math.max(0, this.#ply + step)));
    });
  }

  /** @param {number | null} ply */
  #show(ply) {
    this.#finger?.classList.toggle("off", ply === null);
    if (ply !== null) this.#finger?.setAttribute("transform", `translate(${this.#x(ply)} 0)`);
    this.#point(ply);
  }

  #draw() {
    const review = this.#review;
    this.#wide = this.element.clientWidth;
    const deep = (this.#deep = LOW.matches ? 52 : 84);
    if (!review || !this.#wide) return;
    const timed = review.times !== null;
    const high = deep + (timed ? TIMES_HIGH + 6 : 0);
    const svg = draw("svg", { width: this.#wide, height: high, viewBox: `0 0 ${this.#wide} ${high}`, "aria-hidden": "true" });
    const y = (/** @type {number} */ chances) => (deep * (100 - chances)) / 100;
    const points = [review.start, ...review.moves.map((move) => move.evaluation)].map(({ chances }, ply) => `${this.#x(ply).toFixed(1)} ${y(chances).toFixed(1)}`);
    svg.append(
      draw("rect", { class: "black", width: this.#wide, height: deep }),
      draw("path", { class: "white", d: `M${points.join(" L")} V${deep} H0 Z` }),
      draw("path", { class: "middle", d: `M0 ${deep / 2} H${this.#wide}` }),
    );
    for (const ply of [review.phases.middlegame, review.phases.endgame]) if (ply) svg.append(draw("path", { class: "phase", d: `M${this.#x(ply)} 0 V${deep}` }));
    svg.append(draw("path", { class: "curve", d: `M${points.join(" L")}` }));
    if (review.times) svg.append(this.#times(review.times.spent));
    this.#finger = draw("path", { class: "finger off", d: `M0 0 V${high}` });
    this.#cursor = draw("path", { class: "cursor", d: `M0 0 V${high}` });
    svg.append(this.#finger, this.#cursor);
    for (const { ply, judgement, evaluation } of review.moves) if (judgement) svg.append(mark(judgement, this.#x(ply), y(evaluation.chances), deep, ply === this.#ply));
    this.element.replaceChildren(svg);
    this.#cursor.setAttribute("transform", `translate(${this.#x(this.#ply)} 0)`);
  }

  /** Bars: White's up, Black's down. @param {(number | null)[]} spent */
  #times(spent) {
    const group = draw("g", { transform: `translate(0 ${this.#deep + 6})` });
    const most = Math.max(1, ...spent.map((time) => time ?? 0));
    const middle = TIMES_HIGH / 2;
    const wide = Math.max(1, this.#x(1) - 1);
    const whites = this.#review?.moves[0]?.side === "white" ? 0 : 1;
    spent.forEach((time, index) => {
      if (!time) return;
      // Long thinks are so much longer than others that a root tells more.
      const high = Math.max(1, middle * Math.sqrt(time / most));
      const up = index % 2 === whites;
      group.append(draw("rect", { class: up ? "spent-white" : "spent-black", x: this.#x(index) + 0.5, y: up ? middle - high : middle, width: wide, height: high }));
    });
    group.append(draw("path", { class: "middle", d: `M0 ${middle} H${this.#wide}` }));
    return group;
  }
}

/** Marks differ by shape as well as by colour: mistakes are round, blunders square. @param {string} judgement @param {number} x @param {number} y @param {number} deep @param {boolean} here */
function mark(judgement, x, y, deep, here) {
  const at = `translate(${x.toFixed(1)} ${Math.min(deep - 6, Math.max(6, y)).toFixed(1)}) scale(${here ? 1.35 : 1})`;
  if (judgement === "blunder") return draw("path", { class: "mark blunder", d: "M0 -5.6 L5.6 0 L0 5.6 L-5.6 0 Z", transform: at });
  return draw("circle", { class: `mark ${judgement}`, r: judgement === "mistake" ? 4.5 : 3.5, transform: at });
}
