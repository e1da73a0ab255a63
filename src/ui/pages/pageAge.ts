import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { shownAmounts } from "../text/amountText.ts";
import { priceAge } from "../text/priceAge.ts";
import { TimedText } from "../text/timedText.ts";

/** Sends the age of stale prices to a page whenever it changes. */
export class PageAge extends Disposable {
  readonly #text: TimedText;
  #isPageReady = false;
  /** The text last sent. */
  #shown = "";

  /** `send` receives the text; "" if prices are fresh. */
  constructor(
    { tickers, venue, timers }: Pick<Desk, "tickers" | "venue" | "timers">,
    send: (text: string) => void,
  ) {
    super();
    this.#text = new TimedText(timers, () => {
      const found = priceAge(tickers, venue, shownAmounts());
      const age = found?.age ?? "";
      if (age !== this.#shown) send((this.#shown = age));
      return found?.validMs;
    });
    this.register(
      () => this.#text.hide(),
      tickers.onDidChangePaced(() => this.#follow()),
    );
  }

  /** Call when the page was loaded, and so shows no age yet, or was closed. */
  setPage(isReady: boolean): void {
    this.#isPageReady = isReady;
    this.#shown = "";
    this.#follow();
  }

  #follow(): void {
    if (this.#isPageReady) this.#text.show();
    else this.#text.hide();
  }
}
