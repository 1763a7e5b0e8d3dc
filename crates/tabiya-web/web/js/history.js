/**
 * What the board showed after each half-move, kept in the page: no step through a game waits for the network.
 *
 * @typedef {import("../types.js").View} View
 * @typedef {{ pieces: import("../types.js").Piece[], check: string | null, captured: [Captured, Captured], opening: View["opening"], uci: string }} Past
 * @typedef {import("../types.js").Seat["captured"]} Captured
 */
import { ask } from "./api.js";
import { piecesOf } from "./figures.js";

export class History {
  #id = 0;
  /** @type {Past[]} one more than there are moves */
  #past = [];
  #asking = false;

  /** @param {number} ply @returns {Past | undefined} */
  at(ply) {
    return this.#past[ply];
  }

  /** Takes in where a game stands; what is missing is asked for, all at once. @param {View & { id: number }} view */
  async take(view) {
    if (view.id !== this.#id) {
      this.#id = view.id;
      this.#past = [];
    }
    const { length } = view.moves;
    this.#past.length = Math.min(this.#past.length, length + 1);
    // After a take-back the game may have gone another way.
    const same = view.moves.findIndex(({ uci }, index) => this.#past[index + 1] && this.#past[index + 1].uci !== uci);
    if (same >= 0) this.#past.length = same + 1;
    if (this.#past.length === length) this.#past.push(now(view));
    if (this.#past.length <= length) await this.#fetch(view);
  }

  /** @param {View & { id: number }} view */
  async #fetch({ id, moves }) {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const { positions } = await ask("GET", `/games/${id}/positions`);
      if (id !== this.#id) return;
      this.#past = positions.slice(0, moves.length + 1).map((/** @type {any} */ one, /** @type {number} */ ply) => ({ ...one, pieces: piecesOf(one.pieces), uci: ply ? moves[ply - 1].uci : "" }));
    } catch {
      // The next view asks again.
    } finally {
      this.#asking = false;
    }
  }
}

/** @param {View} view @returns {Past} */
function now({ pieces, check, seats, moves, opening }) {
  return { pieces, check, opening, captured: [seats[0].captured, seats[1].captured], uci: moves.at(-1)?.uci ?? "" };
}
