/**
 * The review of the game that is studied: asked for here, made by the server, kept with the game.
 *
 * @typedef {import("./api.js").Review} Review
 * @typedef {import("./api.js").Reviewed} Reviewed
 * @typedef {import("./api.js").Stage} Stage
 * @typedef {import("../../types.js").Side} Side
 */
import { page } from "../study/page.js";
import { tone } from "../study/tree.js";
import { begin, find, listen, look } from "./api.js";
import { make } from "./dom.js";
import { Graph } from "./graph.js";

/** @type {Record<string, number>} the numbers of the glyphs */
const GLYPHS = { inaccuracy: 6, mistake: 2, blunder: 4 };
/** @type {["inaccuracies" | "mistakes" | "blunders", string, string][]} */
const COUNTS = [["inaccuracies", "inaccuracy", "Inaccuracies"], ["mistakes", "mistake", "Mistakes"], ["blunders", "blunder", "Blunders"]];
/** @type {Side[]} */
const SIDES = ["white", "black"];

class ReviewPanel {
  #holder = /** @type {HTMLElement} */ (document.getElementById("review"));
  #main = /** @type {HTMLElement} */ (document.querySelector("main.study"));
  /** What the review is of: the study and its main line. */
  #game = "";
  /** @type {string | null} */
  #key = null;
  /** @type {Review | null} */
  #review = null;
  /** Whether the address asks for a review of the game that is opened first. */
  #wanted = page.wantsReview;
  /** The game for which a review was asked here. */
  #asked = "";
  #stop = () => {};
  #graph = new Graph((ply) => this.#go(ply), (ply) => this.#tell(ply));
  #readout = make("p", { class: "readout" });
  #words = make("p", { class: "muted", role: "status" });
  #progress = make("progress", { "aria-label": "Progress of the review" });
  #button = make("button", { type: "button", id: "act-review", class: "main" }, "Review the game");

  constructor() {
    this.#holder.setAttribute("aria-label", "Review");
    this.#button.addEventListener("click", () => void this.#begin());
    page.addEventListener("change", () => this.#change());
    this.#change();
  }

  /** The study has changed, or one stands elsewhere in it. */
  #change() {
    const { outline } = page;
    if (!outline) return;
    const game = `${outline.id} ${outline.result} ${page.mainLine.map((id) => outline.nodes[id].uci).join(" ")}`;
    if (game !== this.#game) {
      this.#game = game;
      void this.#find();
    } else this.#stand();
  }

  /** Looks whether the review is there already. */
  async #find() {
    this.#stop();
    this.#show(null);
    const { id } = page;
    const game = this.#game;
    this.#holder.hidden = false;
    this.#button.disabled = page.mainLine.length < 2;
    if (this.#wanted) this.#asked = game;
    this.#wanted = false;
    if (id === null || page.mainLine.length < 2) return this.#offer("Play or paste a game, and it can be reviewed.");
    try {
      const found = await find(id);
      if (this.#game !== game) return;
      this.#key = found.key;
      if (found.state === "none" && this.#asked === game) await this.#begin();
      else if (found.state === "none") this.#offer("Accuracy of both sides, mistakes and what was better.");
      else this.#follow(found.key);
    } catch (error) {
      if (this.#game === game) this.#offer(sentence(error));
    }
  }

  /** @param {string} words */
  #offer(words) {
    this.#words.textContent = words;
    const opening = make("p", { class: "opening" }, page.outline?.opening ?? "");
    this.#holder.replaceChildren(make("div", { class: "ask" }, this.#button, this.#words, opening));
  }

  async #begin() {
    const { id } = page;
    const game = this.#game;
    if (id === null) return;
    this.#asked = game;
    try {
      const key = await begin(id);
      if (this.#game === game) this.#follow(key);
    } catch (error) {
      this.#asked = "";
      if (this.#game === game) this.#offer(sentence(error));
    }
  }

  /** Waits for a review that is being made. @param {string} key */
  #follow(key) {
    this.#key = key;
    this.#progress.removeAttribute("value");
    this.#words.textContent = "";
    this.#holder.replaceChildren(make("div", { class: "ask" }, this.#progress, this.#words));
    this.#stop();
    // After a restart the server knows nothing of it: it is asked for again.
    this.#stop = listen(key, (stage) => void this.#hear(stage), () => void setTimeout(() => this.#key === key && !this.#review && this.#find(), 1000));
  }

  /** @param {Stage} stage */
  async #hear({ state, before, done, of }) {
    if (state === "waiting") this.#words.textContent = before ? `Waiting: ${before} ${before === 1 ? "game comes" : "games come"} first.` : "Waiting for the engine.";
    else if (state === "running" && of) {
      this.#progress.max = of;
      this.#progress.value = done ?? 0;
      this.#words.textContent = `Reviewing: ${done} of ${of} positions`;
    } else if (state === "done" && this.#key) {
      const [game, key] = [this.#game, this.#key];
      const { review } = await look(key);
      if (review && game === this.#game) this.#show(review);
    } else if (state === "none") this.#offer("The review was not finished; ask for it again.");
  }

  /** @param {Review | null} review */
  #show(review) {
    this.#review = review;
    this.#main.classList.toggle("reviewed", review !== null);
    this.#main.classList.toggle("timed", Boolean(review?.times));
    if (!review) {
      page.adorn(new Map());
      return;
    }
    const judged = review.moves.filter((move) => move.judgement !== null);
    page.adorn(new Map(judged.map((move) => [page.mainLine[move.ply], { number: GLYPHS[move.judgement ?? ""], symbol: move.symbol ?? "" }])));
    const opening = review.opening ? `${review.opening.eco} ${review.opening.name}` : "";
    const picture = make("div", { class: "picture" }, make("div", { class: "caption" }, make("p", { class: "opening", title: opening }, opening), this.#readout), this.#graph.element);
    this.#holder.replaceChildren(picture, this.#sides(review), this.#list(judged, review));
    this.#graph.show(review);
    this.#stand();
  }

  /** Accuracy and counts of both sides, and the way out. @param {Review} review */
  #sides(review) {
    const row = (/** @type {string} */ name, /** @type {(side: Side) => Node | string} */ cell) =>
      make("tr", {}, make("th", { scope: "row" }, name), ...SIDES.map((side) => make("td", {}, cell(side))));
    const percent = (/** @type {Side} */ side) => {
      const { accuracy } = review[side];
      return make("strong", {}, accuracy === null ? "–" : `${accuracy.toFixed(1)} %`);
    };
    const count = (/** @type {typeof COUNTS[number]} */ [many, one, name]) => (/** @type {Side} */ side) => {
      const number = review[side][many];
      const button = make("button", { type: "button", class: `count ${one}`, "data-side": side, "data-judgement": one, "aria-label": `${name} of ${side === "white" ? "White" : "Black"}: ${number}, to the next` }, String(number));
      button.disabled = number === 0;
      button.addEventListener("click", () => this.#next(side, one));
      return button;
    };
    const link = make("a", { href: `/api/reviews/${this.#key}/record?study=${page.id}`, download: "" }, "PGN with the review");
    return make(
      "div",
      { class: "sides" },
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, make("td", {}), ...SIDES.map((side) => make("th", { scope: "col", "data-side": side }, side === "white" ? "White" : "Black")))),
        make("tbody", {}, row("Accuracy", percent), ...COUNTS.map((one) => row(one[2], count(one))), row("Average loss", (side) => String(review[side].loss ?? "–"))),
      ),
      link,
    );
  }

  /** The moves that were judged, each with what was better. @param {Reviewed[]} judged @param {Review} review */
  #list(judged, review) {
    const items = judged.map((move) => {
      const at = make("button", { type: "button", class: "at", "data-ply": String(move.ply) }, name(move), make("span", { class: `sign-${tone(GLYPHS[move.judgement ?? ""])}` }, move.symbol ?? ""));
      at.addEventListener("click", () => this.#go(move.ply));
      const line = make("button", { type: "button", class: "line", "aria-label": `Show ${move.better.join(" ")}` }, move.better.join(" "));
      line.addEventListener("click", () => void this.#play(move));
      return make("li", {}, at, make("span", {}, move.sentence ?? ""), line);
    });
    const times = review.times;
    const spent = times ? SIDES.map((side) => make("p", { class: "muted" }, this.#thought(side, times, review))) : [];
    const none = judged.length ? [] : [make("p", { class: "muted" }, "No move was judged: well played on both sides.")];
    return make("div", { class: "judged" }, ...none, make("ol", {}, ...items), ...spent);
  }

  /** @param {Side} side @param {import("./api.js").Times} times @param {Review} review */
  #thought(side, times, review) {
    const own = times[side];
    const longest = own.longest.map((ply) => `${name(review.moves[ply - 1])} (${clock(times.spent[ply - 1] ?? 0)})`);
    const trouble = own.trouble === null ? "" : `; short of time from ${name(review.moves[own.trouble - 1])}`;
    return `${side === "white" ? "White" : "Black"} thought ${clock(own.total)}${longest.length ? `, longest about ${longest.join(", ")}` : ""}${trouble}.`;
  }

  /** @param {number} ply */
  #go(ply) {
    const node = page.mainLine[ply];
    if (node !== undefined) void page.jump(node);
  }

  /** To the next move of that kind, from where one stands and round. @param {Side} side @param {string} judgement */
  #next(side, judgement) {
    const all = (this.#review?.moves ?? []).filter((move) => move.side === side && move.judgement === judgement);
    const here = page.mainLine.indexOf(page.node);
    const next = all.find((move) => move.ply > here) ?? all[0];
    if (next) this.#go(next.ply);
  }

  /** Shows the better line in the tree, from its first move. @param {Reviewed} move */
  async #play(move) {
    const before = page.mainLine[move.ply - 1];
    if (!page.ours) return this.#go(move.ply - 1);
    await page.step({ step: "line", node: before, moves: move.better_uci });
    const first = page.outline?.nodes.find((node) => node.parent === before && node.san === move.better[0]);
    if (first) await page.jump(first.id);
  }

  /** Where one stands, in the picture and in words. */
  #stand() {
    if (!this.#review) return;
    const ply = page.mainLine.indexOf(page.node);
    this.#graph.mark(ply < 0 ? null : ply, this.#sentence(Math.max(0, ply)));
    this.#tell(null);
    for (const button of this.#holder.querySelectorAll(".judged .at")) button.toggleAttribute("data-here", /** @type {HTMLElement} */ (button).dataset.ply === String(ply));
  }

  /** Tells of a move, or of the one where one stands. @param {number | null} ply */
  #tell(ply) {
    const here = page.mainLine.indexOf(page.node);
    this.#readout.textContent = ply === null && here < 0 ? "In a variation" : this.#sentence(ply ?? here);
  }

  /** @param {number} ply */
  #sentence(ply) {
    const review = this.#review;
    if (!review) return "";
    const move = review.moves[ply - 1];
    const { text, chances, over } = move?.evaluation ?? review.start;
    const what = move ? `${name(move)}${move.symbol ?? ""}` : "Start";
    return over ? `${what} · ${over}` : `${what} · ${text} · White ${Math.round(chances)} %`;
  }
}

/** @param {{ number: number, side: Side, san: string }} move */
function name({ number, side, san }) {
  return `${number}${side === "white" ? "." : "…"} ${san}`;
}

/** @param {number} seconds */
function clock(seconds) {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, String(whole % 60).padStart(2, "0")];
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** @param {unknown} error */
function sentence(error) {
  return error instanceof Error ? error.message : String(error);
}

new ReviewPanel();
