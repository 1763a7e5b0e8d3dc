/**
 * The dialogue that begins a game: what it asks, remembers and orders.
 *
 * @typedef {{ game: "chess" | "bishops", white: string, black: string, [key: string]: unknown }} Order
 */
import { ask, begin } from "./api.js";
import { keepName, ownName } from "./invite.js";

/** On the dial, full strength is so far above the strongest level. */
const STEP = 100;

export class NewGame {
  #dialog = /** @type {HTMLDialogElement} */ (document.getElementById("new-game"));
  #form = /** @type {HTMLFormElement} */ (document.getElementById("new-game-form"));
  #level = /** @type {HTMLInputElement} */ (document.getElementById("level"));
  #refusal = /** @type {HTMLElement} */ (document.getElementById("new-game-refusal"));
  #kind;
  #begun;
  /** @type {{ elo: number | null, name: string, words: string }[]} with names, the weakest first; the last is full strength */
  #levels = [];
  /** @type {string[]} those of the bishop-and-king game */
  #steps = [];
  #ready;

  /** @param {"chess" | "bishops"} kind @param {(view: import("../types.js").View & { id: number }) => void} begun */
  constructor(kind, begun) {
    this.#kind = kind;
    this.#begun = begun;
    this.#field("name").value = ownName();
    this.#ready = this.#load();
    this.#form.addEventListener("input", () => this.#refresh());
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.#form.querySelector("[data-close]")?.addEventListener("click", () => this.#dialog.close());
    const file = /** @type {HTMLInputElement | null} */ (document.getElementById("position-file"));
    file?.addEventListener("change", async () => {
      const chosen = file.files?.[0];
      if (chosen) this.#field("position").value = (await chosen.slice(0, 8000).text()).trim();
    });
  }

  /** The strongest level that has a number, and the weakest. */
  get range() {
    const elos = this.#levels.flatMap(({ elo }) => elo ?? []);
    return { weakest: elos[0], strongest: elos[elos.length - 1] };
  }

  async #load() {
    const { chess, bishops } = await ask("GET", "/levels");
    this.#levels = chess;
    this.#steps = bishops;
    const { weakest, strongest } = this.range;
    const [min, max] = this.#kind === "chess" ? [weakest, strongest + STEP] : [0, bishops.length - 1];
    Object.assign(this.#level, { min: String(min), max: String(max) });
    this.#level.value = /** @type {string} */ (this.#level.getAttribute("value"));
    if (this.#kind === "chess") this.#presets();
    this.#remember();
    this.#refresh();
  }

  async open() {
    this.#refusal.textContent = "";
    await this.#ready.catch((error) => (this.#refusal.textContent = error.message));
    this.#dialog.showModal();
    document.getElementById("begin")?.focus();
  }

  /** Begins another game with the same order, changed where asked. @param {Order} order */
  async again(order) {
    this.#begun(await begin(order));
  }

  /** @param {string} name @returns {HTMLInputElement} */
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }

  #presets() {
    const row = document.getElementById("presets-row");
    row?.append(...this.#levels.map(({ elo, name, words }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.title = words;
      button.addEventListener("click", () => {
        this.#level.value = elo === null ? this.#level.max : String(elo);
        this.#refresh();
      });
      return button;
    }));
  }

  /** @param {number} dial */
  #chessLevel(dial) {
    const named = this.#levels.filter(({ elo }) => (elo ?? this.range.strongest + STEP) <= dial).at(-1);
    const name = named?.name.toLowerCase() ?? "";
    return named?.elo === null ? name : `about ${dial}, ${name}`;
  }

  #refresh() {
    const data = new FormData(this.#form);
    const computer = document.getElementById("computer-settings");
    const opponent = data.get("opponent");
    if (computer) computer.hidden = opponent !== "computer";
    const colour = document.getElementById("colour-settings");
    if (colour) colour.hidden = opponent === "friend";
    const name = document.getElementById("name-field");
    if (name) name.hidden = opponent !== "invite";
    const begins = document.getElementById("begin");
    if (begins) begins.textContent = opponent === "invite" ? "Invite" : "Play";
    const level = Number(this.#level.value);
    const text = this.#kind === "chess" ? this.#chessLevel(level) : `${level}, ${this.#steps[level]}`;
    /** @type {HTMLElement} */ (document.getElementById("level-text")).textContent = text;
    this.#level.setAttribute("aria-valuetext", text);
    for (const [field, value] of [["number-field", "number"], ["fen-field", "fen"]]) {
      const element = document.getElementById(field);
      if (element) element.hidden = data.get("start") !== value;
    }
  }

  async #submit() {
    const button = /** @type {HTMLButtonElement} */ (document.getElementById("begin"));
    button.disabled = true;
    this.#refusal.textContent = "";
    try {
      const order = await this.#order(new FormData(this.#form));
      const view = await begin(order);
      this.#keep();
      this.#dialog.close();
      localStorage.setItem(`tabiya.order.${view.id}`, JSON.stringify(order));
      this.#begun(view);
    } catch (error) {
      this.#refusal.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      button.disabled = false;
    }
  }

  /** @param {FormData} data @returns {Promise<Order>} */
  async #order(data) {
    const level = Number(data.get("level"));
    const computer = this.#kind === "chess" && level > this.range.strongest ? "tabiya" : `tabiya:${level}`;
    const friend = data.get("opponent") === "friend";
    const colour = data.get("colour") === "random" ? (Math.random() < 0.5 ? "white" : "black") : data.get("colour");
    if (data.get("opponent") === "invite") {
      keepName(String(data.get("name") ?? ""));
      const invitation = { game: this.#kind, white: "human", black: "human", friend: true, colour: data.get("colour"), name: ownName() || undefined };
      return this.#terms(data, { ...invitation, take_backs: data.get("take_backs") !== null });
    }
    /** @type {Order} */
    const order = {
      game: this.#kind,
      white: friend || colour === "white" ? "human" : computer,
      black: friend || colour === "black" ? "human" : computer,
      take_backs: data.get("take_backs") !== null,
    };
    return this.#terms(data, order);
  }

  /** Adds clocks and the start. @param {FormData} data @param {Order} order */
  async #terms(data, order) {
    if (data.get("time")) order.time = data.get("time");
    if (this.#kind === "bishops") order.position = await this.#board(data);
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

  #keep() {
    const kept = Object.fromEntries([...new FormData(this.#form)].filter(([key, value]) => typeof value === "string" && !["fen", "position", "name"].includes(key)));
    localStorage.setItem(`tabiya.new.${this.#kind}`, JSON.stringify(kept));
  }

  #remember() {
    try {
      const kept = JSON.parse(localStorage.getItem(`tabiya.new.${this.#kind}`) ?? "null");
      if (!kept) return;
      for (const element of this.#form.elements) {
        if (!(element instanceof HTMLInputElement || element instanceof HTMLSelectElement)) continue;
        if (element.type === "checkbox") /** @type {HTMLInputElement} */ (element).checked = element.name in kept;
        else if (element.type === "radio") /** @type {HTMLInputElement} */ (element).checked = kept[element.name] === element.value;
        else if (element.name in kept && element.name !== "start") element.value = kept[element.name];
      }
    } catch {
      // What cannot be read is as if it had never been said.
    }
  }
}
