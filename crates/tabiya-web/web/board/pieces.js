/**
 * The pieces on the board as elements that glide from one position to the next.
 *
 * @typedef {import("../types.js").Piece} Piece
 * @typedef {import("./geometry.js").Layout} Layout
 * @typedef {import("./artwork.js").Set} Set
 * @typedef {{ piece: Piece, element: HTMLElement }} Figure
 */
import { onScreen } from "./geometry.js";
import { artOf } from "./artwork.js";

/** As long as the fade of a captured piece in the style sheet. */
const FADE_MS = 180;

export class Pieces {
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
    const pieces = [...this.#figures.values()].map((figure) => figure.piece);
    this.#figures.clear();
    for (const piece of pieces) this.#add(piece);
  }

  /**
   * Shows these pieces. Those that have moved glide, those that are gone fade, new ones appear.
   *
   * @param {Piece[]} pieces @param {[string, string] | null} last the move that led here, to tell twins apart
   */
  show(pieces, last) {
    const staying = new Map();
    /** @type {Piece[]} */
    const coming = [];
    for (const piece of pieces) {
      const figure = this.#figures.get(piece.at);
      if (figure && same(figure.piece, piece)) {
        staying.set(piece.at, figure);
        this.#figures.delete(piece.at);
      } else coming.push(piece);
    }
    const leaving = [...this.#figures.values()];
    this.#figures = staying;
    for (const piece of coming) {
      const figure = takeTwin(leaving, piece, last);
      if (figure) this.#move(figure, piece);
      else this.#add(piece);
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

  /** Lets the piece say no. @param {string} at */
  shake(at) {
    const element = this.element(at);
    element?.classList.add("shaken");
    setTimeout(() => element?.classList.remove("shaken"), 300);
  }

  /** @param {Piece} piece */
  #add(piece) {
    const element = document.createElement("div");
    element.className = "piece";
    element.append(artOf(piece.role, piece.side, this.#set));
    const figure = { piece, element };
    this.#figures.set(piece.at, figure);
    this.#home(figure);
    this.#holder.append(element);
  }

  /** @param {Figure} figure @param {Piece} piece */
  #move(figure, piece) {
    figure.piece = piece;
    figure.element.classList.remove("dragged");
    this.#figures.set(piece.at, figure);
    this.#home(figure);
    this.#holder.append(figure.element); // above all others while it glides
  }

  /** @param {Figure} figure */
  #home({ piece, element }) {
    const { x, y } = onScreen(piece.at, this.#layout);
    put(element, x, y);
  }
}

/** @param {Piece} a @param {Piece} b */
function same(a, b) {
  return a.side === b.side && a.role === b.role;
}

/**
 * Takes from those leaving the piece that is now somewhere else: by the last move if it tells, else the nearest.
 *
 * @param {Figure[]} leaving @param {Piece} piece @param {[string, string] | null} last
 * @returns {Figure | undefined}
 */
function takeTwin(leaving, piece, last) {
  const twins = leaving.filter((figure) => same(figure.piece, piece));
  const moved = last && last[1] === piece.at
    ? leaving.find((figure) => figure.piece.at === last[0] && same(figure.piece, piece))
    : undefined;
  const distance = (/** @type {Figure} */ { piece: { at } }) =>
    Math.abs(at.charCodeAt(0) - piece.at.charCodeAt(0)) + Math.abs(Number(at.slice(1)) - Number(piece.at.slice(1)));
  const twin = moved ?? twins.sort((a, b) => distance(a) - distance(b))[0];
  if (twin) leaving.splice(leaving.indexOf(twin), 1);
  return twin;
}

/** @param {HTMLElement} element @param {number} x @param {number} y */
function put(element, x, y) {
  element.style.transform = `translate(${x * 100}%, ${y * 100}%)`;
}
