/**
 * The page of endings: a ladder of positions, each played out against the hardest resistance there is.
 *
 * @typedef {import("./api.js").Ending} Ending
 * @typedef {import("./api.js").Scene} Scene
 * @typedef {import("./api.js").Turn} Turn
 * @typedef {import("./api.js").Help} Help
 * @typedef {import("./api.js").Grade} Grade
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../types.js").Mark} Mark
 * @typedef {import("../../board/board.js").TabiyaBoard} BoardElement
 */
import "../../board/board.js";
import "../settings.js";
import { Refused } from "../api.js";
import { get, icon, make } from "../dom.js";
import { figures } from "../figures.js";
import { showKeys } from "../keys.js";
import { play } from "../sound.js";
import { begin } from "../study/api.js";
import { toast } from "../toast.js";
import * as api from "./api.js";
import * as ladder from "./ladder.js";

const board = /** @type {BoardElement} */ (get("board"));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (get(id));
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** So long one's own move is looked at before the answer comes. */
const PAUSE = 350;
/** How often it is asked how far the tables are. */
const GLANCE = 2000;
const HELP = "tabiya-endings-help";

/** @type {import("./api.js").Ladder | null} */
let all = null;
/** The one that is played; none while the ladder is shown. @type {Ending | null} */
let ending = null;
/** What the board has shown, from the start on, and what it shows. @type {Scene[]} */
let scenes = [];
let at = 0;
/** The moves of both sides, and what was said of the solver's. @type {string[]} */
let moves = [];
/** @type {Turn[]} */
let turns = [];
/** The number of the move that gave the result away; what came of it all. @type {number | null} */
let givenAway = null;
/** @type {{ done: boolean, text: string } | null} */
let end = null;
/** Whether something helped, and whether the first try has been kept. */
let helped = false;
let kept = false;
/** By what the server knows the answer; chosen anew for every try that counts. */
let name = "";
/** The shortest way, while it is shown: from which scene on. @type {number | null} */
let wayFrom = null;
let busy = true;
/** @type {Mark[]} */
let hinted = [];

const pause = () => (calm.matches ? Promise.resolve() : new Promise((done) => setTimeout(done, PAUSE)));
const other = (/** @type {Side} */ side) => (side === "white" ? "black" : "white");
const named = (/** @type {Side} */ side) => (side === "white" ? "White" : "Black");
const sentence = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : "");
const isLive = () => ending !== null && end === null && !busy && at === scenes.length - 1;

/** @returns {Help} */
function help() {
  const chosen = /** @type {HTMLInputElement | null} */ (document.querySelector("[name='help']:checked"));
  return /** @type {Help} */ (chosen?.value ?? "moves");
}

// --- What is shown.

function draw() {
  const scene = scenes[at];
  if (!scene) return;
  const live = isLive();
  const marks = live ? hinted : !end && !ending ? [] : marksAt(at);
  board.position = { ...scene, destinations: live ? scene.destinations : [], marks };
  board.movable = live && ending ? ending.solver : null;
  button("first").disabled = button("previous").disabled = at === 0;
  button("on").disabled = button("latest").disabled = at >= scenes.length - 1;
  get("at-words").textContent = wayFrom !== null && at > wayFrom ? "The shortest way" : "";
  for (const one of get("turns").querySelectorAll("button")) one.toggleAttribute("aria-current", Number(one.dataset.at) === at && wayFrom === null);
  seats();
}

/** The sign on a move of the solver, when it may be told. @param {number} place @returns {Mark[]} */
function marksAt(place) {
  const turn = place % 2 === 1 ? turns[(place - 1) / 2] : undefined;
  if (!turn || wayFrom !== null || (!end && help() === "nothing")) return [];
  const square = turn.move.squares[1];
  if (!turn.gives_away) return [];
  /** @type {Mark[]} */
  const marks = [{ kind: "glyph", at: square, text: "??", tone: "bad" }];
  return marks;
}

function seats() {
  const solver = ending?.solver ?? "white";
  /** @type {[string, Side][]} */
  const both = [["seat-near", board.bottom], ["seat-far", other(board.bottom)]];
  for (const [id, side] of both) {
    const seat = get(id);
    seat.dataset.side = side;
    seat.setAttribute("aria-label", named(side));
    const turn = side === solver && isLive() ? [make("span", { class: "turn" }, "Your move")] : [];
    const who = !ending ? "" : side === solver ? "you" : ending.known === "tables" ? "plays perfectly" : "the engine";
    seat.replaceChildren(make("span", { class: "face" }, ...figures(side === "white" ? "K" : "k")),
      make("span", { class: "who" }, make("span", { class: "name" }, named(side)), make("span", { class: "taken" }, make("span", { class: "sub" }, who))), ...turn);
  }
}

/** @param {"" | "right" | "wrong" | "solved" | "plain"} look @param {string} title @param {...string} more */
function say(look, title, ...more) {
  const box = get("said");
  box.hidden = !look;
  box.className = `said ${look}`;
  const sign = look === "wrong" ? [icon("close")] : look === "solved" ? [icon("check")] : [];
  box.replaceChildren(...(title ? [make("b", {}, ...sign, title)] : []), ...more.filter(Boolean).map((text) => make("p", {}, text)));
}

function showButtons() {
  const over = end !== null;
  get("sheet-ending").classList.toggle("begun", over || turns.length > 0);
  get("help").hidden = over || turns.length > 0;
  get("answers").hidden = !over;
  button("hint").disabled = over || busy || !ending;
  button("takeback").disabled = busy || turns.length === 0 || (over && Boolean(end?.done));
  button("to-study").disabled = busy || !ending;
  get("graded").hidden = !over || !all?.keeps || !kept;
  button("way").hidden = !over || (Boolean(end?.done) && ending?.task === "draw");
  showTurns();
}

/** The solver's moves with what they are worth, as far as that may be told. */
function showTurns() {
  const tells = end ? "moves" : help();
  get("turns").replaceChildren(...turns.map((turn, index) => {
    const { gives_away, verdict, move } = turn;
    const one = make("button", { type: "button", "data-at": String(2 * index + 1) }, make("span", { class: "number" }, `${index + 1}.`), make("span", {}, move.san));
    if (tells === "moves") one.append(make("small", {}, verdict.text));
    else if (tells === "result") one.append(make("small", {}, verdict.worth));
    one.addEventListener("click", () => go(2 * index + 1));
    const item = make("li", { class: gives_away && tells !== "nothing" ? "away" : "" }, one);
    return item;
  }));
  const last = get("turns").lastElementChild;
  if (!end) last?.scrollIntoView({ block: "nearest" });
}

/** @param {number} to */
function go(to) {
  const now = Math.max(0, Math.min(scenes.length - 1, to));
  if (now === at || busy) return;
  at = now;
  play("move");
  draw();
}

// --- The ladder.

async function look() {
  try {
    all = await api.ladder();
  } catch (error) {
    toast(sentence(error));
    return;
  }
  ladder.show(all, (id) => void open(id));
  const count = all.rungs.flatMap(({ endings }) => endings);
  const done = count.filter(({ standing }) => standing === "done" || standing === "due").length;
  const next = count.find(({ id }) => id === all?.next);
  const rung = all.rungs.find(({ endings }) => endings.some(({ id }) => id === all?.next));
  get("lead-words").textContent = done === 0 ? "Endings step by step, against an opponent who never errs." : all.due > 0 ? `${done} of ${count.length} are done. ${all.due} come back today.` : `${done} of ${count.length} are done.`;
  button("go-on").disabled = !next;
  button("go-on").textContent = rung ? `${done || all.due ? "Go on" : "Begin"}: ${rung.title}` : "Go on";
}

/** Shows the ladder, with the next position on the board. */
async function up() {
  ending = null;
  end = null;
  [moves, turns, hinted, wayFrom] = [[], [], [], null];
  history.replaceState(null, "", "/endings");
  get("sheet-ending").hidden = get("foot").hidden = true;
  get("sheet-ladder").hidden = false;
  await look();
  const next = all?.next ?? all?.rungs[0]?.endings[0]?.id;
  if (!next || ending) return;
  try {
    const { scene, solver } = await api.one(next);
    if (ending) return;
    [scenes, at] = [[scene], 0];
    board.bottom = solver;
    draw();
  } catch {
    // The ladder is there all the same.
  }
}

// --- An ending.

/** @param {string} id */
async function open(id) {
  busy = true;
  try {
    const found = await api.one(id);
    ending = found;
    [scenes, at] = [[found.scene], 0];
  } catch (error) {
    busy = false;
    toast(sentence(error));
    if (!ending) void up();
    return;
  }
  forget();
  helped = kept = false;
  name = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  busy = false;
  board.bottom = ending.solver;
  history.replaceState(null, "", `/endings?id=${id}`);
  get("sheet-ladder").hidden = true;
  get("sheet-ending").hidden = get("foot").hidden = false;
  showTask();
  say("", "");
  showButtons();
  draw();
  get("task").focus({ preventScroll: true });
  board.say(`${get("task").textContent}.`);
  void prepare();
}

/** Everything of a try is forgotten. */
function forget() {
  [moves, turns, hinted] = [[], [], []];
  [givenAway, end, wayFrom] = [null, null, null];
}

function showTask() {
  if (!ending) return;
  const rung = all?.rungs.find(({ endings }) => endings.some(({ id }) => id === ending?.id));
  const place = rung ? rung.endings.findIndex(({ id }) => id === ending?.id) + 1 : 0;
  get("step-words").textContent = rung ? `${rung.title} · ${place} of ${rung.endings.length}` : "";
  get("task").textContent = ladder.task(ending);
  get("idea").textContent = rung?.idea ?? "";
}

/** The tables of this ending: told of, and made when somebody practises who may have them made. */
async function prepare() {
  const mine = ending;
  if (!mine || !all) return;
  const mayMake = all.keeps;
  const show = () => {
    if (ending && all) ladder.showKnown(ending, all.tables, mayMake, () => void makeThem());
  };
  show();
  if (mine.known === "tables" || mine.men > 4) return;
  if (mayMake && !all.tables.running && !all.tables.failed) await makeThem();
  while (ending === mine && mine.known === "engine" && all.tables.running) {
    await new Promise((done) => setTimeout(done, GLANCE));
    try {
      all.tables = await api.tables();
      const now = await api.one(mine.id);
      if (ending === mine) mine.known = now.known;
    } catch {
      // The next look will tell.
    }
    show();
    seats();
  }
}

async function makeThem() {
  if (!all || !ending) return;
  try {
    all.tables = await api.makeTables(ending.id);
  } catch (error) {
    toast(sentence(error));
  }
  ladder.showKnown(ending, all.tables, false, () => {});
}

/** @param {{ from: string, to: string, promotion: string | null } | { text: string }} tried */
async function attempt(tried) {
  if (!ending || !isLive()) return draw();
  const mine = ending;
  const text = "text" in tried ? tried.text : `${tried.from}${tried.to}${letter(tried.promotion)}`;
  busy = true;
  hinted = [];
  showButtons();
  let answer;
  try {
    answer = await api.step(mine.id, { moves, move: text, help: help(), given_away: givenAway });
  } catch (error) {
    busy = false;
    draw();
    showButtons();
    board.refuse("from" in tried ? tried : null, sentence(error));
    if (!(error instanceof Refused) || error.status !== 409) say("wrong", "Not heard", sentence(error));
    return;
  }
  if (ending !== mine) return;
  const { turn, reply } = answer;
  moves = answer.moves;
  turns.push(turn);
  if (turn.gives_away) givenAway = turns.length;
  for (const [index, scene] of answer.scenes.entries()) {
    if (index > 0) await pause();
    if (ending !== mine) return;
    scenes.push(scene);
    at = scenes.length - 1;
    sound(scene, scenes[at - 1]);
    draw();
  }
  busy = false;
  tell(turn, reply);
  if (answer.end) finish(answer.end);
  showButtons();
  draw();
}

/** What is said of a move, as far as it may be. @param {Turn} turn @param {import("./api.js").Shown | null} reply */
function tell(turn, reply) {
  const answered = reply ? `${named(other(ending?.solver ?? "white"))} answers ${reply.san}.` : "";
  const level = help();
  if (level === "nothing") say("", "");
  else if (turn.gives_away) say("wrong", ending?.task === "win" ? "This throws the win away" : "This throws the draw away");
  else if (level === "moves") {
    const faster = turn.best && turn.best.verdict.mate !== null && turn.verdict.mate !== null && turn.verdict.mate > turn.best.verdict.mate ? `${turn.best.move.san} ${turn.best.verdict.text}.` : "";
    say("plain", `${turn.move.san} ${turn.verdict.text}`, faster);
  } else say("plain", "", ending?.task === "win" ? "It is still won." : "It still holds.");
  const told = level === "nothing" ? "" : level === "moves" ? `${turn.move.san} ${turn.verdict.text}. ` : "";
  board.say(`${told}${answered}`);
}

/** @param {{ done: boolean, text: string }} how */
function finish(how) {
  end = how;
  play("end");
  const away = turns.find(({ gives_away }) => gives_away);
  const place = away ? turns.indexOf(away) + 1 : 0;
  const dots = ending?.solver === "white" ? "." : "…";
  const where = away ? `${place}${dots}${away.move.san} gave it away.` : "";
  const right = away?.best ? `${away.best.move.san} was right: it ${away.best.verdict.text}.` : "";
  const title = how.done ? "Done" : ending?.task === "win" ? "The win is gone" : "The draw is gone";
  say(how.done ? "solved" : "wrong", title, ...(how.done ? [how.text] : [how.text === "What was to be reached was given away." ? "" : how.text, where, right]));
  board.say(`${title}. ${how.text}`);
  // The line for typed moves goes away: there is nothing to type.
  const typing = document.activeElement;
  if (typing instanceof HTMLInputElement && board.contains(typing)) typing.blur();
  get("answers").hidden = false;
  get("answers").scrollIntoView({ block: "nearest" });
  void keep();
}

/** Keeps how it went; whoever grades by hand is believed. @param {Grade} [grade] */
async function keep(grade) {
  if (!ending || !all?.keeps || !end) return;
  const mine = ending;
  // What went wrong first is what is kept; after taking back it is no better known.
  if (kept && !grade) return;
  try {
    const answer = await api.done(mine.id, { moves, given_away: !end.done, helped, grade, name });
    kept = true;
    if (ending !== mine) return;
    for (const one of ["again", "hard", "good", "easy"]) button(`grade-${one}`).setAttribute("aria-pressed", String(one === answer.grade));
    get("graded-words").textContent = `How did it go? ${answer.due ? ladder.back(answer.due) : ""}`;
    await look();
    showButtons();
  } catch (error) {
    toast(sentence(error));
  }
}

// --- Buttons.

async function hint() {
  if (!ending || !isLive()) return;
  const mine = ending;
  busy = true;
  showButtons();
  try {
    const { best } = await api.hint(mine.id, moves);
    if (ending !== mine || !best) return;
    helped = true;
    hinted = [{ kind: "hint", from: best.move.squares[0], to: best.move.squares[1] }];
    say("plain", `${best.move.san} ${best.verdict.text}`);
    board.say(`${best.move.san} ${best.verdict.text}.`);
  } catch (error) {
    toast(sentence(error));
  } finally {
    busy = false;
    showButtons();
    draw();
  }
}

/** One's own last move is taken back, with the answer to it. */
function takeBack() {
  if (!ending || busy || turns.length === 0 || end?.done) return;
  helped = true;
  turns.pop();
  const whole = 2 * turns.length;
  moves = moves.slice(0, whole);
  scenes = scenes.slice(0, whole + 1);
  at = scenes.length - 1;
  if (givenAway !== null && givenAway > turns.length) givenAway = null;
  [end, wayFrom, hinted] = [null, null, []];
  say("plain", "", "Taken back: look again.");
  showButtons();
  draw();
}

/** The shortest way from where the result was given away; else from the start. */
async function showWay() {
  if (!ending || busy) return;
  const mine = ending;
  const away = turns.findIndex(({ gives_away }) => gives_away);
  const from = away < 0 ? 0 : 2 * away;
  busy = true;
  try {
    const found = await api.way(mine.id, moves.slice(0, from));
    if (ending !== mine) return;
    scenes = [...scenes.slice(0, from + 1), ...found.scenes];
    [at, wayFrom] = [from, from];
    busy = false;
    say("plain", "The shortest way", "Walk through it with the arrows.");
    draw();
    go(from + 1);
    button("on").focus();
  } catch (error) {
    busy = false;
    toast(sentence(error));
  }
}

function next() {
  if (all?.next && all.next !== ending?.id) return void open(all.next);
  const flat = all?.rungs.flatMap(({ endings }) => endings.map(({ id }) => id)) ?? [];
  const following = flat[(flat.indexOf(ending?.id ?? "") + 1) % flat.length];
  void (following ? open(following) : up());
}

/** The game as far as it went, to be looked at at leisure. */
async function toStudy() {
  if (!ending) return;
  const line = scenes.slice(1).map(({ written }) => written).join(" ");
  const pgn = `[Event "${get("step-words").textContent}"]\n[SetUp "1"]\n[FEN "${scenes[0].position}"]\n[Result "*"]\n\n${line} *\n`;
  try {
    const { study } = await begin({ pgn });
    location.assign(`/study?study=${study.id}`);
  } catch (error) {
    toast(sentence(error));
  }
}

function flip() {
  board.bottom = other(board.bottom);
  draw();
}

/** @param {string | null} promotion */
function letter(promotion) {
  return promotion ? { queen: "q", rook: "r", bishop: "b", knight: "n" }[promotion] ?? "" : "";
}

/** @param {Scene} scene @param {Scene} before */
function sound(scene, before) {
  play(scene.check ? "check" : scene.pieces.length < before.pieces.length ? "capture" : "move");
}

/** @type {Record<string, () => void>} */
const ACTS = {
  "go-on": () => all?.next && void open(all.next), back: () => void up(), next, way: () => void showWay(), again: () => ending && void open(ending.id),
  hint: () => void hint(), takeback: takeBack, "to-study": () => void toStudy(), flip, "phone-keys": () => showKeys(),
};
for (const [id, act] of Object.entries(ACTS)) get(id).addEventListener("click", act);
/** @type {Record<string, () => void>} */
const WAYS = { first: () => go(0), previous: () => go(at - 1), on: () => go(at + 1), latest: () => go(scenes.length - 1) };
for (const [id, act] of Object.entries(WAYS)) get(id).addEventListener("click", act);
for (const grade of /** @type {Grade[]} */ (["again", "hard", "good", "easy"])) button(`grade-${grade}`).addEventListener("click", () => void keep(grade));
for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name='help']"))) {
  input.checked = input.value === (localStorage.getItem(HELP) ?? "moves");
  input.addEventListener("change", () => localStorage.setItem(HELP, input.value));
}
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
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target.closest("input, textarea, select, dialog")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

async function start() {
  const id = new URLSearchParams(location.search).get("id");
  if (!id) {
    busy = false;
    return up();
  }
  await look();
  await open(id);
}

void start();
