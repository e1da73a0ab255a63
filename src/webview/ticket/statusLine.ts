import type { FormAction, FormNotice } from "../../protocol/ticket.ts";
import { element, setText } from "../dom.ts";

/** The message below the ticket, with up to two action buttons. */
export class StatusLine {
  readonly #outcome = element("outcome", HTMLElement);
  readonly #status = element("status", HTMLElement);
  /** The same elements for every message, so that a button keeps the focus while its order fills. */
  readonly #buttons = [...this.#outcome.querySelectorAll("button")];
  #notice: FormNotice | undefined;
  /** Whether the message explains why there are no pairs, and must be cleared once there are some. */
  #isOfMarket = false;

  constructor(act: (action: FormAction) => void) {
    for (const [index, button] of this.#buttons.entries())
      button.addEventListener("click", () => {
        const action = this.#notice?.actions?.[index];
        if (action) act(action.id);
      });
  }

  /** Whether the message is about an order, so that the next edit clears it. */
  get isOfOrder(): boolean {
    return !this.#isOfMarket && this.#notice !== undefined && this.#notice.isHint !== true;
  }

  show(notice: FormNotice | undefined): void {
    this.#notice = notice;
    const { tone = "", text = "", line = "", actions = [] } = notice ?? {};
    this.#outcome.hidden = text === "";
    this.#outcome.classList.toggle("one-line", line !== "");
    this.#status.className = `status ${tone}`;
    this.#status.title = line === "" ? "" : text;
    setText("status-line", line);
    setText("status-text", text);
    element("status-text", HTMLElement).classList.toggle("sr-only", line !== "");
    for (const [index, button] of this.#buttons.entries()) {
      const action = actions[index];
      button.hidden = !action;
      setText(button, action?.title ?? "");
      button.title = action?.tooltip ?? "";
    }
  }

  /** Explains why there are no pairs, if there are none. */
  showMarket(hasPairs: boolean, note: FormNotice | undefined): void {
    if (!hasPairs) this.show(note);
    else if (this.#isOfMarket) this.show(undefined);
    this.#isOfMarket = !hasPairs;
  }
}
