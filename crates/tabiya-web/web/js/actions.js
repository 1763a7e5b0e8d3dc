/**
 * What can be done in a game: the buttons under it, the offers above them, the menu.
 *
 * @typedef {import("./play.js").View} View
 * @typedef {import("../types.js").Side} Side
 *
 * @typedef {object} Doer
 * @property {(request: string) => Promise<void>} request
 * @property {boolean} plays
 * @property {Side[]} own the sides that this browser plays
 * @property {Side | null} seat the side that is ours against somebody elsewhere
 * @property {() => void} invite
 * @property {() => void} talk
 * @property {() => Promise<void>} verdict
 *
 * @typedef {{ id: string, text: string, icon: string, act: () => unknown, off?: boolean, danger?: boolean } | "|"} Tool
 */
import { icon, make } from "./dom.js";

export class Actions {
  #holder;
  #banners;
  #doer;
  #shown = "";

  /** @param {HTMLElement} holder @param {import("./banners.js").Banners} banners @param {Doer} doer */
  constructor(holder, banners, doer) {
    this.#holder = holder;
    this.#banners = banners;
    this.#doer = doer;
  }

  /** @param {View} view */
  show(view) {
    const tools = view.end ? [] : view.friend ? this.#between(view, view.friend) : this.#alone(view);
    const key = JSON.stringify(tools);
    if (key !== this.#shown) {
      const focused = document.activeElement?.id;
      this.#holder.replaceChildren(...tools.map((tool) => button(tool)));
      this.#holder.classList.toggle("few", tools.length !== 6);
      if (focused && this.#holder.querySelector(`#${focused}`)) document.getElementById(focused)?.focus();
    }
    this.#shown = key;
    /** @type {HTMLElement} */ (this.#holder.parentElement).hidden = tools.length === 0;
    this.#offers(view);
  }

  /** @param {string} request */
  #ask(request) {
    return () => this.#doer.request(request);
  }

  /** @param {View} view @returns {Tool[]} */
  #alone(view) {
    const { plays } = this.#doer;
    if (!plays) return [];
    const third = view.kind === "chess"
      ? { id: "act-hint", text: "Hint", icon: "hint", act: this.#ask("hint"), off: view.destinations.length === 0 }
      : { id: "act-solve", text: "Solve", icon: "hint", act: () => this.#doer.verdict() };
    return [
      { id: "act-back", text: "Take back", icon: "takeback", act: this.#ask("take-back"), off: !view.take_backs || view.moves.length === 0 },
      { id: "act-redo", text: "Redo", icon: "redo", act: this.#ask("redo"), off: view.redoable === 0 },
      third,
      "|",
      { id: "act-draw", text: "Draw", icon: "draw", act: () => this.#sure("draw"), off: view.draw.offered !== null },
      { id: "act-resign", text: "Resign", icon: "resign", act: () => this.#sure("resign"), danger: true },
    ];
  }

  /** Against somebody elsewhere. @param {View} view @param {NonNullable<View["friend"]>} friend @returns {Tool[]} */
  #between(view, friend) {
    const { seat } = this.#doer;
    if (!seat) return [];
    if (friend.open)
      return [
        { id: "act-invite", text: "Invitation", icon: "link", act: () => this.#doer.invite() },
        { id: "act-abort", text: "Withdraw", icon: "close", act: this.#ask("abort"), danger: true },
      ];
    const mine = view.moves.some((one) => one.side === seat);
    /** @type {Tool} */
    const leave = view.moves.length < 2
      ? { id: "act-abort", text: "Abort", icon: "close", act: this.#ask("abort"), danger: true }
      : { id: "act-resign", text: "Resign", icon: "resign", act: () => this.#sure("resign"), danger: true };
    return [
      { id: "act-back", text: "Take back", icon: "takeback", act: this.#ask("take-back"), off: !view.take_backs || view.take_back !== null || !mine },
      { id: "act-talk", text: "Say…", icon: "friend", act: () => this.#doer.talk() },
      "|",
      { id: "act-draw", text: "Draw", icon: "draw", act: () => this.#sure("draw"), off: view.draw.offered !== null || view.moves.length < 2 },
      leave,
    ];
  }

  /** Asks once more, away from the button: two quick clicks do not pass. @param {"draw" | "resign"} what */
  #sure(what) {
    const keep = { id: "act-not-sure", text: "No", act: () => this.#banners.show("sure", "") };
    const go = (/** @type {string} */ request) => () => {
      this.#banners.show("sure", "");
      return this.#doer.request(request);
    };
    if (what === "resign") this.#banners.show("sure", "Resign this game?", [keep, { id: "act-sure", text: "Resign", act: go("resign"), kind: "stop" }], { look: "sure" });
    else this.#banners.show("sure", "Offer a draw?", [keep, { id: "act-sure", text: "Offer", act: go("offer-draw"), kind: "main" }]);
    document.getElementById("act-not-sure")?.focus();
  }

  /** @param {View} view */
  #offers(view) {
    const { draw, take_back: back, end, seats } = view;
    const { own, seat, plays } = this.#doer;
    const name = (/** @type {Side} */ side) => (own.length === 1 && own[0] === side ? "You" : seats[side === "white" ? 0 : 1].name);
    const says = (/** @type {Side} */ side, /** @type {string} */ verb) => (name(side) === "You" ? `You ${verb}` : `${name(side)} ${verb}s`);
    const theirs = (/** @type {Side | null} */ side) => side !== null && plays && (own.length === 2 || !own.includes(side));
    if (end || view.turn !== this.#turn || view.moves.length !== this.#ply) this.#banners.show("sure", "");
    this.#turn = view.turn;
    this.#ply = view.moves.length;
    const offered = end ? null : draw.offered;
    const answers = [
      { id: "act-decline-draw", text: "Decline", act: this.#ask("decline-draw") },
      { id: "act-accept-draw", text: "Accept", act: this.#ask("accept-draw"), kind: /** @type {const} */ ("main") },
    ];
    this.#banners.show("draw", offered ? `${says(offered, "offer")} a draw` : "", theirs(offered) ? (own.length === 2 ? answers.slice(1) : answers) : []);
    const asks = end ? null : back;
    this.#banners.show("take-back", asks ? `${says(asks, "ask")} to take a move back` : "", theirs(asks) ? [
      { id: "act-decline-back", text: "Decline", act: this.#ask("decline-take-back") },
      { id: "act-accept-back", text: "Allow", act: this.#ask("accept-take-back"), kind: "main" },
    ] : []);
    const claim = !end && plays && own.includes(view.turn) ? draw.claim : null;
    this.#banners.show("claim", claim ? `A draw can be claimed: ${claim}` : "", [{ id: "act-claim", text: "Claim", act: this.#ask("claim-draw"), kind: "main" }]);
    const declined = end || !seat ? "" : draw.declined === seat ? "Your draw offer was declined" : view.take_back_declined === seat ? "Your take-back was declined" : "";
    this.#banners.show("declined", declined);
  }

  #turn = "";
  #ply = 0;
}

/** @param {Tool} tool */
function button(tool) {
  if (tool === "|") return make("span", { class: "rule" });
  const element = make("button", { type: "button", id: tool.id, class: tool.danger ? "tool danger" : "tool", disabled: tool.off }, icon(tool.icon), make("span", {}, tool.text));
  element.addEventListener("click", () => void tool.act());
  return element;
}
