/**
 * The server in a worker of the browser: answers what the pages ask of `/api` as the server does, by the program in WebAssembly, and keeps
 * what is to be kept in this browser. A change is on the disk before it is confirmed.
 *
 * What takes long (engine lines, reviews, positions made to measure) is done by workers of their own, which are ended to end it.
 */
import { compile, start, TabiyaError } from "../program/program.js";
import { all, get, number, write } from "./keep.js";

/** @typedef {{ id: number, method: string, path: string, query: URLSearchParams, token: string | null, body: string | null }} Asked */
/** @typedef {{ status: number, type: string, text: string }} Answer */

const module = compile(new URL("../tabiya.wasm", import.meta.url));
let program = module.then(start);
program.catch(() => {});

/** Why something is not done: a status for programs, a sentence for people. */
class Refused extends Error {
  /** @param {number} status @param {string} sentence */
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

const noGame = () => new Refused(404, "There is no such game.");
const noStudy = () => new Refused(404, "There is no such study.");
const noReview = () => new Refused(404, "There is no such review; ask for it again.");

/** Asks the program. A refusal is told with a status. @param {object} question @param {number} [status] */
async function ask(question, status = 422) {
  const program_ = await program;
  try {
    return program_(question);
  } catch (error) {
    if (error instanceof TabiyaError) throw new Refused(status, error.message);
    // A program that has failed is no good any more: another one takes up what is kept.
    program = module.then(start);
    for (const known of [open, opened, busy]) known.clear();
    throw error;
  }
}

/** @param {unknown} what @param {number} [status] @returns {Answer} */
const json = (what, status = 200) => ({ status, type: "application/json", text: JSON.stringify(what) });
/** @param {string} text @param {string} [type] @returns {Answer} */
const plain = (text, type = "text/plain; charset=utf-8") => ({ status: 200, type, text });
const PGN = "application/x-chess-pgn";
const nothing = { status: 204, type: "text/plain", text: "" };

/** @param {Asked} asked @returns {any} */
function bodyOf({ body }) {
  try {
    return JSON.parse(body ?? "");
  } catch {
    throw new Refused(400, "The request is not valid JSON.");
  }
}

const random = () => Number(crypto.getRandomValues(new BigUint64Array(1))[0] >> 11n);
/** As the server writes it: `2026-11-19 18:05`, by the clock of whoever looks. @param {number} time */
const moment = (time) => new Date(time).toLocaleString("sv").slice(0, 16);
const DAY = 24 * 3600 * 1000;
const today = () => Math.floor(Date.now() / DAY);

// ---- who listens

/** @type {Map<number, { about: string, end: () => void }>} */
const listeners = new Map();

/** @param {number} id @param {string | null} name @param {unknown} data @param {string} [sequence] */
function tell(id, name, data, sequence) {
  const text = `${name ? `event: ${name}\n` : ""}${sequence ? `id: ${sequence}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
  postMessage({ id, event: text });
}

/** @param {number} id @param {string} about @param {() => void} [end] */
function listen(id, about, end = () => {}) {
  postMessage({ id, answer: { status: 200, type: "text/event-stream", live: true } });
  listeners.set(id, { about, end });
}

/** @param {number} id */
function leave(id) {
  listeners.get(id)?.end();
  listeners.delete(id);
}

setInterval(() => listeners.forEach((_, id) => postMessage({ id, event: ": still here\n\n" })), 15_000);

// ---- those who think

/**
 * Has a worker of its own think. What is asked wrongly is refused with a status.
 *
 * @param {object} question @param {(found: any) => void} [hear] @param {number} [status]
 * @returns {{ answer: Promise<any>, end: () => void }}
 */
function think(question, hear = () => {}, status = 422) {
  const thinker = new Worker(new URL("../program/worker.js", import.meta.url), { type: "module" });
  const answer = new Promise((resolve, reject) => {
    thinker.onmessage = ({ data: { heard, ok, error } }) => {
      if (heard !== undefined) return hear(heard);
      thinker.terminate();
      if (error === undefined) resolve(ok);
      else reject(new Refused(status, error));
    };
    thinker.onerror = ({ message }) => reject(new Refused(500, `The engine has ended: ${message}`));
    module.then((module) => thinker.postMessage({ module, question }), reject);
  });
  answer.catch(() => {});
  return { answer, end: () => thinker.terminate() };
}

// ---- games

/** The games that are open in the program, and the state of each that it knows. @type {Map<number, number>} */
const open = new Map();
/** Those in which something goes on without anybody moving. @type {Set<number>} */
const busy = new Set();
/** So that numbers of views go on growing. */
const base = Date.now();

/** @param {number} id @returns {Promise<any>} what is kept of a game, which is open then */
async function game(id) {
  const kept = Number.isSafeInteger(id) ? await get("games", id) : null;
  if (!kept) throw noGame();
  // Another tab may have gone on with it.
  if (open.get(id) !== kept.stamp) {
    const shown = await ask({ call: "game-open", id, base: Math.max(base, kept.stamp), kept: kept.kept }, 409);
    open.set(id, kept.stamp);
    going(id, shown);
  }
  return kept;
}

/** @param {number} id @param {{ busy: boolean }} shown */
function going(id, shown) {
  if (shown.busy) busy.add(id);
  else busy.delete(id);
  if (shown.busy) work();
}

/** Keeps what has become of a game, and shows it then. @param {any} record @param {any} shown */
async function keep(record, shown) {
  const { id } = record;
  const stamp = Math.max(Date.now(), (record.stamp ?? 0) + 1);
  if (JSON.stringify(record.kept) !== JSON.stringify(shown.kept)) {
    try {
      await write([{ store: "games", put: { ...record, kept: shown.kept, card: shown.card, stamp, updated: Date.now() } }]);
      open.set(id, stamp);
    } catch {
      // As it was.
      open.delete(id);
      await ask({ call: "game-close", id });
      throw new Refused(500, "The game could not be kept, so nothing has changed.");
    }
  }
  show(id, shown.view);
  going(id, shown);
}

/** @param {number} id @param {any} view */
function show(id, view) {
  for (const [listener, { about }] of listeners) if (about === `game ${id}`) tell(listener, null, view, String(view.sequence));
}

/** @param {Asked} asked */
async function begin(asked) {
  const order = bodyOf(asked);
  const id = await number();
  const date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
  const shown = await ask({ call: "game-begin", id, base, order, random: random(), date });
  await keep({ id, created: Date.now() }, shown);
  const [white, black] = shown.kept.players.map((/** @type {string} */ name) => /^human\b/.test(name));
  return json({ id, tokens: { white: white ? "white" : null, black: black ? "black" : null }, view: shown.view }, 201);
}

/** A game after something was done by whoever has a seat there. @param {number} id @param {Asked} asked @param {object} question */
async function change(id, asked, question) {
  const record = await game(id);
  if (!["white", "black"].includes(asked.token ?? "")) throw new Refused(403, "Only those who play the game may do that.");
  const shown = await ask({ ...question, id, side: asked.token }, 409);
  await keep(record, shown);
  return json({ said: shown.said, view: shown.view });
}

let working = false;

/** Has the computers think, one after the other, and looks after the clocks, as long as there is something to do. */
function work() {
  if (working) return;
  working = true;
  const step = async () => {
    await inTurn(async () => {
      await ask({ call: "game-work" });
      for (const id of [...busy]) {
        const record = await get("games", id);
        if (!record || open.get(id) !== record.stamp) {
          busy.delete(id);
          continue;
        }
        const shown = await ask({ call: "game-poll", id });
        if (shown) await keep(record, shown);
      }
    }).catch(() => {});
    if (busy.size) setTimeout(step, 60);
    else working = false;
  };
  setTimeout(step);
}

/** @param {any} record @param {Asked["query"]} query */
function isWanted({ card, deleted }, query) {
  const filled = (/** @type {string} */ name) => query.get(name) || null;
  if (Boolean(deleted) !== (query.get("bin") === "true")) return false;
  const [kind, source, result] = ["game", "source", "result"].map(filled);
  if ((kind && card.kind !== kind) || (source && card.source !== source)) return false;
  if (query.get("unfinished") === "true" ? card.end : result && card.result !== result) return false;
  const date = (card.date ?? "").replaceAll("-", ".");
  const [since, until] = ["since", "until"].map((name) => filled(name)?.replaceAll("-", "."));
  if ((since && !(date >= since)) || (until && !(date && date <= `${until}~`))) return false;
  const fold = (/** @type {string} */ text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = fold(filled("search") ?? filled("player") ?? "").split(/\s+/).filter(Boolean);
  const about = fold([card.white, card.black, card.event, card.eco, card.opening, date].filter(Boolean).join(" "));
  return words.every((word) => about.includes(word));
}

/** By what a list is sorted. @type {Record<string, (record: any) => string | number>} */
const SORTS = {
  updated: ({ updated }) => updated,
  deleted: ({ deleted }) => deleted ?? 0,
  date: ({ card }) => card.date ?? "",
  white: ({ card }) => card.white.toLowerCase(),
  black: ({ card }) => card.black.toLowerCase(),
  "white-elo": ({ card }) => card.white_elo ?? 0,
  "black-elo": ({ card }) => card.black_elo ?? 0,
  event: ({ card }) => (card.event ?? "").toLowerCase(),
  opening: ({ card }) => (card.opening ?? "").toLowerCase(),
  result: ({ card }) => card.result,
  plies: ({ card }) => card.plies,
};

/** @param {any} record */
const summary = ({ id, card, deleted, updated }) => ({ id, ...card, deleted: deleted ?? null, when: moment(updated) });

/** @param {Asked} asked */
async function games({ query }) {
  const sort = query.get("sort") || "updated";
  const by = SORTS[sort];
  if (!by) throw new Refused(422, `Games are sorted by ${Object.keys(SORTS).join(", ")}.`);
  const way = query.get("order") === "ascending" ? 1 : -1;
  const wanted = (await all("games")).filter((record) => isWanted(record, query));
  wanted.sort((a, b) => {
    const [one, other] = [by(a), by(b)];
    return way * (one < other ? -1 : one > other ? 1 : a.id - b.id);
  });
  const from = Number(query.get("after") ?? 0), limit = Math.min(500, Number(query.get("limit") ?? 50));
  const next = from + limit < wanted.length ? String(from + limit) : null;
  return json({ games: wanted.slice(from, from + limit).map(summary), next });
}

/** @param {Asked} asked */
async function count({ query }) {
  const wanted = (await all("games")).filter((record) => isWanted(record, query));
  return json({ games: wanted.length, more: false, uncatalogued: 0 });
}

/** @param {number[]} ids @param {(record: any) => any} change what becomes of a game; nothing if it is to be forgotten */
async function dispose(ids, change) {
  const records = await Promise.all(ids.map((id) => get("games", id)));
  if (records.some((record) => !record)) throw noGame();
  await write(records.map((record) => {
    const put = change(record);
    return put ? { store: "games", put } : { store: "games", drop: record.id };
  }));
  for (const id of ids) {
    open.delete(id);
    busy.delete(id);
    await ask({ call: "game-close", id });
  }
  return nothing;
}

const toBin = (/** @type {any} */ record) => ({ ...record, deleted: Date.now() });
const back = (/** @type {any} */ record) => ({ ...record, deleted: null });

/** @param {Asked} asked */
function bin(asked) {
  const { action, games } = bodyOf(asked);
  if (!Array.isArray(games) || !games.length) throw new Refused(422, "Which games?");
  const change = { delete: toBin, restore: back, forget: () => null }[/** @type {string} */ (action)];
  if (!change) throw new Refused(422, "Games are deleted, restored or forgotten.");
  return dispose(games, change);
}

/** @param {number} id */
async function recordOf(id) {
  await game(id);
  return ask({ call: "game-record", id });
}

/** A record of chess, for those who work on it. @param {number} id @param {string} what */
async function chessRecord(id, what) {
  const { kept } = await game(id);
  if (kept.kind !== "chess") throw new Refused(422, `Only games of chess can be ${what}.`);
  return recordOf(id);
}

/** @param {Asked} asked */
async function exported(asked) {
  const texts = [];
  for (const id of bodyOf(asked).games) if ((await game(id)).kept.kind === "chess") texts.push(await recordOf(id));
  return plain(texts.join("\n"), PGN);
}

/** @param {Asked} asked */
async function imported({ body }) {
  const { games, problems } = await ask({ call: "game-import", text: body ?? "" });
  const known = new Map((await all("games")).filter(({ fingerprint }) => fingerprint).map((record) => [record.fingerprint, record]));
  const sum = { games: 0, known: 0, restored: 0, bad: problems.length, problems };
  const changes = [];
  let id = await number(games.length);
  for (const { kept, card, fingerprint } of games) {
    const there = known.get(fingerprint);
    if (there?.deleted) {
      sum.restored += 1;
      changes.push({ store: "games", put: { ...there, deleted: null } });
      known.set(fingerprint, { ...there, deleted: null });
    } else if (there) sum.known += 1;
    else {
      sum.games += 1;
      const now = Date.now();
      const record = { id: id++, kept, card, fingerprint, stamp: now, created: now, updated: now, deleted: null };
      changes.push({ store: "games", put: record });
      known.set(fingerprint, record);
    }
  }
  if (changes.length) await write(changes);
  return json(sum);
}

// ---- studies

/** The chapters that are open in the program, and how often each was changed. @type {Map<number, number>} */
const opened = new Map();

/** @param {number} id a chapter, or a study, whose first chapter is meant */
async function chapter(id) {
  const own = await get("chapters", id);
  const book = await get("books", own ? own.book : id);
  if (!book || book.deleted) throw noStudy();
  const first = own ?? (await get("chapters", book.chapters[0]));
  if (!first || !book.chapters.includes(first.id)) throw noStudy();
  if (opened.get(first.id) !== first.kept.sequence) {
    await ask({ call: "study-open", id: first.id, kept: first.kept }, 409);
    opened.set(first.id, first.kept.sequence);
  }
  return { chapter: first, book };
}

/** @param {any} book */
async function told({ id, title, chapters }) {
  const all = await Promise.all(chapters.map((/** @type {number} */ one) => get("chapters", one)));
  return { id, title, chapters: all.map(({ id, kept }) => ({ id, title: kept.title })) };
}

/** @param {number} id */
async function study(id) {
  const { chapter: { id: at }, book } = await chapter(id);
  const { study, board } = await ask({ call: "study-view", id: at });
  return { study, board, book: await told(book) };
}

/** @param {Asked} asked */
async function beginStudy(asked) {
  const order = bodyOf(asked);
  const record = order.game === undefined ? null : await chessRecord(order.game, "studied");
  const { title, chapters } = await ask({ call: "study-begin", order, record });
  const first = await number(chapters.length + 1);
  const ids = chapters.map((/** @type {any} */ _, /** @type {number} */ index) => first + 1 + index);
  const book = { id: first, title, chapters: ids, updated: Date.now(), deleted: null };
  await write([{ store: "books", put: book }, ...chapters.map((/** @type {any} */ kept, /** @type {number} */ index) => ({ store: "chapters", put: { id: ids[index], book: first, kept } }))]);
  return json({ ...(await study(ids[0])), token: "mine" }, 201);
}

/** @param {Asked} asked */
async function studies({ query }) {
  const from = Number(query.get("after") ?? 0), limit = Math.min(60, Number(query.get("limit") ?? 24));
  const books = (await all("books")).filter(({ deleted }) => !deleted).sort((a, b) => b.updated - a.updated);
  const cards = books.slice(from, from + limit).map(async ({ id, title, chapters, updated }) => {
    const kept = (await get("chapters", chapters[0]))?.kept ?? null;
    return ask({ call: "study-card", id, title, when: moment(updated), chapters: chapters.length, kept });
  });
  return json({ studies: await Promise.all(cards), next: from + limit < books.length ? String(from + limit) : null });
}

/** @param {number} id @param {Asked} asked */
async function step(id, asked) {
  const order = bodyOf(asked);
  const { chapter: known, book } = await chapter(id);
  const { kept } = await ask({ call: "study-step", id: known.id, step: order }, 409);
  try {
    const put = { ...known, kept };
    // The name of a study of one chapter is that of its chapter.
    const title = book.chapters.length === 1 ? kept.title : book.title;
    await write([{ store: "chapters", put }, { store: "books", put: { ...book, title, updated: Date.now() } }]);
    opened.set(known.id, kept.sequence);
  } catch {
    opened.delete(known.id);
    throw new Refused(500, "The study could not be kept, so nothing has changed.");
  }
  return json(await study(known.id));
}

/** @param {number} id @param {Asked} asked */
async function chapters(id, asked) {
  const { step, chapter: which, place, pgn, fen, text } = bodyOf(asked);
  const { book } = await chapter(id);
  const has = (/** @type {number} */ one) => book.chapters.includes(one);
  const changes = [];
  let ids = [...book.chapters], title = book.title, shown = ids[0];
  if (step === "add") {
    const added = await ask({ call: "study-chapters", pgn, fen, title: text, there: ids.length });
    shown = await number(added.length);
    added.forEach((/** @type {any} */ kept, /** @type {number} */ index) => changes.push({ store: "chapters", put: { id: shown + index, book: book.id, kept } }));
    ids.push(...added.map((/** @type {any} */ _, /** @type {number} */ index) => shown + index));
  } else if (step === "move") {
    if (!has(which)) throw noStudy();
    ids = ids.filter((one) => one !== which);
    ids.splice(place, 0, which);
    shown = which;
  } else if (step === "delete") {
    if (!has(which)) throw noStudy();
    if (ids.length === 1) throw new Refused(409, "A study keeps one chapter: delete the study instead.");
    const at = ids.indexOf(which);
    const gone = await get("chapters", which);
    changes.push({ store: "chapters", put: { ...gone, was: at } });
    ids.splice(at, 1);
    shown = ids[Math.min(at, ids.length - 1)];
  } else if (step === "restore") {
    const gone = await get("chapters", which);
    if (!gone || gone.book !== book.id || has(which)) throw noStudy();
    ids.splice(gone.was ?? ids.length, 0, which);
    shown = which;
  } else if (step === "name") title = await ask({ call: "study-title", text: text ?? "" });
  else throw new Refused(422, "Steps are: add, move, delete, restore, name.");
  const now = { ...book, title, chapters: ids, updated: Date.now() };
  await write([{ store: "books", put: now }, ...changes]);
  return json({ book: await told(now), chapter: shown });
}

/** @param {number} id @param {number | null} deleted */
async function shelve(id, deleted) {
  const own = await get("chapters", id);
  const book = await get("books", own ? own.book : id);
  if (!book) throw noStudy();
  await write([{ store: "books", put: { ...book, deleted } }]);
  return nothing;
}

/** @param {number} id @param {Asked} asked */
async function studyRecord(id, { query }) {
  const { chapter: own, book } = await chapter(id);
  if (query.get("all") !== "true") return plain(own.kept.pgn, PGN);
  const parts = await Promise.all(book.chapters.map((/** @type {number} */ one) => get("chapters", one)));
  return plain(parts.map(({ kept }) => kept.pgn).join("\n"), PGN);
}

/** The best lines after a node, until nobody listens. @param {number} id @param {Asked} asked */
async function lines(id, { id: listener, query }) {
  const { chapter: own } = await chapter(id);
  const question = { call: "lines", study: own.kept, node: Number(query.get("node")), lines: Number(query.get("lines") ?? 1) };
  let told = 0, last = /** @type {any} */ (null);
  const { answer, end } = think(question, (report) => {
    last = report;
    if (Date.now() - told < 180) return;
    told = Date.now();
    tell(listener, "lines", report);
  });
  listen(listener, "lines", end);
  answer.then(
    () => {
      if (last) tell(listener, "lines", last);
      tell(listener, "ended", { text: "The engine has seen enough." });
    },
    (error) => tell(listener, "failed", { text: error.message }),
  );
}

// ---- reviews

/** Those that are made: how far each is. @type {Map<string, { stage: any, end: () => void }>} */
const making = new Map();

/** @param {string} key @param {any} stage */
function stands(key, stage) {
  for (const [listener, { about }] of listeners) if (about === `review ${key}`) tell(listener, null, stage);
}

/** @param {{ study?: any, game?: any }} what */
async function reviewed({ study, game: played }) {
  if (study !== undefined && study !== null) return (await chapter(Number(study))).chapter.kept.pgn;
  if (played !== undefined && played !== null) return chessRecord(Number(played), "reviewed");
  throw new Refused(422, "A review is of a study or of a game.");
}

/** @param {string} key @param {object} question */
function make(key, question) {
  const { answer, end } = think(question, ({ done, of }) => {
    const stage = { state: "running", done, of };
    const known = making.get(key);
    if (known) known.stage = stage;
    stands(key, stage);
  });
  making.set(key, { stage: { state: "waiting", before: 0 }, end });
  answer
    .then(({ record }) => write([{ store: "reviews", put: { key, record } }]))
    .then(() => "done", () => "none")
    .then((state) => {
      making.delete(key);
      stands(key, { state });
    });
}

/** @param {Asked} asked */
async function findReview({ query }) {
  const record = await reviewed({ study: query.get("study"), game: query.get("game") });
  let key;
  try {
    key = await ask({ call: "review-key", record });
  } catch {
    return json({ state: "none", key: "" });
  }
  const stage = making.get(key)?.stage ?? ((await get("reviews", key)) ? { state: "done" } : { state: "none" });
  return json({ ...stage, key });
}

/** @param {Asked} asked */
async function askReview(asked) {
  const record = await reviewed(bodyOf(asked));
  const key = await ask({ call: "review-key", record });
  if (!making.has(key) && !(await get("reviews", key))) make(key, { call: "review", record });
  return json({ key }, 202);
}

/** @param {string} key */
async function review(key) {
  const stage = making.get(key)?.stage;
  if (stage) return json(stage);
  const kept = await get("reviews", key);
  if (!kept) throw noReview();
  const { review } = await ask({ call: "read-review", record: kept.record });
  return json({ state: "done", review });
}

/** @param {string} key @param {Asked} asked */
async function deeper(key, asked) {
  const { ply } = bodyOf(asked);
  if (making.has(key)) throw new Refused(409, "This review is being made: wait until it is done.");
  const kept = await get("reviews", key);
  if (!kept) throw noReview();
  make(key, { call: "deepen", record: kept.record, ply });
  return json({ key }, 202);
}

/** @param {string} key */
async function callOff(key) {
  if (making.has(key) && (await get("reviews", key))) {
    making.get(key)?.end();
    making.delete(key);
    stands(key, { state: "done" });
  }
  return nothing;
}

/** @param {string} key @param {Asked} asked */
async function followReview(key, { id }) {
  const stage = making.get(key)?.stage ?? ((await get("reviews", key)) ? { state: "done" } : null);
  if (!stage) throw noReview();
  listen(id, `review ${key}`);
  tell(id, null, stage);
}

/** @param {string} key @param {Asked} asked */
async function reviewRecord(key, { query }) {
  const kept = await get("reviews", key);
  if (!kept) throw noReview();
  const study = query.get("study");
  const beside = study === null ? null : await reviewed({ study });
  const { record } = await ask({ call: "read-review", record: kept.record, beside });
  return plain(record, PGN);
}

// ---- puzzles

const solver = () => get("others", "solver");

/** @param {object} question */
async function puzzle(question) {
  return json(await ask({ ...question, solver: (await solver()) ?? null }, 404));
}

/** @param {object} question */
async function tried(question) {
  const { told, kept } = await ask({ ...question, at: Date.now(), solver: (await solver()) ?? null }, 409);
  if (kept) await write([{ store: "others", key: "solver", put: kept }]);
  return json(told);
}

// ---- endings

/** The tables of three men are part of the program; nobody makes others here. */
const TABLES = { running: false, done: 0, of: 0, now: null, failed: "Tables of four men are made where there is a server." };

/** @param {string} ending */
const answersOf = async (ending) => (await get("endings", ending))?.answers ?? [];

async function ladder() {
  const answers = Object.fromEntries((await all("endings")).map(({ ending, answers }) => [ending, answers]));
  return json(await ask({ call: "ending-ladder", answers, making: TABLES, now: Date.now() }));
}

/** @param {string} ending */
async function oneEnding(ending) {
  return json(await ask({ call: "ending-one", ending, answers: await answersOf(ending), now: Date.now() }, 404));
}

/** Asks whoever knows what moves are worth: tables at once, else the engine in a worker. @param {string} ending @param {{ moves?: string[] }} asked @param {object} question */
async function guided(ending, { moves }, question) {
  const known = await ask({ call: "ending-known", ending, moves: { moves } }, 409);
  return known ? ask({ ...question, ending }, 409) : think({ ...question, ending }, () => {}, 409).answer;
}

/** @param {string} ending @param {Asked} asked @param {string} call */
async function onEnding(ending, asked, call) {
  const body = bodyOf(asked);
  return json(await guided(ending, body, { call, asked: body }));
}

/** @param {string} ending @param {Asked} asked */
async function endingDone(ending, asked) {
  const body = bodyOf(asked);
  const { told, answers } = await guided(ending, body, { call: "ending-done", asked: body, answers: await answersOf(ending), now: Date.now() });
  await write([{ store: "endings", put: { ending, answers } }]);
  return json(told);
}

// ---- what is asked

/** @type {[string, RegExp, (asked: Asked, ...parts: string[]) => Promise<Answer | void> | Answer][]} */
const ROUTES = [
  ["GET", /^\/password$/, () => json({ asked: false })],
  ["GET", /^\/levels$/, async () => json(await ask({ call: "levels" }))],
  ["GET", /^\/engines$/, () => json({ engines: ["tabiya"], thinking: 0, device: false })],
  ["GET", /^\/explorer$/, () => json({ databases: [] })],
  ["GET", /^\/games$/, games],
  ["POST", /^\/games$/, begin],
  ["GET", /^\/games\/count$/, count],
  ["POST", /^\/games\/bin$/, bin],
  ["POST", /^\/games\/export$/, exported],
  ["POST", /^\/import$/, imported],
  ["GET", /^\/games\/(\d+)$/, async (_, id) => (await game(Number(id)), json((await ask({ call: "game-view", id: Number(id) })).view))],
  ["DELETE", /^\/games\/(\d+)$/, (_, id) => dispose([Number(id)], toBin)],
  ["POST", /^\/games\/(\d+)\/restore$/, (_, id) => dispose([Number(id)], back)],
  ["GET", /^\/games\/(\d+)\/record$/, async (_, id) => {
    const { kept } = await game(Number(id));
    return plain(await recordOf(Number(id)), kept.kind === "chess" ? PGN : undefined);
  }],
  ["GET", /^\/games\/(\d+)\/position$/, async (_, id) => (await game(Number(id)), plain(await ask({ call: "game-position", id: Number(id) })))],
  ["GET", /^\/games\/(\d+)\/positions$/, async (_, id) => (await game(Number(id)), json(await ask({ call: "game-positions", id: Number(id) })))],
  ["GET", /^\/games\/(\d+)\/attackers\/(\w+)$/, async (_, id, square) => (await game(Number(id)), json(await ask({ call: "game-attackers", id: Number(id), square })))],
  ["GET", /^\/games\/(\d+)\/verdict$/, async ({ query }, id) => {
    const { kept } = await game(Number(id));
    return json(await think({ call: "verdict", game: kept, moves: Number(query.get("moves") ?? 3) }).answer);
  }],
  ["POST", /^\/games\/(\d+)\/moves$/, (asked, id) => change(Number(id), asked, { call: "game-move", played: bodyOf(asked) })],
  ["POST", /^\/games\/(\d+)\/requests$/, (asked, id) => change(Number(id), asked, { call: "game-request", ...bodyOf(asked) })],
  ["GET", /^\/games\/(\d+)\/events$/, async ({ id: listener }, id) => {
    await game(Number(id));
    const { view } = await ask({ call: "game-view", id: Number(id) });
    listen(listener, `game ${Number(id)}`);
    tell(listener, null, view, String(view.sequence));
    tell(listener, "presence", { watching: 0, away: [], said: [] });
  }],
  ["POST", /^\/bishops$/, async (asked) => json(await think({ call: "compose", ...bodyOf(asked) }).answer)],
  ["POST", /^\/positions\/check$/, async (asked) => json(await ask({ call: "check-position", sketch: bodyOf(asked) }))],
  ["POST", /^\/positions\/line$/, async (asked) => json(await ask({ call: "show-line", line: bodyOf(asked) }))],
  ["GET", /^\/studies$/, studies],
  ["POST", /^\/studies$/, beginStudy],
  ["GET", /^\/studies\/(\d+)$/, async (_, id) => json(await study(Number(id)))],
  ["DELETE", /^\/studies\/(\d+)$/, (_, id) => shelve(Number(id), Date.now())],
  ["POST", /^\/studies\/(\d+)\/restore$/, (_, id) => shelve(Number(id), null)],
  ["GET", /^\/studies\/(\d+)\/record$/, (asked, id) => studyRecord(Number(id), asked)],
  ["POST", /^\/studies\/(\d+)\/steps$/, (asked, id) => step(Number(id), asked)],
  ["POST", /^\/studies\/(\d+)\/chapters$/, (asked, id) => chapters(Number(id), asked)],
  ["GET", /^\/studies\/(\d+)\/positions$/, async (_, id) => json(await ask({ call: "study-positions", id: (await chapter(Number(id))).chapter.id }))],
  ["GET", /^\/studies\/(\d+)\/boards\/(\d+)$/, async (_, id, node) => json(await ask({ call: "study-board", id: (await chapter(Number(id))).chapter.id, node: Number(node) }, 404))],
  ["GET", /^\/studies\/(\d+)\/boards\/(\d+)\/attacks$/, async (_, id, node) => json(await ask({ call: "study-attacks", id: (await chapter(Number(id))).chapter.id, node: Number(node) }, 404))],
  ["GET", /^\/studies\/(\d+)\/lines$/, (asked, id) => lines(Number(id), asked)],
  ["GET", /^\/reviews$/, findReview],
  ["POST", /^\/reviews$/, askReview],
  ["GET", /^\/reviews\/([0-9a-f]+)$/, (_, key) => review(key)],
  ["GET", /^\/reviews\/([0-9a-f]+)\/events$/, (asked, key) => followReview(key, asked)],
  ["GET", /^\/reviews\/([0-9a-f]+)\/record$/, (asked, key) => reviewRecord(key, asked)],
  ["POST", /^\/reviews\/([0-9a-f]+)\/deeper$/, (asked, key) => deeper(key, asked)],
  ["DELETE", /^\/reviews\/([0-9a-f]+)\/deeper$/, (_, key) => callOff(key)],
  ["GET", /^\/puzzles$/, () => puzzle({ call: "puzzle-overview", day: today() })],
  ["GET", /^\/puzzles\/daily$/, () => puzzle({ call: "puzzle-daily", day: today() })],
  ["GET", /^\/puzzles\/history$/, () => puzzle({ call: "puzzle-history", day: today() })],
  ["GET", /^\/puzzles\/next$/, ({ query }) => puzzle({ call: "puzzle-next", day: today(), theme: query.get("theme"), left: query.get("after"), random: random() })],
  ["GET", /^\/puzzles\/([^/]+)$/, (_, id) => puzzle({ call: "puzzle-one", day: today(), puzzle: id })],
  ["POST", /^\/puzzles\/([^/]+)\/tries$/, (asked, id) => tried({ call: "puzzle-try", puzzle: id, asked: bodyOf(asked) })],
  ["POST", /^\/puzzles\/([^/]+)\/hint$/, (asked, id) => tried({ call: "puzzle-hint", puzzle: id, asked: bodyOf(asked) })],
  ["POST", /^\/puzzles\/([^/]+)\/solution$/, (_, id) => tried({ call: "puzzle-solution", puzzle: id })],
  ["GET", /^\/endings$/, ladder],
  ["GET", /^\/endings\/tables$/, () => json(TABLES)],
  ["POST", /^\/endings\/tables$/, () => json(TABLES, 202)],
  ["GET", /^\/endings\/([^/]+)$/, (_, id) => oneEnding(id)],
  ["POST", /^\/endings\/([^/]+)\/moves$/, (asked, id) => onEnding(id, asked, "ending-step")],
  ["POST", /^\/endings\/([^/]+)\/hint$/, (asked, id) => onEnding(id, asked, "ending-hint")],
  ["POST", /^\/endings\/([^/]+)\/way$/, (asked, id) => onEnding(id, asked, "ending-way")],
  ["POST", /^\/endings\/([^/]+)\/done$/, (asked, id) => endingDone(id, asked)],
];

/** What waits for a thinker must not keep the others waiting. */
const LONG = /^\/(bishops|games\/\d+\/verdict|endings\/[^/]+\/\w+)$/;

/** @type {Promise<unknown>} */
let turn = Promise.resolve();

/** One change after the other: what one has read the next has not changed. @template T @param {() => Promise<T>} task @returns {Promise<T>} */
function inTurn(task) {
  const done = turn.then(task);
  turn = done.catch(() => {});
  return done;
}

/** @param {Asked} asked */
async function answer(asked) {
  const { id, method, path } = asked;
  try {
    const found = ROUTES.map(([verb, pattern, act]) => ({ verb, parts: pattern.exec(path), act })).find(({ verb, parts }) => verb === method && parts);
    if (!found) throw new Refused(404, "There is nothing here.");
    const act = async () => found.act(asked, .../** @type {string[]} */ (found.parts).slice(1).map(decodeURIComponent));
    const told = await (LONG.test(path) ? act() : inTurn(act));
    if (told) postMessage({ id, answer: told });
  } catch (error) {
    const { status, sentence } = error instanceof Refused ? { status: error.status, sentence: error.message } : { status: 500, sentence: "Something went wrong; nothing has changed." };
    if (status === 500) console.warn(error);
    postMessage({ id, answer: json({ error: sentence }, status) });
  }
}

onmessage = ({ data }) => {
  if (data.leave) leave(data.id);
  else void answer({ ...data, query: new URLSearchParams(data.query) });
};
