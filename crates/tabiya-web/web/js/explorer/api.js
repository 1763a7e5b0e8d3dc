/**
 * What was played in a position, told by the server.
 *
 * @typedef {object} Move
 * @property {string | null} uci
 * @property {string} san
 * @property {number} games
 * @property {number} white
 * @property {number} draws
 * @property {number} black
 * @property {number | null} average_rating
 * @property {number | null} performance
 * @property {string} last_played
 * @property {Head[]} top the games of the strongest players with it
 *
 * @typedef {object} Head
 * @property {number} game
 * @property {string} white
 * @property {string} black
 * @property {number | null} white_elo
 * @property {number | null} black_elo
 * @property {string} result
 * @property {string} date
 * @property {string} event
 *
 * @typedef {object} Explored
 * @property {number} games
 * @property {number} ended
 * @property {Move[]} moves
 * @property {Head[]} top
 *
 * @typedef {object} Answer
 * @property {string | null} opening
 * @property {Explored} explored
 * @property {boolean} renewing whether the database is just being brought up to date
 */
import { ask, Refused } from "../api.js";

/** @returns {Promise<string[]>} the names of the databases */
export async function databases() {
  return (await ask("GET", "/explorer")).databases;
}

/** @param {string} database @param {URLSearchParams} question @returns {Promise<Answer>} */
export function explore(database, question) {
  return ask("GET", `/explorer/${encodeURIComponent(database)}?${question}`);
}

/** @param {string} database @param {string} name @returns {Promise<{ name: string, games: number }[]>} */
export async function players(database, name) {
  const { players: found } = await ask("GET", `/explorer/${encodeURIComponent(database)}/players?${new URLSearchParams({ name })}`);
  return found;
}

/** A game as PGN. @param {string} database @param {number} number @returns {Promise<string>} */
export async function game(database, number) {
  const response = await fetch(`/api/explorer/${encodeURIComponent(database)}/games/${number}`);
  if (!response.ok) throw new Refused(response.status, "That game cannot be had.");
  return response.text();
}

/**
 * Moves from a position, and what the board shows after them.
 *
 * @param {string | null} fen none for the start of a game @param {string[]} moves
 * @returns {Promise<{ board: import("../study/api.js").Board, moves: { san: string, uci: string, number: number, side: import("../../types.js").Side }[] }>}
 */
export function line(fen, moves) {
  return ask("POST", "/positions/line", { body: { ...(fen ? { fen } : {}), moves } });
}
