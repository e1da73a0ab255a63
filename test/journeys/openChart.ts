import { waitFor } from "../support/waitFor.ts";
import type { Workbench } from "./workbench.ts";

/** When a chart's first candles were painted, in ms. */
interface ChartOpening {
  /** After its page began. */
  readonly painted: number;
  /** After its page began: when the page could be painted at all, with its script and styles not yet run. */
  readonly bare: number;
  /** From the choice of the pair to the candles. */
  readonly total: number;
}

/** Opens a pair's chart from the palette and waits for its first candles. */
export async function openChart(workbench: Workbench, symbol: string): Promise<ChartOpening> {
  await workbench.command("Bidside: Open Chart");
  await workbench.quickInput.locator("input.input").fill(symbol);
  await workbench.quickInput
    .locator(".monaco-list-row", { hasText: symbol })
    // As in Find a Pair: with its price and its change.
    .filter({ hasText: /\d%/ })
    .first()
    .waitFor();
  const chosen = Date.now();
  await workbench.press("Enter");
  await workbench.chart.locator("#chart canvas").first().waitFor();
  const frame = await workbench.frame();
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
