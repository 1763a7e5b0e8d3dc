/**
 * The pieces on the board as elements that glide from one position to the next.
 *
 * @typedef {import("../types.js").Man} Man
 * @typedef {import("./geometry.js").Layout} Layout
 * @typedef {import("./pieces.js").Set} Set
 * @typedef {{ man: Man, element: HTMLElement }} Figure
 */
import { onScreen } from "./geometry.js";
import { piece } from "./pieces.js";

/** As long as the fade of a captured piece in the style sheet. */
const FADE_MS = 180;

export class Men {
  /** @type {Map<string, Figure>} */
  #figures = new Map();
  #holder;
  /** @type {Layout} */
  #layout = { columns: 8, rows: 8, bottom: "white" };
  /** @type {Set} */
  #set = "vector";

  /** @param {HTMLElement} holder */
  constructor(holder) {
    this.#holder = holder;
  }

  /** Draws everything anew, at once: after a flip, or with another set. @param {Layout} layout @param {Set} set */
  reset(layout, set) {
    this.#layout = layout;
    this.#set = set;
    this.#holder.replaceChildren();
    const men = [...this.#figures.values()].map((figure) => figure.man);
    this.#figures.clear();
    for (const man of men) this.#add(man);
  }

  /**
   * Shows these pieces. Those that have moved glide, those that are gone fade, new ones appear.
   *
   * @param {Man[]} men @param {[string, string] | null} last the move that led here, to tell twins apart
   */
  show(men, last) {
    const staying = new Map();
    /** @type {Man[]} */
    const coming = [];
    for (const man of men) {
      const figure = this.#figures.get(man.at);
      if (figure && same(figure.man, man)) {
        staying.set(man.at, figure);
        this.#figures.delete(man.at);
      } else coming.push(man);
    }
    const leaving = [...this.#figures.values()];
    this.#figures = staying;
    for (const man of coming) {
      const figure = takeTwin(leaving, man, last);
      if (figure) this.#move(figure, man);
      else this.#add(man);
    }
    for (const { element } of leaving) {
      element.classList.add("gone");
      setTimeout(() => element.remove(), FADE_MS);
    }
  }

  /** @param {string} at @returns {HTMLElement | undefined} */
  element(at) {
    return this.#figures.get(at)?.element;
  }

  /** Lets the piece follow a finger, in squares from the top left of the board. @param {string} at @param {number} x @param {number} y */
  drag(at, x, y) {
    const element = this.element(at);
    if (!element) return;
    element.classList.add("dragged");
    put(element, x - 0.5, y - 0.5);
  }

  /** Ends a drag: the piece is at home again, without gliding if it was dropped where it goes. @param {string} at */
  release(at) {
    const figure = this.#figures.get(at);
    if (!figure) return;
    figure.element.classList.remove("dragged");
    this.#home(figure);
  }

  /** @param {Man} man */
  #add(man) {
    const element = document.createElement("div");
    element.className = "man";
    element.append(piece(man.shape, man.side, this.#set));
    const figure = { man, element };
    this.#figures.set(man.at, figure);
    this.#home(figure);
    this.#holder.append(element);
  }

  /** @param {Figure} figure @param {Man} man */
  #move(figure, man) {
    figure.man = man;
    figure.element.classList.remove("dragged");
    this.#figures.set(man.at, figure);
    this.#home(figure);
    this.#holder.append(figure.element); // above all others while it glides
  }

  /** @param {Figure} figure */
  #home({ man, element }) {
    const { x, y } = onScreen(man.at, this.#layout);
    put(element, x, y);
  }
}

/** @param {Man} a @param {Man} b */
function same(a, b) {
  return a.side === b.side && a.shape === b.shape;
}

/**
 * Takes from those leaving the piece that is now somewhere else: by the last move if it tells, else the nearest.
 *
 * @param {Figure[]} leaving @param {Man} man @param {[string, string] | null} last
 * @returns {Figure | undefined}
 */
function takeTwin(leaving, man, last) {
  const twins = leaving.filter((figure) => same(figure.man, man));
  const moved = last && last[1] === man.at
    ? leaving.find((figure) => figure.man.at === last[0] && same(figure.man, man))
    : undefined;
  const distance = (/** @type {Figure} */ { man: { at } }) =>
    Math.abs(at.charCodeAt(0) - man.at.charCodeAt(0)) + Math.abs(Number(at.slice(1)) - Number(man.at.slice(1)));
  const twin = moved ?? twins.sort((a, b) => distance(a) - distance(b))[0];
  if (twin) leaving.splice(leaving.indexOf(twin), 1);
  return twin;
}

/** @param {HTMLElement} element @param {number} x @param {number} y */
function put(element, x, y) {
  element.style.transform = `translate(${x * 100}%, ${y * 100}%)`;
}
