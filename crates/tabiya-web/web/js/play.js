/**
 * The page of one game: shows what the house tells, and passes on what people do.
 *
 * @typedef {import("../types.js").View & { id: number, take_backs: boolean, position: string }} View
 * @typedef {import("../types.js").Side} Side
 * @typedef {import("../board/board.js").TabiyaBoard} Board
 */
import "../board/board.js";
import { spoken } from "../board/speech.js";
import { Actions } from "./actions.js";
import { ask, listen, Refused, tokens } from "./api.js";
import { Moves } from "./moves.js";
import { NewGame } from "./newgame.js";
import { SeatView } from "./seat.js";
import "./settings.js";
import { play } from "./sound.js";

const kind = /** @type {"chess" | "bishops"} */ (document.body.dataset.game);
const CURRENT = `tabiya.current.${kind}`;

/** What lies on a table before anybody sits down. @type {import("../types.js").Position} */
const SET_UP = {
  columns: 8, rows: 8, reach: [], last: null, check: null, turn: "white", marks: [],
  men: /** @type {const} */ (["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"]).flatMap((shape, column) => {
    const file = "abcdefgh"[column];
    return [
      { at: `${file}1`, side: "white", shape }, { at: `${file}2`, side: "white", shape: "pawn" },
      { at: `${file}8`, side: "black", shape }, { at: `${file}7`, side: "black", shape: "pawn" },
    ];
  }),
};

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

class Page {
  #board = /** @type {Board} */ (/** @type {unknown} */ (get("board")));
  #status = get("status");
  #far = new SeatView(get("seat-far"));
  #near = new SeatView(get("seat-near"));
  #moves = new Moves(get("moves"), (ply) => void this.browse(ply));
  #newGame = new NewGame(kind, (view) => this.#enter(view.id, /** @type {View} */ (view)));
  #actions = new Actions(get("actions"), this);
  /** @type {View | null} */
  view = null;
  /** @type {number | null} the half-move that is looked at, if not the last */
  #ply = null;
  #flipped = false;
  #stop = () => {};
  #lost = false;

  constructor() {
    this.#board.addEventListener("move", (event) => {
      const { from, to, becomes } = /** @type {CustomEvent} */ (event).detail;
      void this.#move({ from, to, becomes: becomes ?? undefined });
    });
    this.#board.addEventListener("typed", (event) => void this.#move({ text: /** @type {CustomEvent} */ (event).detail.text }));
    this.#board.addEventListener("ask", (event) => void this.#answer(/** @type {CustomEvent} */ (event).detail));
    for (const [id, step] of /** @type {const} */ ([["first", -Infinity], ["previous", -1], ["next", 1], ["latest", Infinity]]))
      get(id).addEventListener("click", () => this.#step(step));
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("settings", () => this.view && this.#show(this.view));
    const asked = new URLSearchParams(location.search).get("game") ?? localStorage.getItem(CURRENT);
    if (asked && /^\d+$/.test(asked)) void this.#open(Number(asked));
    else this.#welcome();
  }

  /** The sides that this browser plays. */
  get #own() {
    const seats = this.view ? tokens(this.view.id) : { white: null, black: null };
    return /** @type {Side[]} */ (["white", "black"]).filter((side) => seats[side]);
  }

  /** A side to speak for: the one to move if it is ours, else the one we have. */
  get side() {
    const own = this.#own;
    return this.view && own.includes(this.view.turn) ? this.view.turn : (own[0] ?? null);
  }

  get plays() {
    return this.#own.length > 0;
  }

  newGame() {
    this.#newGame.open();
  }

  flip() {
    this.#flipped = !this.#flipped;
    if (this.view) this.#show(this.view);
  }

  /** Another game of the same kind, the computer so much stronger, sides swapped. @param {number} by */
  async rematch(by) {
    const view = this.view;
    const order = view && JSON.parse(localStorage.getItem(`tabiya.order.${view.id}`) ?? "null");
    if (!order) return this.newGame();
    const level = (/** @type {string} */ now) => (by === 0 ? Number(now) : Math.max(400, Math.min(2400, Number(now) + by)));
    const stronger = (/** @type {string} */ player) => player.replace(/^tabiya:(\d+)$/, (_, now) => `tabiya:${level(now)}`);
    const next = { ...order, white: stronger(order.black), black: stronger(order.white) };
    await this.#try(() => this.#newGame.again(next));
    if (this.view) localStorage.setItem(`tabiya.order.${this.view.id}`, JSON.stringify(next));
  }

  /** @param {string} request @returns {Promise<void>} */
  async request(request) {
    await this.#try(async () => {
      if (!this.view) return;
      if (request.startsWith("take-back")) this.#board.cancelPremove();
      const side = request === "accept-draw" ? other(this.view.draw.offered ?? "black") : this.side;
      const token = side && tokens(this.view.id)[side];
      const { said, view } = await ask("POST", `/games/${this.view.id}/requests`, { body: { request }, token });
      this.#take(view);
      if (said) this.say(said);
    });
  }

  /** Says a sentence, to eyes and to ears. @param {string} text @param {boolean} [bad] */
  say(text, bad = false) {
    this.#status.textContent = text;
    this.#status.classList.toggle("bad", bad);
  }

  /** Shows an earlier position. @param {number} ply */
  async browse(ply) {
    const view = this.view;
    if (!view) return;
    if (ply >= view.moves.length) {
      this.#ply = null;
      return this.#show(view);
    }
    await this.#try(async () => {
      const then = await ask("GET", `/games/${view.id}/positions/${ply}`);
      if (this.view !== view) return;
      this.#ply = ply;
      this.#board.movable = null;
      this.#board.position = then;
      this.#moves.show(view.moves, ply);
      this.say(ply ? `After ${view.moves[ply - 1].text}, move ${view.moves[ply - 1].number}` : "The start of the game");
    });
  }

  /** The solver's word on this position. */
  async verdict() {
    this.say("The solver is looking…");
    await this.#try(async () => {
      const { text, line } = await ask("GET", `/games/${this.view?.id}/verdict?moves=4`);
      this.say(line ? `${text} ${line.join(" ")}` : text);
    });
  }

  /** @param {number} by */
  #step(by) {
    const length = this.view?.moves.length ?? 0;
    void this.browse(Math.max(0, Math.min(length, (this.#ply ?? length) + by)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("input, textarea, select, dialog, .tb-cells")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#step(step);
  }

  #welcome() {
    this.say("Begin a game.");
    if (kind === "chess") this.#board.position = SET_UP;
    this.#actions.show(null);
    this.#newGame.open();
  }

  /** @param {number} id */
  async #open(id) {
    try {
      const view = await ask("GET", `/games/${id}`);
      if (view.kind !== kind) location.replace(`${view.kind === "chess" ? "/" : "/bishops"}?game=${id}`);
      else this.#enter(id, view);
    } catch (error) {
      localStorage.removeItem(CURRENT);
      this.#welcome();
      if (error instanceof Refused && error.status !== 404) this.say(error.message, true);
    }
  }

  /** @param {number} id @param {View} view */
  #enter(id, view) {
    this.#stop();
    this.view = null;
    this.#ply = null;
    this.#flipped = false;
    localStorage.setItem(CURRENT, String(id));
    history.replaceState(null, "", `?game=${id}`);
    this.#take(view);
    this.#stop = listen(id, (next) => this.#take(/** @type {View} */ (next)), (lost) => {
      if (lost) this.say("The house does not answer; waiting for it…", true);
      else if (this.#lost && this.view) this.#show(this.view);
      this.#lost = lost;
    });
  }

  /** Takes in what the house tells, unless it is old news. @param {View} view */
  #take(view) {
    const old = this.view;
    if (old && (view.id !== old.id || view.sequence < old.sequence)) return;
    this.view = view;
    if (old && view.moves.length < old.moves.length) this.#board.cancelPremove();
    if (view.end) this.#board.cancelPremove();
    const moved = old !== null && view.moves.length > old.moves.length;
    if (old && view.sequence === old.sequence && this.#ply !== null) return;
    if (!old || view.moves.length !== old.moves.length || this.#ply === null) this.#show(view);
    if (moved || (view.end && !old?.end && old)) this.#tell(view, moved);
  }

  /** Lets a new move be heard. @param {View} view @param {boolean} moved */
  #tell(view, moved) {
    const last = view.moves.at(-1);
    const words = moved && last ? `${last.side === "white" ? "White" : "Black"}: ${spoken(last.text)}.` : "";
    this.#board.say(`${words} ${view.end?.text ?? ""}`.trim());
    if (view.end) play("end");
    else if (view.check) play("check");
    else if (moved) play(last?.text.includes("x") || takenBy(view) > this.#taken ? "capture" : "move");
    this.#taken = takenBy(view);
  }

  #taken = 0;

  /** @param {View} view */
  #show(view) {
    this.#ply = null;
    const bottom = this.#flipped ? other(view.bottom) : view.bottom;
    const own = this.#own;
    const seat = (/** @type {Side} */ side) => view.seats[side === "white" ? 0 : 1];
    this.#board.bottom = bottom;
    this.#board.movable = view.end || own.length === 0 ? null : own.length === 2 ? "both" : own[0];
    this.#board.position = view;
    this.#near.show(seat(bottom), bottom, view.turn === bottom && !view.end);
    this.#far.show(seat(other(bottom)), other(bottom), view.turn !== bottom && !view.end);
    this.#moves.show(view.moves, view.moves.length);
    this.#opinion(view, bottom);
    this.#actions.show(view);
    this.say(view.draw.offered && !own.includes(view.draw.offered) ? "A draw is offered." : view.status);
    document.title = `${view.status} · Tabiya`;
  }

  /** @param {View} view @param {Side} bottom */
  #opinion({ opinion }, bottom) {
    const bar = get("opinion");
    bar.hidden = !opinion;
    if (!opinion) return;
    const share = document.createElement("div");
    share.className = "share";
    const figure = document.createElement("span");
    figure.className = "figure";
    figure.textContent = opinion.text;
    bar.style.setProperty("--chances", `${Math.round(opinion.chances * 100)}%`);
    bar.classList.toggle("black", bottom === "black");
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", `The computer's opinion: ${opinion.text}`);
    bar.replaceChildren(share, figure);
  }

  /** @param {object} move */
  async #move(move) {
    const view = this.view;
    if (!view) return;
    try {
      const token = tokens(view.id)[view.turn] ?? (this.side && tokens(view.id)[this.side]);
      const { said, view: next } = await ask("POST", `/games/${view.id}/moves`, { body: move, token });
      this.#take(next);
      if (said && !next.end) this.say(said);
    } catch (error) {
      this.#show(this.view ?? view);
      this.#refuse(error);
    }
  }

  /** @param {() => Promise<unknown>} act */
  async #try(act) {
    try {
      await act();
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** @param {unknown} error */
  #refuse(error) {
    this.say(error instanceof Error ? error.message : String(error), true);
  }

  /** What the keyboard asks of the board in words. @param {{ question: string, at: string }} asked */
  async #answer({ question, at }) {
    const view = this.view;
    if (!view) return;
    const last = view.moves.at(-1);
    if (question === "last") this.#board.say(last ? `${last.side}: ${spoken(last.text)}` : "No move yet.");
    else if (question === "clock") this.#board.say(`You: ${this.#near.clock}. Opponent: ${this.#far.clock}.`);
    else if (question === "status") this.#board.say(view.status);
    else if (question === "opinion") this.#board.say(view.opinion ? view.opinion.text : "The computer was not asked.");
    else if (question === "attackers")
      await this.#try(async () => this.#board.say((await ask("GET", `/games/${view.id}/attackers/${at}`)).text));
  }
}

/** @param {Side} side @returns {Side} */
function other(side) {
  return side === "white" ? "black" : "white";
}

/** @param {View} view */
function takenBy({ seats }) {
  return seats[0].captured.shapes.length + seats[1].captured.shapes.length;
}

new Page();
