/**
 * The explorer as a page of its own: a board, and what was played on it. Where one stands is in the address.
 *
 * @typedef {import("../../board/board.js").TabiyaBoard} BoardElement
 * @typedef {Awaited<ReturnType<typeof line>>} Line
 * @typedef {import("../../types.js").Side} Side
 */
import "../../board/board.js";
import { spoken } from "../../board/speech.js";
import { Banners } from "../banners.js";
import { get, make } from "../dom.js";
import { showKeys } from "../keys.js";
import { SeatView } from "../seat.js";
import "../settings.js";
import { play } from "../sound.js";
import { begin } from "../study/api.js";
import { line } from "./api.js";
import { ExplorerPanel } from "./panel.js";

/** @type {Record<string, (page: ExplorerPage) => void>} */
const KEYS = {
  ArrowLeft: (page) => page.go(page.at - 1),
  ",": (page) => page.go(page.at - 1),
  ArrowRight: (page) => page.go(page.at + 1),
  ".": (page) => page.go(page.at + 1),
  Home: (page) => page.go(0),
  ArrowUp: (page) => page.go(0),
  End: (page) => page.go(Infinity),
  ArrowDown: (page) => page.go(Infinity),
  F2: (page) => page.flip(),
  "?": () => showKeys(),
};
/** @type {import("../../types.js").Seat["captured"]} */
const NOTHING = { roles: [], lead: null };

class ExplorerPage {
  #element = /** @type {BoardElement} */ (/** @type {unknown} */ (get("board")));
  #banners = new Banners(get("banners"));
  #far = new SeatView(get("seat-far"), () => "");
  #near = new SeatView(get("seat-near"), () => "");
  /** @type {Side} */
  #bottom = "white";
  /** Where the line begins, if not at the start of a game. @type {string | null} */
  #fen = null;
  /** The moves of the line, also those behind where one stands. @type {Line["moves"]} */
  #moves = [];
  /** So many of them are on the board. */
  at = 0;
  /** @type {Line["board"] | null} */
  #board = null;
  #asked = 0;
  #panel = new ExplorerPanel(get("panel-explorer"), {
    fen: async () => this.#board?.position ?? "",
    shown: () => this.#board !== null,
    plays: () => !this.#board?.end,
    play: (san) => void this.#play(san),
  });

  constructor() {
    const on = (/** @type {string} */ id, /** @type {() => unknown} */ act) => get(id).addEventListener("click", () => void act());
    const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    this.#element.movable = "both";
    this.#element.addEventListener("move", (event) => {
      const { from, to, promotion } = detail(event);
      void this.#play(`${from}${to}${promotion ? { queen: "q", rook: "r", bishop: "b", knight: "n" }[/** @type {"queen"} */ (promotion)] : ""}`, { from, to });
    });
    this.#element.addEventListener("typed", (event) => void this.#play(detail(event).text));
    this.#element.addEventListener("ask", (event) => this.#answer(detail(event).question));
    on("first", () => this.go(0));
    on("previous", () => this.go(this.at - 1));
    on("next", () => this.go(this.at + 1));
    on("latest", () => this.go(Infinity));
    on("act-flip", () => this.flip());
    on("act-study", () => this.#study());
    get("place").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#place(/** @type {HTMLInputElement} */ (get("place-text")).value.trim());
    });
    document.addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || target.closest("input, textarea, select, dialog")) return;
      const act = KEYS[event.key];
      if (!act) return;
      event.preventDefault();
      act(this);
    });
    addEventListener("popstate", () => void this.#open());
    document.addEventListener("settings", () => this.#draw());
    void this.#open();
  }

  /** Goes where the address says. */
  async #open() {
    const asked = new URLSearchParams(location.search);
    await this.#go(asked.get("fen"), (asked.get("play") ?? "").split(",").filter(Boolean), [], false);
  }

  /** Shows a position or moves that somebody has typed. @param {string} text */
  async #place(text) {
    if (text.includes("/")) return this.#go(text, [], []);
    const words = text.split(/[\s.]+/).filter((word) => word && !/^\d+$/.test(word));
    return this.#go(null, words, []);
  }

  /** Plays a move. @param {string} move @param {{ from: string, to: string } | null} [tried] */
  async #play(move, tried = null) {
    const before = this.#moves.slice(0, this.at).map(({ uci }) => uci);
    const behind = this.#moves.slice(this.at);
    const known = behind[0] && [behind[0].uci, behind[0].san].includes(move);
    await this.#go(this.#fen, [...before, move], known ? behind.slice(1) : [], true, tried);
  }

  /** So many moves of the line are played. @param {number} at */
  go(at) {
    const to = Math.max(0, Math.min(at, this.#moves.length));
    if (to === this.at) return;
    void this.#go(this.#fen, this.#moves.slice(0, to).map(({ uci }) => uci), this.#moves.slice(to));
  }

  /** @param {string | null} fen @param {string[]} moves @param {Line["moves"]} behind @param {boolean} [written] @param {{ from: string, to: string } | null} [tried] */
  async #go(fen, moves, behind, written = true, tried = null) {
    const asked = ++this.#asked;
    try {
      const told = await line(fen, moves);
      if (asked !== this.#asked) return;
      const on = told.moves.length > this.at;
      this.#fen = fen;
      this.#moves = [...told.moves, ...behind];
      this.at = told.moves.length;
      this.#board = told.board;
      const last = told.moves.at(-1);
      if (last && on && written) {
        play(last.san.includes("x") ? "capture" : told.board.check ? "check" : "move");
        this.#element.say(`${last.side === "white" ? "White" : "Black"}: ${spoken(last.san)}.`);
      }
      this.#draw();
      if (written) this.#write();
      void this.#panel.show();
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#draw();
      const sentence = error instanceof Error ? error.message : String(error);
      if (this.#board) this.#element.refuse(tried, sentence);
      else {
        this.#banners.show("refused", sentence, [], { look: "lost", passing: true });
        void this.#go(null, [], [], false);
      }
    }
  }

  /** Where one stands, for the address. */
  #write() {
    const asked = new URLSearchParams();
    if (this.#fen) asked.set("fen", this.#fen);
    const moves = this.#moves.slice(0, this.at).map(({ uci }) => uci);
    if (moves.length) asked.set("play", moves.join(","));
    history.replaceState(null, "", asked.size ? `?${asked}` : location.pathname);
  }

  #draw() {
    const board = this.#board;
    if (!board) return;
    this.#element.bottom = this.#bottom;
    this.#element.position = board;
    for (const [view, side] of /** @type {[SeatView, Side][]} */ ([[this.#near, this.#bottom], [this.#far, this.#bottom === "white" ? "black" : "white"]])) {
      const seat = { name: side === "white" ? "White" : "Black", person: true, clock_ms: null, ticking: false, thinking: false, captured: NOTHING };
      const turn = board.turn === side && !board.end ? (board.check ? "Check" : "To move") : "";
      view.show(seat, side, { turn, waits: true, note: "" });
    }
    get("status").textContent = board.end ?? (board.turn === "white" ? "White to move" : "Black to move");
    const off = (/** @type {string} */ id, /** @type {boolean} */ disabled) => (/** @type {HTMLButtonElement} */ (get(id)).disabled = disabled);
    for (const id of ["first", "previous"]) off(id, this.at === 0);
    for (const id of ["next", "latest"]) off(id, this.at === this.#moves.length);
    get("way").replaceChildren(...this.#moves.map(({ san, number, side }, at) => {
      const button = make("button", { type: "button", "aria-current": at + 1 === this.at && "step" }, san);
      button.addEventListener("click", () => this.go(at + 1));
      const numbered = side === "white" ? `${number}.` : at === 0 ? `${number}…` : "";
      return make("span", {}, numbered, button);
    }));
  }

  flip() {
    this.#bottom = this.#bottom === "white" ? "black" : "white";
    this.#draw();
  }

  /** What the keyboard asks of the board in words. @param {string} question */
  #answer(question) {
    const last = this.#moves[this.at - 1];
    if (question === "last") this.#element.say(last ? spoken(last.san) : "No move yet.");
    else if (question === "status") this.#element.say(get("status").textContent ?? "");
  }

  /** Begins a study with the line. */
  async #study() {
    const moves = this.#moves.slice(0, this.at).map(({ san, number, side }, at) => (side === "white" ? `${number}. ${san}` : at === 0 ? `${number}... ${san}` : san));
    const tags = this.#fen ? `[SetUp "1"]\n[FEN "${this.#fen.replaceAll('"', "")}"]\n\n` : "";
    const shown = await begin(moves.length ? { pgn: `${tags}${moves.join(" ")} *` } : this.#fen ? { fen: this.#fen } : {});
    location.href = `/study?study=${shown.book.id}`;
  }
}

new ExplorerPage();
