/** From a study or the editor to a game. */
import { begin } from "../api.js";
import { toast } from "../toast.js";

/** Plays on from a position, for the side to move, against the computer as it was chosen last. @param {string} position */
export async function playFrom(position) {
  try {
    const kept = JSON.parse(localStorage.getItem("tabiya.new.chess") ?? "{}");
    const level = kept.level === "exact" ? kept.exact : kept.level;
    const pace = kept.pace ? ` pace=${kept.pace}` : "";
    const computer = (level === "full" ? "tabiya" : `tabiya:${Number(level) || 1200}`) + pace;
    const white = / w /.test(position);
    const order = { game: "chess", position, white: white ? "human" : computer, black: white ? computer : "human", take_backs: true };
    const view = await begin(order);
    localStorage.setItem(`tabiya.order.${view.id}`, JSON.stringify(order));
    location.assign(`/?game=${view.id}`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}
