import type { FormAction, FormNotice } from "../../protocol/ticket.ts";
import { element, setText } from "../dom.ts";

/** The message below the ticket, with an optional action button. */
export class StatusLine {
  readonly #status = element("status", HTMLElement);
  readonly #button = element("status-action", HTMLButtonElement);
  readonly #buttonLine = element("status-action-line", HTMLElement);
  #action: FormAction | undefined;
  /** Whether the message explains why there are no pairs, and must be cleared once there are some. */
  #isOfMarket = false;

  constructor(act: (action: FormAction) => void) {
    this.#button.addEventListener("click", () => this.#action !== undefined && act(this.#action));
  }

  /** Whether the message is about an order, so that the next edit clears it. */
  get isOfOrder(): boolean {
    return !this.#isOfMarket && this.#status.textContent !== "";
  }

  show(notice: FormNotice | undefined): void {
    this.#status.className = `status ${notice?.tone ?? ""}`;
    setText("status", notice?.text ?? "");
    this.#action = notice?.action?.id;
    this.#buttonLine.hidden = this.#action === undefined;
    this.#button.textContent = notice?.action?.title ?? "";
  }

  /** Explains why there are no pairs, if there are none. */
  showMarket(hasPairs: boolean, note: FormNotice | undefined): void {
    if (!hasPairs) this.show(note);
    else if (this.#isOfMarket) this.show(undefined);
    this.#isOfMarket = !hasPairs;
  }
}
