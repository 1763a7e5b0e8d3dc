/**
 * A deeper look: the move that is shown, or the whole game, is searched again with ten times the nodes. The review stays
 * where it is meanwhile.
 *
 * @typedef {import("./api.js").Review} Review
 * @typedef {import("./api.js").Stage} Stage
 */
import { icon, locale, make } from "../dom.js";
import { cancel, deepen, listen } from "./api.js";

const NUMBERS = new Intl.NumberFormat(locale);

export class Deeper {
  /** What stands above the picture of the game. */
  element = make("div", { class: "deeper" });
  /** For the move that is shown. */
  button = make("button", { type: "button", id: "act-deeper", class: "compact quiet", title: "Search this move again with ten times the nodes" }, icon("deeper"), "Deeper");
  #all = make("button", { type: "button", id: "act-deeper-all", class: "compact quiet", "aria-label": "Whole game deeper", title: "Search the whole game again with ten times the nodes" }, icon("deeper"), "Whole game");
  #off = make("button", { type: "button", id: "act-deeper-cancel", class: "compact quiet" }, "Cancel");
  #words = make("span", { class: "muted", role: "status" });
  #progress = make("progress", { "aria-label": "Progress of the deeper look", max: "1" });
  /** @type {Review | null} */
  #review = null;
  #key = "";
  #ply = 0;
  #done;
  #stop = () => {};

  /** @param {() => Promise<void>} done shows the review again */
  constructor(done) {
    this.#done = done;
    this.button.addEventListener("click", () => void this.#begin(this.#ply));
    this.#all.addEventListener("click", () => void this.#begin(null));
    this.#off.addEventListener("click", () => void this.#cancel());
  }

  /** @param {string} key @param {Review} review */
  show(key, review) {
    this.close();
    this.#key = key;
    this.#review = review;
    this.#rest("");
  }

  /** The half-move that is shown; 0 if none is. @param {number} ply */
  stand(ply) {
    this.#ply = ply;
    const { moves = [], start, deepest = 0 } = this.#review ?? {};
    const around = [moves[ply - 1]?.evaluation, moves[ply - 2]?.evaluation ?? start];
    const open = around.some((one) => one && one.nodes > 0 && one.nodes < deepest);
    this.button.disabled = ply < 1 || !open || this.#progress.isConnected;
  }

  close() {
    this.#stop();
    this.#stop = () => {};
  }

  /** @param {string} words instead of how deep the review is */
  #rest(words) {
    const review = this.#review;
    if (!review) return;
    const nodes = [review.start, ...review.moves.map(({ evaluation }) => evaluation)].map((one) => one.nodes).filter((one) => one > 0);
    const least = Math.min(...nodes, review.deepest);
    this.#words.textContent = words || `Searched with ${NUMBERS.format(least)} nodes a position`;
    this.element.replaceChildren(this.#words, ...(least < review.deepest ? [this.#all] : []));
    this.stand(this.#ply);
  }

  /** @param {number | null} ply */
  async #begin(ply) {
    const key = this.#key;
    this.#progress.removeAttribute("value");
    this.#words.textContent = ply === null ? "Searching the whole game again" : "Searching this move again";
    this.element.replaceChildren(this.#words, this.#progress, this.#off);
    this.stand(this.#ply);
    try {
      await deepen(key, ply);
      if (this.#key === key) this.#stop = listen(key, (stage) => void this.#hear(stage), () => this.#rest("The server does not answer."));
    } catch (error) {
      this.#rest(error instanceof Error ? error.message : String(error));
    }
  }

  async #cancel() {
    this.#words.textContent = "Stopping";
    await cancel(this.#key).catch(() => {});
  }

  /** @param {Stage} stage */
  async #hear({ state, done = 0, of }) {
    if (state === "running" && of) {
      this.#progress.max = of;
      this.#progress.value = done;
    } else if (state === "done") await this.#done();
    else if (state === "none") this.#rest("The deeper look was not finished.");
  }
}
