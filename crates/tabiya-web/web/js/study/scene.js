/**
 * What the board shows besides the pieces: arrows of the engine or of a review, signs, the evaluation; and the search for a better
 * move, during which the board plays nothing into the study.
 *
 * @typedef {import("./boards.js").Known} Known
 * @typedef {import("../../types.js").Mark} Mark
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../board/board.js").TabiyaBoard} BoardElement
 * @typedef {{ from: string, to: string, promotion: string | null } | { text: string }} Tried
 *
 * @typedef {object} Sources
 * @property {() => Mark[]} lines the engine's moves
 * @property {(board: Known) => Mark[]} always what is shown in any case
 * @property {() => { chances: number, score: string } | null} best what the engine thinks
 */
import { Bar } from "../bar.js";
import { get } from "../dom.js";

export class Scene {
  #element;
  #sources;
  #bar = new Bar(get("eval"), "The engine's evaluation");
  /** @type {Known | null} */
  #board = null;
  /** What a review points out at this move. @type {Mark[]} */
  #pointed = [];
  /** What a review thinks of this position. @type {{ chances: number, text: string } | null} */
  #evaluation = null;
  /** Whether the board shows a move that is not in the study. */
  #held = false;
  /** Who is told of moves while a better one is looked for. @type {((move: Tried) => void) | null} */
  tried = null;

  /** @param {BoardElement} element @param {Sources} sources */
  constructor(element, sources) {
    this.#element = element;
    this.#sources = sources;
  }

  /** What a review thinks of the position. */
  get evaluation() {
    return this.#evaluation;
  }

  /** @param {Known} board */
  show(board) {
    this.#board = board;
    this.draw();
  }

  /** One goes elsewhere: what was said of the move before is not said of the next. */
  clear() {
    this.tried = null;
    this.#held = false;
    this.#pointed = [];
    this.#evaluation = null;
  }

  /** Points something out at this move, and says what it is worth. @param {Mark[]} marks @param {{ chances: number, text: string } | null} evaluation White's chances, in per cent */
  tell(marks, evaluation) {
    this.#pointed = marks;
    this.#evaluation = evaluation;
    this.draw();
  }

  /** Lets somebody look for a move; nothing ends it. @param {((move: Tried) => void) | null} tried */
  exercise(tried) {
    this.tried = tried;
    this.#held = false;
    this.draw();
  }

  /** Leaves the board as it was moved, with these marks, until one goes on. @param {Mark[]} marks */
  hold(marks) {
    this.#held = true;
    this.#element.position = { ...this.#element.position, destinations: [], marks };
  }

  /** Puts a move back that was tried, and says why. @param {Tried} tried @param {string} sentence */
  object(tried, sentence) {
    this.draw();
    this.#element.refuse("from" in tried ? tried : null, sentence);
  }

  draw() {
    const board = this.#board;
    if (!board) return;
    const { lines, always, best } = this.#sources;
    const marks = this.tried ? [] : [...always(board), ...(this.#pointed.length ? this.#pointed : lines())];
    if (!this.#held) this.#element.position = { ...board, marks };
    const line = this.tried ? null : best();
    const { bottom } = this.#element;
    if (line) this.#bar.show(line.chances, line.score, bottom);
    else if (this.#evaluation) this.#bar.show(this.#evaluation.chances / 100, worth(this.#evaluation.text), bottom);
    else this.#bar.hide();
  }
}

/** A result as it is printed; other evaluations as they are. @param {string} text */
function worth(text) {
  return text === "1/2-1/2" ? "½" : /^[01]-[01]$/.test(text) ? text.replace("-", "–") : text;
}
