/**
 * Files of games come in: chosen, or dropped anywhere on the page. Progress is told, and everything that could not be read.
 *
 * @typedef {{ file: string, game: number, line: number, text: string }} Problem
 */
import { ask } from "../api.js";
import { get, make } from "../dom.js";
import { figure, games } from "./words.js";

/** So much of a file is sent at a time, cut between games. */
const PIECE = 400_000;
/** Pieces that would be longer are cut where the tag Event begins a line. */
const LONG = 2_000_000;
/** So many problems are shown before the list is unfolded. */
const FIRST = 20;

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
    // The tags of the next game come after an empty line, or at least begin as they should.
    const empty = /\n[ \t]*\r?\n(?=\[)/g;
    empty.lastIndex = near;
    const found = near < text.length ? empty.exec(text) : null;
    let end = found && found.index < start + LONG ? found.index + found[0].length : text.length;
    if (end - start >= LONG) {
      const next = text.indexOf("\n[Event ", near);
      if (next > 0) end = Math.min(end, next + 1);
    }
    cuts.push(text.slice(start, end));
    start = end;
  }
  return cuts;
}

/** So much of a file tells how it is written. */
const SAMPLE = 4096;

/** Which of the two byte orders of UTF-16 a text has, if it has one: by its mark, or by the zeros of its Latin letters. @param {Uint8Array} bytes */
function wide(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, Math.min(SAMPLE, bytes.length - (bytes.length % 2)));
  const zeros = [0, 0];
  sample.forEach((byte, index) => (zeros[index % 2] += byte === 0 ? 1 : 0));
  // No other text has zeros at all, and one of another alphabet still has tags and figures.
  if (zeros[0] + zeros[1] <= sample.length / 50) return null;
  return zeros[1] > zeros[0] ? "utf-16le" : "utf-16be";
}

/** The text of a file: UTF-8 or UTF-16 if it is that, else Latin-1, as older programs write. @param {File} file */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const utf16 = wide(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** What came of it, in words. @param {{ games: number, known: number, restored: number }} sum */
function summary({ games: fresh, known, restored }) {
  const parts = [];
  if (fresh || !(known || restored)) parts.push(`${figure(fresh)} new`);
  if (known) parts.push(known === 1 ? "1 was here already" : `${figure(known)} were here already`);
  if (restored) parts.push(restored === 1 ? "1 is back from the bin" : `${figure(restored)} are back from the bin`);
  return parts.join(", ");
}

/** @type {Problem[]} */
let problems = [];
let busy = false;

/** @param {File[]} files @param {() => void} done */
async function importFiles(files, done) {
  if (busy || !files.length) return;
  busy = true;
  const progress = /** @type {HTMLProgressElement} */ (get("progress"));
  const said = get("imported");
  const sum = { games: 0, known: 0, restored: 0 };
  problems = [];
  get("importing").hidden = false;
  progress.hidden = false;
  progress.value = 0;
  get("problems").hidden = true;
  get("import-done").hidden = true;
  said.textContent = "Reading…";
  let failure = "";
  try {
    const texts = await Promise.all(files.map(textOf));
    const whole = texts.reduce((length, text) => length + text.length, 0);
    let sent = 0;
    for (const [index, text] of texts.entries()) {
      // Where a piece begins in its file.
      let lines = 0, before = 0;
      for (const piece of pieces(text)) {
        const answer = await ask("POST", "/import", { text: piece, patience: 120_000 });
        sum.games += answer.games;
        sum.known += answer.known;
        sum.restored += answer.restored;
        for (const { game, line, text } of answer.problems) problems.push({ file: files[index].name, game: before + game, line: lines + line, text });
        before += answer.games + answer.known + answer.restored + answer.bad;
        lines += piece.split("\n").length - 1;
        sent += piece.length;
        progress.value = sent / whole;
        said.textContent = `${games(sum.games + sum.known + sum.restored)} so far`;
      }
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  said.textContent = failure ? `${summary(sum)}, then: ${failure}` : summary(sum);
  progress.hidden = true;
  get("import-done").hidden = false;
  get("problems").hidden = problems.length === 0;
  get("problems").textContent = problems.length === 1 ? "1 problem" : `${figure(problems.length)} problems`;
  busy = false;
  done();
}

/** @param {boolean} [all] */
function showProblems(all = false) {
  const several = new Set(problems.map(({ file }) => file)).size > 1;
  const line = (/** @type {Problem} */ one) => make("li", {},
    make("b", {}, several ? `${one.file}, game ${figure(one.game)}, line ${figure(one.line)}` : `Game ${figure(one.game)}, line ${figure(one.line)}`), make("span", {}, one.text));
  get("problem-rows").replaceChildren(...(all ? problems : problems.slice(0, FIRST)).map(line));
  get("all-problems").hidden = all || problems.length <= FIRST;
  get("all-problems").textContent = `Show all ${figure(problems.length)}`;
}

/** Lets files come in. @param {() => void} done what is to be done when they are there */
export function receive(done) {
  const input = /** @type {HTMLInputElement} */ (get("import"));
  input.addEventListener("change", async () => {
    await importFiles([...(input.files ?? [])], done);
    input.value = "";
  });
  const brings = (/** @type {DragEvent} */ event) => Boolean(event.dataTransfer?.types.includes("Files"));
  // Every element that is entered under way is left again.
  let depth = 0;
  const show = (/** @type {number} */ now) => {
    depth = Math.max(0, now);
    get("drop").hidden = depth === 0;
  };
  document.addEventListener("dragenter", (event) => brings(event) && show(depth + 1));
  document.addEventListener("dragleave", (event) => brings(event) && show(depth - 1));
  document.addEventListener("dragover", (event) => brings(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    show(0);
    if (!brings(event)) return;
    event.preventDefault();
    void importFiles([...(event.dataTransfer?.files ?? [])], done);
  });
  get("import-done").addEventListener("click", () => (get("importing").hidden = true));
  get("problems").addEventListener("click", () => {
    showProblems();
    /** @type {HTMLDialogElement} */ (get("problem-list")).showModal();
  });
  get("all-problems").addEventListener("click", () => showProblems(true));
}
