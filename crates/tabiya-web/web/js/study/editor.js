/**
 * A position put together piece by piece. The server says whether it is possible.
 *
 * @typedef {import("../../types.js").Piece} Piece
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../types.js").Role} Role
 *
 * @typedef {object} Verdict
 * @property {string} fen
 * @property {boolean} possible
 * @property {string | null} problem
 * @property {Piece[]} pieces
 * @property {Side} turn
 * @property {string} castling
 * @property {string | null} en_passant
 * @property {number} halfmove_clock
 * @property {number} fullmove_number
 * @property {string[]} en_passant_squares
 */
import { artOf } from "../../board/artwork.js";
import { ask, Refused } from "../api.js";
import { LATER } from "../outbox.js";
import { get, icon } from "../dom.js";
import { settings } from "../settings.js";
import { dialog } from "./dialogs.js";
import { playFrom } from "./play.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** @type {Role[]} */
const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
/** @type {Record<string, Role>} */
const LETTERS = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** What a click on a square does: puts a piece there, takes it away, or lets pieces be moved. */
/** @typedef {{ side: Side, role: Role } | "hand" | "rubber"} Tool */

export class Editor {
  #dialog = dialog("editor");
  #form = /** @type {HTMLFormElement} */ (get("editor-form"));
  #board = /** @type {import("../../board/board.js").TabiyaBoard} */ (/** @type {unknown} */ (get("editor-board")));
  #verdict = get("verdict");
  #study = /** @type {HTMLButtonElement} */ (get("editor-study"));
  /** @type {Piece[]} */
  #pieces = [];
  /** @type {Tool} */
  #tool = "hand";
  #fen = START;
  /** Rights to castle that have no box: those of Chess960, told by the file of the rook. */
  #unusual = "";
  /** The last question: answers to others are old. */
  #asked = 0;

  /** @param {(fen: string) => Promise<void>} study */
  constructor(study) {
    this.#board.editing = true;
    this.#palette("black");
    this.#palette("white");
    const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    this.#board.addEventListener("square", (event) => this.#click(detail(event).at));
    this.#board.addEventListener("move", (event) => this.#move(detail(event)));
    this.#board.addEventListener("away", (event) => this.#put(detail(event).from, null));
    this.#board.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
    get("editor-play").addEventListener("click", () => void playFrom(this.#fen));
    get("editor-start").addEventListener("click", () => void this.#read(START));
    get("editor-clear").addEventListener("click", () => void this.#read("8/8/8/8/8/8/8/8 w - - 0 1"));
    get("editor-flip").addEventListener("click", () => (this.#board.bottom = this.#board.bottom === "white" ? "black" : "white"));
    this.#form.addEventListener("input", (event) => {
      const { name, value } = /** @type {HTMLInputElement} */ (event.target);
      if (name === "fen") void this.#read(value, true);
      else void this.#check();
    });
    this.#form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await study(this.#fen);
        this.#dialog.close();
      } catch (error) {
        this.#say(error instanceof Error ? error.message : String(error), false);
      }
    });
  }

  /** @param {string | null} fen */
  open(fen) {
    this.#choose("hand");
    this.#dialog.showModal();
    void this.#read(fen ?? START);
  }

  /** @param {string} name */
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }

  /** Pieces to choose from, by click or by dragging them onto the board. @param {Side} side */
  #palette(side) {
    /** @type {[Tool, string][]} */
    const tools = ROLES.map((role) => [{ side, role }, `${side} ${role}`]);
    if (side === "white") tools.push(["hand", "Move pieces"]);
    else tools.push(["rubber", "Take pieces away"]);
    get(`palette-${side}`).append(...tools.map(([tool, name]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-label", name);
      button.title = name;
      button.dataset.tool = toolName(tool);
      if (typeof tool === "object") button.append(artOf(tool.role, tool.side, settings().pieces));
      else button.append(icon(tool === "hand" ? "hand" : "close"));
      button.addEventListener("click", () => this.#choose(tool));
      button.addEventListener("pointerdown", (event) => {
        this.#choose(tool);
        button.releasePointerCapture(event.pointerId);
        const drop = (/** @type {PointerEvent} */ up) => {
          const at = /** @type {HTMLElement | null} */ (document.elementFromPoint(up.clientX, up.clientY))?.closest("#editor-board .tb-cell");
          if (at instanceof HTMLElement && at.dataset.at) this.#click(at.dataset.at);
        };
        document.addEventListener("pointerup", drop, { once: true });
      });
      return button;
    }));
  }

  /** @param {Tool} tool */
  #choose(tool) {
    this.#tool = tool;
    const name = toolName(tool);
    for (const button of this.#form.querySelectorAll("[data-tool]"))
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.tool === name));
  }

  /** @param {string} at */
  #click(at) {
    const tool = this.#tool;
    if (tool === "hand") return;
    const there = this.#pieces.find((piece) => piece.at === at);
    // The same piece once more takes it away.
    const again = typeof tool === "object" && there?.side === tool.side && there.role === tool.role;
    this.#put(at, typeof tool === "object" && !again ? tool : null);
  }

  /** @param {{ from: string, to: string }} move */
  #move({ from, to }) {
    const piece = this.#pieces.find((one) => one.at === from);
    if (!piece) return;
    this.#pieces = this.#pieces.filter((one) => one.at !== from);
    this.#put(to, piece);
  }

  /** @param {string} at @param {{ side: Side, role: Role } | null} piece */
  #put(at, piece) {
    this.#pieces = this.#pieces.filter((one) => one.at !== at);
    if (piece) this.#pieces.push({ at, side: piece.side, role: piece.role });
    this.#draw();
    void this.#check();
  }

  /** Letters put pieces on the square with the keyboard: capitals are White's. @param {KeyboardEvent} event */
  #key(event) {
    const at = /** @type {HTMLElement} */ (event.target).dataset?.at;
    if (!at || event.ctrlKey || event.altKey || event.metaKey) return;
    const role = LETTERS[event.key.toLowerCase()];
    if (event.key === "Delete" || event.key === "Backspace") this.#put(at, null);
    else if (role && event.key.length === 1) this.#put(at, { side: event.key === event.key.toUpperCase() ? "white" : "black", role });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #draw() {
    this.#board.position = { columns: 8, rows: 8, pieces: this.#pieces, destinations: [], last: null, check: null, turn: "white", marks: [] };
  }

  /** Takes over what a FEN says. @param {string} fen @param {boolean} [typed] */
  async #read(fen, typed = false) {
    const verdict = await this.#ask({ fen });
    if (!verdict) return;
    this.#pieces = verdict.pieces;
    this.#draw();
    this.#field("turn").value = verdict.turn;
    this.#unusual = verdict.castling.replace(/[KQkq]/g, "");
    for (const box of this.#form.querySelectorAll("[name=castling]")) {
      const input = /** @type {HTMLInputElement} */ (box);
      input.checked = verdict.castling.includes(input.value);
    }
    this.#field("halfmove_clock").value = String(verdict.halfmove_clock);
    this.#field("fullmove_number").value = String(verdict.fullmove_number);
    this.#show(verdict, typed);
  }

  async #check() {
    const castling = [...this.#form.querySelectorAll("[name=castling]:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value).join("") + this.#unusual;
    const number = (/** @type {string} */ name, /** @type {number} */ least) =>
      Math.max(least, Math.min(9999, Math.trunc(Number(this.#field(name).value)) || least));
    const verdict = await this.#ask({
      pieces: this.#pieces, turn: this.#field("turn").value, castling, en_passant: this.#field("en_passant").value || null,
      halfmove_clock: number("halfmove_clock", 0), fullmove_number: number("fullmove_number", 1),
    });
    if (verdict) this.#show(verdict);
  }

  /** @param {object} sketch @returns {Promise<Verdict | null>} nothing if it makes no sense, or if there is a newer question */
  async #ask(sketch) {
    const asked = ++this.#asked;
    try {
      const verdict = await ask("POST", "/positions/check", { body: sketch });
      return asked === this.#asked ? verdict : null;
    } catch (error) {
      if (asked !== this.#asked) return null;
      this.#say(error instanceof Error ? error.message : String(error), false);
      // Whoever waits for a verdict gets it as soon as the server answers again.
      if (!(error instanceof Refused) || !LATER.includes(error.status)) return null;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return asked === this.#asked && this.#dialog.open ? this.#ask(sketch) : null;
    }
  }

  /** @param {Verdict} verdict @param {boolean} [typed] */
  #show(verdict, typed = false) {
    this.#fen = verdict.fen;
    // Whoever has come to the field meanwhile is not typed into.
    const field = this.#field("fen");
    if (!typed && document.activeElement !== field) field.value = verdict.fen;
    const passed = /** @type {HTMLSelectElement} */ (/** @type {unknown} */ (this.#field("en_passant")));
    const squares = new Set([...verdict.en_passant_squares, ...(verdict.en_passant ? [verdict.en_passant] : [])]);
    passed.replaceChildren(new Option("None", ""), ...[...squares].map((at) => new Option(at, at)));
    passed.value = verdict.en_passant ?? "";
    this.#say(verdict.problem ?? "This position is possible.", verdict.possible);
  }

  /** @param {string} text @param {boolean} good */
  #say(text, good) {
    this.#verdict.textContent = text;
    this.#verdict.classList.toggle("bad", !good);
    this.#study.disabled = !good;
    /** @type {HTMLButtonElement} */ (get("editor-play")).disabled = !good;
  }
}

/** @param {Tool} tool */
function toolName(tool) {
  return typeof tool === "object" ? `${tool.side}-${tool.role}` : tool;
}
