/**
 * The page of learning: one's own mistakes, to be done better. All that an exercise needs has come with it, so that the page goes on
 * while the server is away; what was answered is sent when it is back.
 *
 * @typedef {import("./api.js").Card} Card
 * @typedef {import("./api.js").Exercise} Exercise
 * @typedef {import("./api.js").Grade} Grade
 * @typedef {import("./api.js").Scene} Scene
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../types.js").Mark} Mark
 * @typedef {import("../../board/board.js").TabiyaBoard} BoardElement
 * @typedef {{ from: string, to: string, promotion: string | null } | { text: string }} Tried
 */
import "../../board/board.js";
import "../settings.js";
import { get, icon, locale, make } from "../dom.js";
import { figures } from "../figures.js";
import { showKeys } from "../keys.js";
import { rung } from "../ladder.js";
import { play } from "../sound.js";
import { toast } from "../toast.js";
import * as api from "./api.js";
import { GRADES, proposed, span } from "./grades.js";
import { keepCards, keepPage, keptCards, Letters } from "./letters.js";
import { showLooking } from "./looking.js";
import { sceneOf, squaresOf } from "./scenes.js";
import { showProgress, showQueue, showReport } from "./standing.js";

const board = /** @type {BoardElement} */ (get("board"));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (get(id));
/** The steps of a hint, in order. */
const STEPS = ["where", "piece", "move", "why"];
/** So many more are begun at once when nothing is due. */
const MORE = 10;

/** The cards that are left, the one that is asked first. @type {Card[]} */
let cards = [];
/** @type {import("./api.js").Overview | null} */
let all = null;
/** What came of those that were answered here. @type {("solved" | "hinted" | "missed")[]} */
const answered = [];
/** How the one that is asked goes. */
let how = fresh();
/** What was found or told, once it was. @type {{ title: string, look: "solved" | "plain", grade: Grade, name: string, at: number } | null} */
let end = null;
/** The scenes of the line that is walked, the first being before it. @type {Scene[]} */
let scenes = [];
let at = 0;
/** @type {"better" | "played"} */
let way = "better";
/** @type {Mark[]} */
let hinted = [];
let more = 0;

const letters = new Letters((away, waiting) => {
  const box = get("away");
  box.hidden = !away;
  box.textContent = away ? (waiting === 1 ? "Offline · 1 answer waits" : `Offline · ${waiting} answers wait`) : "";
  if (!away && waiting === 0) void refresh();
});

function fresh() {
  return { wrong: 0, told: 0, begun: Date.now(), gaveUp: false };
}

const other = (/** @type {Side} */ side) => (side === "white" ? "black" : "white");
const named = (/** @type {Side} */ side) => (side === "white" ? "White" : "Black");
/** @returns {Exercise | null} */
const exercise = () => cards[0]?.exercise ?? null;
const dayOf = (/** @type {string} */ day) => {
  const [year, month, date] = day.split(".").map(Number);
  if (!year || !month || !date) return "";
  return new Date(year, month - 1, date, 12).toLocaleDateString(locale, { day: "numeric", month: "long", year: "numeric" });
};

// --- What is shown.

/** @param {Mark[]} [marks] */
function draw(marks = []) {
  const asked = exercise();
  if (!asked) {
    board.movable = null;
    return;
  }
  const live = !end;
  const scene = scenes[at];
  board.position = { ...scene, destinations: live ? scene.destinations : [], marks: live ? [...marks, ...hinted] : marks.length ? marks : arrows() };
  board.movable = live ? asked.side : null;
  button("previous").disabled = at === 0;
  button("on").disabled = at === scenes.length - 1;
  for (const one of get("line").querySelectorAll("button")) one.toggleAttribute("aria-current", Number(one.dataset.at) === at);
  seats();
}

/** The better move and the one that was played, where both begin. @returns {Mark[]} */
function arrows() {
  const asked = exercise();
  if (!asked || at > 0) return [];
  const told = (/** @type {string} */ uci, /** @type {"good" | "bad"} */ tone) => ({ kind: /** @type {const} */ ("told"), from: squaresOf(uci)[0], to: squaresOf(uci)[1], tone });
  return [told(asked.good[0].uci, "good"), told(asked.played.uci, "bad")];
}

function seats() {
  const asked = exercise();
  if (!asked) return;
  /** @type {[string, Side][]} */
  const both = [["seat-near", board.bottom], ["seat-far", other(board.bottom)]];
  const day = asked.day ? dayOf(asked.day) : "";
  for (const [id, side] of both) {
    const seat = get(id);
    const isYou = side === asked.side;
    seat.dataset.side = side;
    seat.setAttribute("aria-label", named(side));
    const sub = make("span", { class: "sub" }, isYou ? (day ? `your game of ${day}` : "your game") : named(side));
    const turn = isYou && !end ? [make("span", { class: "turn" }, "Your move")] : [];
    const name = make("span", { class: "name", translate: "no" }, asked.players[side === "white" ? 0 : 1]);
    seat.replaceChildren(make("span", { class: "face" }, ...figures(side === "white" ? "K" : "k")), make("span", { class: "who" }, name, make("span", { class: "taken" }, sub)), ...turn);
  }
}

/** @param {"" | "right" | "wrong" | "solved" | "plain"} look @param {string} title @param {string[]} more @param {string} [worth] */
function say(look, title, more = [], worth = "") {
  const box = get("said");
  box.hidden = !look;
  box.className = `said ${look}`;
  const sign = look === "wrong" ? [icon("close")] : look === "plain" ? [] : [icon("check")];
  const head = title ? [make("b", {}, ...sign, make("span", {}, title), ...(worth ? [make("small", { translate: "no" }, worth)] : []))] : [];
  box.replaceChildren(...head, ...more.filter(Boolean).map((text) => make("p", {}, text)));
}

function showButtons() {
  const asked = exercise();
  const live = Boolean(asked) && !end;
  get("hints").hidden = !live;
  for (const [index, step] of STEPS.entries()) {
    button(`hint-${step}`).disabled = !live || index !== how.told;
    button(`hint-${step}`).setAttribute("aria-pressed", String(index < how.told));
  }
  get("walk").hidden = !end;
  get("foot-ask").hidden = !live;
  get("foot-grade").hidden = !end;
  if (end) {
    const { grade } = end;
    for (const one of GRADES) {
      button(`grade-${one}`).setAttribute("aria-pressed", String(one === grade));
      const small = /** @type {HTMLElement} */ (button(`grade-${one}`).querySelector("small"));
      small.textContent = span(cards[0].waits[one]);
    }
    get("grades-label").textContent = `How did it go? We took it as ${grade}.`;
  }
}

function showTask() {
  const asked = exercise();
  const done = answered.length;
  get("over").textContent = asked ? `Today · ${done + 1} of ${done + cards.length}` : "Today";
  get("phone-title").textContent = asked ? `Learn · ${done + 1} of ${done + cards.length}` : "Learn";
  showQueue(answered, cards.length);
  get("ends").hidden = Boolean(asked);
  if (!asked) return;
  get("task").textContent = asked.task;
  get("task-words").textContent = `${named(asked.side)} to move. ${asked.good.length > 1 ? "Several good moves are all accepted." : "One move is clearly better."}`;
}

/** Asks the first of the cards. */
function ask() {
  const asked = exercise();
  [how, end, hinted, at, way] = [fresh(), null, [], 0, "better"];
  say("", "");
  showTask();
  if (!asked) {
    showButtons();
    rest();
    return;
  }
  scenes = [{ ...asked.scene, last: asked.last ? squaresOf(asked.last) : null }];
  board.bottom = asked.side;
  showButtons();
  draw();
  board.say(`${asked.task} ${get("task-words").textContent}`);
}

/** Nothing is left to be asked. */
function rest() {
  const box = get("ends");
  const report = all?.report;
  scenes = [];
  board.movable = null;
  board.position = { columns: 8, rows: 8, pieces: [], destinations: [], last: null, check: null, turn: "white", marks: [] };
  for (const id of ["seat-near", "seat-far"]) get(id).replaceChildren();
  box.hidden = false;
  const act = (/** @type {string} */ label, /** @type {() => void} */ press, main = true) => {
    const one = make("button", { type: "button", class: main ? "main big" : "" }, label);
    one.addEventListener("click", press);
    return one;
  };
  if (!all) {
    get("task").textContent = "The server does not answer";
    get("task-words").textContent = "There is nothing to ask on this page without it.";
    return box.replaceChildren(act("Try again", () => void start()));
  }
  if (!report?.cards) {
    const waits = all.left > 0 || all.goes_on;
    get("task").textContent = all.at ? "Your games are being looked through" : waits ? "Find your mistakes" : "Learn from your own games";
    get("task-words").textContent = all.at ? "The first exercises come in a moment." : "Every mistake becomes an exercise that comes back until it sits. Play a game here, or import those you have played.";
    return box.replaceChildren(act(all.at ? "Show how far it is" : "Choose my games", () => tab("games")));
  }
  get("task").textContent = answered.length ? "Done for today" : "Nothing is due";
  const next = all.next;
  const when = next && next > Date.now() ? `The next one comes back in ${span(next - Date.now())}.` : "";
  get("task-words").textContent = `${answered.length ? `${answered.filter((one) => one !== "missed").length} of ${answered.length} known. ` : ""}${when}`.trim();
  box.replaceChildren(...(report.unseen ? [act(`Begin ${Math.min(MORE, report.unseen)} more`, () => void load(true))] : []), act("See how it goes", () => tab("progress"), false));
}

// --- Cards come.

/** @param {boolean} [extra] more new ones than usual */
async function load(extra = false) {
  try {
    if (extra) more += MORE;
    const queue = await api.queue(more ? 10 + more : undefined);
    cards = queue.cards.filter((card) => card.exercise);
    keepCards(cards);
    if (cards.length === 0) all = await api.overview();
  } catch (error) {
    if (cards.length === 0) cards = keptCards();
    if (cards.length) letters.send();
    else toast(error instanceof Error ? error.message : "");
  }
  ask();
}

/** What is told besides. */
async function refresh() {
  try {
    all = await api.overview();
  } catch {
    return;
  }
  showReport(all.report);
  showLooking(all, told);
  if (cards.length === 0) {
    if (all.due + all.new > 0 && answered.length === 0) await load();
    else rest();
  }
}

/** Somebody has said whose games are looked through. @param {import("./api.js").Overview} overview */
function told(overview) {
  all = overview;
  showLooking(all, told);
  watch();
  if (cards.length === 0) rest();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let watching;
/** Looks how far it is while games are looked through. */
function watch() {
  clearTimeout(watching);
  if (!all?.goes_on && !all?.at) return;
  watching = setTimeout(async () => {
    await refresh();
    watch();
  }, all.at || all.left ? 1500 : 20_000);
}

// --- A move is tried.

/** What a person meant, as programs write it; nothing if it is no move. @param {Tried} tried @returns {string | null} */
function meant(tried) {
  const asked = exercise();
  if (!asked) return null;
  const plain = (/** @type {string} */ text) => text.trim().replace(/[+#!?x=\s]/g, "").replaceAll("0", "O");
  if ("text" in tried) {
    const text = plain(tried.text);
    return asked.moves.find(([uci, san]) => uci === text || plain(san) === text)?.[0] ?? null;
  }
  const code = `${tried.from}${tried.to}${letter(tried.promotion)}`;
  return asked.moves.find(([uci]) => uci === code)?.[0] ?? null;
}

/** @param {string | null} promotion */
function letter(promotion) {
  return promotion ? { queen: "q", rook: "r", bishop: "b", knight: "n" }[promotion] ?? "" : "";
}

/** @param {Tried} tried */
function attempt(tried) {
  const asked = exercise();
  if (!asked || end) return draw();
  const uci = meant(tried);
  const squares = "from" in tried ? tried : null;
  if (!uci) {
    draw();
    return board.refuse(squares, "text" in tried ? "That is no move here." : "That piece cannot go there.");
  }
  const found = asked.good.findIndex((one) => one.uci === uci);
  if (found >= 0) return finish("Right", found);
  how.wrong += 1;
  draw();
  const again = uci === asked.played.uci;
  board.refuse(squares, again ? "That is what you played. Look again." : "Not that one. Look again.");
  say("wrong", again ? "That is what you played" : "Not that one", ["Look again: what can they do, and what is undefended?"]);
}

/** The exercise is over: a good move was found, or the answer was asked for. @param {"Right" | "The answer"} title @param {number} found which of the good moves */
function finish(title, found) {
  const [card] = cards;
  const asked = exercise();
  if (!asked) return;
  const time = Date.now() - how.begun;
  const grade = proposed({ ...how, time, isNew: card.is_new });
  end = { title, look: title === "Right" ? "solved" : "plain", grade, name: crypto.randomUUID?.() ?? `${card.id}-${Date.now()}-${Math.random()}`, at: Date.now() };
  hinted = [];
  keep(grade);
  const move = asked.good[found];
  const written = (/** @type {string} */ san) => `${asked.better.scenes[0]?.written.replace(/[^.\d].*$/, "") ?? ""}${san}`;
  const best = found > 0 ? `${written(asked.good[0].san)} is better still.` : "";
  const head = `${written(move.san)} ${title === "Right" ? "Right" : "was better"}`;
  const words = [best, asked.better.why ?? ""].filter(Boolean);
  say(end.look, head, words, asked.worth[0]);
  get("why-played").replaceChildren(...(asked.punished.why || asked.punished.text ? [make("span", {}, `Your ${asked.played.san} left it at ${asked.worth[1]}.`), " ", make("span", {}, asked.punished.why ?? "")] : []));
  get("about").replaceChildren(...asked.topics.map(({ name, label }) => make("li", {}, name.startsWith("missed-") ? make("span", { class: "chip" }, label) : make("a", { class: "chip", href: `/puzzles?theme=${name}` }, label))));
  show("better");
  if (title === "Right") {
    const played = sceneOf(move.scene);
    play(played.check ? "check" : played.pieces.length < asked.scene.pieces.length ? "capture" : "move");
    scenes = found === 0 ? scenes : [scenes[0], played];
    at = 1;
    writeLine();
    draw([{ kind: "glyph", at: squaresOf(move.uci)[1], text: "✓", tone: "good" }]);
  }
  showButtons();
  board.say([`${head}.`, ...words].join(" "));
  // On a phone what is said may be behind the grades.
  get("said").scrollIntoView({ block: "nearest" });
  button(`grade-${grade}`).focus({ preventScroll: true });
}

/** Keeps the answer; a second time, it takes the place of the first. @param {Grade} grade */
function keep(grade) {
  if (!end) return;
  const steps = how.told ? `, hint ${STEPS[how.told - 1]}` : "";
  const text = how.gaveUp ? `given up${steps}` : `${how.wrong} wrong${steps}`;
  letters.put({ card: cards[0].id, name: end.name, grade, at: end.at, how: text });
  keepCards(cards.slice(1));
}

/** How it went, by hand; then the next one comes. @param {Grade} grade */
function choose(grade) {
  if (!end) return;
  if (grade !== end.grade) keep(grade);
  answered.push(grade === "again" ? "missed" : grade === "hard" ? "hinted" : "solved");
  cards = cards.slice(1);
  keepCards(cards);
  if (cards.length) ask();
  else void load();
}

// --- The lines.

/** @param {"better" | "played"} which */
function show(which) {
  const asked = exercise();
  if (!asked) return;
  way = which;
  scenes = [scenes[0], ...(which === "better" ? asked.better : asked.punished).scenes.map(sceneOf)];
  at = 0;
  button("way-better").setAttribute("aria-pressed", String(which === "better"));
  button("way-played").setAttribute("aria-pressed", String(which === "played"));
  writeLine();
  draw();
}

function writeLine() {
  get("line").replaceChildren(...scenes.slice(1).map((scene, index) => {
    const one = make("button", { type: "button", "data-at": String(index + 1) }, scene.written);
    one.addEventListener("click", () => go(index + 1));
    return one;
  }));
}

/** @param {number} to */
function go(to) {
  if (!end) return;
  const now = Math.max(0, Math.min(scenes.length - 1, to));
  if (now === at) return;
  at = now;
  play("move");
  draw();
}

// --- Buttons.

/** Tells one step more. @param {number} index */
function hint(index) {
  const asked = exercise();
  if (!asked || end || index !== how.told) return;
  how.told += 1;
  const [from, to] = squaresOf(asked.good[0].uci);
  if (index < 3) hinted = rung(index, from, to).marks;
  say("plain", "", [asked.hints[index]]);
  board.say(asked.hints[index]);
  showButtons();
  draw();
  // The next step is where the finger is, for the keyboard as well.
  if (document.activeElement === document.body) get(`hint-${STEPS[Math.min(how.told, STEPS.length - 1)]}`).focus();
}

function giveUp() {
  if (!exercise() || end) return;
  how.gaveUp = true;
  finish("The answer", 0);
}

async function putAside() {
  const [card] = cards;
  if (!card || end) return;
  try {
    await api.putAside(card.id, true);
  } catch (error) {
    return toast(error instanceof Error ? error.message : "");
  }
  cards = cards.slice(1);
  keepCards(cards);
  toast("It does not come back.", { label: "Undo", act: () => void api.putAside(card.id, false).then(() => load(), () => {}) });
  if (cards.length) ask();
  else await load();
}

function flip() {
  board.bottom = other(board.bottom);
  draw();
}

function toGame() {
  const asked = exercise();
  if (asked) location.assign(`/study?game=${asked.game}&review=1`);
}

// --- Tabs.

const TABS = ["today", "progress", "games"];

/** @param {string} name */
function tab(name) {
  for (const one of TABS) {
    const chosen = one === name;
    button(`tab-${one}`).setAttribute("aria-selected", String(chosen));
    button(`tab-${one}`).tabIndex = chosen ? 0 : -1;
    get(`sheet-${one}`).hidden = !chosen;
  }
  get("foot-ask").hidden = name !== "today" || !exercise() || end !== null;
  get("foot-grade").hidden = name !== "today" || !end;
  if (name === "progress") void progress();
}

async function progress() {
  try {
    const [told, overview] = await Promise.all([api.progress(), api.overview()]);
    all = overview;
    showProgress(told, overview.report);
  } catch (error) {
    get("sheet-progress").replaceChildren(make("p", { class: "muted" }, error instanceof Error ? error.message : ""));
  }
}

for (const name of TABS) {
  const one = button(`tab-${name}`);
  one.addEventListener("click", () => tab(name));
  one.addEventListener("keydown", ({ key }) => {
    const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const to = TABS[(TABS.indexOf(name) + by + TABS.length) % TABS.length];
    button(`tab-${to}`).focus();
    tab(to);
  });
}

/** @type {Record<string, () => void>} */
const ACTS = {
  ...Object.fromEntries(STEPS.map((step, index) => [`hint-${step}`, () => hint(index)])),
  ...Object.fromEntries(GRADES.map((grade) => [`grade-${grade}`, () => choose(grade)])),
  solution: giveUp, "to-game": toGame, "put-aside": () => void putAside(), flip, "phone-keys": keys,
  "way-better": () => show("better"), "way-played": () => show("played"), previous: () => go(at - 1), on: () => go(at + 1),
};
for (const [id, act] of Object.entries(ACTS)) get(id).addEventListener("click", act);
board.addEventListener("move", (event) => attempt(/** @type {CustomEvent} */ (event).detail));
board.addEventListener("typed", (event) => attempt({ text: /** @type {CustomEvent} */ (event).detail.text }));

function keys() {
  showKeys([[["1", "2", "3", "4"], "again, hard, good, easy"]]);
}

/** @type {Record<string, () => void>} */
const KEYS = { ArrowLeft: ACTS.previous, ArrowRight: ACTS.on, ArrowUp: () => go(0), ArrowDown: () => go(scenes.length - 1), Home: () => go(0), End: () => go(scenes.length - 1), ",": ACTS.previous, ".": ACTS.on, F2: flip, "?": keys };
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target.closest("input, textarea, select, dialog, [role='tab']")) return;
  const grade = end && /^[1-4]$/.test(event.key) ? GRADES[Number(event.key) - 1] : null;
  const act = grade ? () => choose(grade) : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// --- The page begins.

async function start() {
  showButtons();
  await Promise.all([letters.send(), api.overview().then((found) => (all = found)).catch(() => {})]);
  if (all) {
    showReport(all.report);
    showLooking(all, told);
    watch();
  }
  await load();
  const wish = new URLSearchParams(location.search).get("show");
  if (wish && TABS.includes(wish)) tab(wish);
  await keepPage();
}

void start();
