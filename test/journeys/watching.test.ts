import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { waitFor } from "../support/waitFor.ts";
import { chartOf, findPair } from "./support/openChart.ts";
import { TRY_MS, until, untilShown } from "./support/repeat.ts";
import { dragRow, rowMenu, star } from "./support/rows.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("someone who watches a market all day", () => {
  let workbench: Workbench;
  let third = "";
  let above = "";

  before(async () => {
    workbench = await takePractice();
  });
  after(() => leaveEditor());

  function title(text: string): Locator {
    return workbench.quickInput.locator(".quick-input-title", { hasText: text });
  }

  /** By its key. */
  async function switchTo(list: string): Promise<void> {
    const press = async (): Promise<void> => {
      await workbench.press("ControlOrMeta+K");
      await workbench.press("ControlOrMeta+Shift+L");
    };
    await untilShown("the key of watch lists", press, title("Switch Watch List"));
    await workbench.pick(list);
    await title("Switch Watch List").waitFor({ state: "hidden" });
  }

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
    for (const symbol of ["THB_BTC", "THB_ETH"])
      await untilShown("a click on a row", () => workbench.row(symbol).click(), chartOf(workbench, symbol));
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
    // A list that is painted while the page opens takes the focus back.
    await untilShown("Enter", () => workbench.press("Enter"), workbench.chart.locator("#chart:focus"));
    await chartOf(workbench, above).waitFor();
    await workbench.press("ArrowLeft");
    await workbench.chart.locator("#spoken", { hasText: /open/ }).waitFor({ state: "attached" });
  });

  it("reads the day of a pair over its row, with a line of its prices", async () => {
    const hover = workbench.page.locator(".monaco-hover", { hasText: "Range, 24 h" });
    const line = hover.locator('img[src^="data:image/svg+xml"]');
    const point = async (): Promise<void> => {
      await workbench.page.mouse.move(700, 600);
      // The editor drops the tooltip of a row that it paints, until the mouse moves.
      for (const part of [".label-name", ".label-description", ".label-name", ".label-description"]) {
        await workbench.row("THB_ETH").locator(part).first().hover({ timeout: TRY_MS });
        const isShown = line.waitFor({ timeout: TRY_MS / 4 }).then(
          () => true,
          () => false,
        );
        if (await isShown) return;
      }
    };
    await untilShown("the row's tooltip", point, line);
    assert.ok(
      await line.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    await workbench.page.mouse.move(700, 600);
  });

  it("stars the pairs to keep at the top, in the order of starring", async () => {
    await star(workbench, "THB_ETH");
    await firstAre("THB_ETH");
    await star(workbench, "THB_BTC");
    await firstAre("THB_ETH", "THB_BTC");
  });

  it("sorts the other rows by name, and reads the sorting in the view's header", async () => {
    await workbench.openBox("Bidside: Sort Markets", "Sort Markets");
    await workbench.pick("SymbolA to Z");
    await workbench.header("Markets").filter({ hasText: "Symbol ↑" }).waitFor();
    await firstAre("THB_ETH", "THB_BTC", "THB_AAVE", "THB_ADA");
  });

  it("adds a favourite by dragging its row, and drags the favourites into another order", async () => {
    [, , , third = ""] = await workbench.symbols();
    await dragRow(workbench, third, "THB_BTC");
    await firstAre("THB_ETH", third, "THB_BTC");
    await dragRow(workbench, "THB_BTC", "THB_ETH");
    await firstAre("THB_BTC", "THB_ETH", third);
  });

  it("moves a favourite with the keyboard, row by row", async () => {
    await workbench.row("THB_BTC").click();
    await workbench.press("ArrowDown");
    await workbench.press("Alt+ArrowDown");
    await firstAre("THB_BTC", third, "THB_ETH");
    await workbench.press("Alt+ArrowUp");
    await firstAre("THB_BTC", "THB_ETH", third);
  });

  it("shows the favourites only, from the title of the view", async () => {
    const action = workbench.header("Markets").locator('.action-label[aria-label*="Switch Watch List"]');
    const click = async (): Promise<void> => {
      await workbench.header("Markets").hover();
      await action.click();
    };
    await untilShown("Switch Watch List", click, title("Switch Watch List"));
    await workbench.pick("Favourites");
    await workbench.header("Markets").filter({ hasText: "Favourites" }).waitFor();
    await waitFor("three rows", async () => (await workbench.rows.count()) === 3);
  });

  it("makes a watch list, adds pairs to it, and arranges it by the keyboard and by dragging", async () => {
    await workbench.openBox("Bidside: New Watch List", "New Watch List");
    await workbench.type("New Watch List", "Swing");
    await workbench.header("Markets").filter({ hasText: "Swing" }).waitFor();
    await switchTo("All Pairs");
    for (const symbol of ["THB_BTC", "THB_ETH", third]) {
      await until("the pick of watch lists", async () => {
        await rowMenu(workbench, workbench.row(symbol), "Add to Watch List…", title("Watch Lists of"));
        await workbench.pick("Swing", TRY_MS);
        return true;
      });
      await workbench.press("Enter");
      await title("Watch Lists of").waitFor({ state: "hidden" });
    }
    await switchTo("Swing");
    await firstAre("THB_BTC", "THB_ETH", third);
    await dragRow(workbench, third, "THB_BTC");
    await firstAre(third, "THB_BTC", "THB_ETH");
    await workbench.row("THB_ETH").click();
    await workbench.press("Alt+ArrowUp");
    await firstAre(third, "THB_ETH", "THB_BTC");
  });

  it("takes a pair out of the list with Delete, and has all lists again from a file", async () => {
    const { page } = workbench;
    const file = join(workbench.userDataDir, "workspace", "lists.json");
    const chooseFile = async (name: string, isDone: () => Promise<boolean>): Promise<void> => {
      await workbench.openBox(`Bidside: ${name}`, name);
      await workbench.chooseFile(file, isDone);
    };
    await chooseFile("Export Watch Lists", async () =>
      (await readFile(file, "utf8").catch(() => "")).includes("Swing"),
    );
    await workbench.row(third).click();
    await workbench.press("Delete");
    await firstAre("THB_ETH", "THB_BTC");
    await workbench.row(third).waitFor({ state: "detached" });
    const imported = page.locator(".statusbar-item", { hasText: "New pairs: 1." });
    await chooseFile("Import Watch Lists", () => imported.isVisible());
    await firstAre("THB_ETH", "THB_BTC", third);
  });

  it("renames a list, moves it before another one, and deletes it after a question", async () => {
    const manage = async (list: string, action: string): Promise<void> => {
      await workbench.openBox("Bidside: Manage Watch Lists", "Manage Watch Lists");
      await workbench.pick(list);
      await title(list).waitFor();
      await workbench.pick(action);
    };
    await workbench.openBox("Bidside: New Watch List", "New Watch List");
    await workbench.type("New Watch List", "Later");
    await workbench.header("Markets").filter({ hasText: "Later" }).waitFor();
    await manage("Later", "Rename…");
    await workbench.type("Rename Watch List", "Long term");
    await workbench.header("Markets").filter({ hasText: "Long term" }).waitFor();
    await manage("Long term", "Move Up");
    // The box stays open for the next step.
    await workbench.quickInput.getByPlaceholder("Place 1 of 2").waitFor();
    await workbench.pick("Delete…");
    await workbench.modal.filter({ hasText: "Delete the watch list Long term?" }).waitFor();
    await workbench.answerModal("Delete Watch List");
    await workbench.header("Markets").filter({ hasNotText: "Long term" }).waitFor();
    await switchTo("Swing");
  });

  it("finds a pair by a part of its name, even a pair that is not in the list on screen", async () => {
    await findPair(workbench, "THB_DOGE", "doge");
    assert.ok((await workbench.rows.count()) > 3);
  });

  it("pins pairs to the status bar, from the search and from a row, and opens a chart by a click", async () => {
    const pinned = workbench.pinned("THB_BTC").filter({ hasText: /^BTC [\d,.]+ ([▲▼] )?[+-]?\d+\.\d\d%$/ });
    await workbench.openBox("Bidside: Find a Pair", "Find a Pair");
    await workbench.quickInput.locator("input.input").fill("btc");
    const entry = workbench.quickInput.locator(".monaco-list-row", { hasText: "THB_BTC" });
    const pin = async (): Promise<void> => {
      await entry.hover();
      await entry.locator('.action-label[aria-label*="Pin to Status Bar"]').click();
    };
    await untilShown("Pin to Status Bar", pin, pinned);
    await workbench.press("Escape");
    await rowMenu(
      workbench,
      workbench.row("THB_DOGE"),
      "Pin to Status Bar",
      workbench.pinned("THB_DOGE").filter({ hasText: "DOGE" }),
    );
    await workbench.pinned("THB_BTC").locator("a").click();
    await chartOf(workbench, "THB_BTC").waitFor();
  });

  it("gives pinned pairs a text of its own, with a preview and what is wrong with it", async () => {
    const box = "Edit Status Bar Text";
    await workbench.openBox(`Bidside: ${box}…`, box);
    const input = workbench.quickInput.locator("input.input");
    await input.fill("${pair} ${price}");
    await workbench.quickInput.getByText("There is no value ${price}.").waitFor();
    await input.fill("${pair} ${bestBid}");
    await workbench.quickInput.getByText(/Preview: BTC\/THB [\d,.]+/).waitFor();
    await workbench.press("Enter");
    await workbench
      .pinned("THB_BTC")
      .filter({ hasText: /^BTC\/THB [\d,.]+$/ })
      .waitFor();
  });

  it("adds the pair of a chart to a watch list, from the title of the chart", async () => {
    const more = workbench.page.locator('.editor-actions .action-label[aria-label*="More Actions"]');
    const open = async (): Promise<void> => {
      await workbench.press("Escape");
      await more.click({ timeout: TRY_MS });
      // The menu ignores a click right after it opens.
      const entry = workbench.page.locator(".context-view").getByText("Add to Watch List…", { exact: true });
      await entry.hover({ timeout: TRY_MS });
      await workbench.press("Enter");
    };
    await untilShown("Add to Watch List", open, title("Watch Lists of BTC/THB"));
    await workbench.press("Escape");
  });

  it("hides everything in the status bar with one key, and shows it again", async () => {
    const items = workbench.page.locator('.statusbar-item[id*="bidside"]');
    const press = async (): Promise<void> => {
      await workbench.press("ControlOrMeta+K");
      await workbench.press("ControlOrMeta+Shift+H");
    };
    await workbench.balance.waitFor();
    await untilShown("the key that hides", press, async () => (await items.count()) === 0);
    await untilShown("the key that shows", press, workbench.balance);
  });
});
