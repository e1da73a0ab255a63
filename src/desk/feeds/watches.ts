import { symbolPattern } from "../../market/pair.ts";
import { Event } from "../event.ts";

/**
 * Priority of a watched price. `page`: in a chart or ticket in front. `favourite`: also a pinned pair. `list`: in a
 * row. `alert` and `order`: not visible, but needed.
 */
const ranks = ["page", "favourite", "alert", "order", "list"] as const;
export type WatchRank = (typeof ranks)[number];

interface Watch {
  readonly rank: WatchRank;
  readonly symbols: readonly string[];
}

/** Maximum number of streamed pairs. */
export const MAX_STREAMED = 60;

/** The prices that this window needs: visible ones, and those of alerts and orders. */
export class Watches {
  readonly #changed = new Event<void>();
  readonly #watches = new Set<Watch>();

  /** Fires when `areVisible` or `symbols` may have changed. */
  readonly onDidChange = this.#changed.add;

  /** Whether prices are visible in this window. */
  get areVisible(): boolean {
    return [...this.#watches].some(({ rank }) => rank !== "alert" && rank !== "order");
  }

  /** Symbols to stream for this window, the most important ones first. */
  get symbols(): readonly string[] {
    const byRank = ranks.flatMap((rank) => [...this.#watches].filter((watch) => watch.rank === rank));
    const symbols = new Set(byRank.flatMap((watch) => watch.symbols));
    // A restored page may contain anything, and other windows reject invalid symbols.
    return [...symbols].filter((symbol) => symbolPattern.test(symbol)).slice(0, MAX_STREAMED);
  }

  /**
   * Call when prices become visible, and the returned function when they are hidden. Visible prices are polled; those
   * of `symbols` are also streamed, if possible.
   */
  add(symbols: readonly string[] = [], rank: WatchRank = "list"): () => void {
    const watch = { rank, symbols };
    this.#watches.add(watch);
    this.#changed.fire();
    return () => {
      if (this.#watches.delete(watch)) this.#changed.fire();
    };
  }
}
