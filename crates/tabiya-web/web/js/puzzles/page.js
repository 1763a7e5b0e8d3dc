/**
 * The page of puzzles: one position, one question. The server says what is right; the page shows it.
 *
 * @typedef {import("./api.js").Puzzle} Puzzle
 * @typedef {import("./api.js").Scene} Scene
 * @typedef {import("./api.js").Solution} Solution
 * @typedef {import("./api.js").Outcome} Outcome
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../board/board.js").TabiyaBoard} BoardElement
 * @typedef {{ from: string, to: string, promotion: string | null } | { text: string }} Tried
 */
import "../../board/board.js";
import "../settings.js";
import { Refused } from "../api.js";
import { get, icon, make } from "../dom.js";
import { figures } from "../figures.js";
import { showKeys } from "../keys.js";
import { rung } from "../ladder.js";
import { play } from "../sound.js";
import { begin } from "../study/api.js";
import { toast } from "../toast.js";
import * as api from "./api.js";
import * as standing from "./standing.js";

const board = /** @type {BoardElement} */ (get("board"));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (get(id));
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** So long a move is looked at before the next one comes. */
const PAUSE = 450;

/** @type {Puzzle | null} */
let puzzle = null;
/** @type {Solution | null} */
let solution = null;
/** The solver's moves so far. @type {string[]} */
let moves = [];
/** What the board has shown, from before the mistake on, and what it shows. @type {Scene[]} */
let scenes = [];
let at = 0;
/** Whether the server is being asked, or a move is being shown. */
let busy = true;
let wrong = false;
/** The steps of a hint, in order. @type {import("./api.js").Step[]} */
const STEPS = ["where", "piece", "move", "why"];
/** How many steps were told of the next move, and what the board shows of them. */
let told = 0;
/** @type {import("../../types.js").Mark[]} */
let hinted = [];
/** @type {"stream" | "daily"} */
let kind = "stream";
/** @type {string | null} */
let theme = null;
/** @type {import("./api.js").Overview | null} */
let all = null;

/** Waits, but not for those who want no motion. */
const pause = () => (calm.matches ? Promise.resolve() : new Promise((done) => setTimeout(done, PAUSE)));
const other = (/** @type {Side} */ side) => (side === "white" ? "black" : "white");
const named = (/** @type {Side} */ side) => (side === "white" ? "White" : "Black");
const isOver = () => solution !== null;

// --- What is shown.

/** @param {import("../../types.js").Mark[]} [marks] */
function draw(marks = []) {
  const scene = scenes[at];
  if (!scene || !puzzle) return;
  const live = !isOver() && !busy && at === scenes.length - 1;
  if (live) marks = [...marks, ...hinted];
  board.position = { ...scene, destinations: live ? scene.destinations : [], marks };
  board.movable = live ? puzzle.solver : null;
  const walks = isOver();
  button("first").disabled = button("previous").disabled = !walks || at === 0;
  button("on").disabled = button("latest").disabled = !walks || at === scenes.length - 1;
  for (const one of get("line").querySelectorAll("button")) one.toggleAttribute("aria-current", Number(one.dataset.at) === at);
  seats();
}

function seats() {
  if (!puzzle) return;
  const { solver } = puzzle;
  /** @type {[string, Side][]} */
  const both = [["seat-near", board.bottom], ["seat-far", other(board.bottom)]];
  for (const [id, side] of both) {
    const seat = get(id);
    seat.dataset.side = side;
    seat.setAttribute("aria-label", named(side));
    const turn = side === solver && !isOver() && !busy ? [make("span", { class: "turn" }, "Your move")] : [];
    seat.replaceChildren(make("span", { class: "face" }, ...figures(side === "white" ? "K" : "k")),
      make("span", { class: "who" }, make("span", { class: "name" }, named(side)), make("span", { class: "taken" }, make("span", { class: "sub" }, side === solver ? "you" : "to defend"))), ...turn);
  }
}

/** Says something about a move, in words and with a sign. @param {"" | "right" | "wrong" | "solved" | "plain"} look @param {string} title @param {string} [more] */
function say(look, title, more = "") {
  const box = get("said");
  box.hidden = !look;
  box.className = `said ${look}`;
  const sign = look === "wrong" ? [icon("close")] : look === "plain" || !look ? [] : [icon("check")];
  box.replaceChildren(...(title ? [make("b", {}, ...sign, title)] : []), ...(more ? [make("p", {}, more)] : []));
}

/** What is asked, in a sentence. */
function question() {
  if (!puzzle) return "";
  const { goal, mate_in } = puzzle;
  if (goal === "mate") return mate_in === 1 ? "It is mate in one move." : `It is mate in ${mate_in} moves.`;
  return goal === "win" ? "One move wins." : "One move saves the game.";
}

function showTask() {
  if (!puzzle) return;
  get("task").textContent = puzzle.solver === "white" ? "Find the best move for White" : "Find the best move for Black";
  get("task-words").textContent = `${question()} This puzzle is about ${puzzle.rating}.`;
  get("this-one").textContent = `this one: ${puzzle.rating}`;
  const chosen = all?.themes.find(({ name }) => name === theme);
  const over = get("over");
  over.replaceChildren(kind === "daily" && puzzle.date ? `Daily puzzle, ${standing.dayOf(puzzle.date)}` : chosen ? `Theme: ${chosen.label}` : "");
  if (chosen && kind === "stream") {
    const drop = make("button", { type: "button", id: "all-themes" }, "All themes");
    drop.addEventListener("click", () => choose(null));
    over.append(drop);
  }
  if (puzzle.outcome) say("plain", "", "You have tried this one before; it does not count again.");
  else if (puzzle.hinted) say("plain", "", "You have had a hint for this one.");
  else say("", "");
}

function showButtons() {
  const over = isOver();
  button("next").hidden = !over;
  get("hints").hidden = over;
  for (const [index, step] of STEPS.entries()) {
    button(`hint-${step}`).disabled = busy || index !== told;
    button(`hint-${step}`).setAttribute("aria-pressed", String(index < told));
  }
  button("solution").disabled = over || busy;
  button("to-study").disabled = !over;
  button("to-study").title = over ? "" : "When the puzzle is over";
  button("skip").disabled = over || busy;
  get("walk").hidden = !over;
}

// --- A puzzle comes.

/** @param {() => Promise<Puzzle>} fetch */
async function load(fetch) {
  busy = true;
  board.movable = null;
  showButtons();
  let found;
  try {
    found = await fetch();
  } catch (error) {
    busy = puzzle === null;
    say("wrong", "No puzzle", error instanceof Error ? error.message : "");
    showButtons();
    draw();
    return;
  }
  puzzle = found;
  [solution, moves, wrong] = [null, [], false];
  forget();
  scenes = [found.scenes[0]];
  at = 0;
  board.bottom = found.solver;
  const address = kind === "daily" ? "/puzzles?daily" : `/puzzles?id=${found.id}${theme ? `&theme=${theme}` : ""}`;
  history.replaceState(null, "", address);
  showTask();
  standing.showYou(found.you);
  draw();
  await pause();
  if (puzzle !== found) return;
  scenes = [...found.scenes];
  at = 1;
  busy = false;
  showButtons();
  draw();
  board.say(`${get("task").textContent}. ${question()} ${named(other(found.solver))} played ${scenes[1].written}.`);
}

const next = () => load(() => api.next(theme, puzzle?.id ?? null));

/** Another theme, or all of them. @param {string | null} name */
function choose(name) {
  theme = name;
  kind = "stream";
  tab("stream");
  showThemes();
  void next();
}

function showThemes() {
  if (all) standing.showThemes(all.themes, theme, choose);
}

// --- A move is tried.

/** @param {Tried} tried */
async function attempt(tried) {
  if (!puzzle || busy || isOver()) return draw();
  const mine = puzzle;
  const text = "text" in tried ? tried.text : `${tried.from}${tried.to}${letter(tried.promotion)}`;
  busy = true;
  showButtons();
  let answer;
  try {
    answer = await api.attempt(mine.id, [...moves, text]);
  } catch (error) {
    busy = false;
    draw();
    showButtons();
    const sentence = error instanceof Error ? error.message : "";
    board.refuse("from" in tried ? tried : null, sentence);
    if (!(error instanceof Refused) || error.status !== 409) say("wrong", "Not heard", sentence);
    return;
  }
  if (puzzle !== mine) return;
  if (answer.verdict === "wrong") return miss(tried, answer);
  moves.push(text);
  forget();
  const [played, reply] = answer.scenes;
  scenes.push(played);
  at = scenes.length - 1;
  const square = played.last?.[1] ?? "";
  sound(played, scenes[at - 1]);
  draw([{ kind: "glyph", at: square, text: "✓", tone: "good" }]);
  if (answer.verdict === "solved") return finish(answer, moves.length === 0 ? "" : "Solved");
  say("right", "Right", `${named(other(mine.solver))} answers ${reply.written}. Go on.`);
  await pause();
  if (puzzle !== mine) return;
  scenes.push(reply);
  at = scenes.length - 1;
  sound(reply, scenes[at - 1]);
  busy = false;
  draw();
  showButtons();
  board.say(`Right. ${reply.written}. Your move.`);
}

/** @param {Tried} tried @param {import("./api.js").Answer} answer */
function miss(tried, answer) {
  const first = !wrong;
  wrong = true;
  busy = false;
  count(answer);
  draw();
  showButtons();
  board.refuse("from" in tried ? tried : null, "Not that one. Look again.");
  say("wrong", "Not that one", first && answer.result ? "It counts as missed, but the move is still there to be found." : "Look again: what can they do, and what is undefended?");
}

/** The puzzle is over: solved, or given up. @param {{ solution?: Solution, result?: import("./api.js").Result, outcome?: Outcome, you?: import("./api.js").You }} answer @param {string} title */
function finish(answer, title) {
  solution = answer.solution ?? null;
  busy = false;
  forget();
  count(answer);
  showLine();
  showButtons();
  const how = wrong || answer.outcome === "missed" ? "You found it in the end." : answer.outcome === "hinted" ? "With a hint: half a point." : "";
  if (title) {
    play("end");
    say("solved", title, answer.result || wrong ? how : "It did not count again.");
    board.say(`${title}. ${how}`);
  }
  draw(title ? [{ kind: "glyph", at: scenes[at].last?.[1] ?? "", text: "✓", tone: "good" }] : []);
}

/** @param {{ result?: import("./api.js").Result, you?: import("./api.js").You }} answer */
function count({ result, you }) {
  if (you) standing.showYou(you, result?.change ?? null);
  if (!result) return;
  standing.add(result.outcome);
  if (all && puzzle && all.daily.id === puzzle.id) standing.showDaily({ ...all.daily, outcome: result.outcome });
  void showHistory();
}

/** The whole line, to walk through, and what it was about. */
function showLine() {
  if (!solution) return;
  const own = scenes[scenes.length - 1];
  const line = solution.scenes;
  // Where another mate was found, that is how the line ends.
  const ends = scenes.length === line.length && own.position !== line[line.length - 1].position;
  const last = at;
  scenes = ends ? [...line.slice(0, -1), own] : line;
  at = Math.min(last, scenes.length - 1);
  get("line").replaceChildren(...scenes.slice(1).map((scene, index) => {
    const one = make("button", { type: "button", "data-at": String(index + 1) }, scene.written);
    one.addEventListener("click", () => go(index + 1));
    return one;
  }));
  get("about").replaceChildren(...solution.themes.map(({ name, label }) => make("li", {}, make("a", { class: "chip", href: `/puzzles?theme=${name}` }, label))));
}

/** @param {number} to */
function go(to) {
  if (!isOver()) return;
  const now = Math.max(0, Math.min(scenes.length - 1, to));
  if (now === at) return;
  at = now;
  play("move");
  draw();
}

// --- Buttons.

/** What was told of a move goes with it. */
function forget() {
  told = 0;
  hinted = [];
}

/** Tells one step more. @param {import("./api.js").Step} step */
async function hint(step) {
  if (!puzzle || busy || isOver()) return;
  const mine = puzzle;
  busy = true;
  showButtons();
  let help = null;
  try {
    help = await api.hint(mine.id, moves, step);
  } catch (error) {
    toast(error instanceof Error ? error.message : "");
  }
  if (puzzle !== mine) return;
  busy = false;
  if (help) {
    told += 1;
    const counts = wrong ? "" : " Solved now, the puzzle counts half.";
    const sentence = show(help);
    say("plain", "", help.move ? `${sentence}${help.result ? " What was told was not found: the puzzle counts as missed." : ""}` : help.themes ? sentence : `${sentence}${counts}`);
    board.say(sentence);
    wrong ||= Boolean(help.move);
    count(help);
  }
  showButtons();
  draw();
  // The next step is where the finger is, for the keyboard as well.
  if (help && document.activeElement === document.body) get(`hint-${STEPS[Math.min(told, STEPS.length - 1)]}`).focus();
}

/** Shows a step on the board, and gives its sentence. @param {import("./api.js").Hint} help */
function show({ files, at: square, move, themes }) {
  const role = (/** @type {string} */ from) => scenes[at].pieces.find((piece) => piece.at === from)?.role ?? "piece";
  const step = files ? 0 : square ? 1 : 2;
  if (files || square || move) {
    // Only as much is known as was told.
    const [from, to] = move ?? [square ?? "", files ?? ""];
    const told = rung(step, from, to, role(from));
    hinted = told.marks;
    return told.sentence;
  }
  return `This puzzle is about: ${(themes ?? []).map(({ label }) => label).join(" · ")}`;
}

async function giveUp() {
  if (!puzzle || busy || isOver()) return;
  const mine = puzzle;
  busy = true;
  showButtons();
  try {
    const answer = await api.giveUp(mine.id);
    const solved = scenes.length - 1;
    finish(answer, "");
    say("plain", "The solution", "Walk through it with the arrows.");
    // From where one stood, the line is played.
    for (let step = solved + 1; step < scenes.length && puzzle === mine; step += 1) {
      await pause();
      if (puzzle === mine && at === step - 1) go(step);
    }
  } catch (error) {
    busy = false;
    showButtons();
    draw();
    toast(error instanceof Error ? error.message : "");
  }
}

async function toStudy() {
  if (!solution) return;
  try {
    const { study } = await begin({ pgn: solution.pgn });
    location.assign(`/study?study=${study.id}`);
  } catch (error) {
    toast(error instanceof Error ? error.message : "");
  }
}

function flip() {
  board.bottom = other(board.bottom);
  draw();
}

async function showHistory() {
  try {
    standing.showHistory((await api.history()).tries);
  } catch {
    // The next one is told of again.
  }
}

/** @param {string | null} promotion */
function letter(promotion) {
  return promotion ? { queen: "q", rook: "r", bishop: "b", knight: "n" }[promotion] ?? "" : "";
}

/** @param {Scene} scene @param {Scene} before */
function sound(scene, before) {
  play(scene.check ? "check" : scene.pieces.length < before.pieces.length ? "capture" : "move");
}

// --- Tabs.

const TABS = ["stream", "daily", "themes", "history"];

/** Shows a tab. @param {string} name */
function tab(name) {
  for (const one of TABS) {
    const chosen = one === name;
    button(`tab-${one}`).setAttribute("aria-selected", String(chosen));
    button(`tab-${one}`).tabIndex = chosen ? 0 : -1;
  }
  const isPuzzle = name === "stream" || name === "daily";
  get("sheet-puzzle").hidden = !isPuzzle;
  get("sheet-puzzle").setAttribute("aria-labelledby", `tab-${isPuzzle ? name : "stream"}`);
  get("sheet-themes").hidden = name !== "themes";
  get("sheet-history").hidden = name !== "history";
}

/** @param {string} name */
function chooseTab(name) {
  const changes = (name === "stream" || name === "daily") && name !== kind;
  tab(name);
  if (!changes) return;
  kind = name === "daily" ? "daily" : "stream";
  void (kind === "daily" ? load(api.daily) : next());
}

for (const name of TABS) {
  const one = button(`tab-${name}`);
  one.addEventListener("click", () => chooseTab(name));
  one.addEventListener("keydown", ({ key }) => {
    const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const to = TABS[(TABS.indexOf(name) + by + TABS.length) % TABS.length];
    button(`tab-${to}`).focus();
    chooseTab(to);
  });
}

/** @type {Record<string, () => void>} */
const ACTS = { next: () => void next(), ...Object.fromEntries(STEPS.map((step) => [`hint-${step}`, () => void hint(step)])), solution: giveUp, "to-study": toStudy, flip, skip: () => void next(), "phone-keys": () => showKeys() };
for (const [id, act] of Object.entries(ACTS)) get(id).addEventListener("click", act);
/** @type {Record<string, () => void>} */
const WAYS = { first: () => go(0), previous: () => go(at - 1), on: () => go(at + 1), latest: () => go(scenes.length - 1) };
for (const [id, act] of Object.entries(WAYS)) get(id).addEventListener("click", act);
get("daily-card").addEventListener("click", (event) => {
  event.preventDefault();
  chooseTab("daily");
});
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
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target.closest("input, textarea, select, dialog, [role='tab']")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// --- The page begins.

async function start() {
  const wish = new URLSearchParams(location.search);
  standing.showSitting();
  showButtons();
  kind = wish.has("daily") ? "daily" : "stream";
  theme = wish.get("theme");
  const id = wish.get("id");
  tab(kind);
  const looked = api.overview().then((found) => {
    all = found;
    if (!found.themes.some(({ name }) => name === theme)) theme = null;
    standing.showDaily(found.daily);
    showThemes();
    if (puzzle) showTask();
  }).catch(() => {});
  if (theme) await looked;
  await load(kind === "daily" ? api.daily : id ? () => api.one(id) : () => api.next(theme, null));
  if (!puzzle && id) await next();
  await looked;
  await showHistory();
}

void start();
