import { element, setText } from "../dom.ts";

/** The line above the chart, which shows loading progress, why something is missing, and what may help. */
export class ChartProgress {
  #marketNote = "";
  #historyNote = "";

  /** Why the price is unreliable; "" if it is fine. */
  setMarketNote(note: string): void {
    this.#marketNote = note;
    this.#showNote();
  }

  /** State of loading candles: `failed` offers a retry. `action` labels what may help. */
  show(progress: "loading" | "failed" | "done", note: string, action = ""): void {
    this.#historyNote = note;
    document.body.setAttribute("aria-busy", String(progress === "loading"));
    element("note", HTMLElement).classList.toggle("bad", progress === "failed");
    element("retry", HTMLButtonElement).hidden = progress !== "failed";
    setText("action", action);
    element("remedies", HTMLElement).hidden = progress !== "failed" && action === "";
    this.#showNote();
  }

  #showNote(): void {
    // One failure often affects both, so its message is shown once.
    const isSame = this.#historyNote.includes(this.#marketNote);
    const notes = isSame ? [this.#historyNote] : [this.#historyNote, this.#marketNote];
    setText("note", notes.filter(Boolean).join(" "));
  }
}
