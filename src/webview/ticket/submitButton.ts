import { monotonicTimers } from "../../time/timers.ts";
import type { TicketSetup } from "../../protocol/ticket.ts";
import { element, setText } from "../dom.ts";
import { filled } from "../words.ts";
import { Countdown } from "./countdown.ts";

/**
 * The submit button. Disabled while an order is being sent, while the exchange accepts none, and while the host is gone.
 */
export class SubmitButton {
  readonly #strings: TicketSetup["strings"];
  readonly #button = element("submit", HTMLButtonElement);
  // Monotonic, because the wait would grow if the clock were set back.
  readonly #countdown = new Countdown(monotonicTimers, (seconds) => this.#showWait(seconds));
  #isBusy = false;
  #isWaiting = false;
  #isHostSilent = false;
  /** The element on which Enter was pressed and not yet released. */
  #enterDownOn: EventTarget | null = null;

  constructor(strings: TicketSetup["strings"], submit: () => void) {
    this.#strings = strings;
    const form = element("form", HTMLFormElement);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#button.disabled) return;
      this.#button.disabled = true;
      submit();
    });
    // Submits on keyup, because a held Enter key would also press the confirmation's button. The button is outside the form.
    document.addEventListener("keydown", (event) => {
      const submits = event.target instanceof HTMLInputElement || event.target === this.#button;
      if (event.key !== "Enter" || event.isComposing || !submits) return;
      event.preventDefault();
      // A key pressed elsewhere and still held when the ticket opens must not submit.
      if (!event.repeat) this.#enterDownOn = event.target;
    });
    document.addEventListener("keyup", (event) => {
      if (event.key !== "Enter") return;
      if (this.#enterDownOn === event.target && !this.#button.disabled) form.requestSubmit();
      this.#enterDownOn = null;
    });
    document.addEventListener("focusout", () => (this.#enterDownOn = null));
  }

  /** An order is being sent. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  set isBusy(isBusy: boolean) {
    this.#isBusy = isBusy;
    this.#update();
  }

  /** The host no longer responds, so an order would go nowhere. */
  set isHostSilent(isSilent: boolean) {
    this.#isHostSilent = isSilent;
    this.#update();
  }

  /** The exchange accepts no orders for `ms`; 0: it accepts them again. */
  wait(ms: number): void {
    this.#countdown.start(ms);
  }

  /** Updates every second visually; screen readers announce only the beginning and the end. */
  #showWait(seconds: number): void {
    const { wait, waitBegins, waitEnds } = this.#strings;
    const isWaiting = seconds > 0;
    setText("wait", isWaiting ? filled(wait, String(seconds)) : "");
    if (this.#isWaiting !== isWaiting)
      setText("wait-spoken", isWaiting ? filled(waitBegins, String(seconds)) : waitEnds);
    this.#isWaiting = isWaiting;
    this.#update();
  }

  #update(): void {
    this.#button.disabled = this.#isBusy || this.#isWaiting || this.#isHostSilent;
  }
}
