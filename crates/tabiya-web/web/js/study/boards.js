/**
 * What the board shows after each move of a study, kept in the page: no step through it waits for the network. Only where the pieces
 * may go is asked for one by one, at the moves one stays at.
 *
 * @typedef {import("./api.js").Outline} Outline
 * @typedef {import("./api.js").Board} Board
 * @typedef {import("../../types.js").Seat["captured"]} Captured
 * @typedef {Omit<Board, "position"> & { position?: string, captured?: [Captured, Captured] }} Known without the FEN, its pieces may go nowhere yet
 */
import { piecesOf } from "../figures.js";
import { positions } from "./api.js";

export class Boards {
  #study = 0;
  /** @type {Outline | null} */
  #outline = null;
  /** @type {string[]} the moves that lead to each node: numbers change with every edit, these do not */
  #ways = [];
  /** @type {Map<string, Known>} */
  #known = new Map();
  #asking = false;

  /** Takes in a study; what is missing is asked for, all at once. @param {Outline} outline @param {() => void} arrived */
  take(outline, arrived) {
    if (outline.id !== this.#study) this.#known.clear();
    this.#study = outline.id;
    this.#outline = outline;
    this.#ways = [];
    for (const { id, parent, uci, san } of outline.nodes) this.#ways[id] = parent === null ? "" : `${this.#ways[parent]} ${uci || san}`;
    if (this.#ways.some((way) => !this.#known.get(way)?.captured)) void this.#ask(arrived);
  }

  /** @param {number} node @returns {Known | undefined} */
  at(node) {
    const known = this.#known.get(this.#ways[node]);
    return known && { ...known, node };
  }

  /** The moves that lead to a node. @param {number} node */
  way(node) {
    return this.#ways[node];
  }

  /** The node that these moves lead to. @param {string} way @returns {number | undefined} */
  find(way) {
    const node = this.#ways.indexOf(way);
    return node < 0 ? undefined : node;
  }

  /** Keeps a board that the server has told. @param {Board} board */
  put(board) {
    const way = this.#ways[board.node];
    if (way !== undefined) this.#known.set(way, { ...this.#known.get(way), ...board });
  }

  /** @param {() => void} arrived */
  async #ask(arrived) {
    const outline = this.#outline;
    if (!outline || this.#asking) return;
    this.#asking = true;
    try {
      const told = await positions(outline.id);
      if (told.sequence === this.#outline?.sequence && outline.id === this.#study) this.#fill(told.positions);
    } catch {
      // Then each is asked for when one comes to it.
    } finally {
      this.#asking = false;
    }
    if (this.#outline !== outline && this.#outline) this.take(this.#outline, arrived);
    else arrived();
  }

  /** @param {import("./api.js").Told[]} told */
  #fill(told) {
    this.#outline?.nodes.forEach(({ id, side }) => {
      const way = this.#ways[id];
      const { pieces, check, captured, last, end } = told[id];
      const known = this.#known.get(way);
      if (known) known.captured = captured;
      else
        this.#known.set(way, {
          node: id, columns: 8, rows: 8, pieces: piecesOf(pieces), destinations: [], last, check, marks: [], end, captured,
          turn: side === "white" ? "black" : "white",
        });
    });
  }
}
