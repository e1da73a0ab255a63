import type { Locator } from "playwright-core";
import { waitFor } from "../../support/waitFor.ts";
import { frameOf } from "./pages.ts";
import type { Workbench } from "./workbench.ts";

/** Time for the pick of pairs to open on a slow computer. */
const OPEN_MS = 10_000;
/** Time for all tries to open the pick. */
const OFFERED_MS = 30_000;

/** When a chart's first candles were painted, in ms. */
interface ChartOpening {
  /** After its page began. */
  readonly painted: number;
  /** After its page began: when the page could be painted at all, with its script and styles not yet run. */
  readonly bare: number;
  /** From the command to the candles. */
  readonly total: number;
}

/** The heading of the chart on screen, if the chart is of this pair. */
export function chartOf(workbench: Workbench, symbol: string): Locator {
  return workbench.chart.locator("#pair", { hasText: symbol.split("_").toReversed().join("/") });
}

/** Puts a pair in front by Find a Pair, and waits until its row is selected. */
export async function findPair(workbench: Workbench, symbol: string): Promise<void> {
  await waitFor(`${symbol} to be offered`, () => offered(workbench, symbol), OFFERED_MS);
  await workbench.press("Enter");
  await workbench.row(symbol).and(workbench.page.locator(".selected")).waitFor();
}

/** Opens a pair's chart from the palette and waits for its first candles. */
export async function openChart(workbench: Workbench, symbol: string): Promise<ChartOpening> {
  await findPair(workbench, symbol);
  const chosen = Date.now();
  await workbench.command("Bidside: Open Chart");
  // Another pair's page may still be in front, just before it closes.
  await chartOf(workbench, symbol).waitFor();
  await workbench.chart.locator("#chart canvas").first().waitFor();
  const frame = await frameOf(workbench.chart);
  return await waitFor("the first candles to be painted", () =>
    frame.evaluate((from) => {
      const [mark] = performance.getEntriesByName("bidside-first-candles");
      const [page] = performance.getEntriesByType("navigation" as "node") as unknown as [
        { domInteractive: number },
      ];
      if (!mark || !page) return undefined;
      const { startTime: painted } = mark;
      return { painted, bare: page.domInteractive, total: performance.timeOrigin + painted - from };
    }, chosen),
  );
}

/** Whether the pair is offered; asks first. A workbench that still gives a page the focus closes the pick. */
async function offered(workbench: Workbench, symbol: string): Promise<boolean> {
  const { quickInput } = workbench;
  const title = quickInput.locator(".quick-input-title", { hasText: "Find a Pair" });
  if (!(await title.isVisible())) await workbench.command("Bidside: Find a Pair");
  try {
    await title.waitFor({ timeout: OPEN_MS });
    await quickInput.locator("input.input").fill(symbol, { timeout: 2000 });
    // With its price and its change.
    const entry = quickInput.locator(".monaco-list-row", { hasText: symbol }).filter({ hasText: /\d%/ });
    await entry.first().waitFor({ timeout: 2000 });
    return true;
  } catch {
    return false;
  }
}
