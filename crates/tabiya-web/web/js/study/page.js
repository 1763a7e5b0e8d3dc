/**
 * The page of a study. `page` is what other panels hold on to: the study, where one stands, the way to another node, and a
 * `change` event when either has changed.
 *
 * @typedef {import("./api.js").Outline} Outline
 * @typedef {import("./api.js").Board} Board
 * @typedef {import("./api.js").Shown} Shown
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../board/board.js").TabiyaBoard} BoardElement
 */
import "../../board/board.js";
import { spoken } from "../../board/speech.js";
import { ask, Refused } from "../api.js";
import { measure } from "../bar.js";
import "../settings.js";
import { play } from "../sound.js";
import { toast } from "../toast.js";
import { begin, board as fetchBoard, key, look, record, take } from "./api.js";
import { NewStudy, Rename } from "./dialogs.js";
import { Editor } from "./editor.js";
import { Lines } from "./lines.js";
import { Notes } from "./notes.js";
import { Overlays } from "./overlays.js";
import { tone, Tree } from "./tree.js";

const CURRENT = "tabiya.current.study";
/** So long somebody stands at a move before the server remembers it. */
const SETTLE_MS = 600;

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

class StudyPage extends EventTarget {
  #element = /** @type {BoardElement} */ (/** @type {unknown} */ (get("board")));
  #status = get("status");
  /** @type {Outline | null} */
  #study = null;
  /** @type {Board | null} */
  #board = null;
  #node = 0;
  /** @type {Side} */
  #bottom = "white";
  /** @type {Map<number, Board>} the boards of this edition of the study */
  #boards = new Map();
  /** @type {Promise<unknown>} one step after the other */
  #queue = Promise.resolve();
  #settling = 0;
  #tree = new Tree(get("tree"), (node) => void this.jump(node));
  #lines = new Lines((moves) => void this.step({ step: "line", moves }), () => this.#draw());
  #overlays = new Overlays(() => this.#draw());
  #notes = new Notes((nag) => this.step({ step: "judge", nag }), (node, text) => this.step({ step: "comment", node, text }, true));
  #newStudy = new NewStudy((shown) => this.#enter(shown));
  #rename = new Rename((title) => this.#name(title), () => this.#remove());
  #editor = new Editor(async (fen) => this.#enter(await begin({ fen })));

  constructor() {
    super();
    this.#listen();
    void this.#open();
  }

  /** The number of the study, when there is one. */
  get id() {
    return this.#study?.id ?? null;
  }

  /** Everything there is to know about its moves. */
  get outline() {
    return this.#study;
  }

  /** The nodes of the main line: one for each half-move, the start first. */
  get mainLine() {
    return this.#study?.main ?? [];
  }

  /** Where one stands. */
  get node() {
    return this.#node;
  }

  /** Whether this browser may edit the study. */
  get ours() {
    return this.#study !== null && key(this.#study.id) !== null;
  }

  /** Whether the page was asked for a review of the game. */
  get wantsReview() {
    return new URLSearchParams(location.search).has("review");
  }

  /** Goes to a node. @param {number} node */
  async jump(node) {
    const study = this.#study;
    if (!study || node < 0 || node >= study.nodes.length) return;
    await this.#notes.keep();
    if (this.#study?.id !== study.id) return;
    this.#node = node;
    this.#tree.mark(node);
    try {
      const known = this.#boards.get(node) ?? (await fetchBoard(study.id, node));
      if (this.#study?.id !== study.id || this.#node !== node) return;
      this.#boards.set(node, known);
      this.#stand(known);
      this.#settle();
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Shows signs that are not part of the study. @param {Map<number, { number: number, symbol: string }>} signs by node */
  adorn(signs) {
    if (!signs.size && !this.#tree.extra.size) return;
    this.#tree.extra = signs;
    if (this.#study) this.#tree.show(this.#study);
    this.#draw();
  }

  /** Asks the server for the study again: somebody else may have changed it. */
  async reload() {
    if (this.#study) this.#take(await look(this.#study.id));
  }

  /**
   * Takes a step at this node, or at another one. A quiet step leaves one where one is.
   *
   * @param {{ step: string, node?: number, [key: string]: unknown }} step @param {boolean} [quiet]
   * @returns {Promise<void>}
   */
  async step(step, quiet = false) {
    // What was written belongs to the move before the step.
    if (!quiet) await this.#notes.keep();
    const next = this.#queue.then(() => this.#send(step, quiet));
    this.#queue = next;
    return next;
  }

  /** @param {{ step: string, node?: number, [key: string]: unknown }} step @param {boolean} quiet */
  async #send(step, quiet) {
    const study = this.#study;
    if (!study) return;
    try {
      const shown = await take(study.id, { node: this.#node, ...step, sequence: study.sequence });
      if (this.#study?.id !== study.id) return;
      if (quiet && this.#node !== shown.board.node) this.#adopt(shown.study);
      else this.#take(shown);
      if (step.step === "delete") toast("Deleted from here on.", { label: "Undo", act: () => void this.step({ step: "undo" }) });
    } catch (error) {
      await this.#recover(error);
    }
  }

  /** @param {unknown} error */
  async #recover(error) {
    if (this.#board) this.#element.position = { ...this.#board, marks: this.#marks() };
    this.#refuse(error);
    if (error instanceof Refused && /changed meanwhile/.test(error.message)) await this.reload();
  }

  #listen() {
    const on = (/** @type {string} */ id, /** @type {() => unknown} */ act) => get(id).addEventListener("click", () => void act());
    const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    measure(this.#element);
    this.#element.addEventListener("move", (event) => {
      const { from, to, promotion } = detail(event);
      void this.step({ step: "play", from, to, ...(promotion ? { promotion } : {}) });
    });
    this.#element.addEventListener("typed", (event) => void this.step({ step: "play", text: detail(event).text }));
    this.#element.addEventListener("point", (event) => this.#overlays.point(detail(event).at));
    this.#element.addEventListener("ask", (event) => void this.#answer(detail(event)));
    on("first", () => this.jump(0));
    on("previous", () => this.#walk("ArrowLeft"));
    on("next", () => this.#walk("ArrowRight"));
    on("latest", () => this.#walk("End"));
    on("act-flip", () => this.#flip());
    on("act-undo", () => this.step({ step: "undo" }));
    on("act-promote", () => this.step({ step: "promote" }));
    on("act-main", () => this.step({ step: "promote-to-main" }));
    on("act-delete", () => this.step({ step: "delete" }));
    on("act-pgn", () => this.#study && location.assign(`/api/studies/${this.#study.id}/record`));
    on("act-copy-pgn", async () => this.#study && this.#copy(await record(this.#study.id), "The PGN is copied."));
    on("act-copy-fen", () => this.#board && this.#copy(this.#board.position, "The FEN is copied."));
    on("act-new", () => this.#newStudy.open());
    on("act-editor", () => this.#editor.open(this.#board?.position ?? null));
    on("title", () => this.#rename.open(this.#study?.title ?? ""));
    on("act-clone", () => this.#clone());
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("settings", () => this.#draw());
  }

  async #open() {
    const asked = new URLSearchParams(location.search);
    const [study, game, fen] = [asked.get("study"), asked.get("game"), asked.get("fen")];
    try {
      if (study && /^\d+$/.test(study)) this.#enter(await look(Number(study)));
      else if (game && /^\d+$/.test(game)) this.#enter(await ofGame(Number(game)));
      else if (fen) this.#enter(await begin({ fen }));
      else this.#enter(await latest());
    } catch (error) {
      this.#refuse(error);
      this.#newStudy.open();
    }
  }

  /** @param {Shown} shown */
  #enter(shown) {
    this.#study = null;
    this.#bottom = "white";
    const { id } = shown.study;
    localStorage.setItem(CURRENT, String(id));
    history.replaceState(null, "", `?study=${id}${this.wantsReview ? "&review=1" : ""}`);
    this.#take(shown);
  }

  /** @param {Shown} shown */
  #take({ study, board }) {
    const old = this.#study;
    this.#node = board.node;
    this.#adopt(study);
    this.#boards.set(board.node, board);
    const more = old && study.id === old.id && study.nodes.length > old.nodes.length;
    if (more) play(study.nodes[board.node].san.includes("x") ? "capture" : board.check ? "check" : "move");
    this.#stand(board);
  }

  /** Takes in what the server tells of the moves; one stays where one is. @param {Outline} study */
  #adopt(study) {
    const old = this.#study;
    if (old?.id !== study.id || old.sequence !== study.sequence) this.#boards.clear();
    this.#study = study;
    const title = get("title");
    title.textContent = study.title;
    title.setAttribute("aria-label", `Name: ${study.title}`);
    /** @type {HTMLButtonElement} */ (title).disabled = !this.ours;
    get("act-clone").hidden = this.ours;
    document.title = `${study.title} · Tabiya`;
    this.#tree.show(study);
    this.#tree.mark(this.#node);
  }

  /** Shows a position of the study. @param {Board} board */
  #stand(board) {
    const study = this.#study;
    if (!study) return;
    this.#board = board;
    const node = study.nodes[board.node];
    this.#element.bottom = this.#bottom;
    this.#element.movable = this.ours ? "both" : null;
    this.#lines.turn(this.#bottom);
    this.#lines.think(study.id, board.node, study.sequence);
    this.#overlays.look(study.id, board.node, study.sequence);
    this.#notes.show(node, this.ours);
    this.#buttons(board.node);
    this.#draw();
    this.#say(this.#sentence(board));
    if (node.san) this.#element.say(`${node.side === "white" ? "White" : "Black"}: ${spoken(node.san)}. ${node.comment ?? ""}`);
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** @param {Board} board */
  #sentence({ end, turn, check }) {
    if (end) return end;
    if (!this.ours) return "You are looking at somebody else's study.";
    return `${turn === "white" ? "White" : "Black"} to move${check ? ", in check" : ""}`;
  }

  /** @param {number} node */
  #buttons(node) {
    const off = (/** @type {string} */ id, /** @type {boolean} */ disabled) => (/** @type {HTMLButtonElement} */ (get(id)).disabled = disabled);
    const after = this.#tree.after(node).length > 0;
    off("first", node === 0);
    off("previous", node === 0);
    off("next", !after);
    off("latest", !after);
    off("act-undo", !this.ours || !this.#study?.undoable);
    const main = this.mainLine.includes(node);
    off("act-promote", !this.ours || main);
    off("act-main", !this.ours || main);
    off("act-delete", !this.ours || (this.#study?.nodes.length ?? 1) < 2);
  }

  #marks() {
    const board = this.#board;
    if (!board || !this.#study) return [];
    const glyph = this.#tree.glyphs(board.node, this.#study.nodes[board.node]?.glyphs).find(({ number }) => number <= 6);
    /** @type {import("../../types.js").Mark[]} */
    const judged = glyph && board.last ? [{ kind: "glyph", at: board.last[1], text: glyph.symbol, tone: tone(glyph.number) }] : [];
    return [...this.#overlays.marks(board.pieces), ...this.#lines.marks(), ...judged];
  }

  #draw() {
    if (this.#board) this.#element.position = { ...this.#board, marks: this.#marks() };
  }

  #settle() {
    clearTimeout(this.#settling);
    const study = this.#study;
    if (!study || !this.ours) return;
    this.#settling = setTimeout(() => {
      const { id, sequence } = study;
      // Only for the next visit: nothing is lost if it fails.
      if (this.#study?.sequence === sequence) take(id, { step: "go", node: this.#node, sequence }).catch(() => {});
    }, SETTLE_MS);
  }

  #flip() {
    this.#bottom = this.#bottom === "white" ? "black" : "white";
    this.#element.bottom = this.#bottom;
    this.#lines.turn(this.#bottom);
  }

  /** @param {string} key */
  async #walk(key) {
    const node = this.#node;
    /** @type {Record<string, () => number | null | undefined>} */
    const ways = {
      ArrowLeft: () => this.#tree.before(node),
      ArrowRight: () => this.#tree.after(node)[0],
      ArrowUp: () => this.#tree.beside(node, -1),
      ArrowDown: () => this.#tree.beside(node, 1),
      Home: () => 0,
      End: () => this.#tree.end(node),
    };
    const to = ways[key]?.();
    if (to !== null && to !== undefined) await this.jump(to);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || target.closest("input, textarea, select, dialog, [role='dialog']")) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z" || !this.ours) return;
      event.preventDefault();
      void this.step({ step: "undo" });
      return;
    }
    const onBoard = target.closest(".tb-cells") !== null;
    const study = this.#study;
    if (!study) return;
    if ((event.key === "!" || event.key === "?") && this.ours && this.#node > 0) this.#notes.typed(event.key, study.nodes[this.#node]);
    else if (event.key === "Delete" && this.ours) void this.step({ step: "delete" });
    else if (event.key === " " && !onBoard && !target.closest("button, a, summary") && this.ours) {
      const moves = this.#lines.moves(0, 0);
      if (moves.length) void this.step({ step: "line", moves });
    } else if (!onBoard && /^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key)) void this.#walk(event.key);
    else return;
    event.preventDefault();
  }

  /** What the keyboard asks of the board in words. @param {{ question: string, at: string }} asked */
  async #answer({ question, at }) {
    const study = this.#study;
    if (!study || !this.#board) return;
    const node = study.nodes[this.#node];
    if (question === "last") this.#element.say(node.san ? spoken(node.san) : "No move yet.");
    else if (question === "status") this.#element.say(this.#sentence(this.#board));
    else if (question === "evaluation") this.#element.say(this.#lines.report?.lines[0]?.score ?? "The engine was not asked.");
    else if (question === "attackers") {
      const { squares } = await ask("GET", `/studies/${study.id}/boards/${this.#node}/attacks`);
      this.#element.say(squares.find((/** @type {{ at: string }} */ one) => one.at === at)?.text ?? "");
    }
  }

  /** @param {string} text @param {string} said */
  async #copy(text, said) {
    try {
      await navigator.clipboard.writeText(text);
      toast(said);
    } catch {
      toast("The browser does not let the page copy: use Save PGN.");
    }
  }

  /** @param {string} title */
  async #name(title) {
    if (this.#study) this.#take(await take(this.#study.id, { step: "rename", text: title, node: this.#node }));
  }

  async #remove() {
    const study = this.#study;
    if (!study) return;
    await ask("DELETE", `/studies/${study.id}`, { token: key(study.id) });
    localStorage.removeItem(CURRENT);
    this.#enter(await latest());
    toast("The study was deleted.", {
      label: "Undo",
      act: async () => {
        await ask("POST", `/studies/${study.id}/restore`, { token: key(study.id) });
        this.#enter(await look(study.id));
      },
    });
  }

  async #clone() {
    const study = this.#study;
    if (!study) return;
    try {
      this.#enter(await begin({ pgn: await record(study.id), title: study.title }));
      toast("This copy is yours.");
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** @param {string} text @param {boolean} [bad] */
  #say(text, bad = false) {
    this.#status.textContent = text;
    this.#status.classList.toggle("bad", bad);
  }

  /** @param {unknown} error */
  #refuse(error) {
    this.#say(error instanceof Error ? error.message : String(error), true);
  }
}

/** The study of a game of the archive: begun once, and again if the game has gone on. @param {number} game @returns {Promise<Shown>} */
async function ofGame(game) {
  const name = `tabiya.study.game.${game}`;
  const response = await fetch(`/api/games/${game}/record`);
  if (!response.ok) throw new Refused(response.status, (await response.json().catch(() => null))?.error ?? "There is no such game.");
  const text = await response.text();
  const known = JSON.parse(localStorage.getItem(name) ?? "null");
  if (known?.record === text) {
    try {
      return await look(known.study);
    } catch {
      // It was deleted; then it is begun anew.
    }
  }
  const shown = await begin({ game });
  localStorage.setItem(name, JSON.stringify({ study: shown.study.id, record: text }));
  return shown;
}

/** The study that was open last, or a new one. @returns {Promise<Shown>} */
async function latest() {
  const kept = localStorage.getItem(CURRENT);
  if (kept && /^\d+$/.test(kept)) {
    try {
      return await look(Number(kept));
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error;
    }
  }
  return begin({});
}

export const page = new StudyPage();
