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
import { ask, keepSeats, Refused, tokens } from "./api.js";
import { Banners } from "./banners.js";
import { Bar } from "./bar.js";
import { get, icon } from "./dom.js";
import { History } from "./history.js";
import { JoinDialog, takeInvitation, WaitingRoom } from "./invite.js";
import { showKeys } from "./keys.js";
import { rung } from "./ladder.js";
import { menu } from "./menu.js";
import { Moves } from "./moves.js";
import { Outbox } from "./outbox.js";
import { headline, showResult } from "./result.js";
import { SeatView } from "./seat.js";
import { change, isWindow, settings } from "./settings.js";
import { play } from "./sound.js";
import { StartPanel } from "./start.js";
import { Stream } from "./stream.js";
import { Talk, watchers } from "./talk.js";
import { toast } from "./toast.js";

const kind = /** @type {"chess" | "bishops"} */ (document.body.dataset.game);
const CURRENT = `tabiya.current.${kind}`;
/** So long an earlier position is looked at before the computer is asked about it. */
const STAY_MS = 150;

/** What the page is called before there is a game; in English, as all that scripts write. */
const TITLE = kind === "bishops" ? "Bishops · Tabiya" : "Play · Tabiya";

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

class Page {
  #board = /** @type {Board} */ (/** @type {unknown} */ (get("board")));
  #status = get("status");
  #announced = "";
  #start = new StartPanel(kind, (view) => this.#enter(view.id, view), () => this.#preview());
  #far = new SeatView(get("seat-far"), (elo) => this.#start.called(elo));
  #near = new SeatView(get("seat-near"), (elo) => this.#start.called(elo));
  #moves = new Moves(get("moves"), (ply) => this.browse(ply));
  #bar = new Bar(get("evaluation"), "The computer's evaluation");
  #banners = new Banners(get("banners"));
  #actions = new Actions(get("tools"), this.#banners, this);
  #history = new History();
  /** @type {View | null} */
  view = null;
  /** @type {number | null} the half-move that is looked at, if not the last */
  #ply = null;
  #flipped = false;
  /** What this page points out; others who look at the game choose for themselves. */
  #shows = { threats: false, evaluation: false };
  /** The position about which the computer was last asked, by half-moves. @type {number | null} */
  #asked = null;
  #asking = 0;
  /** How many steps of a hint were told after the first. */
  #told = 0;
  #stop = () => {};
  #lost = false;
  /** The move that was tried last, so that a refusal is told there. @type {{ from: string, to: string } | null} */
  #tried = null;
  /** @type {number | null} of the game that was looked back at */
  #accuracy = null;
  #outbox = new Outbox(
    ({ said, view }) => {
      this.#banners.show("unsent", "");
      this.#take(view);
      if (said && !view.end) this.say(said);
    },
    (error) => {
      this.#banners.show("unsent", "");
      this.#board.cancelPremove();
      if (this.view) this.#show(this.view);
      this.#refuse(error, this.#tried);
    },
    () => this.#banners.show("unsent", "Your move is not sent yet: it goes as soon as the server answers.", [], { look: "lost" }),
  );
  #talk = new Talk((said) => void this.#say(said));
  #waiting = new WaitingRoom(() => void this.request("abort"));
  #join = new JoinDialog((view) => this.#enter(view.id, view));
  /** Whether those around the game are known. */
  #met = false;
  /** A game that is being begun: asked for twice, it is begun once. */
  #beginning = false;

  constructor() {
    const board = this.#board;
    board.addEventListener("move", (event) => {
      const { from, to, promotion } = /** @type {CustomEvent} */ (event).detail;
      this.#tried = { from, to };
      void this.#move({ from, to, promotion: promotion ?? undefined });
    });
    board.addEventListener("typed", (event) => {
      this.#tried = null;
      void this.#move({ text: /** @type {CustomEvent} */ (event).detail.text });
    });
    board.addEventListener("ask", (event) => void this.#answer(/** @type {CustomEvent} */ (event).detail));
    board.addEventListener("wheel", (event) => this.#wheel(/** @type {WheelEvent} */ (event)), { passive: false });
    for (const [id, step] of /** @type {const} */ ([["first", -Infinity], ["previous", -1], ["next", 1], ["latest", Infinity]]))
      get(id).addEventListener("click", () => this.#step(step));
    get("act-flip").addEventListener("click", () => this.flip());
    get("act-threats").addEventListener("click", () => this.toggle("threats"));
    get("act-evaluation").addEventListener("click", () => this.toggle("evaluation"));
    get("act-sound").addEventListener("click", () => change({ sound: !settings().sound }));
    menu(() => this.#menu());
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("settings", () => this.#settings());
    this.#settings();
    const asked = new URLSearchParams(location.search).get("game");
    if (asked !== null) void this.#open(asked);
    else this.#welcome();
  }

  /** The sides that this browser plays. */
  get own() {
    const seats = this.view ? tokens(this.view.id) : { white: null, black: null };
    return /** @type {Side[]} */ (["white", "black"]).filter((side) => seats[side]);
  }

  /** A side to speak for: the one to move if it is ours, else the one we have. */
  get side() {
    const own = this.own;
    return this.view && own.includes(this.view.turn) ? this.view.turn : (own[0] ?? null);
  }

  get plays() {
    return this.own.length > 0;
  }

  /** The side that this browser plays against somebody elsewhere. */
  get seat() {
    return this.view?.friend ? (this.own[0] ?? null) : null;
  }

  /** Shows the link to send once more. */
  invite() {
    if (this.view) void this.#try(() => this.#waiting.open(/** @type {View} */ (this.view)));
  }

  talk() {
    void this.#try(() => this.#talk.open());
  }

  /** @param {{ phrase: number } | { text: string }} said */
  async #say(said) {
    const token = this.#token;
    await this.#try(() => ask("POST", `/games/${this.view?.id}/phrases`, { body: said, token }));
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

  flip() {
    this.#flipped = !this.#flipped;
    if (!this.view) return this.#preview();
    const ply = this.#ply;
    this.#show(this.view);
    if (ply !== null) this.browse(ply);
  }

  /** @param {"threats" | "evaluation"} what */
  toggle(what) {
    this.#shows[what] = !this.#shows[what];
    if (!this.view) return;
    sessionStorage.setItem(`tabiya.shows.${this.view.id}`, JSON.stringify(this.#shows));
    this.#show(this.view);
  }

  /** Another game of the same kind, the computer so much stronger, sides swapped. @param {number} by */
  async rematch(by) {
    const view = this.view;
    if (!view || this.#beginning) return;
    if (view.friend) return this.request("rematch");
    const order = JSON.parse(localStorage.getItem(`tabiya.order.${view.id}`) ?? "null");
    if (!order) return location.assign(location.pathname);
    const stronger = (/** @type {string} */ player) => player.replace(/^tabiya:(\d+)(?= |$)/, (_, now) => `tabiya:${this.#level(Number(now) + by)}`);
    this.#beginning = true;
    await this.#try(() => this.#start.again({ ...order, white: stronger(order.black), black: stronger(order.white) }));
    this.#beginning = false;
  }

  /** @param {number} elo */
  #level(elo) {
    const { weakest, strongest } = this.#start.range;
    return kind === "chess" ? Math.max(weakest, Math.min(strongest, elo)) : elo;
  }

  /** @param {string} request @returns {Promise<void>} */
  async request(request) {
    // What is known already is told step by step.
    if (request === "hint" && this.view?.hint) return this.#climb(this.view, Math.min(this.#told + 1, 2));
    await this.#try(async () => {
      if (!this.view) return;
      if (request.startsWith("take-back")) this.#board.cancelPremove();
      const side = request === "accept-draw" ? other(this.view.draw.offered ?? "black") : this.side;
      const token = side && tokens(this.view.id)[side];
      if (request === "resign" || request === "abort") this.#outbox.clear();
      const { said, view } = await ask("POST", `/games/${this.view.id}/requests`, { body: { request }, token });
      this.#take(view);
      if (said && !view.end) this.say(said);
    });
  }

  /** Says a sentence in passing, to eyes and to ears. @param {string} text */
  say(text) {
    // What the seats and banners show already is not said twice.
    if (text === "Check" || text === "Declined." || / offers a draw\.$/.test(text)) return;
    this.#banners.show("said", text, [], { passing: true });
  }

  /** Shows an earlier position: all of them are here. @param {number} ply */
  browse(ply) {
    const view = this.view;
    if (!view) return;
    const past = this.#history.at(ply);
    if (ply >= view.moves.length || !past) {
      if (ply >= view.moves.length) this.#show(view);
      return;
    }
    this.#ply = ply;
    const played = view.moves[ply - 1];
    const bottom = this.#bottom(view);
    this.#board.movable = null;
    this.#board.position = {
      columns: view.columns, rows: view.rows, pieces: past.pieces, destinations: [], check: past.check, marks: [],
      last: played ? [played.from, played.to] : null, turn: view.moves[ply].side,
    };
    this.#moves.show(view.moves, ply);
    this.#count(view, ply);
    this.#near.captured(past.captured[bottom === "white" ? 0 : 1], bottom);
    this.#far.captured(past.captured[bottom === "white" ? 1 : 0], other(bottom));
    this.#heading(view, ply);
    this.#evaluation(view, ply, bottom);
    this.#announce(played ? `After ${played.san}, move ${played.number}` : "The start of the game");
  }

  /** Says where the game stands, once. @param {string} words */
  #announce(words) {
    if (words !== this.#announced) this.#status.textContent = words;
    this.#announced = words;
  }

  /** The solver's word on this position. */
  async verdict() {
    this.#banners.show("solver", "The solver is looking…");
    let found = "";
    await this.#try(async () => {
      const { text, line } = await ask("GET", `/games/${this.view?.id}/verdict?moves=4`, { patience: 120_000 });
      found = line ? `${text} ${line.join(" ")}` : text;
    });
    this.#banners.show("solver", found, [], { passing: true });
  }

  /** @param {number} by */
  #step(by) {
    const length = this.view?.moves.length ?? 0;
    void this.browse(Math.max(0, Math.min(length, (this.#ply ?? length) + by)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (target.closest("input:not([type=radio]), textarea, select, dialog, .menu")) return;
    if (event.key === "?") {
      event.preventDefault();
      return showKeys();
    }
    if (!this.view || target.closest("input")) return;
    if (event.key === "F2") {
      event.preventDefault();
      return this.flip();
    }
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -Infinity, ArrowDown: Infinity, Home: -Infinity, End: Infinity, ",": -1, ".": 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#step(step);
  }

  #turned = 0;

  /** The wheel over the board walks through the moves. @param {WheelEvent} event */
  #wheel(event) {
    if (!this.view || event.ctrlKey || this.#board.classList.contains("enlarged")) return;
    event.preventDefault();
    this.#turned += event.deltaMode === 0 ? event.deltaY : event.deltaY * 40;
    while (Math.abs(this.#turned) >= 40) {
      this.#step(Math.sign(this.#turned));
      this.#turned -= 40 * Math.sign(this.#turned);
    }
  }

  #welcome() {
    document.documentElement.classList.remove("coming");
    document.body.classList.remove("ingame");
    get("table").classList.add("start");
    get("start").hidden = false;
    get("game-panel").hidden = true;
    this.#preview();
    void this.#start.ready.then(() => this.#continue());
  }

  /** Offers to go on with the game that this browser has begun. */
  async #continue() {
    const id = Number(localStorage.getItem(CURRENT));
    if (!id) return;
    try {
      const view = await ask("GET", `/games/${id}`);
      if (view.end || view.kind !== kind) return;
      const seats = tokens(id);
      const side = seats.black && !seats.white ? "black" : "white";
      const against = view.seats[side === "white" ? 1 : 0].name.replace(/^Tabiya, level (\d+)$/, (/** @type {string} */ _, /** @type {string} */ elo) => this.#start.called(Number(elo)));
      this.#start.offer(view, view.moves.length ? `${against}, at move ${Math.ceil((view.moves.length + 1) / 2)}` : against, side);
    } catch {
      localStorage.removeItem(CURRENT);
    }
  }

  /** The seats show what is chosen, before the game. */
  #preview() {
    if (this.view) return;
    const { mode, level, colour, clock_ms, name } = this.#start.choice;
    const near = /** @type {Side} */ (this.#flipped !== (mode !== "two" && colour === "black") ? "black" : "white");
    const seat = (/** @type {string} */ called, /** @type {boolean} */ person) => ({ name: called, person, clock_ms, ticking: false, thinking: false, captured: { roles: [], lead: null } });
    const opponent = mode === "invite" ? seat("Your friend", true) : mode === "two" ? seat(near === "white" ? "Black" : "White", true) : seat(level ? `Tabiya, level ${level}` : "Tabiya", false);
    const us = mode === "two" ? seat(near === "white" ? "White" : "Black", true) : seat(name || "You", true);
    const quiet = { turn: "", waits: false, note: mode === "computer" && colour === "random" ? "White or Black" : "" };
    this.#near.show(us, near, quiet);
    this.#far.show(opponent, other(near), { ...quiet, note: quiet.note && level ? "" : quiet.note });
    this.#board.bottom = near;
    this.#board.movable = null;
    if (kind === "chess") this.#board.position = SET_UP;
  }

  /** @param {string} asked */
  async #open(asked) {
    const id = Number(asked);
    try {
      if (!/^\d+$/.test(asked)) throw new Refused(404, "");
      const view = await ask("GET", `/games/${id}`);
      if (view.kind !== kind) location.replace(`${view.kind === "chess" ? "/" : "/bishops"}?game=${id}${location.hash}`);
      else this.#enter(id, view);
    } catch (error) {
      if (localStorage.getItem(CURRENT) === asked) localStorage.removeItem(CURRENT);
      this.#welcome();
      const gone = error instanceof Refused && error.status === 404;
      this.#start.notice(gone ? "There is no such game here; it may have been deleted." : error instanceof Error ? error.message : String(error));
    }
  }

  #settings() {
    const on = settings().sound;
    get("act-sound").setAttribute("aria-label", on ? "Sound off" : "Sound on");
    get("act-sound").title = on ? "Sound off" : "Sound on";
    get("act-sound").replaceChildren(icon(on ? "sound-on" : "sound-off"));
    if (this.view) return this.#show(this.view);
    document.title = isWindow() ? "Chess" : TITLE;
    this.#preview();
  }

  /** @returns {import("./menu.js").Item[]} */
  #menu() {
    const view = this.view;
    if (!view) return [];
    const narrow = getComputedStyle(get("game-head")).display === "none";
    const chess = view.kind === "chess";
    return [
      ...(narrow ? [
        { id: "menu-flip", text: "Flip the board", icon: "flip", act: () => this.flip() },
        { id: "menu-sound", text: settings().sound ? "Sound off" : "Sound on", icon: settings().sound ? "sound-off" : "sound-on", act: () => change({ sound: !settings().sound }) },
      ] : []),
      ...(matchMedia("(max-width: 860px), (max-height: 500px), (orientation: landscape) and (max-width: 999px)").matches && !view.end ? [
        { id: "menu-threats", text: this.#shows.threats ? "Hide threats" : "Show threats", icon: "threat", act: () => this.toggle("threats"), off: Boolean(view.friend) },
        ...(chess ? [{ id: "menu-evaluation", text: this.#shows.evaluation ? "Hide the evaluation" : "Show the evaluation", icon: "evaluation", act: () => this.toggle("evaluation"), off: Boolean(view.friend) }] : []),
      ] : []),
      { id: "menu-copy-record", text: chess ? "Copy PGN" : "Copy the file", icon: "copy", act: () => this.#copy("record") },
      { id: "menu-copy-position", text: chess ? "Copy FEN" : "Copy the position", icon: "copy", act: () => this.#copy("position") },
      { id: "menu-save", text: chess ? "Save PGN" : "Save the file", icon: "download", href: `/api/games/${view.id}/record` },
      ...(chess && !view.friend ? [{ id: "menu-study", text: "Study this game", icon: "study", act: () => location.assign(`/study?game=${view.id}`) }] : []),
      null,
      { id: "menu-new", text: "New game", icon: "plus", act: () => location.assign(location.pathname) },
      { id: "menu-keys", text: "Keys", icon: "more", act: () => showKeys() },
    ];
  }

  /** @param {"record" | "position"} what */
  async #copy(what) {
    try {
      const response = await fetch(`/api/games/${this.view?.id}/${what}`);
      if (!response.ok) throw new Error();
      await navigator.clipboard.writeText(await response.text());
      toast("Copied.");
    } catch {
      toast("This browser does not let pages copy; use Save instead.");
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
    this.#banners.clear();
    this.#board.wipe();
    this.#accuracy = null;
    for (const seat of [this.#near, this.#far]) seat.say("");
    this.view = null;
    this.#ply = null;
    this.#flipped = false;
    document.documentElement.classList.remove("coming");
    document.body.classList.add("ingame");
    get("table").classList.remove("start");
    get("start").hidden = true;
    get("game-panel").hidden = false;
    this.#shows = { threats: false, evaluation: false, ...JSON.parse(sessionStorage.getItem(`tabiya.shows.${id}`) ?? "{}") };
    this.#asked = null;
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
    this.#banners.show("connection", connected ? "" : navigator.onLine ? "The server does not answer; trying again…" : "You are offline; waiting for the line…", [], { look: "lost" });
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
    for (const { side, text, own } of fresh) (side === this.#bottom(this.view) ? this.#near : this.#far).say(text, own);
  }

  /** Takes in what the server tells, unless it is old news. @param {View} view */
  #take(view) {
    const old = this.view;
    if (old && (view.id !== old.id || view.sequence < old.sequence)) return;
    this.view = view;
    void this.#history.take(view);
    this.#befriend(old, view);
    if (old && view.moves.length < old.moves.length) this.#board.cancelPremove();
    if (view.end) this.#board.cancelPremove();
    const moved = old !== null && view.moves.length > old.moves.length;
    if (!view.hint || !old?.hint) this.#told = 0;
    if (old && view.sequence === old.sequence && this.#ply !== null) return;
    if (!old || view.moves.length !== old.moves.length || this.#ply === null) this.#show(view);
    else this.#evaluation(view, this.#ply, this.#bottom(view));
    if (moved || (view.end && !old?.end && old)) this.#tell(view, moved);
    if (old && !old.hint && view.hint && this.#ply === null) this.#climb(view, 0);
  }

  /** What changes between two people. @param {View | null} old @param {View} view */
  #befriend(old, view) {
    const ply = this.#outbox.ply;
    // A move that waits is forgotten when it is there, or when its position is not.
    if (ply !== null && (view.end || view.moves.length !== ply)) {
      this.#outbox.clear();
      if (view.moves.length < ply && !view.end) queueMicrotask(() => this.say("The game has gone on; your move was not played."));
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
    const own = this.own;
    const mayMove = !view.end && own.length > 0 && !view.friend?.open;
    this.#board.bottom = bottom;
    this.#board.movable = !mayMove ? null : own.length === 2 ? "both" : own[0];
    this.#board.position = { ...view, marks: this.#marks(view) };
    this.#seats(view);
    this.#moves.show(view.moves, view.moves.length);
    this.#count(view, view.moves.length);
    this.#heading(view, view.moves.length);
    this.#evaluation(view, view.moves.length, bottom);
    this.#actions.show(view);
    this.#result(view);
    for (const what of /** @type {const} */ (["threats", "evaluation"])) {
      const button = get(`act-${what}`);
      button.setAttribute("aria-pressed", String(this.#shows[what]));
      button.hidden = Boolean(view.friend) || (what === "evaluation" ? view.kind !== "chess" : Boolean(view.end));
    }
    const status = statusOf(view, own);
    this.#announce(status);
    document.title = isWindow() ? "Chess" : `${view.end ? headline(view, own) : status} · Tabiya`;
  }

  /** @param {View} view @param {number} ply */
  #count(view, ply) {
    const of = view.moves.length;
    const number = (/** @type {number} */ at) => view.moves[at - 1]?.number ?? 0;
    get("ply-count").textContent = of ? `${number(ply)} of ${number(of)}` : "";
    const off = { first: ply === 0, previous: ply === 0, next: ply === of, latest: ply === of };
    for (const [id, is] of Object.entries(off)) /** @type {HTMLButtonElement} */ (get(id)).disabled = is;
  }

  /** The opening, as far as the moves that are looked at have come. @param {View} view @param {number} ply */
  #heading(view, ply) {
    const opening = ply === view.moves.length ? view.opening : this.#history.at(ply)?.opening;
    const [family, ...rest] = (opening?.name ?? "").split(/[:,] /);
    const against = view.kind === "bishops" ? `Bishops, ${view.columns}×${view.rows}` : view.moves.length ? "A game of chess" : "A new game";
    const title = family || task(view.id) || against;
    get("opening").textContent = title;
    get("topline-title").textContent = title;
    const size = task(view.id) ? `${against} · ` : "";
    const terms = size + (view.time ? view.time.replace("+", " + ") : "No clock");
    get("opening-code").textContent = [opening?.eco, rest.join(", ") || (opening ? "" : terms)].filter(Boolean).join(" · ");
  }

  /** @param {View} view */
  #result(view) {
    const holder = get("result");
    get("game-head").hidden = Boolean(view.end);
    if (!view.end) {
      holder.hidden = true;
      return;
    }
    const computer = view.seats.map((seat) => Number(/level (\d+)/.exec(seat.name)?.[1] ?? 0)).find(Boolean);
    const reviewed = view.kind === "chess" && view.moves.length > 1;
    const lost = this.own.length === 1 && view.end.winner === other(this.own[0]);
    const step = computer && kind === "chess" ? this.#level(computer + (lost ? -100 : 100)) : null;
    /** @type {import("./result.js").Button[]} */
    const row = view.friend ? this.#again(view.friend) : this.plays ? [{ id: "act-rematch", text: "Rematch", icon: "restore", act: () => this.rematch(0) }] : [];
    if (step && step !== computer && !view.friend && this.plays) row.push({ id: lost ? "act-weaker" : "act-stronger", text: `${lost ? "Try" : "Next level,"} ${step}`, icon: "next", act: () => this.rematch(lost ? -100 : 100) });
    row.push({ id: "act-new", text: "New game", icon: "plus", act: () => location.assign(location.pathname) });
    const main = reviewed ? { id: "act-review", text: "Review the game", icon: "review", act: () => location.assign(`/study?game=${view.id}&review=1`) } : null;
    showResult(holder, view, this.own, { main, row, accuracy: this.#accuracy });
    if (reviewed && this.#accuracy === null) void this.#reviewed(view);
  }

  /** Shows the accuracy of a game that was looked back at before. @param {View} view */
  async #reviewed(view) {
    const side = this.own.length === 1 ? this.own[0] : null;
    if (!side || this.#beginning) return;
    try {
      const { state, review } = await ask("GET", `/reviews?game=${view.id}`);
      if (state !== "done" || this.view?.id !== view.id || this.#accuracy !== null) return;
      this.#accuracy = review[side].accuracy;
      this.#result(this.view);
    } catch {
      // Nobody has looked back at it.
    }
  }

  /** @param {NonNullable<View["friend"]>} friend @returns {import("./result.js").Button[]} */
  #again(friend) {
    const ask = (/** @type {string} */ request) => () => this.request(request);
    if (friend.next) return [{ id: "act-next", text: this.seat ? "Next game" : "Watch the rematch", icon: "next", act: () => this.follow() }];
    if (!this.seat || friend.open) return [];
    if (friend.rematch && friend.rematch !== this.seat)
      return [
        { id: "act-rematch", text: "Play again", icon: "restore", act: ask("rematch") },
        { id: "act-no-rematch", text: "No, thanks", act: ask("decline-rematch") },
      ];
    return [
      { id: "act-rematch", text: friend.rematch ? "Asked…" : "Rematch", icon: "restore", act: ask("rematch"), off: friend.rematch === this.seat },
      { id: "act-talk", text: "Say…", icon: "friend", act: () => this.talk() },
    ];
  }

  /** @param {View} view */
  #bottom(view) {
    const home = this.own.length === 1 ? this.own[0] : view.seats[1].person && !view.seats[0].person ? "black" : "white";
    return this.#flipped ? other(home) : home;
  }

  /** Who sits where, whose turn it is, who is away. @param {View} view */
  #seats(view) {
    const bottom = this.#bottom(view);
    const { presence } = this.#talk;
    const own = this.own;
    const state = (/** @type {Side} */ side) => {
      const seat = view.seats[side === "white" ? 0 : 1];
      const turns = view.turn === side && !view.end && !view.friend?.open;
      const mine = own.length === 1 && own[0] === side;
      const move = mine ? "Your move" : "To move";
      const turn = !turns ? "" : seat.thinking ? "Thinking…" : view.check ? `Check · ${move.toLowerCase()}` : move;
      const away = view.friend && !view.end && presence.away.includes(side) && !mine;
      const note = view.friend?.open === side && !view.end ? "This seat is free" : away ? "Away" : "";
      return { turn, waits: seat.thinking || (turns && !mine && own.length === 1), note };
    };
    this.#near.show(view.seats[bottom === "white" ? 0 : 1], bottom, state(bottom));
    this.#far.show(view.seats[bottom === "white" ? 1 : 0], other(bottom), state(other(bottom)));
    get("watching").textContent = view.friend || !this.plays ? watchers(presence, this.plays) : "";
  }

  /** The bar speaks of the position that is looked at; what is not known of it is asked for. @param {View} view @param {number} ply @param {Side} bottom */
  #evaluation({ id, evaluations, end, friend, moves }, ply, bottom) {
    const known = evaluations[ply];
    const result = ply === moves.length && end?.result !== "*" ? end : null;
    if (!this.#shows.evaluation) this.#bar.hide();
    else if (result) this.#bar.show(result.winner === "white" ? 1 : result.winner ? 0 : 0.5, result.result.replaceAll("1/2", "½").replace("-", "–"), bottom);
    else if (known) this.#bar.show(known.chances, known.text, bottom);
    else this.#bar.hide();
    const wanted = this.#shows.evaluation && !result && !known && !friend && this.plays ? ply : null;
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    clearTimeout(this.#asking);
    if (wanted === null) return;
    // Whoever walks on does not want to hear of it.
    const send = () => void ask("POST", `/games/${id}/requests`, { body: { request: "evaluate", ply }, token: this.#token }).then(({ view }) => this.#take(view), () => {});
    this.#asking = window.setTimeout(send, ply === moves.length ? 0 : STAY_MS);
  }

  /** @param {View} view @returns {import("../types.js").Mark[]} */
  #marks({ hint, threats }) {
    const shown = this.#shows.threats ? threats : [];
    return [...(hint ? this.#rung(hint).marks : []), ...shown.map((at) => ({ kind: /** @type {const} */ ("threat"), at }))];
  }

  /** As much of a hint as was asked for. @param {[string, string]} hint */
  #rung([from, to]) {
    return rung(this.#told, from, to, this.view?.pieces.find(({ at }) => at === from)?.role);
  }

  /** Says a step of a hint when it comes, or when one more is asked for. @param {View} view @param {number} told */
  #climb(view, told) {
    this.#told = told;
    if (!view.hint) return;
    this.#board.position = { ...view, marks: this.#marks(view) };
    this.say(this.#rung(view.hint).sentence);
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

  /** Says why something was not done, where it was tried. @param {unknown} error @param {{ from: string, to: string } | null} [tried] none for what was not a move, null for one that was typed */
  #refuse(error, tried) {
    const sentence = error instanceof Error ? error.message : String(error);
    this.#announce(sentence);
    if (tried !== undefined && this.#ply === null && this.view && !this.view.end && error instanceof Refused && [409, 422].includes(error.status)) this.#board.refuse(tried, sentence);
    else this.#banners.show("refused", sentence, [], { look: "lost", passing: true });
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

/** What is to be done in a game that was made as a puzzle. @param {number | null} id @returns {string} */
function task(id) {
  return JSON.parse(localStorage.getItem(`tabiya.order.${id}`) ?? "null")?.task ?? "";
}

/** @param {View} view */
function takenBy({ seats }) {
  return seats[0].captured.roles.length + seats[1].captured.roles.length;
}

new Page();
