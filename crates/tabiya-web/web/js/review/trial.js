/**
 * Somebody looks for a better move than the one that was played. The review's own is right; so is any other that the engine, which
 * looks along, holds to be nearly as good.
 *
 * @typedef {import("./api.js").Reviewed} Reviewed
 * @typedef {import("../study/scene.js").Tried} Tried
 */

/** White's chances may be so much worse than after the best move. */
const CLOSE = 0.04;
/** From this depth on the engine is believed. */
const DEEP = 10;

export class Trial {
  move;
  /** @type {"open" | "wrong" | "right"} */
  state = "open";
  /** What was tried last, as the person wrote or played it. */
  tried = "";
  /** @type {EventSource | null} */
  #source = null;
  /** @type {import("../study/lines.js").Report | null} */
  #report = null;

  /** @param {Reviewed} move @param {number} study @param {number} before the node it was played at */
  constructor(move, study, before) {
    this.move = move;
    this.#source = new EventSource(`/api/studies/${study}/lines?node=${before}&lines=5&engine=tabiya`);
    this.#source.addEventListener("lines", (event) => (this.#report = JSON.parse(event.data)));
    for (const end of ["failed", "ended"]) this.#source.addEventListener(end, () => this.close());
    this.#source.onerror = () => this.close();
  }

  close() {
    this.#source?.close();
    this.#source = null;
  }

  /** The moves that would do. @returns {{ uci: string, san: string }[]} */
  get #good() {
    const [uci, san] = [this.move.better_uci[0], this.move.better[0]];
    const own = { uci, san };
    const lines = this.#report && this.#report.depth >= DEEP ? this.#report.lines : [];
    const side = this.move.side === "white" ? 1 : -1;
    const close = lines.filter(({ chances }) => side * (lines[0].chances - chances) <= CLOSE).flatMap(({ moves }) => moves.slice(0, 1));
    return [own, ...close.filter((one) => one.uci !== uci && one.uci !== this.move.uci)];
  }

  /** The move that was meant, if it is good enough. @param {Tried} tried @returns {{ uci: string, san: string } | null} */
  judge(tried) {
    const fits = (/** @type {{ uci: string, san: string }} */ { uci, san }) =>
      "text" in tried ? [uci, plain(san)].includes(plain(tried.text)) : uci === code(tried) || (!tried.promotion && uci.slice(0, 4) === code(tried));
    const found = this.#good.find(fits) ?? null;
    this.tried = found?.san ?? ("text" in tried ? tried.text : "");
    this.state = found ? "right" : "wrong";
    if (found) this.close();
    return found;
  }
}

/** @param {{ from: string, to: string, promotion: string | null }} move */
function code({ from, to, promotion }) {
  return from + to + (promotion ? (promotion === "knight" ? "n" : promotion[0]) : "");
}

/** A move without what only adorns it. @param {string} text */
function plain(text) {
  return text.trim().replace(/[+#!?x=]/g, "").replaceAll("0", "O");
}
