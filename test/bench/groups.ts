import type { Figure } from "./measure.ts";

/**
 * The groups of rows by the names that the command line knows, in the table's order. A process that measures one group loads that
 * group's modules only.
 */
export const groups: ReadonlyMap<string, () => Promise<Figure[]>> = new Map([
  ["bundles", async () => (await import("./bundles.ts")).bundleFigures()],
  ["signing", async () => (await import("./signing.ts")).signingFigures()],
  ["decoding", async () => (await import("./decoding.ts")).decodingFigures()],
  ["refresh", async () => (await import("./refresh.ts")).refreshFigures()],
  ["alerts", async () => (await import("./alerts.ts")).alertFigures()],
  ["placing", async () => (await import("./placing.ts")).placingFigures()],
  ["click", async () => (await import("./click.ts")).clickFigures()],
  ["practice", async () => (await import("./placing.ts")).practiceFigures()],
  ["listing", async () => (await import("./listing.ts")).listingFigures()],
  ["heap", async () => (await import("./heap.ts")).heapFigures()],
  ["history", async () => (await import("./history.ts")).historyFigures()],
  ["orders", async () => (await import("./orders.ts")).orderFigures()],
  ["chart", async () => (await import("./chart.ts")).chartFigures()],
  ["ladder", async () => (await import("./ladder.ts")).ladderFigures()],
  ["seenRows", async () => (await import("./seenRows.ts")).seenRowFigures()],
  ["streams", async () => (await import("./streams.ts")).streamFigures()],
  ["streamCosts", async () => (await import("./streams.ts")).streamCostFigures()],
  ["connections", async () => (await import("./streams.ts")).connectionFigures()],
  ["windows", async () => (await import("./windows.ts")).windowFigures()],
]);
