/**
 * How learning goes: the row of answers, the days, what is missed most; and the plots of the games.
 *
 * @typedef {import("./api.js").Overview} Overview
 * @typedef {import("./api.js").Progress} Progress
 */
import { svg } from "../../board/artwork.js";
import { get, locale, make } from "../dom.js";

/** So many topics are told of, and days. */
const TOPICS = 3;
const DAYS = 7;

/** What came of the answers of this sitting, and what is left. @param {("solved" | "hinted" | "missed")[]} answered @param {number} left with the one that is asked */
export function showQueue(answered, left) {
  const all = answered.length + left;
  const shown = all > 40 ? Math.max(0, answered.length - 20) : 0;
  const marks = [...answered.map((how) => make("i", { class: how })), ...Array.from({ length: left }, (_, index) => make("i", { class: index ? "" : "now" }))];
  const queue = get("queue");
  queue.replaceChildren(...marks.slice(shown, shown + 40));
  const known = answered.filter((how) => how !== "missed").length;
  queue.setAttribute("aria-label", answered.length ? `${known} known, ${answered.length - known} missed, ${left} left` : `${left} left`);
}

/** @param {number} share from 0 to 1 @param {number} [height] */
const bar = (share, height = 7) => svg("svg", { viewBox: `0 0 100 ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, [svg("rect", { width: Math.max(1, Math.round(share * 100)), height, rx: 3 })]);

/** @param {string} day */
const weekday = (day) => new Date(`${day}T12:00:00`).toLocaleDateString(locale, { weekday: "short" });

/** @param {Overview["report"]} report */
export function showReport(report) {
  const missed = report.topics.filter((one) => one.missed > 0).slice(0, TOPICS);
  get("missed").hidden = missed.length === 0;
  const most = Math.max(...missed.map((one) => one.missed / one.answers), 0.01);
  get("missed-list").replaceChildren(...missed.flatMap(({ label, answers, missed: times }) => [
    make("dt", {}, label), make("dd", {}, bar(times / answers / most)), make("dd", {}, `${Math.round((times / answers) * 100)} %`)]));
  get("stats").hidden = report.cards === 0;
  get("streak").textContent = report.streak === 1 ? "One day in a row" : report.streak ? `${report.streak} days in a row` : "No day in a row yet";
  const seen = report.cards - report.unseen;
  get("counted").textContent = `${report.cards} exercises · ${seen} of them begun`;
  const turn = 151;
  const share = report.cards ? (seen / report.cards) * turn : 0;
  const circle = (/** @type {Record<string, string | number>} */ more) => svg("circle", { cx: 28, cy: 28, r: 24, ...more });
  get("ring").replaceChildren(svg("svg", { viewBox: "0 0 56 56" }, [circle({}), circle({ "stroke-dasharray": `${share.toFixed(1)} ${turn}` })]), String(report.streak));
  const days = report.forecast.slice(0, DAYS);
  const top = Math.max(...days.map((day) => day.cards), 1);
  get("days").replaceChildren(...days.map(({ day, cards }, index) => {
    const height = Math.max(cards ? 3 : 1, Math.round((cards / top) * 40));
    const column = svg("svg", { viewBox: "0 0 40 40", preserveAspectRatio: "none", "aria-hidden": "true" }, [svg("rect", { y: 40 - height, width: 40, height, rx: 2 })]);
    const box = make("div", { class: index ? "" : "today", title: String(cards), translate: "no" }, weekday(day));
    box.prepend(column);
    return box;
  }));
  // Days have their names from the browser, in its language.
  get("days").translate = false;
  get("days").setAttribute("aria-label", days.map(({ day, cards }) => `${weekday(day)}: ${cards}`).join(", "));
}

/** @param {number} x @param {number} y @param {string} text */
function words(x, y, text) {
  const box = svg("text", { x, y });
  box.textContent = text;
  return box;
}

/** A line over time. @param {string} title @param {string} now @param {(number | null)[]} points @param {(number | null)[]} [smooth] */
function plot(title, now, points, smooth = points) {
  const known = points.filter((one) => one !== null);
  const low = Math.floor(Math.min(...known) / 10) * 10, high = Math.max(Math.ceil(Math.max(...known) / 10) * 10, low + 10);
  const [width, height] = [420, 120];
  const x = (/** @type {number} */ index) => 34 + (index * (width - 44)) / Math.max(1, points.length - 1);
  const y = (/** @type {number} */ value) => 10 + ((high - value) * (height - 30)) / (high - low);
  const lines = [low, (low + high) / 2, high].flatMap((value) => [
    svg("path", { class: "grid", d: `M34 ${y(value)}H${width - 10}` }), words(0, y(value) + 4, String(Math.round(value)))]);
  const dots = points.flatMap((value, index) => (value === null ? [] : [svg("circle", { class: "point", cx: x(index).toFixed(1), cy: y(value).toFixed(1), r: points.length > 150 ? 1.5 : 2.5 })]));
  const way = smooth.flatMap((value, index) => (value === null ? [] : [`${x(index).toFixed(1)} ${y(value).toFixed(1)}`]));
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${now}` }, [...lines, ...dots, ...(way.length > 1 ? [svg("path", { d: `M${way.join("L")}` })] : [])]);
  return make("figure", { class: "plot" }, make("figcaption", {}, make("b", {}, title), make("span", {}, now)), picture);
}

/** Each with those before it. @param {(number | null)[]} points @param {number} width */
function average(points, width) {
  return points.map((_, index) => {
    const some = points.slice(Math.max(0, index - width + 1), index + 1).filter((one) => one !== null);
    return some.length ? some.reduce((sum, one) => sum + one, 0) / some.length : null;
  });
}

/** @param {string} title @param {string[]} heads @param {(string | HTMLElement)[][]} rows */
function table(title, heads, rows) {
  return make("table", { class: "results" }, make("caption", {}, title),
    make("thead", {}, make("tr", {}, ...heads.map((one) => make("th", { scope: "col" }, one)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((one) => make("td", {}, one))))));
}

const points = (/** @type {number} */ number) => String(number).replace(".5", "½").replace(/^0½/, "½");
const share = (/** @type {number} */ won, /** @type {number} */ games) => `${Math.round((won / games) * 100)} %`;

/** @param {Progress} progress @param {Overview["report"]} report */
export function showProgress({ games, levels, openings }, report) {
  const sheet = get("sheet-progress");
  if (games.length === 0) return sheet.replaceChildren(make("p", { class: "muted" }, "When some of your games were looked through, you see here how it goes."));
  const parts = [];
  const accuracy = games.map((one) => one.accuracy);
  if (accuracy.some((one) => one !== null)) {
    const smooth = average(accuracy, 10);
    parts.push(plot("Accuracy", `${smooth.findLast((one) => one !== null)?.toFixed(0)} % in the last ten games`, accuracy, smooth));
  }
  const rated = games.filter((one) => one.performance !== null);
  if (rated.length > 1) parts.push(plot("Strength by results", `${rated.at(-1)?.performance} in the last twenty`, rated.map((one) => one.performance)));
  if (levels.length) parts.push(table("By strength of the opponent", ["Strength", "Games", "Points", "Share"], levels.map((one) => [String(one.rating), String(one.games), points(one.points), share(one.points, one.games)])));
  if (openings.length) {
    const name = (/** @type {Progress["openings"][number]} */ one) => {
      const box = make("span", {}, one.name);
      return make("span", {}, box, ` · ${one.side === "white" ? "White" : "Black"}`);
    };
    parts.push(table("By opening", ["Opening", "Games", "Points", "Accuracy"], openings.slice(0, 12).map((one) => [name(one), String(one.games), points(one.points), one.accuracy === null ? "" : `${one.accuracy.toFixed(0)} %`])));
  }
  const topics = report.topics.filter((one) => one.cards > 0).slice(0, 12);
  if (topics.length) parts.push(table("By topic", ["Topic", "Exercises", "Answers", "Missed"], topics.map((one) => [one.label, String(one.cards), String(one.answers), one.answers ? share(one.missed, one.answers) : ""])));
  parts.push(make("p", { class: "files" },
    make("a", { class: "button", href: "/api/learn/games.csv", download: "tabiya-games.csv" }, "Games as a table (CSV)"),
    make("a", { class: "button", href: "/api/learn/exercises.pgn", download: "tabiya-exercises.pgn" }, "Exercises (PGN)")));
  sheet.replaceChildren(...parts);
}
