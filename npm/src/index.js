/** Chess for browsers and Node. What is promised is in `index.d.ts`. */
import { compile, start, TabiyaError } from "../program/program.js";

export { Engine } from "./engine.js";
export { TabiyaError };

/** The rules answer at once: the program is there when this module is. */
const ask = start(await compile());

export class Position {
  #start;
  #moves;
  #known;

  /** @param {string} [fen] @param {string[]} [moves] */
  constructor(fen, moves = []) {
    this.#start = fen;
    this.#moves = [...moves];
    this.#known = ask({ call: "position", at: this.at });
  }

  /** @param {number} number */
  static chess960(number) {
    return new Position(ask({ call: "chess960", number }).fen);
  }

  /** Where the game began, and the moves since then. */
  get at() {
    return { fen: this.#start, moves: this.#moves };
  }

  get fen() { return this.#known.fen; }
  get turn() { return this.#known.turn; }
  get check() { return this.#known.check; }
  get outcome() { return this.#known.outcome; }
  get claimable() { return this.#known.claimable; }
  get halfmoveClock() { return this.#known.halfmove_clock; }
  get fullmoveNumber() { return this.#known.fullmove_number; }
  get pieces() { return this.#known.pieces; }
  get moves() { return this.#known.moves; }
  get history() { return [...this.#moves]; }

  /** @param {string} move */
  play(move) {
    const { uci } = ask({ call: "play", at: this.at, move });
    return new Position(this.#start, [...this.#moves, uci]);
  }

  /** @param {string} move */
  isLegal(move) {
    try {
      return Boolean(ask({ call: "play", at: this.at, move }));
    } catch {
      return false;
    }
  }

  /** @param {string} move */
  san(move) {
    return ask({ call: "play", at: this.at, move }).san;
  }

  /** @param {string} move */
  uci(move) {
    return ask({ call: "play", at: this.at, move }).uci;
  }

  /** @param {number} depth */
  perft(depth) {
    return ask({ call: "perft", at: this.at, depth });
  }

  /** What `<tabiya-board>` shows. */
  get board() {
    const { pieces, destinations, last, check, turn } = this.#known;
    return { columns: 8, rows: 8, pieces, destinations, last, check, turn, marks: [] };
  }

  toString() {
    return this.fen;
  }
}

/** @param {string} text */
export function readPgn(text) {
  return ask({ call: "read-pgn", text });
}

/** @param {object} game */
export function writePgn(game) {
  return ask({ call: "write-pgn", game });
}

