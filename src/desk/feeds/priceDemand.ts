import { symbolPattern } from "../../market/pair.ts";
import { Event } from "../event.ts";

/**
 * Priority of a needed price. `page`: in a chart or ticket in front. `favourite`: also a pinned pair. `list`: in a
 * row. `alert` and `order`: not visible, but needed.
 */
const priorities = ["page", "favourite", "alert", "order", "list"] as const;
export type PricePriority = (typeof priorities)[number];

interface Entry {
  readonly priority: PricePriority;
  readonly symbols: readonly string[];
}

/** Maximum number of streamed pairs. */
export const MAX_STREAMED = 60;

/** The prices that this window needs: visible ones, and those of alerts and orders. */
export class PriceDemand {
  readonly #changed = new Event<void>();
  readonly #entries = new Set<Entry>();

  /** Fires when `areVisible` or `symbols` may have changed. */
  readonly onDidChange = this.#changed.add;

  /** Whether prices are visible in this window. */
  get areVisible(): boolean {
    return [...this.#entries].some(({ priority }) => priority !== "alert" && priority !== "order");
  }

  /** Symbols to stream for this window, the most important ones first. */
  get symbols(): readonly string[] {
    const byPriority = priorities.flatMap((priority) =>
      [...this.#entries].filter((entry) => entry.priority === priority),
    );
    const symbols = new Set(byPriority.flatMap((entry) => entry.symbols));
    // A restored page may contain anything, and other windows reject invalid symbols.
    return [...symbols].filter((symbol) => symbolPattern.test(symbol)).slice(0, MAX_STREAMED);
  }

  /**
   * Call when prices become visible, and the returned function when they are hidden. Visible prices are polled; those
   * of `symbols` are also streamed, if possible.
   */
  add(symbols: readonly string[] = [], priority: PricePriority = "list"): () => void {
    const entry = { priority, symbols };
    this.#entries.add(entry);
    this.#changed.fire();
    return () => {
      if (this.#entries.delete(entry)) this.#changed.fire();
    };
  }
}
