import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
import { commandIds } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { chartOf, chooseInChart, openChart } from "./support/openChart.ts";
import { pageWith } from "./support/pages.ts";
import { untilShown } from "./support/repeat.ts";
import { rowMenu } from "./support/rows.ts";
import { leaveEditor, takePractice, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const number = (text: string): number => Number(text.replaceAll(",", ""));

describe("the chart of a pair", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    await unfold(workbench, "Alerts");
    // The chart opens beside the ticket.
    await workbench.run(commandIds.placeBid);
    await workbench.ticketIsReady();
  });
  after(() => leaveEditor());

  /** The chart on screen of a pair: BTC/THB. */
  const chartWith = (pair: string): FrameLocator => pageWith(workbench.page, `#chart[aria-label*="${pair}"]`);

  async function moveAcross(chart: FrameLocator): Promise<void> {
    const area = (await chart.locator("#chart").boundingBox()) ?? assert.fail("no chart");
    for (const across of [0.3, 0.4])
      await workbench.page.mouse.move(area.x + area.width * across, area.y + area.height * 0.3, { steps: 3 });
  }

  it("has candles with values, a volume, and a last price that moves", async () => {
    await openChart(workbench, "THB_BTC");
    const { chart } = workbench;
    // Beside the ticket, the chart is too narrow for "play money", and its intervals are a list.
    assert.match(await chart.locator("#venue").innerText(), /^Practice\b/);
    assert.match(await chart.locator("#legend-volume").innerText(), /\d/);
    const before = await chart.locator("#last").innerText();
    assert.match(before, /^[\d,]+\.\d\d$/);
    await waitFor(
      "the last price to move",
      async () => (await chart.locator("#last").innerText()) !== before,
    );
  });

  it("names the maker of the chart library, with a link", async () => {
    const link = workbench.chart.locator("a#tv-attr-logo");
    assert.match((await link.getAttribute("href")) ?? "", /^https:\/\/www\.tradingview\.com\//);
    const { width = 0, height = 0 } = (await link.boundingBox()) ?? {};
    assert.deepEqual([width, height], [35, 19]);
  });

  it("adds an alert at the crosshair's rate without a prompt", async () => {
    await workbench.chart.locator("#chart").focus();
    // Far enough above the price that the market does not pass the rate before the keys arrive.
    for (let step = 0; step < 20; step += 1) await workbench.press("ArrowUp");
    const spoken = await workbench.chart.locator("#spoken", { hasText: /^Price [\d,.]+$/ }).innerText();
    await workbench.press("a");
    const rate = spoken.replace("Price ", "");
    const row = workbench.alerts.filter({ hasText: "BTC/THB" }).filter({ hasText: `rises to ${rate}` });
    await row.waitFor();
    assert.equal(await workbench.quickInput.isVisible(), false, "nothing is asked");
    await rowMenu(workbench, row, "Remove Alert", workbench.page.getByText("No alerts yet."));
  });

  it("fills in the order ticket with the crosshair's rate, and sends nothing", async () => {
    const { chart } = workbench;
    const newest = await chart.locator("#legend-time").innerText();
    const isOlder = async (): Promise<boolean> =>
      (await chart.locator("#legend-time").innerText()) !== newest;
    await untilShown("a move of the mouse", () => moveAcross(chart), isOlder);
    const bid = chart.locator("#pick-bid");
    const box = (await bid.boundingBox()) ?? assert.fail("no button");
    await workbench.page.mouse.move(box.x + 5, box.y + box.height / 2, { steps: 10 });
    const pointed = (await bid.getAttribute("aria-label")) ?? "";
    assert.match(pointed, /^Buy at [\d,]+\.\d\d$/);
    await workbench.page.mouse.click(box.x + 5, box.y + box.height / 2);
    await waitFor(
      "the rate to be filled in",
      async () => number(await workbench.figure("rate")) === number(pointed.replace("Buy at ", "")),
    );
    assert.equal(await workbench.form.locator("#pair").inputValue(), "BTC/THB");
    assert.equal(await workbench.modal.isVisible(), false, "nothing is sent or asked");
    await workbench.draft({ amount: "1234.5" });
  });

  it("is restored beside the ticket after a reload of the window, with its interval and its table", async () => {
    const { chart } = workbench;
    await chart.locator("#interval").selectOption("1h");
    await chooseInChart(workbench, "#table-toggle");
    const hour = (): Promise<string> => chart.locator("#rows th").nth(1).innerText();
    await waitFor("whole hours", async () => /[:.]00\b/.test(await hour()));
    await workbench.reload(chart.locator("#rows tr").first());
    assert.equal(await chart.locator("#interval").inputValue(), "1h");
    assert.match(await hour(), /[:.]00\b/);
    await workbench.ticketIsBack();
    assert.equal(await workbench.form.locator("#pair").inputValue(), "BTC/THB");
    assert.equal(await workbench.figure("amount"), "1234.5");
  });

  it("stays beside the chart of another pair once it is locked", async () => {
    await chooseInChart(workbench, "#lock");
    await workbench.chart.locator('#lock[aria-checked="true"]').waitFor({ state: "attached" });
    await workbench.run(commandIds.openChart, "THB_ETH");
    await chartOf(workbench, "THB_ETH").waitFor();
    assert.equal(await workbench.page.locator('.tab[aria-label*="Chart"]').count(), 2);
  });

  it("shares the time of its crosshair with the chart of another pair below it", async () => {
    await workbench.run("workbench.action.moveEditorToBelowGroup");
    const [locked, other] = [chartWith("BTC/THB"), chartWith("ETH/THB")];
    // It was hidden behind the other chart, with a table.
    await chooseInChart({ chart: locked }, "#table-toggle");
    await other.locator("#interval").selectOption("1h");
    for (const chart of [locked, other])
      await chart.locator("#caption", { hasText: "1 hour" }).waitFor({ state: "attached" });
    const time = (chart: FrameLocator): Promise<string> => chart.locator("#legend-time").innerText();
    const newest = await time(locked);
    const isSharedWith = async (chart: FrameLocator): Promise<boolean> => {
      const [first, second] = await Promise.all([time(locked), time(other)]);
      return first === second && first !== newest && (await chart.locator("#shared-time").isVisible());
    };

    await other.locator("#chart").focus();
    for (let step = 0; step < 3; step += 1) await workbench.press("ArrowLeft");
    await waitFor("the time of the keys in the locked chart", () => isSharedWith(locked));
    await workbench.press("Escape");
    await locked.locator("#shared-time").waitFor({ state: "hidden" });

    await untilShown(
      "a move of the mouse",
      () => moveAcross(locked),
      () => isSharedWith(other),
    );
  });
});
