/**
 * The review of the game that is studied: asked for here, made by the server, kept with the game.
 *
 * @typedef {import("./api.js").Review} Review
 * @typedef {import("./api.js").Reviewed} Reviewed
 * @typedef {import("./api.js").Stage} Stage
 * @typedef {import("../../types.js").Side} Side
 */
import { get, icon, make } from "../dom.js";
import { page } from "../study/page.js";
import { numbered } from "../study/tree.js";
import { begin, find, listen, look } from "./api.js";
import { line, searched, told } from "./card.js";
import { Deeper } from "./deeper.js";
import { Graph } from "./graph.js";
import { ReviewList } from "./list.js";
import { sides } from "./sides.js";
import { Trial } from "./trial.js";

/** @type {Record<string, number>} the numbers of the glyphs */
const GLYPHS = { inaccuracy: 6, mistake: 2, blunder: 4 };
/** @type {Side[]} */
const SIDES = ["white", "black"];

class ReviewPanel {
  #holder = get("panel-review");
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
  /** @type {Trial | null} */
  #trial = null;
  #stop = () => {};
  #graph = new Graph((ply) => this.#go(ply), (ply) => this.#tell(ply));
  #list = new ReviewList((ply) => this.#go(ply));
  #readout = make("span", { class: "readout" });
  #words = make("p", { class: "muted", role: "status" });
  #progress = make("progress", { "aria-label": "Progress of the review" });
  #button = make("button", { type: "button", id: "act-review", class: "main" }, icon("review"), "Review the game");
  #before = walker("act-mistake-before", "previous", "Mistake before");
  #after = walker("act-mistake-after", "next", "Next mistake");
  #where = make("span", { role: "status" });
  #deeper = new Deeper(() => this.#renew());

  constructor() {
    this.#before.addEventListener("click", () => this.#walk(-1));
    this.#after.addEventListener("click", () => this.#walk(1));
    if (this.#wanted) page.turn("review");
    this.#button.addEventListener("click", () => void this.#begin());
    page.addEventListener("change", () => this.#change());
    this.#change();
  }

  /** The study has changed, or one stands elsewhere in it. */
  #change() {
    const { outline } = page;
    if (!outline) return this.#rest();
    const game = `${outline.id} ${outline.result} ${page.mainLine.map((id) => outline.nodes[id].uci).join(" ")}`;
    if (game !== this.#game) {
      this.#game = game;
      void this.#find();
    } else this.#stand();
  }

  /** The study is put away. */
  #rest() {
    this.#stop();
    this.#deeper.close();
    this.#leave();
    this.#game = "";
  }

  /** Looks whether the review is there already. */
  async #find() {
    this.#stop();
    this.#show(null);
    const { id } = page;
    const game = this.#game;
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
    this.#holder.replaceChildren(make("div", { class: "ask" }, this.#words, this.#button));
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
    } else if (state === "done") await this.#renew();
    else if (state === "none") this.#offer("The review was not finished; ask for it again.");
  }

  /** Shows the review again, after a deeper look. */
  async #renew() {
    const [game, key] = [this.#game, this.#key];
    if (!key) return;
    const { review } = await look(key);
    if (review && game === this.#game) this.#show(review);
  }

  /** @param {Review | null} review */
  #show(review) {
    this.#review = review;
    this.#leave();
    if (!review) this.#deeper.close();
    page.count("review", this.#judged.length);
    page.adorn(new Map(this.#judged.map((move) => [page.mainLine[move.ply], { number: GLYPHS[move.judgement ?? ""], symbol: move.symbol ?? "" }])));
    if (!review) return page.scene.tell([], null);
    const table = sides(review, page.outline?.tags ?? {}, this.#readout, (side, judgement) => this.#next(side, judgement));
    this.#deeper.show(this.#key ?? "", review);
    this.#holder.replaceChildren(
      make("div", { class: "picture" }, this.#deeper.element, table, this.#graph.element, this.#scale(review)),
      make("div", { class: "walk" }, this.#before, this.#where, this.#deeper.button, this.#after),
      this.#list.element,
    );
    this.#list.show(review.moves, this.#end(review));
    this.#graph.show(review);
    this.#stand();
  }

  get #judged() {
    return this.#review?.moves.filter((move) => move.judgement !== null) ?? [];
  }

  /** The phases of the game, below the picture of it. @param {Review} review */
  #scale({ phases, moves }) {
    const { middlegame, endgame } = phases;
    const names = [["Opening", 0], ["Middlegame", middlegame], ["Endgame", endgame]].filter(([, ply], index) => index === 0 || ply);
    const share = (/** @type {string | number | null} */ ply) => Number(ply) / Math.max(1, moves.length);
    // What has no room for its name goes without.
    const shown = names.filter(([, ply], index) => share(names[index + 1]?.[1] ?? moves.length) - share(ply) > 0.2);
    const last = moves.at(-1)?.number ?? 0;
    const labels = shown.map(([name, ply]) => {
      const label = make("span", {}, String(name));
      label.style.left = `${(share(ply) * 100).toFixed(1)}%`;
      return label;
    });
    const room = share(shown.at(-1)?.[1] ?? 0) < 0.55;
    return make("div", { class: "scale" }, ...labels, ...(room ? [make("span", { class: "last" }, `${last} ${last === 1 ? "move" : "moves"}`)] : []));
  }

  /** What stands below the moves: the time that was used, and the way out. @param {Review} review */
  #end(review) {
    const { times } = review;
    const spent = times ? SIDES.map((side) => make("p", {}, this.#thought(side, times, review))) : [];
    const link = make("a", { href: `/api/reviews/${this.#key}/record?study=${page.id}`, download: "" }, "PGN with the review");
    return [make("li", { class: "after" }, ...spent, link)];
  }

  /** @param {Side} side @param {import("./api.js").Times} times @param {Review} review */
  #thought(side, times, review) {
    const own = times[side];
    const longest = own.longest.map((ply) => `${numbered(review.moves[ply - 1])} (${clock(times.spent[ply - 1] ?? 0)})`);
    const trouble = own.trouble === null ? "" : `; short of time from ${numbered(review.moves[own.trouble - 1])}`;
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

  /** From mistake to mistake. @param {1 | -1} by */
  #walk(by) {
    const here = this.#trial?.move.ply ?? this.#here;
    const all = this.#judged;
    const to = by > 0 ? all.find(({ ply }) => ply > here) : all.findLast(({ ply }) => ply < here);
    if (to) this.#go(to.ply);
  }

  /** The half-move where one stands; that before a variation, if it is in one. */
  get #here() {
    const nodes = page.outline?.nodes ?? [];
    let at = /** @type {number | null} */ (page.node);
    while (at !== null && !page.mainLine.includes(at)) at = nodes[at].parent;
    return at === null ? 0 : page.mainLine.indexOf(at);
  }

  /** Shows the better line in the tree, from its first move. @param {Reviewed} move */
  async #play(move) {
    const before = page.mainLine[move.ply - 1];
    if (!page.ours) return this.#go(move.ply - 1);
    await page.step({ step: "line", node: before, moves: move.better_uci });
    const first = page.outline?.nodes.find((node) => node.parent === before && node.san === move.better[0]);
    page.turn("moves");
    if (first) page.jump(first.id);
  }

  /** Lets somebody find the better move. @param {Reviewed} move */
  #try(move) {
    const before = page.mainLine[move.ply - 1];
    if (page.id === null || before === undefined) return;
    this.#leave();
    this.#trial = new Trial(move, page.id, before);
    page.jump(before);
    page.exercise((tried) => this.#hearTried(tried));
    this.#stand();
  }

  /** @param {import("../study/scene.js").Tried} tried */
  #hearTried(tried) {
    const trial = this.#trial;
    if (!trial || trial.state === "right") return;
    const found = trial.judge(tried);
    if (found) page.scene.hold([arrow(found.uci, "good")]);
    else page.scene.object(tried, "Not that one.");
    this.#stand();
  }

  /** Ends the search for a move. */
  #leave() {
    if (!this.#trial) return;
    this.#trial.close();
    this.#trial = null;
    page.exercise(null);
  }

  /** Where one stands, in the picture and in words. */
  #stand() {
    const review = this.#review;
    if (!review) return;
    if (this.#trial && (page.node !== page.mainLine[this.#trial.move.ply - 1] || page.tab !== "review")) this.#leave();
    const ply = page.mainLine.indexOf(page.node);
    const here = this.#trial?.move.ply ?? ply;
    this.#deeper.stand(this.#trial ? 0 : Math.max(0, ply));
    this.#graph.mark(ply < 0 ? null : ply, this.#sentence(Math.max(0, ply)));
    this.#tell(null);
    const judged = this.#judged;
    const index = judged.findIndex((move) => move.ply === here);
    const place = this.#trial?.move.ply ?? this.#here;
    const walked = index < 0 ? `${judged.length} to look at` : `${index + 1} of ${judged.length}`;
    this.#where.textContent = judged.length ? `${walked} · numbers are White’s` : "No move was judged: well played on both sides.";
    this.#before.disabled = !judged.some((move) => move.ply < place);
    this.#after.disabled = !judged.some((move) => move.ply > place);
    const card = index < 0 ? null : { ply: here, element: this.#card(judged[index]) };
    this.#list.mark(here, card);
    const shown = page.tab === "review" && card && !this.#trial ? this.#arrows(judged[index]) : [];
    page.scene.tell(shown, ply < 0 ? null : (review.moves[ply - 1]?.evaluation ?? review.start));
  }

  /** @param {Reviewed} move */
  #card(move) {
    const show = { id: "act-line", text: "Show the line", act: () => void this.#play(move) };
    const trial = this.#trial;
    if (trial) {
      const next = this.#judged.find(({ ply }) => ply > move.ply);
      const back = { id: "act-back", text: "Back to the game", act: () => this.#go(move.ply) };
      const on = next ? [{ id: "act-next", text: "Next mistake", act: () => this.#go(next.ply), main: true }] : [];
      return searched(move, trial.state, trial.tried, trial.state === "right" ? [...on, show, back] : [show, back]);
    }
    const from = this.#review?.moves[move.ply - 2]?.evaluation ?? this.#review?.start;
    const again = { id: "act-try", text: "Try again", act: () => this.#try(move), main: true };
    return told(move, move.better.length ? [again, show] : [], { from: /** @type {import("./api.js").Evaluation} */ (from), reply: this.#reply(move)?.text ?? "" });
  }

  /** What a judged move should be answered with. @param {Reviewed} move */
  #reply({ ply }) {
    const next = this.#review?.moves[ply];
    if (!next) return null;
    // Where nothing better is noted, what was played was best.
    const [uci, san] = next.better_uci.length ? [next.better_uci[0], next.better[0]] : [next.uci, next.san];
    return { uci, text: line(next, [san])[0] };
  }

  /** What was better in green, the answer in red. @param {Reviewed} move */
  #arrows(move) {
    const reply = this.#reply(move);
    return [...(reply ? [arrow(reply.uci, "bad")] : []), ...(move.better_uci.length ? [arrow(move.better_uci[0], "good")] : [])];
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
    const what = move ? `${numbered(move)}${move.symbol ?? ""}` : "Start";
    return over ? `${what} · ${over}` : `${what} · ${text} · White ${Math.round(chances)} %`;
  }
}

/** An arrow on the board for a move. @param {string} uci @param {"good" | "bad"} tone @returns {import("../../types.js").Mark} */
function arrow(uci, tone) {
  return { kind: "told", from: uci.slice(0, 2), to: uci.slice(2, 4), tone };
}

/** @param {string} id @param {string} picture @param {string} label */
function walker(id, picture, label) {
  return make("button", { type: "button", id, class: "icon", "aria-label": label, title: label }, icon(picture));
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
