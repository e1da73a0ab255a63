import type { Locator } from "playwright-core";
import { commandIds } from "../../../src/contributions.ts";
import { TRY_MS, until } from "./repeat.ts";
import type { Workbench } from "./workbench.ts";

/** The heading of the chart on screen, if the chart is of this pair. */
export function chartOf(workbench: Workbench, symbol: string): Locator {
  return workbench.chart.locator("#pair", { hasText: symbol.split("_").toReversed().join("/") });
}

/** Puts a pair in front by Find a Pair, and waits until its row is selected. A workbench that still gives a page the focus closes the pick. */
export async function findPair(workbench: Workbench, symbol: string, typed = symbol): Promise<void> {
  const { quickInput } = workbench;
  // With its price and its change.
  const entry = quickInput.locator(".monaco-list-row", { hasText: symbol }).filter({ hasText: /\d%/ });
  await until("Find a Pair", async () => {
    await workbench.openBox("Bidside: Find a Pair", "Find a Pair");
    await quickInput.locator("input.input").fill(typed, { timeout: TRY_MS });
    await entry.first().waitFor({ timeout: TRY_MS });
    await workbench.press("Enter");
    await workbench.row(symbol).and(workbench.page.locator(".selected")).waitFor({ timeout: TRY_MS });
    return true;
  });
}

/** Opens a pair's chart from the palette, and waits for its first candles. */
export async function openChart(workbench: Workbench, symbol: string): Promise<void> {
  await findPair(workbench, symbol);
  // Another pair's page may still be in front, just before it closes.
  await workbench.command("Bidside: Open Chart", chartOf(workbench, symbol));
  await candlesShown(workbench);
}

/** The same without the palette, in a window whose extension takes requests. */
export async function showChart(workbench: Workbench, symbol: string): Promise<void> {
  await workbench.run(commandIds.openChart, symbol);
  await chartOf(workbench, symbol).waitFor();
  await candlesShown(workbench);
}

async function candlesShown({ chart }: Workbench): Promise<void> {
  await chart.locator("#chart canvas").first().waitFor();
  await chart.locator("#legend-close", { hasText: /\d/ }).waitFor();
}

/** Shows or hides a study by its name, such as "EMA". */
export async function toggleStudy(workbench: Workbench, name: string): Promise<void> {
  await chooseInChart(workbench, `#study-switch [role="menuitemcheckbox"]:has-text("${name}")`);
}

/** Chooses an item of a chart's menu by its selector. */
export async function chooseInChart({ chart }: Pick<Workbench, "chart">, item: string): Promise<void> {
  await chart.locator("#menu-button").click();
  await chart.locator(item).click();
}
