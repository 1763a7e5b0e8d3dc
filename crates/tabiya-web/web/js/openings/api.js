/**
 * Openings at the server: books, what is asked of them, what is missing, where games left them. All of it is the owner's.
 *
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../endings/api.js").Scene} Scene
 * @typedef {import("../endings/api.js").Shown} Shown
 * @typedef {import("../endings/api.js").Grade} Grade
 *
 * @typedef {{ study: number, color: Side, title: string, cards: number, new: number, due: number, known: number }} Book
 * @typedef {{ card: number, study: number, title: string, color: Side, line: string, fen: string, scenes: Scene[], answers: number, standing: string }} Asked
 * @typedef {{ asked: Asked | null, due: number, new: number, next: number | null }} Next
 * @typedef {object} Judged
 * @property {boolean} right
 * @property {Shown | null} move
 * @property {Scene | null} scene
 * @property {Shown[]} book
 * @property {Grade} grade
 * @property {number | null} due
 * @property {{ move: Shown, scene: Scene, asked: Asked | null } | null} reply
 *
 * @typedef {{ line: string, fen: string, move: Shown, share: number, reach: number, games: number, sentence: string }} Hole
 * @typedef {{ game: number, color: Side, players: [string, string], result: string, when: string, title: string, study: number, plies: number, sentence: string }} Left
 * @typedef {{ san: string, games: number, white: number, draws: number, black: number }} Habit
 * @typedef {{ study: number, title: string, color: Side, plies: number, leaver: string, sentence: string, fen: string, played: Shown | null, book: Shown[], scene: Scene, others: { games: number, moves: Habit[] } | null }} Departure
 */
import { ask } from "../api.js";

/** @returns {Promise<{ books: Book[], databases: string[] }>} */
export const overview = () => ask("GET", "/openings");

/** @param {number} study @param {Side} color @returns {Promise<Book>} */
export const add = (study, color) => ask("POST", "/openings", { body: { study, color } });

/** @param {Book} book */
export const remove = ({ study, color }) => ask("DELETE", `/openings/${study}/${color}`);

/** @param {{ book?: Book | null, any?: boolean, after?: number | null, card?: number | null }} wish @returns {Promise<Next>} */
export function next({ book, any, after, card }) {
  const query = new URLSearchParams();
  if (book) {
    query.set("study", String(book.study));
    query.set("color", book.color);
  }
  if (any) query.set("any", "true");
  if (after) query.set("after", String(after));
  if (card) query.set("card", String(card));
  return ask("GET", `/openings/next?${query}`);
}

/** @param {{ card: number, move: string | null, name?: string, grade?: Grade }} tried @returns {Promise<Judged>} */
export const attempt = (tried) => ask("POST", "/openings/tries", { body: tried });

/** @param {Book} book @param {string} database @returns {Promise<{ holes: Hole[] }>} */
export const holes = ({ study, color }, database) => ask("GET", `/openings/holes?${new URLSearchParams({ study: String(study), color, database })}`);

/** @param {{ database: string, color: string, moves: string, player: string }} wish @returns {Promise<{ pgn: string, moves: number }>} */
export const composed = (wish) => ask("GET", `/openings/composed?${new URLSearchParams(wish)}`);

/** @returns {Promise<{ games: Left[] }>} */
export const games = () => ask("GET", "/openings/games");

/** @param {number} id @param {string | null} database @returns {Promise<{ left: Departure[] }>} */
export const game = (id, database) => ask("GET", `/openings/games/${id}${database ? `?database=${encodeURIComponent(database)}` : ""}`);
