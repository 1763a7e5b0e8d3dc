/**
 * Reviews at the server.
 *
 * @typedef {object} Evaluation
 * @property {string} text
 * @property {string | null} over
 * @property {number} chances White's, in per cent
 * @property {number} depth
 * @property {number} nodes so many the engine was given; none if the rules have spoken
 *
 * @typedef {object} Reviewed
 * @property {number} ply
 * @property {number} number
 * @property {import("../../types.js").Side} side
 * @property {string} san
 * @property {string} uci
 * @property {Evaluation} evaluation
 * @property {number} accuracy
 * @property {"inaccuracy" | "mistake" | "blunder" | null} judgement
 * @property {string | null} symbol
 * @property {string | null} sentence
 * @property {string[]} better
 * @property {string[]} better_uci
 * @property {{ wrong: string | null, better: string | null } | null} why what is proved about the move, and about the better one
 *
 * @typedef {object} Performance
 * @property {number | null} accuracy
 * @property {number | null} loss
 * @property {number} inaccuracies
 * @property {number} mistakes
 * @property {number} blunders
 *
 * @typedef {object} Times
 * @property {(number | null)[]} spent
 * @property {{ total: number, longest: number[], trouble: number | null }} white
 * @property {{ total: number, longest: number[], trouble: number | null }} black
 *
 * @typedef {object} Review
 * @property {number} deepest no position is searched with more nodes
 * @property {{ eco: string, name: string, plies: number } | null} opening
 * @property {Performance} white
 * @property {Performance} black
 * @property {Evaluation} start
 * @property {Reviewed[]} moves
 * @property {{ middlegame: number | null, endgame: number | null }} phases
 * @property {Times | null} times
 *
 * @typedef {{ state: "none" | "waiting" | "running" | "done", key?: string, before?: number, done?: number, of?: number, review?: Review }} Stage
 */
import { ask } from "../api.js";

/** Whether there is a review of a study. @param {number} study @returns {Promise<Stage & { key: string }>} */
export function find(study) {
  return ask("GET", `/reviews?study=${study}`);
}

/** Has a study reviewed. @param {number} study @returns {Promise<string>} the key of the review */
export async function begin(study) {
  return (await ask("POST", "/reviews", { body: { study } })).key;
}

/** @param {string} key @returns {Promise<Stage>} */
export function look(key) {
  return ask("GET", `/reviews/${key}`);
}

/** Has a half-move searched again, or the whole game. @param {string} key @param {number | null} ply */
export function deepen(key, ply) {
  return ask("POST", `/reviews/${key}/deeper`, { body: ply === null ? {} : { ply } });
}

/** Calls a deeper look off. @param {string} key */
export function cancel(key) {
  return ask("DELETE", `/reviews/${key}/deeper`);
}

/**
 * Listens to the progress of a review.
 *
 * @param {string} key @param {(stage: Stage) => void} tell @param {() => void} lost
 * @returns {() => void} stops it
 */
export function listen(key, tell, lost) {
  const source = new EventSource(`/api/reviews/${key}/events`);
  source.onmessage = (event) => {
    /** @type {Stage} */
    const stage = JSON.parse(event.data);
    // The last word: the browser would only ask again.
    if (stage.state === "done" || stage.state === "none") source.close();
    tell(stage);
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) lost();
  };
  return () => source.close();
}
