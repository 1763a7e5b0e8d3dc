/**
 * What an answer is called, and when its card comes back.
 *
 * @typedef {import("./api.js").Grade} Grade
 */

/** @type {Grade[]} */
export const GRADES = ["again", "hard", "good", "easy"];

/** So quickly something is known at once, in milliseconds. */
const AT_ONCE = 8000;

/** By how it went; the same as at the server. @param {{ wrong: number, told: number, time: number, isNew: boolean, gaveUp: boolean }} how @returns {Grade} */
export function proposed({ wrong, told, time, isNew, gaveUp }) {
  if (gaveUp || wrong >= 3 || told >= 3) return "again";
  if (wrong || told) return "hard";
  return !isNew && time < AT_ONCE ? "easy" : "good";
}

/** How long it is until then. @param {number} milliseconds */
export function span(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 60) return `${Math.max(1, minutes)} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return hours === 1 ? "1 hour" : `${hours} hours`;
  const days = Math.round(hours / 24);
  if (days < 60) return days === 1 ? "1 day" : `${days} days`;
  const months = Math.round(days / 30.4);
  return months < 24 ? `${months} months` : `${Math.round(months / 12)} years`;
}
