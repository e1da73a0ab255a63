import type { NamedPair } from "../../market/pair.ts";
import { symbolPattern } from "../../market/pair.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { Windows } from "../windows/windows.ts";

interface VisibleOrdersOptions {
  readonly windows: Pick<Windows, "setDemand" | "demandsFor">;
  readonly tickers: Pick<TickerFeed, "ticker">;
}

/** Maximum pairs of a watch list to poll: polling all pairs would burden the exchange. */
export const MAX_LIST_ORDERS = 20;
/** Maximum symbols per window, as allowed in messages between windows. */
const MAX_SYMBOLS = 64;

/** The pairs whose open orders are visible in any window. Only these are polled, besides pairs with own open orders. */
export class VisibleOrders {
  readonly #options: VisibleOrdersOptions;
  readonly #symbolsByViewer = new Map<object, readonly string[]>();

  constructor(options: VisibleOrdersOptions) {
    this.#options = options;
  }

  /** Sets the symbols whose orders a view of this window shows; undefined if it shows none. */
  set(viewer: object, symbols: readonly string[] | undefined): void {
    if (symbols) this.#symbolsByViewer.set(viewer, symbols);
    else this.#symbolsByViewer.delete(viewer);
    // A restored page may contain anything, and other windows reject invalid symbols.
    const all = [...new Set([...this.#symbolsByViewer.values()].flat())].filter((symbol) =>
      symbolPattern.test(symbol),
    );
    const orders = this.#symbolsByViewer.size === 0 ? undefined : all.slice(0, MAX_SYMBOLS);
    this.#options.windows.setDemand({ orders });
  }

  /**
   * The listed pairs whose orders are visible in any window that this one polls for; undefined if no orders are
   * visible.
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
