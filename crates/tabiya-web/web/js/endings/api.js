/**
 * Endings at the server, which plays the other side and knows what moves are worth.
 *
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../types.js").Position & { position: string, written: string }} Scene
 * @typedef {"win" | "draw"} Task
 * @typedef {"moves" | "result" | "nothing"} Help
 * @typedef {"again" | "hard" | "good" | "easy"} Grade
 *
 * @typedef {object} Ending
 * @property {string} id
 * @property {Task} task
 * @property {Side} solver
 * @property {number} men
 * @property {string} material
 * @property {"tables" | "engine"} known
 * @property {"new" | "begun" | "done" | "due"} standing
 * @property {number | null} due
 *
 * @typedef {{ name: string, title: string, idea: string, endings: Ending[] }} Rung
 * @typedef {{ running: boolean, done: number, of: number, now: { ending: string, done: number, of: number } | null, failed: string | null }} Making
 * @typedef {{ rungs: Rung[], next: string | null, due: number, tables: Making, keeps: boolean }} Ladder
 *
 * @typedef {{ worth: "wins" | "draws" | "loses", mate: number | null, sure: boolean, text: string }} Verdict
 * @typedef {{ san: string, uci: string, squares: [string, string] }} Shown
 * @typedef {{ move: Shown, verdict: Verdict }} Judged
 * @typedef {Judged & { gives_away: boolean, best: Judged | null }} Turn
 * @typedef {{ turn: Turn, reply: Shown | null, moves: string[], scenes: Scene[], end: { done: boolean, text: string } | null }} Step
 */
import { ask } from "../api.js";

/** @returns {Promise<Ladder>} */
export const ladder = () => ask("GET", "/endings");

/** @param {string} id @returns {Promise<Ending & { scene: Scene, verdict: Verdict | null }>} */
export const one = (id) => ask("GET", `/endings/${encodeURIComponent(id)}`);

/** @param {string} id @param {{ moves: string[], move: string, help: Help, given_away: number | null }} move @returns {Promise<Step>} */
export const step = (id, move) => ask("POST", `/endings/${id}/moves`, { body: move });

/** @param {string} id @param {string[]} moves @returns {Promise<{ best: Judged | null, moves: Judged[] }>} */
export const hint = (id, moves) => ask("POST", `/endings/${id}/hint`, { body: { moves } });

/** @param {string} id @param {string[]} moves @returns {Promise<{ scenes: Scene[] }>} */
export const way = (id, moves) => ask("POST", `/endings/${id}/way`, { body: { moves } });

/** @param {string} id @param {{ moves: string[], given_away: boolean, helped: boolean, grade?: Grade, name: string }} answer @returns {Promise<Ending & { grade: Grade }>} */
export const done = (id, answer) => ask("POST", `/endings/${id}/done`, { body: answer });

/** @returns {Promise<Making>} */
export const tables = () => ask("GET", "/endings/tables");

/** @param {string} [ending] the one whose tables come first @returns {Promise<Making>} */
export const makeTables = (ending) => ask("POST", "/endings/tables", { body: { ending } });
