/**
 * The panel from which a game begins: what it asks, remembers and orders.
 *
 * @typedef {{ game: "chess" | "bishops", white: string, black: string, [key: string]: unknown }} Order
 * @typedef {{ elo: number | null, name: string, words: string }} Level
 * @typedef {"computer" | "two" | "invite"} Mode
 */
import { ask, begin } from "./api.js";
import { get, icon, make } from "./dom.js";
import { figures, miniature } from "./figures.js";
import { keepName, ownName } from "./invite.js";

/** The piece that stands for each level that has a name. */
const FIGURES = ["P", "PP", "N", "B", "R", "Q", "K"];
const WORDS = { computer: "Play", invite: "Make a link", two: "Play" };

export class StartPanel {
  #form = /** @type {HTMLFormElement} */ (get("start-form"));
  #slider = /** @type {HTMLInputElement} */ (get("level"));
  #refusal = get("start-refusal");
  #title = get("start-title").textContent;
  #words = get("start-words").textContent;
  #kind;
  #begun;
  #changed;
  /** @type {Mode} */
  #mode = "computer";
  /** @type {Level[]} with names, the weakest first; the last is full strength */
  #levels = [];
  /** @type {string[]} those of the bishop-and-king game */
  #steps = [];
  ready;

  /**
   * @param {"chess" | "bishops"} kind
   * @param {(view: import("./play.js").View) => void} begun
   * @param {() => void} changed something else was chosen
   */
  constructor(kind, begun, changed) {
    this.#kind = kind;
    this.#begun = begun;
    this.#changed = changed;
    for (const label of this.#form.querySelectorAll("[data-figures]")) label.querySelector("input")?.after(...figures(/** @type {HTMLElement} */ (label).dataset.figures ?? ""));
    this.#field("name").value = ownName();
    this.#remember();
    this.ready = this.#load().catch((error) => void (this.#refusal.textContent = error.message));
    this.#form.addEventListener("input", () => this.#refresh());
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    get("way-invite").addEventListener("click", () => this.#switch("invite"));
    get("way-two").addEventListener("click", () => this.#switch("two"));
    get("start-back").addEventListener("click", () => this.#switch("computer"));
    const file = /** @type {HTMLInputElement | null} */ (document.getElementById("position-file"));
    file?.addEventListener("change", async () => {
      const chosen = file.files?.[0];
      if (chosen) this.#field("position").value = (await chosen.slice(0, 8000).text()).trim();
    });
  }

  /** The strongest level that has a number, and the weakest. */
  get range() {
    const elos = this.#levels.flatMap(({ elo }) => elo ?? []);
    return { weakest: elos[0] ?? 0, strongest: elos.at(-1) ?? 0 };
  }

  /** What a level is called: Casual, 1200. @param {number} elo */
  called(elo) {
    const named = this.#levels.filter((one) => one.elo !== null && one.elo <= elo).at(-1);
    return named ? `${named.name}, ${elo}` : `Level ${elo}`;
  }

  /** The choice, for the seats to show it before the game: who sits where, with how much time. */
  get choice() {
    const data = new FormData(this.#form);
    const time = this.#time(data);
    const level = this.#kind === "chess" ? (data.get("level") === "full" ? null : this.#elo(data)) : null;
    return {
      mode: this.#mode, level, colour: String(data.get("colour")),
      clock_ms: time ? Number(time.split("+")[0]) * 60_000 : null, name: String(data.get("name") ?? "").trim(),
    };
  }

  async #load() {
    const { chess, bishops } = await ask("GET", "/levels");
    this.#levels = chess;
    this.#steps = bishops;
    const { weakest, strongest } = this.range;
    const [min, max] = this.#kind === "chess" ? [weakest, strongest] : [0, bishops.length - 1];
    // Until it has its bounds, the slider holds no such number.
    Object.assign(this.#slider, { min: String(min), max: String(max) });
    this.#slider.value = this.#kept.exact ?? this.#slider.getAttribute("value") ?? "";
    if (this.#kind === "chess") this.#cards();
    this.#refresh();
  }

  #cards() {
    const kept = this.#kept.level ?? "1200";
    const { weakest, strongest } = this.range;
    const card = (/** @type {string} */ value, /** @type {Node[]} */ picture, /** @type {string} */ name, /** @type {string} */ about, /** @type {string} */ title) =>
      make("label", { class: "level", title },
        make("input", { type: "radio", name: "level", value, checked: value === kept, "aria-label": `${name}, ${about}` }),
        make("span", { class: "figures" }, ...picture), make("b", {}, name), make("small", {}, about));
    const cards = this.#levels.map(({ elo, name, words }, index) => card(elo === null ? "full" : String(elo), figures(FIGURES[index] ?? "K"), elo === null ? "Full" : name, elo === null ? "no limit" : String(elo), words));
    get("levels").replaceChildren(...cards, card("exact", [icon("settings")], "Exact", `${weakest}–${strongest}`, "Any strength between"));
    if (!this.#form.querySelector("[name=level]:checked")) /** @type {HTMLInputElement} */ (this.#form.querySelector("[name=level][value='1200']")).checked = true;
  }

  /** @param {FormData} data */
  #elo(data) {
    return data.get("level") === "exact" || this.#kind === "bishops" ? Number(this.#slider.value) : Number(data.get("level"));
  }

  /** @param {string} name @returns {HTMLInputElement} */
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }

  /** @param {Mode} mode */
  #switch(mode) {
    this.#mode = mode;
    get("start-title").textContent = { computer: this.#title ?? "", invite: "Invite a friend", two: "Two at this board" }[mode];
    get("start-words").textContent = { computer: this.#words ?? "", invite: "You get a link to send. The first who joins plays you.", two: "You share the screen and move in turn." }[mode];
    get("start-back").hidden = mode === "computer";
    get("also").hidden = mode !== "computer";
    if (mode === "invite") /** @type {HTMLDetailsElement} */ (get("more-settings")).open = true;
    this.#refresh();
    get("begin").focus();
  }

  #refresh() {
    const data = new FormData(this.#form);
    get("level-settings").hidden = this.#mode !== "computer";
    get("pace-settings").hidden = this.#mode !== "computer";
    get("colour-settings").hidden = this.#mode === "two";
    get("begin").textContent = WORDS[this.#mode];
    const level = Number(this.#slider.value);
    const text = this.#kind === "chess" ? this.called(level) : `${level}, ${this.#steps[level] ?? ""}`;
    get("level-text").textContent = text;
    this.#slider.setAttribute("aria-valuetext", text);
    const exact = document.getElementById("exact");
    if (exact) exact.hidden = data.get("level") !== "exact";
    get("own-time").hidden = data.get("time") !== "other";
    for (const [field, value] of [["number-field", "number"], ["fen-field", "fen"]]) {
      const element = document.getElementById(field);
      if (element) element.hidden = data.get("start") !== value;
    }
    this.#refusal.textContent = "";
    this.#changed();
  }

  /** A sentence that greets whoever came for something else. @param {string} sentence */
  notice(sentence) {
    get("start-notice").textContent = sentence;
  }

  /** The game that was begun and not finished. @param {import("./play.js").View} view @param {string} words @param {import("../types.js").Side} bottom */
  offer(view, words, bottom) {
    const card = /** @type {HTMLAnchorElement} */ (get("continue"));
    card.href = `?game=${view.id}`;
    get("continue-board").replaceChildren(miniature(view, bottom));
    get("continue-words").textContent = words;
    card.hidden = false;
  }

  /** Begins another game with the same order, changed where asked. @param {Order} order */
  async again(order) {
    // The task is for people: the server knows the position.
    const { task: _, ...wish } = order;
    const view = /** @type {import("./play.js").View} */ (await begin(wish));
    localStorage.setItem(`tabiya.order.${view.id}`, JSON.stringify(order));
    this.#begun(view);
  }

  async #submit() {
    const button = /** @type {HTMLButtonElement} */ (get("begin"));
    if (button.disabled) return;
    button.disabled = true;
    this.#refusal.textContent = "";
    try {
      const data = new FormData(this.#form);
      keepName(String(data.get("name") ?? ""));
      this.#keep(data);
      await this.again(await this.#order(data));
    } catch (error) {
      this.#refusal.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      button.disabled = false;
    }
  }

  /** @param {FormData} data @returns {Promise<Order>} */
  async #order(data) {
    const take_backs = data.get("take_backs") !== null;
    if (this.#mode === "invite") return this.#terms(data, { game: this.#kind, white: "human", black: "human", friend: true, colour: data.get("colour"), name: ownName() || undefined, take_backs });
    if (this.#mode === "two") return this.#terms(data, { game: this.#kind, white: "human", black: "human", take_backs });
    const pace = data.get("pace") ? ` pace=${data.get("pace")}` : "";
    const computer = (this.#kind === "chess" && data.get("level") === "full" ? "tabiya" : `tabiya:${this.#elo(data)}`) + pace;
    const person = ownName() ? `human:${ownName()}` : "human";
    const colour = data.get("colour") === "random" ? (Math.random() < 0.5 ? "white" : "black") : data.get("colour");
    return this.#terms(data, { game: this.#kind, white: colour === "white" ? person : computer, black: colour === "white" ? computer : person, take_backs });
  }

  /** @param {FormData} data */
  #time(data) {
    const time = String(data.get("time") ?? "");
    return time === "other" ? `${Number(data.get("minutes"))}+${Number(data.get("seconds"))}` : time;
  }

  /** Adds clocks and the start. @param {FormData} data @param {Order} order */
  async #terms(data, order) {
    if (this.#time(data)) order.time = this.#time(data);
    if (this.#kind === "bishops") order.position = await this.#board(data);
    if (this.#kind === "bishops" && data.get("mate") && !String(data.get("position") ?? "").trim()) order.task = `White mates in ${data.get("mate")}`;
    if (data.get("start") === "fen") order.position = data.get("fen");
    if (data.get("start") === "number") order.chess960 = Number(data.get("number"));
    if (data.get("start") === "chess960") order.chess960 = Math.floor(Math.random() * 960);
    return order;
  }

  /** The board to play on: the one that was given, or a new one. @param {FormData} data */
  async #board(data) {
    const given = String(data.get("position") ?? "").trim();
    if (given) return given;
    const number = (/** @type {string} */ name) => Number(data.get(name));
    const recipe = {
      size: number("size"), white_bishops: number("white_bishops"), black_bishops: number("black_bishops"),
      mate: data.get("mate") ? number("mate") : null, seed: Math.floor(Math.random() * 2 ** 32),
    };
    return (await ask("POST", "/bishops", { body: recipe, patience: 120_000 })).position;
  }

  /** @returns {Record<string, string>} */
  get #kept() {
    try {
      return JSON.parse(localStorage.getItem(`tabiya.new.${this.#kind}`) ?? "{}");
    } catch {
      return {};
    }
  }

  /** @param {FormData} data */
  #keep(data) {
    const kept = Object.fromEntries([...data].filter(([key, value]) => typeof value === "string" && !["fen", "position", "name", "start"].includes(key)));
    localStorage.setItem(`tabiya.new.${this.#kind}`, JSON.stringify({ ...kept, exact: this.#slider.value }));
  }

  #remember() {
    const kept = this.#kept;
    if (!("colour" in kept)) return;
    for (const element of this.#form.elements) {
      if (!(element instanceof HTMLInputElement) || !element.name) continue;
      if (element.type === "checkbox") element.checked = element.name in kept;
      else if (element.type === "radio") element.checked = (kept[element.name] ?? "") === element.value;
      else if (element.name in kept) element.value = kept[element.name];
    }
  }
}
