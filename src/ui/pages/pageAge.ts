import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { shownAmounts } from "../settings.ts";
import { priceAge } from "../text/priceAge.ts";
import { TimedText } from "../text/timedText.ts";

/** Tells a page the age of old prices whenever it changes, as long as the page exists. */
export class PageAge extends Disposable {
  readonly #text: TimedText;
  #isPageReady = false;
  /** The text on the page. */
  #shown = "";

  /** `send` gets the text to show; "" if the prices are not old. */
  constructor(
    { tickers, venue, timers }: Pick<Desk, "tickers" | "venue" | "timers">,
    send: (text: string) => void,
  ) {
    super();
    this.#text = new TimedText(timers, () => {
      const found = priceAge(tickers, venue, shownAmounts());
      const age = found?.age ?? "";
      if (age !== this.#shown) send((this.#shown = age));
      return found?.holdsMs;
    });
    this.register(
      () => this.#text.hide(),
      tickers.onDidChangePaced(() => this.#follow()),
    );
  }

  /** The page was loaded and shows no age yet, or it was closed. */
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
