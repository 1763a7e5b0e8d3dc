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
 * @typedef {{ study: Outline, board: Board, token?: string }} Shown
 *
 * @typedef {object} Sight
 * @property {{ at: string, white: string[], black: string[], text: string }[]} squares
 * @property {{ at: string, by: string, king: string, text: string }[]} pins
 */
import { ask } from "../api.js";

const KEYS = "tabiya.studies";

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
  return keys()[id] ?? null;
}

/** Begins a study and keeps its key. @param {{ fen?: string, pgn?: string, game?: number, title?: string }} what @returns {Promise<Shown>} */
export async function begin(what) {
  /** @type {Shown} */
  const shown = await ask("POST", "/studies", { body: what });
  localStorage.setItem(KEYS, JSON.stringify({ ...keys(), [shown.study.id]: shown.token }));
  return shown;
}

/** @param {number} id @returns {Promise<Shown>} */
export function look(id) {
  return ask("GET", `/studies/${id}`);
}

/** @param {number} id @param {object} step @returns {Promise<Shown>} */
export function take(id, step) {
  return ask("POST", `/studies/${id}/steps`, { body: step, token: key(id) });
}

/** @param {number} id @param {number} node @returns {Promise<Board>} */
export function board(id, node) {
  return ask("GET", `/studies/${id}/boards/${node}`);
}

/** @param {number} id @param {number} node @returns {Promise<Sight>} */
export function attacks(id, node) {
  return ask("GET", `/studies/${id}/boards/${node}/attacks`);
}

/** @param {number} id @returns {Promise<string>} */
export async function record(id) {
  return (await fetch(`/api/studies/${id}/record`)).text();
}
