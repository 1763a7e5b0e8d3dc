/**
 * Talks to the server. What goes wrong comes as an error whose message is a sentence for people.
 *
 * @typedef {import("../types.js").View} View
 * @typedef {import("../types.js").Side} Side
 * @typedef {{ white: string | null, black: string | null }} Tokens
 */

export class Refused extends Error {
  /** @param {number} status @param {string} sentence */
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/** So long an answer is waited for. */
const PATIENCE = 15_000;

/**
 * @param {string} method @param {string} path
 * @param {{ body?: unknown, text?: string, token?: string | null, patience?: number }} [what]
 * @returns {Promise<any>} the JSON of the answer, or nothing
 */
export async function ask(method, path, { body, text, token, patience = PATIENCE } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (text !== undefined) headers["content-type"] = "text/plain";
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(`/api${path}`, {
      method, headers, body: text ?? (body === undefined ? undefined : JSON.stringify(body)), signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new Refused(0, "The server does not answer. Is it still running?");
  }
  const answer = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, answer?.error ?? "The server could not do that.");
  return answer;
}

const SEATS = "tabiya.seats";

/** @returns {Record<string, Tokens>} */
function allTokens() {
  try {
    return JSON.parse(localStorage.getItem(SEATS) ?? "{}");
  } catch {
    return {};
  }
}

/** The seats that this browser owns in a game. @param {number} id @returns {Tokens} */
export function tokens(id) {
  return allTokens()[id] ?? { white: null, black: null };
}

/** Begins a game and remembers its seats. @param {object} order @returns {Promise<View & { id: number }>} */
export async function begin(order) {
  const { id, tokens: seats, view } = await ask("POST", "/games", { body: order });
  keepSeats(id, seats);
  return view;
}

/** Remembers the seats that are ours in a game. @param {number} id @param {Tokens} seats */
export function keepSeats(id, seats) {
  localStorage.setItem(SEATS, JSON.stringify({ ...allTokens(), [id]: seats }));
}

/** Forgets the seats of a game that is no more. @param {number} id */
export function forget(id) {
  const all = allTokens();
  delete all[id];
  localStorage.setItem(SEATS, JSON.stringify(all));
}
