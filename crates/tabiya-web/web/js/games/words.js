/**
 * Games in words.
 *
 * @typedef {{ id: number, kind: "chess" | "bishops", white: string, black: string, white_elo: number | null, black_elo: number | null, date: string | null, event: string | null, eco: string | null, opening: string | null, plies: number, result: string, end: string | null, source: "mine" | "imported", deleted: number | null }} Summary
 */
import { tokens } from "../api.js";
import { locale } from "../dom.js";

/** So long a game stays in the bin. */
export const DAYS = 30;
const DAY = 24 * 3600 * 1000;

const number = new Intl.NumberFormat(locale);

/** `1,284 games` @param {number} count @param {boolean} [more] */
export function games(count, more = false) {
  if (count === 1 && !more) return "1 game";
  return more ? `more than ${number.format(count)} games` : `${number.format(count)} games`;
}

/** `1,284` @param {number} count */
export const figure = (count) => number.format(count);

/** `14 Nov`, `20 Jan 1999`, `Nov 1858`, `1929` @param {string | null} date @param {"short" | "long"} [month] */
export function day(date, month = "short") {
  const [year, month_, day_] = (date ?? "").split(".").map(Number);
  if (!year) return "";
  if (!month_) return String(year);
  const at = new Date(2000, month_ - 1, day_ || 1);
  at.setFullYear(year);
  const thisYear = month === "short" && year === new Date().getFullYear() && day_;
  return at.toLocaleDateString(locale, { day: day_ ? "numeric" : undefined, month, year: thisYear ? undefined : "numeric" });
}

/** `1–0`, `going on` @param {Summary} game */
export function result({ result, end }) {
  if (result !== "*") return result.replaceAll("1/2", "½").replace("-", "–");
  return end ? "broken off" : "going on";
}

/** Results are coloured for one's own games only. @param {Summary} game */
export function look({ id, result }) {
  const { white, black } = tokens(id);
  if (result === "*" || Boolean(white) === Boolean(black)) return "";
  if (result === "1/2-1/2") return "even";
  return (result === "1-0") === Boolean(white) ? "won" : "lost";
}

/** `Carlsen, Magnus`, however narrowly it is written. @param {string} name */
export const person = (name) => name.replace(/,(?=\S)/g, ", ");

/** @param {Summary} game */
export const opening = ({ eco, opening }) => [eco, opening].filter(Boolean).join(" ");

/** `30 moves` @param {Summary} game */
export function length({ plies }) {
  const moves = Math.ceil(plies / 2);
  return moves === 1 ? "1 move" : `${moves} moves`;
}

/** How long a game still is in the bin. @param {Summary} game */
export function left({ deleted }) {
  const days = Math.max(0, Math.ceil(((deleted ?? 0) + DAYS * DAY - Date.now()) / DAY));
  return days === 1 ? "1 day left" : `${days} days left`;
}

/** Where a game is opened. @param {Summary} game */
export const address = ({ kind, id }) => `${kind === "chess" ? "/" : "/bishops"}?game=${id}`;
