/**
 * The explorer: what was played in a position. A click plays a move; the games of one, and one of them, open below.
 *
 * @typedef {import("./api.js").Answer} Answer
 * @typedef {import("./api.js").Head} Head
 * @typedef {import("./api.js").Move} Move
 *
 * @typedef {object} Host Where the panel stands.
 * @property {() => Promise<string>} fen the position
 * @property {() => boolean} shown whether somebody sees the panel
 * @property {() => boolean} plays whether a move may be played
 * @property {(san: string) => void} play
 */
import { locale, make } from "../dom.js";
import { begin } from "../study/api.js";
import { databases, explore, game, players } from "./api.js";

const NAMES = /** @type {Record<string, string>} */ ({ mine: "Mine" });
/** Answers that are kept, so that walking back shows them at once. */
const KEPT = 200;
/** So long until a database that is being brought up to date is asked again. */
const AGAIN_MS = 300;
const number = new Intl.NumberFormat("en");
const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const months = new Intl.DateTimeFormat(locale, { month: "short" });
const SPEEDS = ["bullet", "blitz", "rapid", "classical", "correspondence"];

export class ExplorerPanel {
  /** @type {Host} */
  #host;
  #databases = make("div", { class: "segment", role: "radiogroup", "aria-label": "Which games" });
  #names = make("datalist", { id: "explorer-players" });
  #form = filters(this.#names);
  #words = make("p", { id: "explorer-words", role: "status" });
  #head = head();
  #moves = make("tbody", { id: "explorer-moves" });
  #title = make("h3");
  #top = make("tbody", { id: "explorer-top" });
  #games;
  #opened = make("div", { id: "explorer-game", "aria-live": "polite" });
  #database = "";
  /** @type {Map<string, Promise<Answer>>} */
  #answers = new Map();
  /** What is shown, as it came. */
  #told = "";
  #asked = 0;
  #begun = false;

  /** @param {HTMLElement} place @param {Host} host */
  constructor(place, host) {
    this.#host = host;
    this.#games = make("div", { class: "block", hidden: true }, this.#title, make("table", { "aria-label": "Games from here" }, this.#top));
    place.append(
      make("div", { class: "find" }, this.#databases, make("details", {}, make("summary", {}, "Players, events, ratings, years"), this.#form)),
      this.#words,
      make("table", { "aria-label": "Moves from here" }, this.#head, this.#moves),
      this.#games,
      this.#opened,
    );
    this.#form.addEventListener("input", () => void this.show());
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    const player = /** @type {HTMLInputElement} */ (this.#form.elements.namedItem("player"));
    player.addEventListener("input", () => void this.#propose(player.value));
  }

  async #begin() {
    this.#begun = true;
    const names = await databases();
    this.#database = names[0] ?? "";
    this.#databases.replaceChildren(...names.map((name) => {
      const input = make("input", { type: "radio", name: "explorer-database", value: name, checked: name === this.#database });
      input.addEventListener("change", () => { this.#database = name; void this.show(); });
      return make("label", {}, input, NAMES[name] ?? name);
    }));
  }

  /** Shows what was played in the position where one stands now. */
  async show() {
    if (!this.#host.shown()) return;
    const asked = ++this.#asked;
    try {
      if (!this.#begun) await this.#begin();
      const question = new URLSearchParams({ fen: await this.#host.fen() });
      for (const [name, value] of new FormData(this.#form)) if (value) question.set(name, String(value));
      const answer = await this.#answer(question);
      if (asked !== this.#asked) return;
      this.#tell(answer);
      if (answer.renewing) setTimeout(() => this.#renew(asked), AGAIN_MS);
    } catch (error) {
      if (asked === this.#asked) this.#words.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** Asks once more what is shown. @param {number} asked */
  #renew(asked) {
    this.#answers.clear();
    if (asked === this.#asked) void this.show();
  }

  /** @param {URLSearchParams} question */
  #answer(question) {
    const key = `${this.#database} ${question}`;
    let answer = this.#answers.get(key);
    if (!answer) {
      answer = explore(this.#database, question);
      answer.catch(() => this.#answers.delete(key));
      if (this.#answers.size >= KEPT) this.#answers.clear();
      this.#answers.set(key, answer);
    }
    return answer;
  }

  /** @param {Answer} answer */
  #tell({ explored, opening }) {
    // What has not changed stays, with whoever stands on it.
    const told = JSON.stringify([this.#database, explored, this.#host.plays()]);
    if (told === this.#told) return;
    this.#told = told;
    const games = explored.games === 1 ? "1 game" : `${number.format(explored.games)} games`;
    this.#words.textContent = explored.games ? [games, opening].filter(Boolean).join(" · ") : "No game came here.";
    this.#head.hidden = explored.moves.length === 0;
    /** @type {HTMLElement[]} */
    const counts = [];
    this.#moves.replaceChildren(...explored.moves.map((move) => {
      const play = make("button", { type: "button", class: "quiet", disabled: !this.#host.plays(), title: "Play it" }, move.san);
      play.addEventListener("click", () => this.#host.play(move.san));
      const count = make("button", { type: "button", class: "quiet", "aria-pressed": "false", title: "Games with it" }, number.format(move.games));
      count.addEventListener("click", () => {
        const pressed = count.getAttribute("aria-pressed") === "true";
        for (const one of counts) one.setAttribute("aria-pressed", String(one === count && !pressed));
        this.#list(pressed ? explored.top : move.top, pressed ? "Games from here" : `Games with ${move.san}`);
      });
      counts.push(count);
      const { year, rest } = day(move.last_played);
      return make("tr", {},
        make("th", { scope: "row" }, play),
        make("td", { class: "r" }, count),
        make("td", {}, bar(move)),
        make("td", { class: "r two" }, String(move.average_rating ?? "–"), " ", make("small", {}, String(move.performance ?? "–"))),
        make("td", { class: "r two" }, year, " ", make("small", {}, rest)),
      );
    }));
    this.#list(explored.top, "Games from here");
  }

  /** @param {Head[]} heads @param {string} title */
  #list(heads, title) {
    this.#games.hidden = heads.length === 0;
    this.#title.textContent = title;
    this.#opened.replaceChildren();
    this.#top.replaceChildren(...heads.map((head) => {
      const open = make("button", { type: "button", class: "quiet", translate: "no" }, `${head.white} – ${head.black}`);
      open.addEventListener("click", () => void this.#open(head));
      const { year, rest } = day(head.date);
      return make("tr", {},
        make("th", { scope: "row" }, open),
        make("td", { class: "r muted" }, [head.white_elo, head.black_elo].map((elo) => elo ?? "–").join(" ")),
        make("td", { class: "r muted" }, head.result.replace("1/2-1/2", "½–½")),
        make("td", { class: "r two" }, year, " ", make("small", {}, rest)),
      );
    }));
  }

  /** @param {Head} head */
  async #open(head) {
    try {
      const pgn = await game(this.#database, head.game);
      const study = make("button", { type: "button", class: "compact" }, "Study this game");
      study.addEventListener("click", async () => {
        const shown = await begin({ pgn, title: `${head.white} – ${head.black}` });
        location.href = `/study?study=${shown.book.id}`;
      });
      const where = [head.event, head.date].filter(Boolean).join(", ");
      this.#opened.replaceChildren(make("p", { class: "muted", translate: "no" }, where), make("p", { class: "record", translate: "no" }, pgn.split("\n\n").slice(1).join(" ")), study);
      this.#opened.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.#opened.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** Names that go on like this. @param {string} name */
  async #propose(name) {
    if (name.length < 2) return;
    const found = await players(this.#database, name).catch(() => []);
    this.#names.replaceChildren(...found.map((player) => make("option", { value: player.name }, `${number.format(player.games)} games`)));
  }
}

/** What says which games. @param {HTMLElement} names those that are proposed */
function filters(names) {
  const text = (/** @type {Record<string, string>} */ attributes) => make("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
  const select = (/** @type {string} */ name, /** @type {[string, string][]} */ options) => make("select", { name }, ...options.map(([value, words]) => make("option", { value }, words)));
  const field = (/** @type {string} */ words, /** @type {HTMLElement} */ inside, wide = false) => make("label", { class: wide ? "field wide" : "field" }, `${words} `, inside);
  return make("form", { id: "explorer-filter" },
    field("Player", text({ name: "player", list: "explorer-players" }), true),
    names,
    field("with", select("color", [["", "either colour"], ["white", "White"], ["black", "Black"]])),
    field("Both rated from", make("input", { type: "number", name: "elo", min: "0", max: "4000", step: "100" })),
    field("Event", text({ name: "event" }), true),
    field("From", text({ name: "since", inputmode: "numeric", placeholder: "1990" })),
    field("Until", text({ name: "until", inputmode: "numeric", placeholder: "2026" })),
    field("Speed", select("speed", [["", "any"], ...SPEEDS.map((speed) => /** @type {[string, string]} */ ([speed, speed]))]), true),
  );
}

function head() {
  const column = (/** @type {string} */ words, right = false, /** @type {string} */ second = "") => make("th", { scope: "col", class: right && "r" }, words, ...(second ? [" ", make("small", {}, second)] : []));
  return make("thead", { id: "explorer-head", hidden: true }, make("tr", {}, column("Move"), column("Games", true), column("White · draw · Black"), column("Rating", true, "perf."), column("Last", true)));
}

/** A date of a record: the year, and day and month as far as they are known. @param {string} date */
function day(date) {
  const [year, month, of] = date.split(".").map((part) => Number(part) || 0);
  const at = new Date(2024, month - 1, of || 1);
  return { year: year ? String(year) : "–", rest: !month ? "" : (of ? days : months).format(at) };
}

/** @param {{ white: number, draws: number, black: number }} results */
function bar({ white, draws, black }) {
  const all = white + draws + black;
  const share = (/** @type {number} */ part) => (all ? (100 * part) / all : 0);
  const words = all ? `White ${Math.round(share(white))} %, draw ${Math.round(share(draws))} %, Black ${Math.round(share(black))} %` : "No results";
  return make("span", { class: "wdl", role: "img", "aria-label": words }, ...[white, draws, black].map((part) => {
    const one = make("i", {}, share(part) >= 12 ? String(Math.round(share(part))) : "");
    one.style.width = `${share(part)}%`;
    return one;
  }));
}
