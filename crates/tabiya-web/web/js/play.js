/**
 * The page of one game: shows what the server tells, and passes on what people do.
 *
 * @typedef {import("../types.js").View & { id: number, take_backs: boolean, position: string }} View
 * @typedef {import("../types.js").Side} Side
 * @typedef {import("../board/board.js").TabiyaBoard} Board
 */
import "../board/board.js";
import { spoken } from "../board/speech.js";
import { Actions } from "./actions.js";
import { Bar, measure } from "./bar.js";
import { ask, keepSeats, Refused, tokens } from "./api.js";
import { JoinDialog, takeInvitation, WaitingRoom } from "./invite.js";
import { Moves } from "./moves.js";
import { NewGame } from "./newgame.js";
import { Outbox } from "./outbox.js";
import { SeatView } from "./seat.js";
import "./settings.js";
import { play } from "./sound.js";
import { Stream } from "./stream.js";
import { Talk, watchers } from "./talk.js";

const kind = /** @type {"chess" | "bishops"} */ (document.body.dataset.game);
const CURRENT = `tabiya.current.${kind}`;

/** What lies on a table before anybody sits down. @type {import("../types.js").Position} */
const SET_UP = {
  columns: 8, rows: 8, destinations: [], last: null, check: null, turn: "white", marks: [],
  pieces: /** @type {const} */ (["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"]).flatMap((role, column) => {
    const file = "abcdefgh"[column];
    return [
      { at: `${file}1`, side: "white", role }, { at: `${file}2`, side: "white", role: "pawn" },
      { at: `${file}8`, side: "black", role }, { at: `${file}7`, side: "black", role: "pawn" },
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
  #bar = new Bar(get("evaluation"), "The computer's evaluation");
  #actions = new Actions(get("actions"), this);
  /** @type {View | null} */
  view = null;
  /** @type {number | null} the half-move that is looked at, if not the last */
  #ply = null;
  #flipped = false;
  /** What this page points out; others who look at the game choose for themselves. */
  shows = { threats: false, evaluation: false };
  /** The position about which the computer was last asked. */
  #asked = "";
  #stop = () => {};
  #lost = false;
  #outbox = new Outbox(
    ({ said, view }) => {
      this.#take(view);
      if (said && !view.end) this.say(said);
    },
    (error) => {
      if (this.view) this.#show(this.view);
      this.#refuse(error);
    },
    () => this.say("Your move is not sent yet: it goes as soon as the server answers.", true),
  );
  #talk = new Talk((phrase) => void this.#say(phrase));
  #waiting = new WaitingRoom(() => void this.request("abort"));
  #join = new JoinDialog((view) => this.#enter(view.id, view));
  /** Whether those around the game are known. */
  #met = false;

  constructor() {
    this.#board.addEventListener("move", (event) => {
      const { from, to, promotion } = /** @type {CustomEvent} */ (event).detail;
      void this.#move({ from, to, promotion: promotion ?? undefined });
    });
    this.#board.addEventListener("typed", (event) => void this.#move({ text: /** @type {CustomEvent} */ (event).detail.text }));
    this.#board.addEventListener("ask", (event) => void this.#answer(/** @type {CustomEvent} */ (event).detail));
    for (const [id, step] of /** @type {const} */ ([["first", -Infinity], ["previous", -1], ["next", 1], ["latest", Infinity]]))
      get(id).addEventListener("click", () => this.#step(step));
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("settings", () => this.view && this.#show(this.view));
    measure(this.#board);
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

  /** The side that this browser plays against somebody elsewhere. */
  get seat() {
    return this.view?.friend ? (this.#own[0] ?? null) : null;
  }

  /** Shows the link to send once more. */
  invite() {
    if (this.view) void this.#try(() => this.#waiting.open(/** @type {View} */ (this.view)));
  }

  talk() {
    void this.#try(() => this.#talk.open());
  }

  /** @param {number} phrase */
  async #say(phrase) {
    const token = this.#token;
    await this.#try(() => ask("POST", `/games/${this.view?.id}/phrases`, { body: { phrase }, token }));
  }

  get #token() {
    return this.view && this.side ? tokens(this.view.id)[this.side] : null;
  }

  /** On to the game that follows, with the seat that is ours there. */
  async follow() {
    await this.#try(async () => {
      const { id, tokens: seats } = await ask("POST", `/games/${this.view?.id}/next`, { token: this.#token });
      if (seats.white || seats.black) keepSeats(id, seats);
      this.#enter(id, await ask("GET", `/games/${id}`));
    });
  }

  newGame() {
    void this.#newGame.open();
  }

  flip() {
    this.#flipped = !this.#flipped;
    if (this.view) this.#show(this.view);
  }

  /** @param {"threats" | "evaluation"} what */
  toggle(what) {
    this.shows[what] = !this.shows[what];
    if (!this.view) return;
    sessionStorage.setItem(`tabiya.shows.${this.view.id}`, JSON.stringify(this.shows));
    this.#show(this.view);
  }

  /** Another game of the same kind, the computer so much stronger, sides swapped. @param {number} by */
  async rematch(by) {
    const view = this.view;
    if (view?.friend) return this.request("rematch");
    const order = view && JSON.parse(localStorage.getItem(`tabiya.order.${view.id}`) ?? "null");
    if (!order) return this.newGame();
    const { weakest, strongest } = this.#newGame.range;
    const level = (/** @type {string} */ now) => (by === 0 ? Number(now) : Math.max(weakest, Math.min(strongest, Number(now) + by)));
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
      if (request === "resign" || request === "abort") this.#outbox.clear();
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
    const asked = this.view;
    if (!asked) return;
    if (ply >= asked.moves.length) {
      this.#ply = null;
      return this.#show(asked);
    }
    await this.#try(async () => {
      const then = await ask("GET", `/games/${asked.id}/positions/${ply}`);
      // The same game may have been told again meanwhile, or gone on; what was asked for still holds.
      const view = this.view;
      const same = view?.id === asked.id && view.moves[ply - 1]?.uci === asked.moves[ply - 1]?.uci;
      if (!view || !same || ply >= view.moves.length) return;
      this.#ply = ply;
      this.#board.movable = null;
      this.#board.position = { ...then, marks: [] };
      this.#moves.show(view.moves, ply);
      this.say(ply ? `After ${view.moves[ply - 1].san}, move ${view.moves[ply - 1].number}` : "The start of the game");
    });
  }

  /** The solver's word on this position. */
  async verdict() {
    this.say("The solver is looking…");
    await this.#try(async () => {
      const { text, line } = await ask("GET", `/games/${this.view?.id}/verdict?moves=4`, { patience: 120_000 });
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
    void this.#newGame.open();
  }

  /** @param {number} id */
  async #open(id) {
    try {
      const view = await ask("GET", `/games/${id}`);
      if (view.kind !== kind) location.replace(`${view.kind === "chess" ? "/" : "/bishops"}?game=${id}${location.hash}`);
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
    this.#waiting.close();
    this.#join.close();
    this.#outbox.clear();
    this.#talk.reset();
    this.#met = false;
    for (const seat of [this.#near, this.#far]) seat.say("");
    this.view = null;
    this.#ply = null;
    this.#flipped = false;
    this.shows = { threats: false, evaluation: false, ...JSON.parse(sessionStorage.getItem(`tabiya.shows.${id}`) ?? "{}") };
    this.#asked = "";
    localStorage.setItem(CURRENT, String(id));
    const invitation = takeInvitation(id);
    history.replaceState(null, "", `?game=${id}`);
    this.#take(view);
    this.#listen(id);
    if (view.friend?.open && !view.end) {
      if (this.plays) this.invite();
      else if (invitation) this.#join.open(view);
    }
  }

  /** @param {number} id */
  #listen(id) {
    const token = this.#token;
    const stream = new Stream(id, {
      token,
      view: (view) => this.#take(/** @type {View} */ (view)),
      presence: (presence) => this.#meet(presence),
      ping: (nonce) => void ask("POST", `/games/${id}/pong`, { body: { nonce }, token, patience: 4000 }).catch(() => {}),
      connection: (lost) => this.#connected(!lost),
    });
    this.#stop = () => stream.stop();
  }

  /** @param {boolean} connected */
  #connected(connected) {
    const note = get("connection");
    note.hidden = connected;
    note.textContent = connected ? "" : navigator.onLine ? "The server does not answer; trying again…" : "You are offline; waiting for the line…";
    if (connected && this.#lost && this.view && this.#outbox.isEmpty && this.#ply === null) this.#show(this.view);
    this.#lost = !connected;
    if (connected) void this.#outbox.send();
  }

  /** Takes in who is there. @param {import("../types.js").Presence} presence */
  #meet(presence) {
    const fresh = this.#talk.take(presence, !this.#met);
    this.#met = true;
    if (!this.view) return;
    this.#seats(this.view);
    for (const { side, text } of fresh) (side === this.#bottom(this.view) ? this.#near : this.#far).say(text);
  }

  /** Takes in what the server tells, unless it is old news. @param {View} view */
  #take(view) {
    const old = this.view;
    if (old && (view.id !== old.id || view.sequence < old.sequence)) return;
    this.view = view;
    this.#befriend(old, view);
    if (old && view.moves.length < old.moves.length) this.#board.cancelPremove();
    if (view.end) this.#board.cancelPremove();
    const moved = old !== null && view.moves.length > old.moves.length;
    if (old && view.sequence === old.sequence && this.#ply !== null) return;
    if (!old || view.moves.length !== old.moves.length || this.#ply === null) this.#show(view);
    if (moved || (view.end && !old?.end && old)) this.#tell(view, moved);
  }

  /** What changes between two people. @param {View | null} old @param {View} view */
  #befriend(old, view) {
    const ply = this.#outbox.ply;
    // A move that waits is forgotten when it is there, or when its position is not.
    if (ply !== null && (view.end || view.moves.length !== ply)) {
      this.#outbox.clear();
      if (view.moves.length < ply && !view.end) queueMicrotask(() => this.say("The game has gone on; your move was not played.", true));
    }
    if (!view.friend || view.end) {
      this.#waiting.close();
      this.#join.close();
    }
    if (old?.friend?.open && !view.friend?.open && !view.end) {
      this.#waiting.close();
      this.#join.close();
      if (this.plays) play("check");
    }
    if (old?.friend && !old.friend.next && view.friend?.next && this.plays) void this.follow();
  }

  /** Lets a new move be heard. @param {View} view @param {boolean} moved */
  #tell(view, moved) {
    const last = view.moves.at(-1);
    const words = moved && last ? `${last.side === "white" ? "White" : "Black"}: ${spoken(last.san)}.` : "";
    this.#board.say(`${words} ${view.end?.text ?? ""}`.trim());
    if (view.end) play("end");
    else if (view.check) play("check");
    else if (moved) play(last?.san.includes("x") || takenBy(view) > this.#taken ? "capture" : "move");
    this.#taken = takenBy(view);
  }

  #taken = 0;

  /** @param {View} view */
  #show(view) {
    this.#ply = null;
    const bottom = this.#bottom(view);
    const own = this.#own;
    const mayMove = !view.end && own.length > 0 && !view.friend?.open;
    this.#board.bottom = bottom;
    this.#board.movable = !mayMove ? null : own.length === 2 ? "both" : own[0];
    this.#board.position = { ...view, marks: this.#marks(view) };
    this.#seats(view);
    this.#moves.show(view.moves, view.moves.length);
    this.#evaluation(view, bottom);
    this.#actions.show(view);
    const status = statusOf(view, own);
    this.say(status);
    document.title = `${status} · Tabiya`;
  }

  /** @param {View} view */
  #bottom(view) {
    const home = this.#own.length === 1 ? this.#own[0] : view.seats[1].person && !view.seats[0].person ? "black" : "white";
    return this.#flipped ? other(home) : home;
  }

  /** Who sits where, who is away, how many watch. @param {View} view */
  #seats(view) {
    const bottom = this.#bottom(view);
    const { presence } = this.#talk;
    const note = (/** @type {Side} */ side) => {
      if (!view.friend || view.end) return "";
      if (view.friend.open === side) return "(free)";
      if (side === this.seat) return "(you)";
      return presence.away.includes(side) ? "is away" : "";
    };
    const seat = (/** @type {Side} */ side) => view.seats[side === "white" ? 0 : 1];
    this.#near.show(seat(bottom), bottom, view.turn === bottom && !view.end, note(bottom));
    this.#far.show(seat(other(bottom)), other(bottom), view.turn !== bottom && !view.end, note(other(bottom)));
    const text = view.friend || !this.plays ? watchers(presence, this.plays) : "";
    get("watching").textContent = text;
    get("watching").hidden = !text;
  }

  /** @param {View} view @param {Side} bottom */
  #evaluation({ evaluation, end, moves, position }, bottom) {
    const shown = this.shows.evaluation && evaluation;
    get("evaluation").hidden = !shown;
    if (shown) this.#bar.show(shown.chances, shown.text, bottom);
    const here = `${moves.length} ${position}`;
    if (!this.shows.evaluation || evaluation || end || !this.plays || this.#asked === here) return;
    this.#asked = here;
    void this.request("evaluate");
  }

  /** @param {View} view @returns {import("../types.js").Mark[]} */
  #marks({ hint, threats }) {
    const shown = this.shows.threats ? threats : [];
    return [...(hint ? [{ kind: /** @type {const} */ ("hint"), from: hint[0], to: hint[1] }] : []), ...shown.map((at) => ({ kind: /** @type {const} */ ("threat"), at }))];
  }

  /** @param {object} move */
  async #move(move) {
    const view = this.view;
    if (!view) return;
    const token = tokens(view.id)[view.turn] ?? this.#token;
    await this.#outbox.put({ id: view.id, ply: view.moves.length, body: move, token });
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
    if (question === "last") this.#board.say(last ? `${last.side}: ${spoken(last.san)}` : "No move yet.");
    else if (question === "clock") this.#board.say(`You: ${this.#near.clock}. Opponent: ${this.#far.clock}.`);
    else if (question === "status") this.#board.say(view.status);
    else if (question === "evaluation") this.#board.say(view.evaluation ? view.evaluation.text : "The computer was not asked.");
    else if (question === "attackers")
      await this.#try(async () => this.#board.say((await ask("GET", `/games/${view.id}/attackers/${at}`)).text));
  }
}

/** @param {Side} side @returns {Side} */
function other(side) {
  return side === "white" ? "black" : "white";
}

/** Where the game stands, for those who sit there or watch. @param {View} view @param {Side[]} own */
function statusOf(view, own) {
  const { draw, end, friend, take_back: back } = view;
  const name = (/** @type {Side} */ side) => view.seats[side === "white" ? 0 : 1].name;
  if (!friend) return draw.offered && !own.includes(draw.offered) ? "A draw is offered." : view.status;
  const seat = own[0] ?? null;
  if (end) {
    if (!seat || friend.next) return view.status;
    if (friend.rematch === seat) return `${end.text}. You would like to play again.`;
    return friend.rematch ? `${name(friend.rematch)} would like to play again.` : end.text;
  }
  if (friend.open) return seat ? "Waiting for your friend" : "A seat is free";
  if (draw.offered) return draw.offered === seat ? "You offer a draw." : `${name(draw.offered)} offers a draw.`;
  if (back) return back === seat ? "You ask to take a move back." : `${name(back)} asks to take a move back.`;
  if (!seat) return view.status;
  if (view.turn === seat) return view.check ? "Check: your move" : "Your move";
  return `${view.check ? "Check: " : ""}${name(view.turn)} to move`;
}

/** @param {View} view */
function takenBy({ seats }) {
  return seats[0].captured.roles.length + seats[1].captured.roles.length;
}

new Page();
