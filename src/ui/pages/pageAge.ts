import type * as vscode from "vscode";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import type { Timers } from "../../desk/time/timers.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import { priceAge } from "../text/priceAge.ts";
import { TimedText } from "../text/timedText.ts";

export interface PageAgeParts {
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
}

/** Tells a page the age of old prices whenever it changes, as long as the page exists. */
export class PageAge implements vscode.Disposable {
  readonly #text: TimedText;
  readonly #stop: (() => void)[];
  #isPageThere = false;
  /** What the page shows. */
  #told = "";

  /** `send` gets the text to show; "" if the prices are not old. */
  constructor({ tickers, venue, timers }: PageAgeParts, send: (text: string) => void) {
    this.#text = new TimedText(timers, () => {
      const found = priceAge(tickers, venue);
      const age = found?.age ?? "";
      if (age !== this.#told) send((this.#told = age));
      return found?.holdsMs;
    });
    this.#stop = [
      tickers.onDidRead(() => this.#follow()),
      tickers.onDidChange(({ staleChanged }) => staleChanged && this.#follow()),
    ];
  }

  /** The page was loaded and shows no age yet, or it was closed. */
  setPage(isThere: boolean): void {
    this.#isPageThere = isThere;
    this.#told = "";
    this.#follow();
  }

  dispose(): void {
    this.#text.hide();
    for (const stop of this.#stop) stop();
  }

  #follow(): void {
    if (this.#isPageThere) this.#text.show();
    else this.#text.hide();
  }
}
