/**
 * The games of the server: search, open, save, import, take away.
 *
 * @typedef {{ id: number, kind: "chess" | "bishops", white: string, black: string, date: string | null, plies: number, result: string, end: string | null }} Summary
 */
import { ask, tokens } from "./api.js";
import "./settings.js";
import { toast } from "./toast.js";

const PAGE = 50;
/** So much of a file is sent at a time, cut between games. */
const PIECE = 400_000;

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (get("search"));
const rows = get("rows");
let asked = 0;

/** Shows the games that are searched for, or more of them. @param {boolean} [more] */
async function refresh(more = false) {
  const ticket = ++asked;
  const query = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value) query.set(key, String(value));
  query.set("limit", String(PAGE + 1));
  query.set("offset", String(more ? rows.children.length : 0));
  try {
    const { games } = await ask("GET", `/games?${query}`);
    if (ticket !== asked) return;
    const shown = games.slice(0, PAGE).map(row);
    if (more) rows.append(...shown);
    else rows.replaceChildren(...shown);
    get("more").hidden = games.length <= PAGE;
    get("empty").hidden = rows.children.length > 0;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** @param {Summary} game */
function row(game) {
  const line = document.createElement("tr");
  const cells = /** @type {const} */ ([
    ["date", game.date ?? ""], ["white", game.white], ["black", game.black], ["result", game.result === "*" && game.end ? "broken off" : result(game.result)], ["plies", String(Math.ceil(game.plies / 2))],
  ]);
  for (const [name, text] of cells) {
    const cell = document.createElement("td");
    cell.className = name;
    cell.textContent = text;
    if (name === "result" && game.end) cell.title = game.end;
    line.append(cell);
  }
  const acts = document.createElement("td");
  acts.className = "acts";
  const names = `${game.white} and ${game.black}`;
  acts.append(
    link(`${game.kind === "chess" ? "/" : "/bishops"}?game=${game.id}`, "Open", names),
    ...(game.kind === "chess"
      ? [link(`/study?game=${game.id}`, "Study", names), link(`/study?game=${game.id}&review=1`, "Review", names)]
      : []),
    link(`/api/games/${game.id}/record`, game.kind === "chess" ? "PGN" : "File", names),
    remover(game, line, names),
  );
  line.append(acts);
  return line;
}

/** @param {string} result */
function result(result) {
  return result === "*" ? "going on" : result.replace("1/2-1/2", "½–½").replace("-", "–");
}

/** @param {string} href @param {string} text @param {string} names */
function link(href, text, names) {
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.textContent = text;
  anchor.setAttribute("aria-label", `${text}: ${names}`);
  return anchor;
}

/** @param {Summary} game @param {HTMLElement} line @param {string} names */
function remover(game, line, names) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = "Delete";
  button.setAttribute("aria-label", `Delete: ${names}`);
  button.addEventListener("click", async () => {
    try {
      await ask("DELETE", `/games/${game.id}`, { token: own(game.id) });
      line.remove();
      get("empty").hidden = rows.children.length > 0;
      toast("The game was deleted.", { label: "Undo", act: () => void undo(game.id) });
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  });
  return button;
}

/** The token of a seat of ours in a game, if we have one. @param {number} id */
function own(id) {
  const { white, black } = tokens(id);
  return white ?? black;
}

/** @param {number} id */
async function undo(id) {
  await ask("POST", `/games/${id}/restore`, { token: own(id) });
  await refresh();
}

/**
 * Cuts a text of many games between games, so that progress can be told.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function pieces(text) {
  const cuts = [];
  for (let start = 0; start < text.length; ) {
    const near = start + PIECE;
    const next = near < text.length ? text.indexOf("\n[Event ", near) : -1;
    const end = next < 0 ? text.length : next + 1;
    cuts.push(text.slice(start, end));
    start = end;
  }
  return cuts;
}

/** @param {File} file */
async function importFile(file) {
  const progress = /** @type {HTMLProgressElement} */ (get("progress"));
  const said = get("imported");
  progress.hidden = false;
  let kept = 0;
  /** @type {string[]} */
  const problems = [];
  try {
    const all = pieces(await file.text());
    for (const [index, piece] of all.entries()) {
      const answer = await ask("POST", "/import", { text: piece, patience: 120_000 });
      kept += answer.games;
      problems.push(...answer.problems);
      progress.value = (index + 1) / all.length;
      said.textContent = `${kept} games so far`;
    }
    const bad = problems.length ? `; ${problems.length} could not be read: ${problems[0]}` : "";
    said.textContent = `${kept} ${kept === 1 ? "game" : "games"} imported${bad}`;
  } catch (error) {
    said.textContent = `${kept} games imported, then: ${error instanceof Error ? error.message : error}`;
  }
  progress.hidden = true;
  await refresh();
}

form.addEventListener("input", () => void refresh());
form.addEventListener("submit", (event) => event.preventDefault());
get("more").addEventListener("click", () => void refresh(true));
const input = /** @type {HTMLInputElement} */ (get("import"));
input.addEventListener("change", async () => {
  const file = input.files?.[0];
  if (file) await importFile(file);
  input.value = "";
});
void refresh();
