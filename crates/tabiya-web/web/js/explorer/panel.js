/**
 * The explorer of a study: what was played in the position where one stands. A click plays a move; a game opens below.
 *
 * @typedef {import("./api.js").Explored} Explored
 * @typedef {import("./api.js").Head} Head
 */
import { get, make } from "../dom.js";
import { begin } from "../study/api.js";
import { page } from "../study/page.js";
import { databases, explore, game, players } from "./api.js";

const NAMES = /** @type {Record<string, string>} */ ({ mine: "Mine" });
/** Answers that are kept, so that walking back shows them at once. */
const KEPT = 200;
const number = new Intl.NumberFormat("en");

class ExplorerPanel {
  #databases = make("div", { class: "segment", role: "radiogroup", "aria-label": "Which games" });
  #form = /** @type {HTMLFormElement} */ (get("explorer-filter"));
  #words = get("explorer-words");
  #moves = get("explorer-moves");
  #top = get("explorer-top");
  #opened = get("explorer-game");
  #database = "";
  /** @type {Map<string, Promise<{ opening: string | null, explored: Explored }>>} */
  #answers = new Map();
  #asked = 0;
  #begun = false;

  constructor() {
    get("explorer-databases").append(this.#databases);
    this.#form.addEventListener("input", () => void this.#show());
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    const player = /** @type {HTMLInputElement} */ (this.#form.elements.namedItem("player"));
    player.addEventListener("input", () => void this.#propose(player.value));
    page.addEventListener("change", () => void this.#show());
    void this.#show();
  }

  async #begin() {
    this.#begun = true;
    const names = await databases();
    this.#database = names[0] ?? "";
    this.#databases.replaceChildren(...names.map((name) => {
      const input = make("input", { type: "radio", name: "explorer-database", value: name, checked: name === this.#database });
      input.addEventListener("change", () => { this.#database = name; void this.#show(); });
      return make("label", {}, input, NAMES[name] ?? name);
    }));
  }

  async #show() {
    if (page.tab !== "explorer" || page.id === null) return;
    const asked = ++this.#asked;
    try {
      if (!this.#begun) await this.#begin();
      const question = new URLSearchParams({ fen: await page.fen() });
      for (const [name, value] of new FormData(this.#form)) if (value) question.set(name, String(value));
      const { opening, explored } = await this.#answer(question);
      if (asked !== this.#asked) return;
      this.#tell(explored, opening);
    } catch (error) {
      if (asked === this.#asked) this.#words.textContent = error instanceof Error ? error.message : String(error);
    }
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

  /** @param {Explored} explored @param {string | null} opening */
  #tell(explored, opening) {
    const games = explored.games === 1 ? "1 game" : `${number.format(explored.games)} games`;
    this.#words.textContent = explored.games ? [games, opening].filter(Boolean).join(" · ") : "No game came here.";
    get("explorer-head").hidden = explored.moves.length === 0;
    this.#moves.replaceChildren(...explored.moves.map((move) => {
      const play = make("button", { type: "button", class: "quiet", disabled: !page.ours, title: "Play it" }, move.san);
      play.addEventListener("click", () => void page.step({ step: "play", text: move.san }));
      const year = move.last_played.slice(0, 4);
      return make("tr", {},
        make("th", { scope: "row" }, play),
        make("td", { class: "r" }, number.format(move.games)),
        make("td", {}, bar(move)),
        make("td", { class: "r" }, String(move.average_rating ?? "–")),
        make("td", { class: "r muted" }, year === "????" ? "–" : year),
      );
    }));
    get("explorer-from-here").hidden = explored.top.length === 0;
    this.#opened.replaceChildren();
    this.#top.replaceChildren(...explored.top.map((head) => {
      const open = make("button", { type: "button", class: "quiet", translate: "no" }, `${head.white} – ${head.black}`);
      open.addEventListener("click", () => void this.#open(head));
      return make("tr", {},
        make("th", { scope: "row" }, open),
        make("td", { class: "r muted" }, [head.white_elo, head.black_elo].map((elo) => elo ?? "–").join(" ")),
        make("td", { class: "r muted" }, head.result.replace("1/2-1/2", "½–½")),
        make("td", { class: "r muted" }, head.date.slice(0, 4)),
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
    get("explorer-players").replaceChildren(...found.map((player) => make("option", { value: player.name }, `${number.format(player.games)} games`)));
  }
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

new ExplorerPanel();
