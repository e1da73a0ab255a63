import assert from "node:assert/strict";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { chartOf, findPair, openChart } from "./support/openChart.ts";
import { livePair } from "./support/openLive.ts";
import { frameOf } from "./support/pages.ts";
import { clickAction, rowAction } from "./support/rows.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import { themes, type Theme } from "./support/themes.ts";
import type { Workbench } from "./support/workbench.ts";

const number = (text: string): number => Number(text.replaceAll(",", ""));

/** Runs in the page: whether the largest canvas has the editor's background, apart from lines and candles. */
const CANVAS_HAS_THEME = `(() => {
  const probe = document.createElement("span");
  probe.style.color = "var(--vscode-editor-background)";
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3).join();
  probe.remove();
  const [canvas] = [...document.querySelectorAll("#chart canvas")].sort(
    (a, b) => b.width * b.height - a.width * a.height,
  );
  const { data } = canvas.getContext("2d").getImageData(3, 0, 1, canvas.height);
  const painted = Array.from({ length: canvas.height }, (_, row) => data.slice(row * 4, row * 4 + 3).join());
  return painted.filter((color) => color === wanted).length > canvas.height / 2;
})()`;

/** Puts the pointer a share of the way across and down the chart. */
async function pointAt(workbench: Workbench, across: number, down: number): Promise<void> {
  const box = (await workbench.chart.locator("#chart").boundingBox()) ?? assert.fail("no chart");
  await workbench.page.mouse.move(box.x + box.width * across, box.y + box.height * down, { steps: 3 });
}

describe("the chart of a pair", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    await workbench.row("THB_BTC").waitFor();
  });
  after(() => leaveEditor(workbench));

  it("opens from its row in Markets too", async () => {
    const symbol = `THB_${await workbench.rows.first().locator(".label-name").innerText()}`;
    await rowAction(workbench, symbol, "Open Chart", chartOf(workbench, symbol));
    await workbench.command("View: Close All Editors");
  });

  it("has candles with values, a volume, and a last price that moves", async () => {
    await openChart(workbench, "THB_BTC");
    await workbench.page.mouse.move(0, 0);
    const { chart } = workbench;
    assert.equal(await chart.locator("#pair").innerText(), "BTC/THB");
    assert.equal(await chart.locator("#venue").innerText(), "Practice · play money");
    const [open = 0, high = 0, low = 0, close = 0] = await Promise.all(
      ["open", "high", "low", "close"].map(async (name) =>
        number(await chart.locator(`#legend-${name}`).innerText()),
      ),
    );
    assert.ok(0 < low && low <= open && low <= close && open <= high && close <= high);
    assert.match(await chart.locator("#legend-volume").innerText(), /\d/);
    const before = await chart.locator("#last").innerText();
    assert.match(before, /^[\d,]+\.\d\d THB$/);
    await waitFor(
      "the last price to move",
      async () => (await chart.locator("#last").innerText()) !== before,
    );
    await waitFor("the newest candle to close at the last price", async () => {
      const [last, close] = await chart.locator("#last, #legend-close").allInnerTexts();
      return close !== undefined && last === `${close} THB`;
    });
  });

  it("names the maker of the chart library, with a link", async () => {
    const link = workbench.chart.locator("a#tv-attr-logo");
    assert.match((await link.getAttribute("href")) ?? "", /^https:\/\/www\.tradingview\.com\//);
    const { width = 0, height = 0 } = (await link.boundingBox()) ?? {};
    assert.deepEqual([width, height], [35, 19]);
  });

  it("shows a candle's values under the crosshair, and fills in the bid form with the crosshair's rate", async () => {
    const { chart } = workbench;
    const newest = await chart.locator("#legend-time").innerText();
    await pointAt(workbench, 0.4, 0.3);
    await waitFor(
      "an older candle's values",
      async () => (await chart.locator("#legend-time").innerText()) !== newest,
    );
    const bid = chart.locator("#pick-bid");
    const name = (await bid.getAttribute("aria-label")) ?? "";
    assert.match(name, /^Place Bid at [\d,]+\.\d\d$/);
    await workbench.screenshot("chart-crosshair");
    const box = (await bid.boundingBox()) ?? assert.fail("no button");
    await workbench.page.mouse.move(box.x + 5, box.y + box.height / 2, { steps: 10 });
    const pointed = (await bid.getAttribute("aria-label")) ?? "";
    await workbench.page.mouse.click(box.x + 5, box.y + box.height / 2);
    await workbench.ticketIsReady();
    const pair = workbench.form.locator("#pair");
    await waitFor("the pair to be chosen", async () => (await pair.inputValue()) === "BTC/THB");
    const rate = await workbench.form.locator("#rate").inputValue();
    assert.equal(Number(rate), number(pointed.replace("Place Bid at ", "")));
    assert.equal(await workbench.modal.isVisible(), false, "nothing is sent or asked");
    await workbench.closeTicket();
  });

  it("does the same by keys", async () => {
    const { chart } = workbench;
    await chart.locator("#chart").focus();
    await workbench.press("ArrowLeft");
    const spoken = chart.locator("#spoken");
    await spoken
      .filter({ hasText: /open [\d,.]+, high [\d,.]+, low [\d,.]+, close [\d,.]+, volume \S+/ })
      .waitFor();
    const older = await chart.locator("#legend-time").innerText();
    await workbench.press("ArrowRight");
    await waitFor(
      "the newer candle",
      async () => (await chart.locator("#legend-time").innerText()) !== older,
    );
    const spokenRate = async (): Promise<number> =>
      number(/^Price ([\d,.]+)$/.exec(await spoken.innerText())?.[1] ?? "0");
    await workbench.press("ArrowDown");
    const first = await waitFor("a rate", spokenRate);
    // The market moves, and the crosshair stays where the scale ends: there is room on the other side of the chart's middle.
    // The steps of the keys are exact in the test of the chart's page.
    const [pick, box] = [
      await chart.locator("#pick-bid").boundingBox(),
      await chart.locator("#chart").boundingBox(),
    ];
    assert.ok(pick && box);
    const isUpper = pick.y < box.y + box.height * 0.4;
    await workbench.press(isUpper ? "ArrowDown" : "ArrowUp");
    const rate = await waitFor(isUpper ? "a lower rate" : "a higher rate", async () => {
      const announced = await spokenRate();
      return 0 < announced && (isUpper ? announced < first : announced > first) && announced;
    });
    const last = number((await chart.locator("#last").innerText()).replace(" THB", ""));
    assert.ok(Math.abs(rate / last - 1) < 0.01, `${rate} is not near ${last}`);
    // Past the link to the maker of the chart library.
    await workbench.press("Tab");
    await workbench.press("Tab");
    assert.equal(
      number((await chart.locator(":focus").getAttribute("aria-label"))?.replace("Place Bid at ", "") ?? ""),
      rate,
    );
    await workbench.press("Enter");
    await workbench.form.locator("#pair").waitFor();
    await waitFor(
      "the rate to be filled in",
      async () => number(await workbench.form.locator("#rate").inputValue()) === rate,
    );
    await workbench.closeTicket();
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
    // The stories after this one have the same editor.
    await clickAction(row, "Remove Alert");
    await row.waitFor({ state: "detached" });
  });

  it("has the same numbers in a table, newest first", async () => {
    const { chart } = workbench;
    await chart.locator("#table-toggle").click();
    const first = chart.locator("#rows tr").first();
    await first.waitFor();
    assert.equal(await chart.locator("#chart").isVisible(), false);
    // A minute may begin between the two readings.
    await waitFor("the newest candle to come first", async () => {
      return (await first.locator("th").innerText()) === (await chart.locator("#legend-time").textContent());
    });
    assert.equal(await first.locator("td").count(), 5);
    // The history's candles, and one candle for each minute that began since then.
    assert.ok((await chart.locator("#rows tr").count()) >= 720);
    assert.match(await chart.locator("caption").innerText(), /BTC\/THB/);
    assert.deepEqual(await workbench.violations(), []);
    await workbench.screenshot("chart-table");
  });

  it("is restored with its interval and its table after a reload of the window, and opens only once", async () => {
    const { chart } = workbench;
    await chart.locator("label", { hasText: "1 h" }).click();
    await waitFor("the hours", async () => (await chart.locator("#rows tr").count()) >= 720);
    const hour = (): Promise<string> => chart.locator("#rows th").nth(1).innerText();
    await waitFor("whole hours", async () => /[:.]00\b/.test(await hour()));
    await workbench.reload(chart.locator("#rows tr").first());
    assert.ok(await chart.locator('input[value="1h"]').isChecked());
    assert.match(await hour(), /[:.]00\b/);
    await chart.locator("#table-toggle").click();
    await openChart(workbench, "THB_BTC");
    await chart.locator("#lock").click();
    await chart.locator('#lock[aria-pressed="true"]').waitFor();
    await openChart(workbench, "THB_ETH");
    await chartOf(workbench, "THB_ETH").waitFor();
    assert.equal(await workbench.page.locator('.tab[aria-label*="Chart"]').count(), 2);
  });

  describe("in every theme", () => {
    before(() => openChart(workbench, "THB_BTC"));

    // The first theme comes last, so that every step is a change.
    for (const theme of Object.keys(themes).toReversed() as Theme[]) {
      it(`follows the editor's change to ${themes[theme]}`, async () => {
        await workbench.useTheme(theme);
        const frame = await frameOf(workbench.chart);
        await waitFor(`${themes[theme]} on the chart's canvas`, () =>
          frame.evaluate<boolean>(CANVAS_HAS_THEME),
        );
        await pointAt(workbench, 0.7, 0.35);
        await workbench.chart.locator("#pick-bid").waitFor();
        await workbench.screenshot(`chart-${theme}`);
      });
    }

    it("fits a narrow column, with nothing cut off", async () => {
      const size = workbench.page.viewportSize() ?? assert.fail();
      await workbench.page.setViewportSize({ width: 720, height: 860 });
      const overflow = await workbench.chart
        .locator("html")
        .evaluate((page) => page.scrollWidth - page.clientWidth);
      assert.equal(overflow, 0);
      await workbench.screenshot("chart-narrow");
      assert.deepEqual(await workbench.violations(), []);
      await workbench.page.setViewportSize(size);
    });
  });

  describe("on a live exchange", () => {
    let exchange: ProxiedPractice;

    before(async () => {
      // The set-up asks once for each order of a pair's assets, and finds no history.
      const refused = { kind: "code", when: "before", code: 11 } as const;
      exchange = await startProxiedPractice({ credentials: livePair, now: Date.now });
      for (let order = 0; order < 2; order += 1) exchange.faults.next("history", refused);
    });
    after(() => exchange.close());

    it("begins with the prices that Bidside polls where there is no history", async () => {
      await workbench.command("View: Close All Editors");
      await workbench.goLive(exchange.baseUrl);
      await workbench.row("THB_BTC").waitFor();
      await findPair(workbench, "THB_BTC");
      await workbench.command("Bidside: Open Chart");
      const { chart } = workbench;
      await chart.locator("#legend-close", { hasText: /\d/ }).waitFor();
      assert.match(await chart.locator("#volume-name").innerText(), /at least/);
      assert.equal(exchange.requests.history, 2, "only the set-up asked for it");
      assert.deepEqual(await workbench.violations(), []);
      await workbench.screenshot("chart-no-history");
    });
  });
});
