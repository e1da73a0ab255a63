import assert from "node:assert/strict";
import { waitFor } from "../support/waitFor.ts";
import { chartOf } from "./support/openChart.ts";
import { dragRow, rowMenu, star } from "./support/rows.ts";
import { leaveEditor, takePractice, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const MASK = "•••";
/** Prices change four times a second, rows move once in two seconds: a change of the day can go so far meanwhile, in %. */
const MOVED_SINCE = 0.3;

describe("someone who watches a market all day", () => {
  let workbench: Workbench;
  let third = "";
  let above = "";

  before(async () => {
    workbench = await takePractice();
    await workbench.row("THB_BTC").waitFor();
  });
  after(() => leaveEditor(workbench));

  async function firstAre(...symbols: string[]): Promise<void> {
    let shown: readonly string[] = [];
    const areFirst = async (): Promise<boolean> => {
      shown = await workbench.symbols();
      return shown.slice(0, symbols.length).join() === symbols.join();
    };
    await waitFor(`the first rows to be ${symbols.join()}`, areFirst).catch((error: unknown) => {
      throw new Error(`The first rows are ${shown.join()}, not ${symbols.join()}.`, { cause: error });
    });
  }

  it("scans the market: the largest pair first, and the points of all prices in one column", async () => {
    await workbench.header("Markets").filter({ hasText: "Volume ↓" }).waitFor();
    await workbench.screenshot("markets-columns");
    for (const sign of ["lastIndexOf", "indexOf"] as const) {
      const places = await workbench.rows.evaluateAll((rows, which) => {
        return rows.map((row) => {
          const text = row.querySelector(".label-description")?.firstChild ?? row;
          const point = (text.textContent ?? "")[which](".");
          const range = row.ownerDocument.createRange();
          range.setStart(text, point);
          range.setEnd(text, point + 1);
          return range.getBoundingClientRect().left;
        });
      }, sign);
      assert.ok(places.length > 5);
      assert.ok(Math.max(...places) - Math.min(...places) < 4, places.join(" "));
    }
  });

  it("opens charts by clicks in one tab, and continues among the rows", async () => {
    for (const symbol of ["THB_BTC", "THB_ETH"]) {
      await workbench.row(symbol).click();
      await chartOf(workbench, symbol).waitFor();
    }
    assert.equal(await workbench.page.locator(".tabs-container .tab").count(), 1);
    await workbench.press("ArrowUp");
    // Which pair is above depends on the volumes of the day.
    above = await waitFor("the row above to have the focus", async () => {
      const focused = workbench.rows.and(workbench.page.locator(".focused"));
      const name = await focused.locator(".label-name").innerText();
      return name !== "ETH" && `THB_${name}`;
    });
  });

  it("opens a chart with Enter, and the chart's keys work at once", async () => {
    await workbench.press("Enter");
    await chartOf(workbench, above).waitFor();
    await workbench.chart.locator("#chart:focus").waitFor();
    await workbench.press("ArrowLeft");
    await workbench.chart.locator("#spoken", { hasText: /open/ }).waitFor({ state: "attached" });
    await workbench.screenshot("chart-by-keyboard");
    await workbench.command("View: Close All Editors");
  });

  it("stars the pairs to keep at the top, in the order of starring", async () => {
    await star(workbench, "THB_ETH");
    await firstAre("THB_ETH");
    await star(workbench, "THB_BTC");
    await firstAre("THB_ETH", "THB_BTC");
    await workbench.row("THB_BTC").hover();
    await workbench.row("THB_BTC").locator('.action-label[aria-label*="Remove from Favourites"]').waitFor();
  });

  it("sorts the other rows by change, and reads the sorting in the view's header", async () => {
    await workbench.header("Markets").filter({ hasText: "Volume ↓" }).waitFor();
    await workbench.command("Bidside: Sort Markets");
    await workbench.pick("Changehighest first");
    await workbench.header("Markets").filter({ hasText: "Change ↓" }).waitFor();
    await firstAre("THB_ETH", "THB_BTC");
    await waitFor("the change to fall from row to row", async () => {
      const changes = await changesBelow(2);
      return changes.length > 5 && furthestRise(changes) <= MOVED_SINCE;
    });
    await workbench.screenshot("markets-sorted");
  });

  /** The percentages on screen, from top to bottom, without the first rows. */
  async function changesBelow(favourites: number): Promise<number[]> {
    const texts = await workbench.rows.evaluateAll((all) =>
      all
        .map((row) => ({ place: Number(row.getAttribute("data-index")), text: row.textContent ?? "" }))
        .sort((a, b) => a.place - b.place)
        .map(({ text }) => text),
    );
    return texts.slice(favourites).flatMap((text) => {
      const change = /([+-]?\d+\.\d\d)%/.exec(text)?.[1];
      return change === undefined ? [] : [Number(change)];
    });
  }

  it("adds a favourite by dragging its row, and drags the favourites into another order", async () => {
    // By name: no row moves between reading the order and dragging.
    await workbench.command("Bidside: Sort Markets");
    await workbench.pick("SymbolA to Z");
    await firstAre("THB_ETH", "THB_BTC", "THB_AAVE", "THB_ADA");
    [, , , third = ""] = await workbench.symbols();
    await dragRow(workbench, third, "THB_BTC");
    await firstAre("THB_ETH", third, "THB_BTC");
    await dragRow(workbench, "THB_BTC", "THB_ETH");
    await firstAre("THB_BTC", "THB_ETH", third);
  });

  it("drags the other rows into a custom order, which stays", async () => {
    const [, , , first = "", , second = ""] = await workbench.symbols();
    await dragRow(workbench, second, first);
    await workbench.header("Markets").filter({ hasText: "Custom sorting ↑" }).waitFor();
    await firstAre("THB_BTC", "THB_ETH", third, second, first);
  });

  it("moves a favourite with the keyboard, row by row", async () => {
    await workbench.row("THB_BTC").click();
    await workbench.press("ArrowDown");
    await workbench.press("Alt+ArrowDown");
    await firstAre("THB_BTC", third, "THB_ETH");
    await workbench.press("Alt+ArrowUp");
    await firstAre("THB_BTC", "THB_ETH", third);
    await workbench.press("Alt+ArrowUp");
    await firstAre("THB_ETH", "THB_BTC", third);
  });

  it("shows the favourites only", async () => {
    await workbench.header("Markets").hover();
    await workbench.header("Markets").locator('.action-label[aria-label*="Favourites Only"]').click();
    await waitFor("three rows", async () => (await workbench.rows.count()) === 3);
    await workbench.header("Markets").filter({ hasText: "Favourites · Custom sorting ↑" }).waitFor();
    await workbench.screenshot("markets-favourites");
  });

  it("finds a pair by a part of its name, even a pair that the filter hides", async () => {
    await workbench.command("Bidside: Find a Pair");
    const input = workbench.quickInput.locator("input.input");
    await input.fill("doge");
    const found = workbench.quickInput.locator(".monaco-list-row", { hasText: "THB_DOGE" });
    await found.filter({ hasText: /\d%/ }).waitFor();
    await workbench.screenshot("find-a-pair");
    await workbench.press("Enter");
    await waitFor("the row to be selected", async () =>
      /selected/.test(
        (await workbench
          .row("THB_DOGE")
          .getAttribute("class")
          .catch(() => "")) ?? "",
      ),
    );
    assert.ok((await workbench.rows.count()) > 3);
  });

  it("pins pairs to the status bar, from the search and from a row, and opens a chart by a click", async () => {
    await workbench.command("Bidside: Find a Pair");
    await workbench.quickInput.locator("input.input").fill("btc");
    const entry = workbench.quickInput.locator(".monaco-list-row", { hasText: "THB_BTC" });
    await entry.hover();
    await entry.locator('.action-label[aria-label*="Pin to Status Bar"]').click();
    await workbench
      .pinned("THB_BTC")
      .filter({ hasText: /^BTC [\d,.]+ ([▲▼] )?[+-]?\d+\.\d\d%$/ })
      .waitFor();
    await workbench.press("Escape");
    const pinned = workbench.pinned("THB_DOGE").filter({ hasText: "DOGE" });
    await rowMenu(workbench, workbench.row("THB_DOGE"), "Pin to Status Bar", pinned);
    await workbench.pinned("THB_BTC").locator("a").click();
    await chartOf(workbench, "THB_BTC").waitFor();
    await workbench.command("View: Close All Editors");
  });

  it("sees the value of the account", async () => {
    await workbench.openTicket();
    await workbench.draft({ symbol: "THB_BTC", amount: "250000" });
    await workbench.form.locator("#use-best-ask").click();
    // The rate is so far above the ask that the bid fills at once, even if the market moves.
    for (let step = 0; step < 5; step += 1) await workbench.form.locator("#rate-up").click();
    await workbench.submit();
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("accepted your order: 250,000.00 THB");
    await unfold(workbench, "Wallet");
    await workbench.header("Wallet").filter({ hasText: "THB" }).waitFor();
    await workbench.wallet.filter({ hasText: /^Total\s*[\d,.]+\s+100\.0%\s+[+-]?\d+\.\d\d%$/ }).waitFor();
    await workbench.wallet.filter({ hasText: /^BTC\s*[\d,.]+\s+2\d\.\d%\s+[+-]?\d+\.\d\d%$/ }).waitFor();
    await workbench.wallet.filter({ hasText: /^THB\s*750,000\.00\s+7\d\.\d%$/ }).waitFor();
    await workbench.balance.click();
    await workbench.quickInput.locator(".monaco-list-row", { hasText: /Total [\d,.]+ THB/ }).waitFor();
    await workbench.screenshot("wallet");
    await workbench.press("Escape");
  });

  it("hides every amount at once, and still sees every price", async () => {
    await workbench.command("Bidside: Toggle Privacy Mode");
    await workbench.balance.filter({ hasText: `Practice ${MASK} THB` }).waitFor();
    await workbench.balance.locator(".codicon-eye-closed").waitFor();
    await workbench.wallet.filter({ hasText: new RegExp(`^Total\\s*${MASK}\\s`) }).waitFor();
    await workbench.orders
      .filter({ hasText: `· ${MASK} THB` })
      .first()
      .waitFor();
    await workbench.outcome(`accepted your order: ${MASK} THB`);
    await workbench.form.locator("#available", { hasText: `${MASK} THB` }).waitFor();
    await workbench.form.locator("#last", { hasText: /\d/ }).waitFor();
    const shown = await workbench.page.locator("body").innerText();
    assert.doesNotMatch(shown, /750,000|250,?000/);
    await workbench.screenshot("privacy");
  });

  it("still sees every figure in the question before a bid is sent", async () => {
    await workbench.draft({ amount: "1000" });
    await workbench.submit();
    await workbench.modal.filter({ hasText: "Amount: 1,000.00 THB" }).waitFor();
    await workbench.answerModal("Cancel");
  });

  it("finds all of this again after a restart of the editor", async () => {
    await workbench.restart();
    await workbench.balance.filter({ hasText: `Practice ${MASK} THB` }).waitFor();
    await firstAre("THB_ETH", "THB_BTC", third);
    await workbench.header("Markets").filter({ hasText: "Custom sorting ↑" }).waitFor();
    await workbench
      .pinned("THB_BTC")
      .filter({ hasText: /BTC [\d,.]+/ })
      .waitFor();
    await workbench.header("Wallet").hover();
    await workbench.header("Wallet").locator('.action-label[aria-label*="Turn Off Privacy Mode"]').click();
    await workbench.balance.filter({ hasText: "Practice 750,000.00 THB" }).waitFor();
  });
});

/** The most by which a number exceeds an earlier one; 0 if the numbers fall from first to last. */
function furthestRise(numbers: readonly number[]): number {
  let lowest = Infinity;
  let furthest = 0;
  for (const number of numbers) {
    furthest = Math.max(furthest, number - lowest);
    lowest = Math.min(lowest, number);
  }
  return furthest;
}
