import type { NamedPair } from "../../exchange/capabilities.ts";
import { symbolPattern } from "../../market/pair.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { Windows } from "../windows/windows.ts";

interface OrderWatchOptions {
  readonly windows: Pick<Windows, "setDemand" | "demandsFor">;
  readonly tickers: Pick<TickerFeed, "ticker">;
}

/** More favourites than this are not read: a sweep over all pairs would burden the exchange. */
export const MOST_FAVOURITES = 20;
/** The most symbols that one window asks for. The messages between windows have room for no more. */
const MOST_SYMBOLS = 64;

/** Whose open orders a person looks at, in all windows: only these are read, besides those of pairs with own open orders. */
export class OrderWatch {
  readonly #options: OrderWatchOptions;
  readonly #symbolsByViewer = new Map<object, readonly string[]>();

  constructor(options: OrderWatchOptions) {
    this.#options = options;
  }

  /** The view `viewer` of this window shows orders of these symbols from now on; undefined: it shows none. */
  set(viewer: object, symbols: readonly string[] | undefined): void {
    if (symbols) this.#symbolsByViewer.set(viewer, symbols);
    else this.#symbolsByViewer.delete(viewer);
    // A page from an earlier session may name anything. Other windows refuse what is no symbol.
    const all = [...new Set([...this.#symbolsByViewer.values()].flat())].filter((symbol) =>
      symbolPattern.test(symbol),
    );
    const orders = this.#symbolsByViewer.size === 0 ? undefined : all.slice(0, MOST_SYMBOLS);
    this.#options.windows.setDemand({ orders });
  }

  /**
   * The listed pairs that a person looks at in any window that this window reads for; undefined while no window looks at
   * orders.
   */
  pairs(): readonly NamedPair[] | undefined {
    const { windows, tickers } = this.#options;
    const demands = windows.demandsFor("balance").flatMap(({ orders }) => (orders ? [orders] : []));
    if (demands.length === 0) return undefined;
    return [...new Set(demands.flat())].flatMap((symbol) => {
      const ticker = tickers.ticker(symbol);
      return ticker ? [{ symbol, pair: ticker.pair }] : [];
    });
  }
}
