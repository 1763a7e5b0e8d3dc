/**
 * What is to be learned, at the server.
 *
 * @typedef {import("../../types.js").Side} Side
 * @typedef {import("../../types.js").Position & { position: string, written: string }} Scene
 * @typedef {"again" | "hard" | "good" | "easy"} Grade
 *
 * @typedef {object} Step A position of a line.
 * @property {string} position as FEN
 * @property {[string, string] | null} last
 * @property {string | null} check
 * @property {Side} turn
 * @property {string} written
 *
 * @typedef {{ uci: string, san: string, scene: Step }} Played
 * @typedef {{ text: string, scenes: Step[], why: string | null }} Line
 *
 * @typedef {object} Exercise
 * @property {string} task
 * @property {Side} side
 * @property {[string, string]} players
 * @property {string} opponent
 * @property {number} game
 * @property {number} ply
 * @property {string | null} day
 * @property {string | null} last the move before, as programs write it
 * @property {[string, string]} worth of the better move and of the mistake
 * @property {Scene} scene
 * @property {[string, string][]} moves all that may be played, as programs write them and as people do
 * @property {Played[]} good those that are accepted, the best first
 * @property {Played} played
 * @property {Line} better
 * @property {Line} punished
 * @property {string[]} hints
 * @property {string | null} area the files in which the best move ends
 * @property {{ name: string, label: string }[]} topics
 *
 * @typedef {{ id: number, kind: string, is_new: boolean, due: number | null, waits: Record<Grade, number>, exercise: Exercise | null }} Card
 * @typedef {{ cards: Card[], due: number, new: number, next: number | null, now: number }} Queue
 * @typedef {{ card: number, name: string, grade: Grade, at: number, how: string }} Given
 * @typedef {{ day: string, cards: number, missed: number }} Day
 * @typedef {{ name: string, label: string, cards: number, answers: number, missed: number }} Topic
 *
 * @typedef {object} Overview
 * @property {string[]} names
 * @property {boolean} goes_on
 * @property {{ name: string, games: number }[]} offered
 * @property {number} left
 * @property {number} learned
 * @property {{ game: number, players: [string, string] | null, done: number, of: number } | null} at
 * @property {number} due
 * @property {number} new
 * @property {number | null} next
 * @property {{ cards: number, unseen: number, streak: number, best: number, days: Day[], forecast: Day[], topics: Topic[] }} report
 *
 * @typedef {object} Progress
 * @property {{ game: number, day: string, side: Side, opponent: string, rating: number | null, points: number | null, performance: number | null, accuracy: number | null, counts: [number, number, number], opening: string }[]} games
 * @property {{ rating: number, games: number, points: number }[]} levels
 * @property {{ name: string, side: Side, games: number, points: number, accuracy: number | null }[]} openings
 */
import { ask } from "../api.js";

/** @returns {Promise<Overview>} */
export const overview = () => ask("GET", "/learn");

/** @param {{ names?: string[], goes_on?: boolean }} learner @returns {Promise<Overview>} */
export const set = (learner) => ask("POST", "/learn", { body: learner });

/** @param {number} [more] so many new ones a day, if not as usual @returns {Promise<Queue>} */
export const queue = (more) => ask("GET", `/learn/queue?kind=exercise${more ? `&new=${more}` : ""}`);

/** @param {Given[]} answers @returns {Promise<{ kept: { id: number, due: number }[], gone: number[] }>} */
export const answer = (answers) => ask("POST", "/learn/answers", { body: { answers }, patience: 8000 });

/** @param {number} card @param {boolean} aside */
export const putAside = (card, aside) => ask("POST", `/learn/cards/${card}/aside`, { body: { aside } });

/** @returns {Promise<Progress>} */
export const progress = () => ask("GET", "/learn/progress");
