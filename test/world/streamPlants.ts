import type { BookUpdate } from "../../src/desk/book/bookSource.ts";
import { StreamedBook } from "../../src/desk/book/streamedBook.ts";
import { type Comparison, LivePrices } from "../../src/desk/feeds/livePrices.ts";
import { type MarketState, TickerFeed } from "../../src/desk/feeds/tickerFeed.ts";
import { ToldOrders } from "../../src/desk/life/toldOrders.ts";
import { Windows } from "../../src/desk/windows/windows.ts";
import type { OrderUpdate } from "../../src/exchange/wire/orders/orderEvents.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import type { Plant } from "./planting.ts";

const before = new WeakMap<object, Map<string, Ticker>>();
const clears = new WeakMap<object, number>();

/** Faults in what the product does with streams. */
export const streamPlants: readonly Plant[] = [
  {
    name: "an older streamed price replaces a newer one",
    finder: "noOlderPrices",
    of: LivePrices.prototype,
    method: "note",
    instead:
      (real) =>
      (self, ...args) => {
        const [ticker, at] = args as [Ticker, number];
        const earlier = before.get(self) ?? new Map<string, Ticker>();
        before.set(self, earlier);
        real(self, earlier.get(ticker.symbol) ?? ticker, at);
        earlier.set(ticker.symbol, ticker);
      },
  },
  {
    name: "a guard trusts a stream that has ended",
    finder: "streamedPricesAreProven",
    of: TickerFeed.prototype,
    method: "adopt",
    instead:
      (real) =>
      (self, ...args) => {
        const [state] = args as [MarketState];
        const { live, tickers } = (self as TickerFeed).state;
        const isStreamOver = live !== undefined && state.live === undefined && tickers === state.tickers;
        if (!isStreamOver) real(self, ...args);
      },
  },
  {
    name: "a window that follows opens a connection of its own",
    finder: "connectionsAreTheLeaders",
    of: Windows.prototype,
    method: "demandsFor",
    instead: (real) => (self, subject) => {
      const { role, demand } = self as Windows;
      return role === "follower" && subject === "market" ? [demand] : real(self, subject);
    },
  },
  {
    name: "a stream that disagrees with a reading is kept",
    finder: "wrongStreamsAreDropped",
    of: LivePrices.prototype,
    method: "compare",
    instead:
      (real) =>
      (...args) => ({ ...(real(...args) as Comparison), wrong: [], doubtful: new Set() }),
  },
  {
    name: "a stream that was lost is never believed again",
    finder: "streamsComeBack",
    of: LivePrices.prototype,
    method: "clear",
    instead: (real) => (self) => {
      clears.set(self, (clears.get(self) ?? 0) + 1);
      return real(self);
    },
    and: {
      of: LivePrices.prototype,
      method: "note",
      // The first time, the stream begins.
      instead: (real) => (self, ticker, at) => (clears.get(self) ?? 0) < 2 && real(self, ticker, at),
    },
  },
  {
    name: "a fill that is streamed is counted under two ids",
    finder: "fillsOnceAndExact",
    of: ToldOrders.prototype,
    method: "told",
    instead: (real) => (self, venue, event) => {
      const { report, ...rest } = event as OrderUpdate;
      const fills = report.fills.flatMap((fill) => [fill, { ...fill, id: `${fill.id}-again` }]);
      return real(self, venue, { ...rest, report: { ...report, fills } });
    },
  },
  {
    name: "an older book replaces a newer one",
    finder: "laddersAreSound",
    of: StreamedBook.prototype,
    method: "follow",
    instead: (real) => (self, target, tell) => {
      const told: BookUpdate["depth"][] = [];
      return real(self, target, (update: BookUpdate) => {
        told.push(update.depth);
        const old = told.length % 4 === 0 ? told.at(-4) : undefined;
        (tell as (update: BookUpdate) => void)(old ? { ...update, depth: old } : update);
      });
    },
  },
];
