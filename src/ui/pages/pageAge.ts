import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { shownAmounts } from "../settings.ts";
import { priceAge } from "../text/priceAge.ts";
import { TimedText } from "../text/timedText.ts";

/** Tells a page the age of old prices whenever it changes, as long as the page exists. */
export class PageAge extends Disposable {
  readonly #text: TimedText;
  #isPageThere = false;
  /** The text on the page. */
  #told = "";

  /** `send` gets the text to show; "" if the prices are not old. */
  constructor(
    { tickers, venue, timers }: Pick<Desk, "tickers" | "venue" | "timers">,
    send: (text: string) => void,
  ) {
    super();
    this.#text = new TimedText(timers, () => {
      const found = priceAge(tickers, venue, shownAmounts());
      const age = found?.age ?? "";
      if (age !== this.#told) send((this.#told = age));
      return found?.holdsMs;
    });
    this.register(
      () => this.#text.hide(),
      tickers.onDidChangePaced(() => this.#follow()),
    );
  }

  /** The page was loaded and shows no age yet, or it was closed. */
  setPage(isThere: boolean): void {
    this.#isPageThere = isThere;
    this.#told = "";
    this.#follow();
  }

  #follow(): void {
    if (this.#isPageThere) this.#text.show();
    else this.#text.hide();
  }
}
