/**
 * Puzzles at the server, which is the judge.
 *
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../types.js").Position & { position: string, written: string }} Scene
 * @typedef {"solved" | "hinted" | "missed"} Outcome
 * @typedef {{ rating: number, deviation: number, streak: number, best: number, days: number, tried: number, solved: number }} You
 *
 * @typedef {object} Puzzle
 * @property {string} id
 * @property {string | null} date
 * @property {number} rating
 * @property {"mate" | "win" | "save"} goal
 * @property {number | null} mate_in
 * @property {Side} solver
 * @property {[Scene, Scene]} scenes before the mistake and after it
 * @property {Outcome | null} outcome how it went before, if it did
 * @property {boolean} hinted
 * @property {You} you
 *
 * @typedef {{ name: string, label: string }} Theme
 * @typedef {{ scenes: Scene[], themes: Theme[], pgn: string }} Solution
 * @typedef {{ outcome: Outcome, change: number, rating: number } | null} Result
 * @typedef {{ verdict: "wrong" | "right" | "solved", scenes: Scene[], result?: Result, outcome?: Outcome, you?: You, solution?: Solution }} Answer
 * @typedef {{ count: number, themes: (Theme & { count: number })[], daily: Puzzle, you: You }} Overview
 * @typedef {{ id: string, at: number, outcome: Outcome, rating: number, change: number }} Tried
 */
import { ask } from "../api.js";

/** @returns {Promise<Overview>} */
export const overview = () => ask("GET", "/puzzles");

/** @returns {Promise<{ tries: Tried[], you: You }>} */
export const history = () => ask("GET", "/puzzles/history");

/** @returns {Promise<Puzzle>} */
export const daily = () => ask("GET", "/puzzles/daily");

/** @param {string} id @returns {Promise<Puzzle>} */
export const one = (id) => ask("GET", `/puzzles/${encodeURIComponent(id)}`);

/** A new one. @param {string | null} theme @param {string | null} after @returns {Promise<Puzzle>} */
export function next(theme, after) {
  const wish = new URLSearchParams();
  if (theme) wish.set("theme", theme);
  if (after) wish.set("after", after);
  return ask("GET", `/puzzles/next?${wish}`);
}

/** @param {string} id @param {string[]} moves all moves of the solver so far @returns {Promise<Answer>} */
export const attempt = (id, moves) => ask("POST", `/puzzles/${id}/tries`, { body: { moves } });

/**
 * What is told of the next move, one step after the other.
 *
 * @typedef {"where" | "piece" | "move" | "why"} Step
 * @typedef {{ files?: string, at?: string, move?: [string, string], themes?: Theme[], result: Result, you: You }} Hint
 *
 * @param {string} id @param {string[]} moves @param {Step} step @returns {Promise<Hint>}
 */
export const hint = (id, moves, step) => ask("POST", `/puzzles/${id}/hint`, { body: { moves, step } });

/** @param {string} id @returns {Promise<{ solution: Solution, result: Result, outcome: Outcome, you: You }>} */
export const giveUp = (id) => ask("POST", `/puzzles/${id}/solution`, { body: {} });
