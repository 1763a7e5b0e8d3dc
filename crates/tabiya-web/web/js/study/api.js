/**
 * Studies at the server, and the keys with which this browser may edit them.
 *
 * @typedef {import("../../types.js").Position & { node: number, end: string | null, position: string }} Board
 *
 * @typedef {object} Node A move of a study, or its start.
 * @property {number} id
 * @property {number | null} parent
 * @property {string} san
 * @property {string} uci
 * @property {number} number
 * @property {import("../../types.js").Side} side
 * @property {{ number: number, symbol: string }[]} [glyphs]
 * @property {string} [before]
 * @property {string} [comment]
 * @property {string[]} [drawings] arrows and circles: a colour and two squares or one
 * @property {string} [eval]
 * @property {number} [clock_ms]
 *
 * @typedef {object} Outline
 * @property {number} id
 * @property {string} title
 * @property {number} sequence
 * @property {number} here
 * @property {number[]} main
 * @property {Node[]} nodes
 * @property {boolean} undoable
 * @property {string} result
 * @property {Record<string, string>} tags
 * @property {string | null} opening
 *
 * @typedef {{ id: number, title: string, chapters: { id: number, title: string }[] }} Book A study as a whole.
 *
 * @typedef {{ study: Outline, board: Board, book: Book, token?: string }} Shown A chapter of a study.
 *
 * @typedef {object} Told What the board shows after a node, in short.
 * @property {string} pieces
 * @property {string | null} check
 * @property {[import("../../types.js").Seat["captured"], import("../../types.js").Seat["captured"]]} captured
 * @property {[string, string] | null} last
 * @property {string | null} end
 *
 * @typedef {object} Sight
 * @property {{ at: string, white: string[], black: string[], text: string }[]} squares
 * @property {{ at: string, by: string, king: string, text: string }[]} pins
 * @property {string[]} threats
 */
import { ask } from "../api.js";

const KEYS = "tabiya.studies";
/** @type {Map<number, number>} the studies that chapters belong to, whose keys are good for them */
const books = new Map();

/** @param {Shown} shown */
function known(shown) {
  for (const { id } of shown.book.chapters) books.set(id, shown.book.id);
  return shown;
}

/** @returns {Record<string, string>} */
function keys() {
  try {
    return JSON.parse(localStorage.getItem(KEYS) ?? "{}");
  } catch {
    return {};
  }
}

/** What makes a study ours to edit, if it is. @param {number} id @returns {string | null} */
export function key(id) {
  return keys()[books.get(id) ?? id] ?? null;
}

/** Begins a study and keeps its key. @param {{ fen?: string, pgn?: string, game?: number, title?: string }} what @returns {Promise<Shown>} */
export async function begin(what) {
  /** @type {Shown} */
  const shown = await ask("POST", "/studies", { body: what });
  localStorage.setItem(KEYS, JSON.stringify({ ...keys(), [shown.book.id]: shown.token }));
  return known(shown);
}

/** A chapter, or the first one of a study. @param {number} id @returns {Promise<Shown>} */
export async function look(id) {
  return known(await ask("GET", `/studies/${id}`));
}

/** @param {number} id @param {object} step @returns {Promise<Shown>} */
export async function take(id, step) {
  return known(await ask("POST", `/studies/${id}/steps`, { body: step, token: key(id) }));
}

/** Changes the chapters of a study. @param {number} book @param {object} step @returns {Promise<{ book: Book, chapter: number }>} */
export async function chapter(book, step) {
  const done = await ask("POST", `/studies/${book}/chapters`, { body: step, token: key(book) });
  for (const { id } of done.book.chapters) books.set(id, book);
  return done;
}

/** @param {number} id @param {number} node @returns {Promise<Board>} */
export function board(id, node) {
  return ask("GET", `/studies/${id}/boards/${node}`);
}

/** @param {number} id @returns {Promise<{ sequence: number, positions: Told[] }>} */
export function positions(id) {
  return ask("GET", `/studies/${id}/positions`);
}

/** @param {number} id @param {number} node @returns {Promise<Sight>} */
export function attacks(id, node) {
  return ask("GET", `/studies/${id}/boards/${node}/attacks`);
}

/** A chapter as PGN, or all of a study. @param {number} id @param {boolean} [all] @returns {Promise<string>} */
export async function record(id, all = false) {
  return (await fetch(`/api/studies/${id}/record?all=${all}`)).text();
}
