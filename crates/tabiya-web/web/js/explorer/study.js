/** The explorer of a study. */
import { get } from "../dom.js";
import { page } from "../study/page.js";
import { ExplorerPanel } from "./panel.js";

const panel = new ExplorerPanel(get("panel-explorer"), {
  fen: () => page.fen(),
  shown: () => page.tab === "explorer" && page.id !== null,
  plays: () => page.ours,
  play: (san) => void page.step({ step: "play", text: san }),
});
page.addEventListener("change", () => void panel.show());
void panel.show();
