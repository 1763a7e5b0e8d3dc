/**
 * What the engine thinks: its lines, and arrows. It thinks only while somebody looks.
 *
 * @typedef {{ san: string, uci: string, number: number, side: "white" | "black" }} LineMove
 * @typedef {{ depth: number, score: string, chances: number, moves: LineMove[] }} Line
 * @typedef {{ engine: string, depth: number, nodes: number, nodes_per_second: number, lines: Line[] }} Report
 */
import { ask } from "../api.js";
import { get } from "../dom.js";
import { DeviceLines, path } from "./device.js";

/** The engine that thinks where the page is looked at. No engine of the server has an empty name. */
const DEVICE = "";
const KEPT = "tabiya.study.engine";
/** So many moves of a line are shown. */
const SHOWN = 14;
/** Whoever walks through the moves does not ask for each of them. */
const PAUSE_MS = 200;

export class Lines {
  #name = /** @type {HTMLSelectElement} */ (get("engine-name"));
  #count = /** @type {HTMLSelectElement} */ (get("engine-lines"));
  #info = get("engine-info");
  #list = get("lines");
  #changed;
  /** @type {EventSource | DeviceLines | null} */
  #source = null;
  /** @type {{ study: import("./api.js").Outline, node: number } | null} */
  #asked = null;
  #timer = 0;
  /** Whether the engines' names have come: until then nobody is asked. */
  #known = false;
  on = false;
  /** @type {Report | null} */
  report = null;

  /** @param {(moves: string[]) => void} play @param {() => void} changed */
  constructor(play, changed) {
    this.#changed = changed;
    this.#list.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      const line = button && this.report?.lines[Number(button.dataset.line)];
      if (line) play(line.moves.slice(0, Number(button.dataset.move) + 1).map((one) => one.uci));
    });
    for (const id of ["engine", "act-engine"]) get(id).addEventListener("click", () => this.#switch(!this.on));
    for (const select of [this.#name, this.#count])
      select.addEventListener("change", () => {
        // The arrows walk through the moves again.
        select.blur();
        this.#remember();
      });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.#ask()));
    addEventListener("pagehide", () => this.#close());
    // Back from another page, as it was left.
    addEventListener("pageshow", (event) => { if (event.persisted) this.#ask(); });
    void this.#recall();
  }

  /** Thinks about a node, if it is on. @param {import("./api.js").Outline} study @param {number} node */
  think(study, node) {
    const old = this.#asked;
    if (old && old.study.id === study.id && old.node === node && old.study.sequence === study.sequence) return;
    this.#asked = { study, node };
    this.#close();
    this.report = null;
    if (this.on) this.#show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), PAUSE_MS);
  }

  /** Thinks about nothing: the study is put away. */
  rest() {
    clearTimeout(this.#timer);
    this.#asked = null;
    this.report = null;
    this.#close();
  }

  /** The moves of a line up to one of them. @param {number} line @param {number} move */
  moves(line, move) {
    return this.report?.lines[line]?.moves.slice(0, move + 1).map((one) => one.uci) ?? [];
  }

  /** What the arrows on the board are. @returns {import("../../types.js").Mark[]} */
  marks() {
    const lines = this.on ? (this.report?.lines ?? []) : [];
    const seen = new Set();
    return lines.flatMap(({ moves }, rank) => {
      const uci = moves[0]?.uci;
      if (!uci || seen.has(uci)) return [];
      seen.add(uci);
      return [{ kind: /** @type {const} */ ("line"), from: uci.slice(0, 2), to: uci.slice(2, 4), rank }];
    }).reverse();
  }

  /** The best line, while it is looked for. */
  get best() {
    return this.on ? (this.report?.lines[0] ?? null) : null;
  }

  /** @param {boolean} on */
  #switch(on) {
    this.on = on;
    this.#remember();
  }

  #remember() {
    const kept = { on: this.on, engine: this.#name.value, lines: this.#count.value };
    localStorage.setItem(KEPT, JSON.stringify(kept));
    this.#apply();
  }

  async #recall() {
    /** @type {{ on?: boolean, engine?: string, lines?: string }} */
    let kept = {};
    try {
      kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    } catch {
      // What cannot be read was never said.
    }
    // On a phone the moves need the room.
    this.#count.value = kept.lines ?? (matchMedia("(max-width: 860px) and (orientation: portrait), (max-height: 500px)").matches ? "1" : "3");
    this.#name.append(new Option("tabiya", "tabiya"));
    // The room for the lines is there at once, so that nothing jumps when the names of the engines come.
    this.on = Boolean(kept.on);
    this.#show();
    try {
      const { engines, device } = await ask("GET", "/engines");
      this.#name.replaceChildren(...engines.map((/** @type {string} */ name) => new Option(name, name)));
      if (device) this.#name.append(new Option("this device", DEVICE));
      if (kept.engine === DEVICE ? device : engines.includes(kept.engine)) this.#name.value = kept.engine ?? "tabiya";
    } catch {
      // Our own is always there.
    }
    this.#known = true;
    this.#apply();
  }

  #apply() {
    this.#name.hidden = this.#name.options.length < 2;
    this.#close();
    this.report = null;
    this.#show();
    this.#ask();
  }

  #close() {
    this.#source?.close();
    this.#source = null;
  }

  #ask() {
    this.#close();
    if (!this.on || !this.#known || !this.#asked || document.hidden) return;
    const { study, node } = this.#asked;
    const [engine, lines] = [this.#name.value, this.#count.value];
    const query = new URLSearchParams({ node: String(node), lines, engine });
    /** @type {EventSource | DeviceLines} */
    const source = engine === DEVICE ? new DeviceLines(path(study, node), Number(lines)) : new EventSource(`/api/studies/${study.id}/lines?${query}`);
    this.#source = source;
    const end = (/** @type {string} */ text) => {
      source.close();
      this.#say(text);
    };
    const hear = (/** @type {string} */ name, /** @type {(told: any) => void} */ act) =>
      source.addEventListener(name, (event) => act(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    hear("lines", (report) => {
      this.report = report;
      this.#show();
    });
    hear("waiting", ({ text }) => this.#say(text));
    hear("failed", ({ text }) => end(text));
    hear("ended", ({ text }) => {
      source.close();
      if (this.report) this.#say(`${this.#said(this.report)} · ${text}`);
    });
    if (!(source instanceof DeviceLines))
      source.onerror = () => {
        if (source.readyState === EventSource.CLOSED) end("The engine cannot be asked just now.");
      };
  }

  /** @param {string} text */
  #say(text) {
    this.#info.textContent = text;
    this.#info.title = text;
  }

  /** @param {Report} report */
  #said({ engine, depth, nodes, nodes_per_second }) {
    return `${engine} · depth ${depth} · ${short(nodes)} positions · ${short(nodes_per_second)}/s`;
  }

  #show() {
    const report = this.on ? this.report : null;
    get("engine").setAttribute("aria-checked", String(this.on));
    get("act-engine").setAttribute("aria-pressed", String(this.on));
    this.#list.hidden = !this.on;
    this.#say(report ? this.#said(report) : this.on ? "Thinking…" : "");
    const wanted = this.on ? Number(this.#count.value) : 0;
    // Rows stay where they are: what is about to be clicked does not move.
    while (this.#list.children.length < wanted) this.#list.append(row());
    while (this.#list.children.length > wanted) this.#list.lastElementChild?.remove();
    [...this.#list.children].forEach((element, index) => fill(/** @type {HTMLElement} */ (element), index, report?.lines[index]));
    this.#changed();
  }
}

function row() {
  const item = document.createElement("li");
  const score = document.createElement("span");
  score.className = "score";
  item.append(score);
  return item;
}

/** @param {HTMLElement} item @param {number} index @param {Line | undefined} line */
function fill(item, index, line) {
  const score = /** @type {HTMLElement} */ (item.firstElementChild);
  score.textContent = line?.score ?? "…";
  score.classList.toggle("black", Boolean(line && line.chances < 0.5));
  const moves = line?.moves.slice(0, SHOWN) ?? [];
  while (item.children.length - 1 < moves.length) {
    const button = document.createElement("button");
    button.type = "button";
    // One stop of the Tab key for each line is enough.
    if (item.children.length > 1) button.tabIndex = -1;
    item.append(button);
  }
  while (item.children.length - 1 > moves.length) item.lastElementChild?.remove();
  moves.forEach((move, at) => {
    const button = /** @type {HTMLElement} */ (item.children[at + 1]);
    const number = move.side === "white" ? `${move.number}. ` : at === 0 ? `${move.number}… ` : "";
    const text = number + move.san;
    if (button.textContent !== text) button.textContent = text;
    button.dataset.line = String(index);
    button.dataset.move = String(at);
  });
}

/** @param {number} count */
function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)}M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)}k` : String(count);
}
