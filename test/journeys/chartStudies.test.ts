import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { settingKeys } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { chooseInChart, showChart, toggleStudy } from "./support/openChart.ts";
import { frameOf } from "./support/pages.ts";
import { untilShown } from "./support/repeat.ts";
import { leaveEditor, takePractice, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const PNG_SIGNATURE = "89504e470d0a1a0a";
/** Where a PNG has its width and height. */
const [WIDTH_AT, HEIGHT_AT] = [16, 20];

const number = (text: string): number => Number(/[\d,]+\.\d+/.exec(text)?.[0].replaceAll(",", ""));

describe("a trader who studies a chart", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice({ [settingKeys.timeFormat]: "12-hour" });
    await unfold(workbench, "Alerts");
    await showChart(workbench, "THB_BTC");
  });
  after(() => leaveEditor());

  /** The lines, alerts and trends in the chart, as a screen reader has them. */
  const marks = (text: string | RegExp): Locator => workbench.chart.locator("#marks li", { hasText: text });

  async function keys(...pressed: readonly string[]): Promise<void> {
    await workbench.chart.locator("#chart").focus();
    for (const key of pressed) await workbench.press(key);
  }

  /** The place of the selected line: its buttons are beside it, at the right. */
  async function selectedLine(): Promise<{ readonly x: number; readonly y: number }> {
    const tools = workbench.chart.locator("#line-tools");
    await tools.waitFor();
    const box = (await tools.boundingBox()) ?? assert.fail("no line is selected");
    return { x: box.x - 40, y: box.y + box.height / 2 };
  }

  async function isPictureOfChart(png: Buffer): Promise<void> {
    assert.equal(png.subarray(0, 8).toString("hex"), PNG_SIGNATURE);
    const { width = 0, height = 0 } = (await workbench.chart.locator("#chart").boundingBox()) ?? {};
    const size = [png.readUInt32BE(WIDTH_AT), png.readUInt32BE(HEIGHT_AT)];
    assert.deepEqual(size, [Math.round(width), Math.round(height)]);
  }

  it("switches studies on in the menu, and sees their values", async () => {
    const { chart } = workbench;
    for (const name of ["EMA", "RSI", "MACD"]) await toggleStudy(workbench, name);
    await chart.locator("#legend .study", { hasText: /^EMA 50\s*[\d,]+\.\d\d$/ }).waitFor();
    for (const name of ["RSI 14", "MACD 12, 26, 9"])
      await chart.locator("#pane-legends .study", { hasText: name }).waitFor();
  });

  it("reads times of the clock that the settings name", async () => {
    await workbench.chart
      .locator("#legend-time", { hasText: /\d:\d\d\s[AP]M$/ })
      .waitFor({ state: "attached" });
  });

  it("edits the period of a study", async () => {
    const { chart, quickInput } = workbench;
    const openPeriods = (): Promise<void> => chooseInChart(workbench, "#periods");
    await untilShown(
      "Periods",
      openPeriods,
      quickInput.getByText("Select a study").or(quickInput.getByText("Bollinger")),
    );
    await workbench.pick("EMA");
    await workbench.type("Periods of EMA", "9");
    await chart.locator("#legend .study", { hasText: /^EMA 9\s*[\d,]+\.\d\d$/ }).waitFor();
  });

  it("draws a horizontal line by a key, moves it by keys and names it", async () => {
    await keys("ArrowLeft", "ArrowUp", "h");
    const line = marks(/^Line at /);
    await line.waitFor();
    const drawn = number(await line.innerText());
    await keys("n", "Shift+ArrowUp", "Enter");
    await waitFor("the line to move", async () => number(await line.innerText()) > drawn);
    await keys("Escape", "n", "F2");
    await workbench.type("Rename Line", "Resistance");
    await marks(/^Resistance at /).waitFor();
  });

  it("draws a trend line by two clicks, and removes it by its button", async () => {
    const { chart, page } = workbench;
    await keys("Escape");
    await chooseInChart(workbench, "#draw-trend");
    const area = (await chart.locator("#chart").boundingBox()) ?? assert.fail("no chart");
    for (const [across, down] of [
      [0.3, 0.25],
      [0.5, 0.2],
    ] as const) {
      await page.mouse.move(area.x + area.width * across, area.y + area.height * down, { steps: 3 });
      await page.mouse.click(area.x + area.width * across, area.y + area.height * down);
    }
    const trend = marks(/^Trend line from /);
    await trend.waitFor();
    await page.mouse.click(area.x + area.width * 0.4, area.y + area.height * 0.225);
    await chart.locator("#line-remove").click();
    await trend.waitFor({ state: "detached" });
  });

  it("drags the line of an alert to another price", async () => {
    const { page } = workbench;
    await keys("ArrowUp", "ArrowUp", "ArrowUp", "a");
    const row = workbench.alerts.filter({ hasText: /BTC\/THB\s*rises to/ });
    await row.waitFor();
    const before = number(await row.innerText());
    // Of the two lines, the alert's is the first one.
    await keys("Escape", "n");
    const { x, y } = await selectedLine();
    await page.mouse.move(x, y, { steps: 3 });
    await page.mouse.down();
    await page.mouse.move(x, y - 20, { steps: 5 });
    await page.mouse.up();
    await waitFor("the alert to move", async () => number(await row.innerText()) > before);
    await marks(/^Alert: rises to /).waitFor();
  });

  it("finds studies, periods, lines and alerts again after a reload of the window", async () => {
    const { chart } = workbench;
    // The row of the alert that was made last is selected until then.
    const texts = async (): Promise<string> =>
      (await chart.locator("#marks li").allInnerTexts()).join("\n").replaceAll(" (selected)", "");
    const before = await texts();
    await workbench.reload(chart.locator("#legend-close", { hasText: /\d/ }));
    await waitFor("the lines", async () => (await texts()) === before);
    await chart.locator("#legend .study", { hasText: /^EMA 9\s*[\d,]+\.\d\d$/ }).waitFor();
    await chart.locator("#pane-legends .study", { hasText: "RSI 14" }).waitFor();
  });

  it("removes a line by a key", async () => {
    await keys("Escape", "Shift+n", "Delete");
    await marks(/^Resistance at /).waitFor({ state: "detached" });
    await marks(/^Alert: rises to /).waitFor();
  });

  it("loads older candles by a key, and has all of them in view by another", async () => {
    const { chart } = workbench;
    const time = (): Promise<string> => chart.locator("#legend-time").innerText();
    await keys("Home");
    const first = await time();
    await untilShown(
      "Home",
      () => keys("Home"),
      async () => (await time()) !== first,
    );
    const toNewest = chart.locator("#to-newest");
    await toNewest.waitFor();
    await keys("f");
    await toNewest.waitFor({ state: "hidden" });
  });

  it("has a logarithmic scale by a key", async () => {
    const item = workbench.chart.locator("#log-scale");
    await keys("l");
    await waitFor("the scale", async () => (await item.getAttribute("aria-checked")) === "true");
    await keys("l");
    await waitFor("the scale", async () => (await item.getAttribute("aria-checked")) === "false");
  });

  it("saves a picture of the chart to a file", async () => {
    const { quickInput } = workbench;
    const file = join(workbench.userDataDir, "workspace", "chart.png");
    await untilShown(
      "Save Picture",
      () => chooseInChart(workbench, "#picture"),
      quickInput.getByText("Save Picture"),
    );
    const saved = (): Promise<Buffer> => readFile(file).catch(() => Buffer.alloc(0));
    await workbench.chooseFile(file, async () => (await saved()).length > 0);
    await isPictureOfChart(await saved());
  });

  it("copies a picture of the chart to the clipboard", async () => {
    const { chart, page } = workbench;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = page.locator(".statusbar-item", { hasText: "The picture was copied." });
    await untilShown("Copy Picture", () => chooseInChart(workbench, "#copy-picture"), copied);
    const inChart = await frameOf(chart);
    const png = await inChart.evaluate<string>(`(async () => {
      const [item] = await navigator.clipboard.read();
      const bytes = new Uint8Array(await (await item.getType("image/png")).arrayBuffer());
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    })()`);
    await isPictureOfChart(Buffer.from(png, "hex"));
    await page.context().clearPermissions();
  });
});
