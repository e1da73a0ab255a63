import type { BookUpdate } from "../../src/desk/feeds/bookFeed.ts";
import { StreamedBook } from "../../src/desk/feeds/streamedBook.ts";
import { Overlay } from "../../src/desk/feeds/overlay.ts";
import type { StreamedPrice } from "../../src/desk/feeds/marketState.ts";
import { TickerFeed } from "../../src/desk/feeds/tickerFeed.ts";
import { StreamedOrders } from "../../src/desk/tracking/streamedOrders.ts";
import { Windows } from "../../src/desk/windows/windows.ts";
import type { OrderUpdate } from "../../src/exchange/wire/orders/orderEvents.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import type { Plant } from "./planting.ts";

const before = new WeakMap<object, Map<string, Ticker>>();
const ended = new WeakSet<object>();

/** Faults in what the product does with streams. */
export const streamPlants: readonly Plant[] = [
  {
    name: "an older streamed price replaces a newer one",
    finder: "noOlderPrices",
    of: TickerFeed.prototype,
    method: "overlay",
    instead: (real) => (self, prices) => {
      const earlier = before.get(self) ?? new Map<string, Ticker>();
      before.set(self, earlier);
      const arrived = [...(prices as Iterable<StreamedPrice>)];
      real(
        self,
        arrived.map(({ ticker, at }) => ({ ticker: earlier.get(ticker.symbol) ?? ticker, at })),
      );
      for (const { ticker } of arrived) earlier.set(ticker.symbol, ticker);
    },
  },
  {
    name: "a guard uses the displayed price",
    finder: "ordersRestOnReadings",
    of: TickerFeed.prototype,
    method: "readTicker",
    instead: () => (self, symbol) => (self as TickerFeed).ticker(String(symbol)),
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
    name: "a stream that contradicts polls is kept",
    finder: "wrongStreamsAreDropped",
    of: Overlay.prototype,
    method: "isContradicted",
    instead: () => () => false,
  },
  {
    name: "a stream is closed whether it contradicts polls or not",
    finder: "rightStreamsAreKept",
    of: Overlay.prototype,
    method: "isContradicted",
    instead: () => () => true,
  },
  {
    name: "the prices of a stream are not shown again after it was lost once",
    finder: "streamsComeBack",
    of: TickerFeed.prototype,
    method: "endOverlay",
    instead:
      (real) =>
      (self, ...args) => {
        ended.add(self);
        return real(self, ...args);
      },
    and: {
      of: TickerFeed.prototype,
      method: "overlay",
      instead: (real) => (self, prices) => !ended.has(self) && real(self, prices),
    },
  },
  {
    name: "a fill that is streamed is counted under two ids",
    finder: "fillsOnceAndExact",
    of: StreamedOrders.prototype,
    method: "updated",
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
    instead: (real) => (self, target, report) => {
      const sent: BookUpdate["depth"][] = [];
      return real(self, target, (update: BookUpdate) => {
        sent.push(update.depth);
        const old = sent.length % 4 === 0 ? sent.at(-4) : undefined;
        (report as (update: BookUpdate) => void)(old ? { ...update, depth: old } : update);
      });
    },
  },
];
