/**
 * The page of openings: books, asked move by move until they sit.
 *
 * @typedef {import("./api.js").Book} Book
 * @typedef {import("./api.js").Asked} Asked
 * @typedef {import("./api.js").Scene} Scene
 * @typedef {import("./api.js").Grade} Grade
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../types.js").Mark} Mark
 * @typedef {import("../../board/board.js").TabiyaBoard} BoardElement
 */
import "../../board/board.js";
import "../settings.js";
import { ask, Refused } from "../api.js";
import { get, icon, make } from "../dom.js";
import { back } from "../endings/ladder.js";
import { figures } from "../figures.js";
import { showKeys } from "../keys.js";
import { play } from "../sound.js";
import { toast } from "../toast.js";
import * as api from "./api.js";
import * as shelf from "./books.js";

const board = /** @type {BoardElement} */ (get("board"));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (get(id));
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PAUSE = 450;
const SHEETS = ["books", "drill", "look"];
/** @type {Grade[]} */
const GRADES = ["again", "hard", "good", "easy"];

/** @type {Book[]} */
let books = [];
/** @type {string[]} */
let databases = [];
/** The book that is drilled; none if all are. @type {Book | null} */
let book = null;
/** Whether what is not due is asked as well. */
let any = false;
/** @type {Asked | null} */
let asked = null;
/** By what the answer is known; none when one has been kept. @type {string} */
let name = "";
let kept = false;
/** @type {Scene[]} */
let scenes = [];
let at = 0;
let busy = true;
/** Whether the position in hand has been answered. */
let over = false;
/** @type {Mark[]} */
let marks = [];

const pause = () => (calm.matches ? Promise.resolve() : new Promise((done) => setTimeout(done, PAUSE)));
const other = (/** @type {Side} */ side) => (side === "white" ? "black" : "white");
const named = (/** @type {Side} */ side) => (side === "white" ? "White" : "Black");
const sentence = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : "");
const fresh = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
/** A title that people have given. @param {string} title */
const titled = (title) => make("span", { translate: "no" }, title);
const isLive = () => asked !== null && !over && !busy && at === scenes.length - 1;

// --- What is shown.

function draw() {
  const scene = scenes[at];
  if (!scene) return;
  const live = isLive();
  board.position = { ...scene, destinations: live ? scene.destinations : [], marks: at === scenes.length - 1 ? marks : [] };
  board.movable = live && asked ? asked.color : null;
  button("first").disabled = button("previous").disabled = at === 0;
  button("on").disabled = button("latest").disabled = at >= scenes.length - 1;
  button("tell").disabled = !isLive();
  seats();
}

function seats() {
  /** @type {[string, Side][]} */
  const both = [["seat-near", board.bottom], ["seat-far", other(board.bottom)]];
  for (const [id, side] of both) {
    const seat = get(id);
    seat.dataset.side = side;
    seat.setAttribute("aria-label", named(side));
    const turn = isLive() && asked?.color === side ? [make("span", { class: "turn" }, "Your move")] : [];
    const who = !asked ? "" : asked.color === side ? "you" : "";
    seat.replaceChildren(make("span", { class: "face" }, ...figures(side === "white" ? "K" : "k")),
      make("span", { class: "who" }, make("span", { class: "name" }, named(side)), make("span", { class: "taken" }, make("span", { class: "sub" }, who))), ...turn);
  }
}

/** @param {"" | "right" | "wrong" | "solved" | "plain"} look @param {string} title @param {...string} more */
function say(look, title, ...more) {
  const box = get("said");
  box.hidden = !look;
  box.className = `said ${look}`;
  const sign = look === "wrong" ? [icon("close")] : look === "right" || look === "solved" ? [icon("check")] : [];
  box.replaceChildren(...(title ? [make("b", {}, ...sign, title)] : []), ...more.filter(Boolean).map((text) => make("p", {}, text)));
}

/** @param {"books" | "drill" | "look"} sheet */
function turnTo(sheet) {
  for (const one of SHEETS) get(`sheet-${one}`).hidden = one !== sheet;
  get("foot").hidden = sheet !== "drill";
}

/** @param {number} to */
function go(to) {
  const now = Math.max(0, Math.min(scenes.length - 1, to));
  if (now === at || busy) return;
  at = now;
  play("move");
  draw();
}

// --- The books.

async function look() {
  try {
    ({ books, databases } = await api.overview());
  } catch (error) {
    get("lead-words").textContent = sentence(error);
    get("add").hidden = true;
    return;
  }
  shelf.show(books, { drill: (one) => void drill(one), holes: (one) => void missing(one), changed: () => void look() });
  const due = books.reduce((sum, one) => sum + one.due, 0);
  const unseen = books.reduce((sum, one) => sum + one.new, 0);
  get("lead-words").textContent = !books.length ? "Your openings, asked move by move until they sit. Begin with a book: a study, a PGN, or what was played." : due && unseen ? `${due} come back today, ${unseen} are new.` : due ? `${due} come back today.` : unseen ? `${unseen} are new.` : "All of it sits for today.";
  button("go-on").disabled = !books.length;
  button("go-on").textContent = "Drill";
  if (!books.length) /** @type {HTMLDetailsElement} */ (get("add")).open = true;
  void afterGames();
}

async function up() {
  [asked, book, any, marks] = [null, null, false, []];
  history.replaceState(null, "", "/openings");
  turnTo("books");
  await look();
  if (asked) return;
  try {
    const { board: start } = await ask("POST", "/positions/line", { body: { moves: [] } });
    if (asked || scenes.length) return draw();
    [scenes, at] = [[{ ...start, written: "" }], 0];
  } catch {
    // The books are there all the same.
  }
  draw();
}

async function afterGames() {
  try {
    const { games } = await api.games();
    get("games-block").hidden = games.length === 0;
    get("games").replaceChildren(...games.slice(0, 12).map((one) => {
      const row = make("button", { type: "button", "data-game": String(one.game) }, make("span", {}, one.sentence), make("small", {}, `${one.when} · ${one.result}`));
      row.addEventListener("click", () => void left(one.game));
      return make("li", {}, row);
    }));
  } catch {
    // There is none to tell of.
  }
}

// --- The drill.

/** @param {Book | null} wanted */
async function drill(wanted) {
  book = wanted;
  any = false;
  turnTo("drill");
  await following(null);
  get("task").focus({ preventScroll: true });
}

/** What is asked next. @param {number | null} card one that is wanted */
async function following(card) {
  busy = true;
  let next;
  try {
    next = await api.next({ book, any, after: asked?.card ?? null, card });
  } catch (error) {
    busy = false;
    toast(sentence(error));
    return up();
  }
  if (next.asked) return pose(next.asked, 0, next.due + next.new);
  busy = false;
  asked = null;
  over = true;
  marks = [];
  get("task").textContent = "All of it sits for today";
  get("line").textContent = "";
  get("step-words").replaceChildren(titled(book?.title ?? ""));
  say("solved", "Nothing is due", next.next ? back(next.next) : "");
  get("graded").hidden = true;
  get("answers").hidden = false;
  button("next").textContent = "Ask all the same";
  any = true;
  board.say("Nothing is due.");
  draw();
}

/** Asks a position, and shows the way to it from a place on. @param {Asked} one @param {number} from @param {number} [count] */
async function pose(one, from, count) {
  asked = one;
  [over, kept, marks] = [false, false, []];
  name = fresh();
  busy = true;
  history.replaceState(null, "", `/openings?card=${one.card}`);
  board.bottom = one.color;
  get("task").textContent = "What do you play?";
  get("line").textContent = one.line || "";
  if (count !== undefined) get("step-words").replaceChildren(titled(one.title), ...(count ? [" · ", make("span", {}, `${count} to go`)] : []));
  if (from === 0) say("", "");
  get("answers").hidden = get("graded").hidden = true;
  scenes = one.scenes;
  at = Math.max(0, scenes.length - 3, from);
  draw();
  while (at < scenes.length - 1) {
    await pause();
    if (asked !== one) return;
    at += 1;
    play("move");
    draw();
  }
  busy = false;
  draw();
  const last = scenes[at].written;
  board.say(`${last ? `${last}. ` : ""}What do you play?`);
}

/** @param {{ from: string, to: string, promotion: string | null } | { text: string }} tried */
async function attempt(tried) {
  if (!asked || !isLive()) return draw();
  const mine = asked;
  const text = "text" in tried ? tried.text : `${tried.from}${tried.to}${letter(tried.promotion)}`;
  const first = !kept;
  busy = true;
  let answer;
  try {
    answer = await api.attempt({ card: mine.card, move: text, ...(first ? { name } : {}) });
  } catch (error) {
    busy = false;
    draw();
    board.refuse("from" in tried ? tried : null, sentence(error));
    if (!(error instanceof Refused) || error.status !== 409) say("wrong", "Not heard", sentence(error));
    return;
  }
  if (asked !== mine) return;
  if (first) kept = true;
  if (!answer.right) {
    busy = false;
    draw();
    board.refuse("from" in tried ? tried : null, "That is not in your book. Look again.");
    say("wrong", `Not ${answer.move?.san ?? ""}`, "Your book has something else. Try again, or have it told.");
    return;
  }
  await shown(answer);
}

/** A right move: the board shows it, and the other side goes on where something is to be asked. @param {import("./api.js").Judged} answer */
async function shown(answer) {
  const mine = asked;
  if (!mine || !answer.scene || !answer.move) return;
  scenes = [...scenes, answer.scene];
  at = scenes.length - 1;
  marks = [{ kind: "glyph", at: answer.move.squares[1], text: "✓", tone: "good" }];
  play(answer.scene.check ? "check" : "move");
  draw();
  const others = answer.book.filter(({ uci }) => uci !== answer.move?.uci).map(({ san }) => san);
  say("right", `${answer.move.san} is in your book`, others.length ? `So is ${others.join(", ")}.` : "");
  const { reply } = answer;
  if (reply?.asked) {
    await pause();
    if (asked !== mine) return;
    const next = reply.asked;
    // The same line goes on.
    const from = scenes.length - 1;
    const way = [...scenes, reply.scene];
    return pose({ ...next, scenes: way }, from);
  }
  busy = false;
  finish(answer);
}

/** @param {import("./api.js").Judged} answer */
function finish(answer) {
  over = true;
  get("answers").hidden = false;
  button("next").textContent = "Go on";
  grades(answer);
  board.say(`${get("said").textContent}`);
  get("answers").scrollIntoView({ block: "nearest" });
  draw();
}

/** @param {import("./api.js").Judged} answer */
function grades({ grade, due }) {
  get("graded").hidden = due === null;
  get("graded-words").textContent = `How did it go? ${due ? back(due) : ""}`;
  for (const one of GRADES) button(`grade-${one}`).setAttribute("aria-pressed", String(one === grade));
}

/** @param {Grade} grade */
async function regrade(grade) {
  if (!asked || !over) return;
  try {
    grades(await api.attempt({ card: asked.card, move: null, name, grade }));
  } catch (error) {
    toast(sentence(error));
  }
}

/** What the book has, told: then it was not known. */
async function tell() {
  if (!asked || !isLive()) return;
  const mine = asked;
  busy = true;
  try {
    const answer = await api.attempt({ card: mine.card, move: null, ...(kept ? {} : { name }) });
    kept = true;
    if (asked !== mine) return;
    marks = answer.book.map(({ squares: [from, to] }, rank) => ({ kind: /** @type {const} */ ("line"), from, to, rank }));
    say("plain", answer.book.map(({ san }) => san).join(", "), "Play it on the board.");
    board.say(`${answer.book.map(({ san }) => san).join(", ")}. Play it on the board.`);
  } catch (error) {
    toast(sentence(error));
  } finally {
    busy = false;
    draw();
  }
}

// --- What is missing, and where games left the book.

/** @param {Book} one */
async function missing(one) {
  turnTo("look");
  get("look-words").replaceChildren(titled(one.title));
  get("look-title").textContent = "What is missing";
  const list = /** @type {HTMLSelectElement} */ (get("database"));
  list.replaceChildren(...databases.map((each) => make("option", { value: each }, each === "mine" ? "The games played here" : each)));
  get("compared").hidden = databases.length < 2;
  list.onchange = () => void find();
  get("look-title").focus({ preventScroll: true });
  board.bottom = one.color;
  async function find() {
    get("look-more").textContent = "Looking…";
    get("look-list").replaceChildren();
    try {
      const { holes } = await api.holes(one, list.value);
      get("look-more").textContent = holes.length ? "Answers that you will meet, those met most first." : "Every answer that is played in one of fifty games has a reply.";
      get("look-list").replaceChildren(...holes.map((hole) => {
        const often = Math.max(1, Math.round(1 / Math.max(hole.reach, 0.0001)));
        const row = make("button", { type: "button", "aria-pressed": "false" }, make("span", {}, hole.sentence), make("small", {}, make("span", { translate: "no" }, hole.line), ` · You meet it in one game of ${often}.`));
        row.addEventListener("click", () => void point(row, hole));
        return make("li", {}, row);
      }));
    } catch (error) {
      get("look-more").textContent = sentence(error);
    }
  }
  await find();
}

/** Shows a hole on the board. @param {HTMLElement} row @param {import("./api.js").Hole} hole */
async function point(row, hole) {
  for (const each of get("look-list").querySelectorAll("button")) each.setAttribute("aria-pressed", String(each === row));
  try {
    const { board: there } = await ask("POST", "/positions/line", { body: { fen: hole.fen, moves: [] } });
    [scenes, at] = [[{ ...there, written: "" }], 0];
    marks = [{ kind: "told", from: hole.move.squares[0], to: hole.move.squares[1], tone: "bad" }];
    draw();
  } catch (error) {
    toast(sentence(error));
  }
}

/** Where a game left the book. @param {number} id */
async function left(id) {
  turnTo("look");
  get("compared").hidden = true;
  get("look-words").textContent = "";
  get("look-title").textContent = "Where the game left your book";
  get("look-more").textContent = "";
  get("look-list").replaceChildren();
  history.replaceState(null, "", `/openings?game=${id}`);
  try {
    const database = databases.find((one) => one !== "mine") ?? databases[0] ?? null;
    const found = (await api.game(id, database)).left;
    const one = found[0];
    if (!one) {
      get("look-more").textContent = "This game was in none of your books.";
      return;
    }
    get("look-words").replaceChildren(titled(one.title));
    get("look-more").textContent = one.sentence;
    board.bottom = one.color;
    [scenes, at] = [[one.scene], 0];
    marks = [
      ...one.book.map(({ squares: [from, to] }) => ({ kind: /** @type {const} */ ("told"), from, to, tone: /** @type {const} */ ("good") })),
      ...(one.played ? [{ kind: /** @type {const} */ ("told"), from: one.played.squares[0], to: one.played.squares[1], tone: /** @type {const} */ ("bad") }] : []),
    ];
    draw();
    if (one.others?.games) fared(one);
    get("look-title").focus({ preventScroll: true });
  } catch (error) {
    get("look-more").textContent = sentence(error);
  }
}

/** How others fared there. @param {import("./api.js").Departure} one */
function fared({ others, book: has, played }) {
  const rows = others?.moves ?? [];
  get("look-list").replaceChildren(make("li", {}, make("span", { class: "label" }, "How others fared")), ...rows.map(({ san, games, white, draws, black }) => {
    const tone = has.some((one) => one.san === san) ? "good" : played?.san === san ? "bad" : "";
    const parts = [white, draws, black].map((count) => {
      const part = make("i");
      part.style.flex = String(count);
      return part;
    });
    const words = `${san}: ${games} games; White won ${white}, ${draws} drawn, Black won ${black}`;
    return make("li", { class: "row", role: "img", "aria-label": words }, make("span", { class: tone }, san), make("span", { class: "share" }, ...parts), make("span", {}, String(games)));
  }));
}

// --- Buttons.

function flip() {
  board.bottom = other(board.bottom);
  draw();
}

/** @param {string | null} promotion */
function letter(promotion) {
  return promotion ? { queen: "q", rook: "r", bishop: "b", knight: "n" }[promotion] ?? "" : "";
}

/** @type {Record<string, () => void>} */
const ACTS = {
  "go-on": () => void drill(null), back: () => void up(), "back-look": () => void up(), next: () => void following(null), tell: () => void tell(), flip,
  "to-study": () => asked && location.assign(`/study?study=${asked.study}`), "phone-keys": () => showKeys(),
};
for (const [id, act] of Object.entries(ACTS)) get(id).addEventListener("click", act);
for (const grade of GRADES) button(`grade-${grade}`).addEventListener("click", () => void regrade(grade));
/** @type {Record<string, () => void>} */
const WAYS = { first: () => go(0), previous: () => go(at - 1), on: () => go(at + 1), latest: () => go(scenes.length - 1) };
for (const [id, act] of Object.entries(WAYS)) get(id).addEventListener("click", act);
board.addEventListener("move", (event) => {
  const { from, to, promotion, known } = /** @type {CustomEvent} */ (event).detail;
  if (known) void attempt({ from, to, promotion });
  else {
    draw();
    board.refuse({ from, to }, "That piece cannot go there.");
  }
});
board.addEventListener("typed", (event) => void attempt({ text: /** @type {CustomEvent} */ (event).detail.text }));

/** @type {Record<string, () => void>} */
const KEYS = { ArrowLeft: WAYS.previous, ArrowRight: WAYS.on, ArrowUp: WAYS.first, ArrowDown: WAYS.latest, Home: WAYS.first, End: WAYS.latest, ",": WAYS.previous, ".": WAYS.on, F2: flip, "?": () => showKeys() };
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target.closest("input, textarea, select, dialog, summary")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

async function start() {
  const wish = new URLSearchParams(location.search);
  const [card, game] = [Number(wish.get("card")), Number(wish.get("game"))];
  await up();
  shelf.prepare(databases, () => void look());
  if (card) {
    turnTo("drill");
    await following(card);
  } else if (game) await left(game);
  busy = false;
  draw();
}

void start();
