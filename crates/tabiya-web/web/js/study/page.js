/**
 * The page of a study. `page` is what other panels hold on to: the study, where one stands, the way to another node, and a
 * `change` event when either has changed, or another tab was opened.
 *
 * @typedef {import("./api.js").Outline} Outline
 * @typedef {import("./api.js").Shown} Shown
 * @typedef {import("./boards.js").Known} Known
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../board/board.js").TabiyaBoard} BoardElement
 */
import "../../board/board.js";
import { spoken } from "../../board/speech.js";
import { ask, Refused } from "../api.js";
import { Banners } from "../banners.js";
import { get } from "../dom.js";
import { menu } from "../menu.js";
import "../settings.js";
import { play } from "../sound.js";
import { toast } from "../toast.js";
import { begin, board as fetchBoard, key, look, record, take } from "./api.js";
import { Boards } from "./boards.js";
import { Chapters } from "./chapters.js";
import { NewStudy, Rename } from "./dialogs.js";
import * as drawings from "./drawings.js";
import { Editor } from "./editor.js";
import { Heading } from "./heading.js";
import { Lines } from "./lines.js";
import { copy, items } from "./menu.js";
import { Notes } from "./notes.js";
import { asked } from "./open.js";
import { Overlays } from "./overlays.js";
import { Scene } from "./scene.js";
import { Shelf } from "./shelf.js";
import { Tabs } from "./tabs.js";
import { tone, Tree } from "./tree.js";
import { listen } from "./walk.js";

/** So long somebody stays at a move before it is asked where the pieces may go. */
const STAY_MS = 120;
/** So long before the server remembers the place. */
const SETTLE_MS = 600;

class StudyPage extends EventTarget {
  #element = /** @type {BoardElement} */ (/** @type {unknown} */ (get("board")));
  /** The chapter that is open. @type {Outline | null} */
  #study = null;
  /** The study it belongs to. @type {import("./api.js").Book | null} */
  #book = null;
  /** @type {Known | null} */
  #board = null;
  #node = 0;
  /** How often one has gone elsewhere: an answer that comes late does not fetch anybody back. */
  #gone = 0;
  /** @type {Side} */
  #bottom = "white";
  #boards = new Boards();
  /** @type {Promise<unknown>} one step after the other */
  #queue = Promise.resolve();
  /** Steps that are not answered yet. */
  #pending = 0;
  #staying = 0;
  #settling = 0;
  /** Tells the other tabs that the study has changed. */
  #channel = new BroadcastChannel("tabiya.study");
  /** What the board shows besides the pieces. */
  scene = new Scene(this.#element, { lines: () => this.#lines.marks(), always: (board) => this.#marks(board), best: () => this.#lines.best });
  #banners = new Banners(get("banners"));
  #heading = new Heading();
  #tree = new Tree(get("tree"), (node) => this.jump(node));
  #lines = new Lines((moves) => void this.step({ step: "line", moves }), () => this.scene.draw());
  #overlays = new Overlays(() => this.scene.draw());
  #notes = new Notes((nag) => this.step({ step: "judge", nag }), (node, text) => this.step({ step: "comment", node, text }, true), (node) => this.jump(node));
  #editor = new Editor(async (fen) => this.#enter(await begin({ fen })));
  #newStudy = new NewStudy((shown) => this.#enter(shown), () => this.#editor.open(null), async (what) => this.turnTo(await this.#chapters.step({ step: "add", ...what })));
  #rename = new Rename();
  #chapters = new Chapters(this);
  #shelf = new Shelf((kind) => (kind === "editor" ? this.#editor.open(null) : this.#newStudy.open(kind)));
  #tabs = new Tabs(() => this.#change());

  constructor() {
    super();
    this.#listen();
    addEventListener("popstate", () => location.reload());
    void this.#open();
  }

  /** The number of the study, when there is one. */
  get id() {
    return this.#study?.id ?? null;
  }

  /** The study as a whole, with its chapters. */
  get book() {
    return this.#book;
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

  /** Which tab is open. */
  get tab() {
    return this.#tabs.now;
  }

  /** The position where one stands, as a FEN. @returns {Promise<string>} */
  async fen() {
    return this.#board?.position ?? (await fetchBoard(this.#study?.id ?? 0, this.#node)).position;
  }

  /** Whether this browser may edit the study. */
  get ours() {
    return this.#study !== null && key(this.#study.id) !== null;
  }

  /** Whether the page was asked for a review of the game. */
  get wantsReview() {
    return new URLSearchParams(location.search).has("review");
  }

  /** Opens a tab. @param {import("./tabs.js").Tab} tab */
  turn(tab) {
    this.#tabs.open(tab);
  }

  /** A small number beside the name of a tab. @param {import("./tabs.js").Tab} tab @param {number} count */
  count(tab, count) {
    this.#tabs.count(tab, count);
  }

  /** Goes to a node: what it shows is here already. @param {number} node */
  jump(node) {
    const study = this.#study;
    if (!study || node < 0 || node >= study.nodes.length) return;
    void this.#notes.keep();
    this.#gone++;
    this.#go(node);
    this.#settle();
  }

  /** Shows signs that are not part of the study. @param {Map<number, { number: number, symbol: string }>} signs by node */
  adorn(signs) {
    if (!signs.size && !this.#tree.extra.size) return;
    this.#tree.extra = signs;
    if (this.#study) this.#tree.show(this.#study);
    this.scene.draw();
  }

  /** Lets somebody look for a move on the board; nothing ends it. @param {((move: import("./scene.js").Tried) => void) | null} tried */
  exercise(tried) {
    this.scene.exercise(tried);
    this.#element.movable = this.#movable;
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
    const gone = this.#gone;
    this.#pending++;
    const next = this.#queue.then(() => this.#send(step, quiet, gone)).finally(() => this.#pending--);
    this.#queue = next;
    return next;
  }

  /** @param {{ step: string, node?: number, [key: string]: unknown }} step @param {boolean} quiet @param {number} gone */
  async #send(step, quiet, gone) {
    const study = this.#study;
    if (!study || !this.ours) return;
    try {
      const shown = await take(study.id, { node: this.#node, ...step, sequence: study.sequence });
      if (this.#study?.id !== study.id) return;
      this.#take(shown, quiet || gone !== this.#gone);
      this.#channel.postMessage(this.#book?.id);
      if (step.step === "delete") toast("Deleted from here on.", { label: "Undo", act: () => void this.step({ step: "undo" }) });
    } catch (error) {
      this.scene.draw();
      const { from, to } = /** @type {{ from?: string, to?: string }} */ (step);
      // What it is like now is shown first, so that the sentence about it stays.
      if (error instanceof Refused && /changed meanwhile/.test(error.message)) await this.#reload();
      this.#refuse(error, from && to ? { from, to } : null, step.step === "play");
    }
  }

  /** Looks at the study again: somebody else may have changed it. */
  async #reload() {
    const study = this.#study;
    if (!study || this.#pending > 1) return;
    try {
      const shown = await look(study.id);
      if (this.#study !== study) return;
      if (shown.study.sequence !== study.sequence) this.#take(shown, true);
      else this.#bind(shown.book);
    } catch (error) {
      // Somebody has deleted the chapter: the first one is there. Else the next step tells what is wrong.
      if (error instanceof Refused && error.status === 404 && this.#book && this.#study === study) await this.turnTo(this.#book.id).catch(() => {});
    }
  }

  #listen() {
    this.#channel.addEventListener("message", ({ data }) => { if (data === this.#book?.id) void this.#reload(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) void this.#reload(); });
    const on = (/** @type {string} */ id, /** @type {() => unknown} */ act) => get(id).addEventListener("click", () => void act());
    const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    this.#element.addEventListener("move", (event) => {
      const { from, to, promotion } = detail(event);
      if (this.scene.tried) this.scene.tried({ from, to, promotion });
      else void this.step({ step: "play", from, to, ...(promotion ? { promotion } : {}) });
    });
    this.#element.addEventListener("typed", (event) => {
      const { text } = detail(event);
      if (this.scene.tried) this.scene.tried({ text });
      else void this.step({ step: "play", text });
    });
    this.#element.addEventListener("drawn", (event) => this.#sketch(detail(event).drawings));
    this.#element.addEventListener("point", (event) => this.#overlays.point(detail(event).at));
    this.#element.addEventListener("ask", (event) => void this.#answer(detail(event)));
    for (const [id, way] of /** @type {const} */ ([["first", "start"], ["previous", "back"], ["next", "on"], ["latest", "end"]])) on(id, () => this.walk(way));
    on("act-flip", () => this.flip());
    on("act-undo", () => this.undo());
    menu(() => items(this));
    listen(this.#element, this);
    // After a click the arrows walk on, and no ring is drawn round what was clicked.
    get("table").addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest(".panel button:not([data-menu]), .bl button");
      if (event.detail > 0 && button instanceof HTMLElement) button.blur();
    });
    document.addEventListener("settings", () => this.scene.draw());
  }

  async #open() {
    try {
      const shown = await asked();
      if (shown) this.#enter(shown);
      else await this.#leave();
    } catch (error) {
      await this.#leave(error instanceof Error ? error.message : String(error));
    }
  }

  /** Back to the shelf. @param {string} [notice] */
  async #leave(notice = "") {
    this.#study = null;
    this.#lines.rest();
    this.#change();
    document.title = "Studies · Tabiya";
    document.body.classList.remove("ingame");
    get("table").hidden = true;
    await this.#shelf.open(notice);
  }

  /** @param {Shown} shown */
  #enter(shown) {
    const fresh = this.#study === null;
    const turned = !fresh && this.#book?.id === shown.book.id;
    this.#study = null;
    this.#bottom = /^black$/i.test(shown.study.tags.Orientation ?? "") ? "black" : "white";
    this.#shelf.close();
    this.#banners.clear();
    document.body.classList.add("ingame");
    this.#unveil();
    const { id } = shown.study;
    const chapter = shown.book.chapters.length > 1 ? `&chapter=${id}` : "";
    const address = `?study=${shown.book.id}${chapter}${this.wantsReview && fresh ? "&review=1" : ""}`;
    if (!turned && location.search.includes("=")) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.#take(shown);
    if (!this.ours) this.#banners.show("guest", "You are looking at somebody else's study.", [{ id: "act-clone", text: "Copy it", act: () => this.#clone() }]);
  }

  /** Shows the table once the board knows its size: nothing jumps. */
  #unveil() {
    const table = get("table");
    if (!table.hidden) return;
    table.classList.add("settling");
    table.hidden = false;
    requestAnimationFrame(() => requestAnimationFrame(() => table.classList.remove("settling")));
  }

  /** Opens another chapter. @param {number} id */
  async turnTo(id) {
    if (id === this.#study?.id) return;
    await this.#notes.keep();
    try {
      this.#enter(await look(id));
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** The chapters have changed here: other tabs hear of it. @param {import("./api.js").Book} book */
  rebind(book) {
    this.#bind(book);
    this.#channel.postMessage(book.id);
  }

  /** @param {import("./api.js").Book} book */
  #bind(book) {
    this.#book = book;
    if (!this.#study) return;
    this.#heading.title(this.#study, book);
    this.#chapters.show(book, this.#study.id, this.ours);
    this.#tabs.count("chapters", book.chapters.length > 1 ? book.chapters.length : 0);
  }

  /** Takes in what the server tells. @param {Shown} shown @param {boolean} [stay] whether one stays where one is */
  #take({ study, board, book }, stay = false) {
    const old = this.#study;
    const way = this.#boards.way(this.#node);
    this.#study = study;
    this.#boards.take(study, () => this.#arrived());
    this.#boards.put(board);
    this.#bind(book);
    this.#tabs.count("notes", this.#notes.list(study.nodes));
    const here = stay && old?.id === study.id ? this.#boards.find(way) : undefined;
    const more = old && study.id === old.id && study.nodes.length > old.nodes.length;
    if (more && here === undefined) play(study.nodes[board.node].san.includes("x") ? "capture" : board.check ? "check" : "move");
    this.#node = here ?? board.node;
    this.#tree.show(study);
    this.#go(this.#node);
  }

  /** @param {number} node */
  #go(node) {
    const study = this.#study;
    if (!study) return;
    if (this.#node !== node) this.scene.clear();
    this.#node = node;
    this.#tree.mark(node);
    const known = this.#boards.at(node);
    if (known) this.#stand(known);
    clearTimeout(this.#staying);
    if (!known?.position) this.#staying = setTimeout(() => void this.#stay(study, node), known ? STAY_MS : 0);
  }

  /** Asks where the pieces may go. @param {Outline} study @param {number} node */
  async #stay(study, node) {
    try {
      const board = await fetchBoard(study.id, node);
      if (this.#study !== study) return;
      this.#boards.put(board);
      if (this.#node !== node) return;
      if (!this.#board || this.#board.node !== node) return this.#stand(board);
      this.#board = this.#boards.at(node) ?? board;
      this.scene.show(this.#board);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** All positions are here. */
  #arrived() {
    const known = this.#boards.at(this.#node);
    if (!known || !this.#study) return;
    if (this.#board?.node !== this.#node) this.#stand(known);
    else this.#heading.seats(this.#study, known, this.#bottom);
  }

  /** Shows a position of the study. @param {Known} board */
  #stand(board) {
    const study = this.#study;
    if (!study) return;
    this.#board = board;
    const node = study.nodes[board.node];
    this.#element.bottom = this.#bottom;
    this.#element.movable = this.#movable;
    if (!this.#pending) this.#element.drawings = drawings.read(node.drawings ?? []);
    this.#lines.think(study, board.node);
    this.#overlays.look(study.id, board.node, study.sequence);
    this.#notes.show(node, this.ours);
    this.#heading.seats(study, board, this.#bottom);
    this.#buttons(board.node);
    this.scene.show(board);
    get("status").textContent = this.#sentence(board);
    if (node.san) this.#element.say(`${node.side === "white" ? "White" : "Black"}: ${spoken(node.san)}. ${node.comment ?? ""}`);
    this.#change();
  }

  #change() {
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** @returns {Side | "both" | null} */
  get #movable() {
    return this.ours || this.scene.tried ? "both" : null;
  }

  /** @param {Known} board */
  #sentence({ end, turn, check }) {
    return end ?? `${turn === "white" ? "White" : "Black"} to move${check ? ", in check" : ""}`;
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
  }

  /** @param {Known} board */
  #marks(board) {
    const glyph = this.#tree.glyphs(board.node, this.#study?.nodes[board.node]?.glyphs).find(({ number }) => number <= 6);
    /** @type {import("../../types.js").Mark[]} */
    const judged = glyph && board.last ? [{ kind: "glyph", at: board.last[1], text: glyph.symbol, tone: tone(glyph.number) }] : [];
    return [...this.#overlays.marks(board.pieces), ...judged];
  }

  /** Keeps what was drawn with the move it was drawn on. @param {import("../../board/marks.js").Drawing[]} drawn */
  #sketch(drawn) {
    const node = this.#study?.nodes[this.#node];
    if (!node) return;
    node.drawings = drawings.write(drawn);
    if (this.ours) void this.step({ step: "draw", node: node.id, drawings: node.drawings }, true);
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

  /** Whether there is a study on the table. */
  get open() {
    return this.#study !== null;
  }

  flip() {
    this.#bottom = this.#bottom === "white" ? "black" : "white";
    this.#element.bottom = this.#bottom;
    if (this.#study && this.#board) this.#heading.seats(this.#study, this.#board, this.#bottom);
    this.scene.draw();
  }

  undo() {
    if (this.ours) void this.step({ step: "undo" });
  }

  remove() {
    if (this.ours) void this.step({ step: "delete" });
  }

  /** Plays the engine's move. */
  best() {
    const moves = this.#lines.moves(0, 0);
    if (moves.length && this.ours) void this.step({ step: "line", moves });
    return moves.length > 0;
  }

  /** @param {string} sign */
  judge(sign) {
    const node = this.#study?.nodes[this.#node];
    return Boolean(node?.san) && this.ours && this.#notes.typed(sign, /** @type {import("./api.js").Node} */ (node));
  }

  /** @param {import("./walk.js").Way} way */
  walk(way) {
    const node = this.#node;
    const end = () => this.#tree.end(node);
    const ways = {
      back: () => this.#tree.before(node),
      on: () => this.#tree.after(node)[0],
      up: () => this.#tree.beside(node, -1) ?? 0,
      down: () => this.#tree.beside(node, 1) ?? end(),
      start: () => 0,
      end,
    };
    const to = ways[way]();
    if (to !== null && to !== undefined && to !== node) this.jump(to);
  }

  /** What the keyboard asks of the board in words. @param {{ question: string, at: string }} asked */
  async #answer({ question, at }) {
    const study = this.#study;
    if (!study || !this.#board) return;
    const node = study.nodes[this.#node];
    if (question === "last") this.#element.say(node.san ? spoken(node.san) : "No move yet.");
    else if (question === "status") this.#element.say(this.#sentence(this.#board));
    else if (question === "evaluation") this.#element.say(this.#lines.best?.score ?? this.scene.evaluation?.text ?? "The engine was not asked.");
    else if (question === "attackers") {
      const { squares } = await ask("GET", `/studies/${study.id}/boards/${this.#node}/attacks`);
      this.#element.say(squares.find((/** @type {{ at: string }} */ one) => one.at === at)?.text ?? "");
    }
  }

  /** @param {"new" | "rename" | "editor" | "chapter" | "chapter-name"} what @param {number} [chapter] */
  async ask(what, chapter) {
    const book = this.#book;
    if (what === "new") this.#newStudy.open();
    else if (what === "chapter") this.#newStudy.open("start", true);
    else if (what === "editor") this.#editor.open(await this.fen());
    else if (what === "rename" && book && book.chapters.length > 1) this.#rename.open("Name of the study", book.title, null, async (text) => void (await this.#chapters.step({ step: "name", text })));
    else if (what === "rename") this.#rename.open("Name of the study", this.#study?.title ?? "", null, async (title) => this.#name(this.#study?.id ?? 0, title, null));
    else if (chapter) {
      const { study } = chapter === this.#study?.id ? { study: this.#study } : await look(chapter);
      const side = /^black$/i.test(study.tags.Orientation ?? "") ? "black" : "white";
      this.#rename.open("Chapter", study.title, side, (title, wanted) => this.#name(chapter, title, wanted === side ? null : wanted));
    }
  }

  /** Copies a text. @param {() => Promise<string>} text @param {string} said */
  async copy(text, said) {
    await copy(text, said).catch((error) => this.#refuse(error));
  }

  /** Gives a chapter another name, and has its board seen from another side. @param {number} id @param {string} title @param {string | null} side */
  async #name(id, title, side) {
    let shown = await take(id, { step: "rename", text: title, node: id === this.#study?.id ? this.#node : 0 });
    if (side) shown = await take(id, { step: "orient", text: side, node: shown.study.here });
    if (id === this.#study?.id) {
      if (side) this.#bottom = side === "black" ? "black" : "white";
      this.#take(shown, true);
    }
    this.rebind(shown.book);
  }

  /** Takes the study away. */
  async discard() {
    const study = this.#book;
    if (!study) return;
    try {
      await ask("DELETE", `/studies/${study.id}`, { token: key(study.id) });
    } catch (error) {
      return this.#refuse(error);
    }
    history.pushState(null, "", location.pathname);
    await this.#leave();
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
      this.#enter(await begin({ pgn: await record(study.id, true), title: this.#book?.title }));
      toast("This copy is yours.");
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Says why something was not done. @param {unknown} error */
  object(error) {
    this.#refuse(error);
  }

  /** Says why something was not done: a move at its square, other things in a line of their own. @param {unknown} error @param {{ from: string, to: string } | null} [tried] @param {boolean} [move] */
  #refuse(error, tried = null, move = false) {
    const sentence = error instanceof Error ? error.message : String(error);
    get("status").textContent = sentence;
    if (move && error instanceof Refused && error.status > 0 && error.status < 500) this.#element.refuse(tried, sentence);
    else this.#banners.show("refused", sentence, [], { look: "lost", passing: true });
  }
}

export const page = new StudyPage();
