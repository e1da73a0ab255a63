import assert from "node:assert/strict";
import sharp from "sharp";
import type { Candle } from "../../src/market/candle.ts";
import { intervals } from "../../src/market/intervals.ts";
import { readFromChart } from "../../src/protocol/chart.ts";
import type { ChartMark } from "../../src/protocol/chartMarks.ts";
import {
  candlesOf,
  ChartPage,
  fillMark,
  lineMark,
  marketOf,
  selectedLine,
  studiesOf,
} from "../support/pages/chart.ts";
import { cutOff } from "../support/pages/cutOff.ts";
import { applyLook } from "../support/pages/editorLook.ts";
import { fontNames } from "../support/pages/fonts.ts";
import { waitFor } from "../support/waitFor.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

/** Candles of one price each, a minute apart; the newest begins at noon. */
const flat = (...prices: readonly number[]): Candle[] =>
  prices.map((price, index) => ({
    time: NOON + (index + 1 - prices.length) * intervals["1m"].ms,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 1,
  }));

/** The candle under way at noon. */
const newest = (price: number): Candle => flat(price)[0] ?? assert.fail();

describe("the page of a chart", () => {
  let chart: ChartPage;

  beforeEach(async () => {
    chart = await ChartPage.open("THB_PEPE");
  });
  afterEach(() => chart.close());

  it("shows small prices in full before the first poll of the market", async () => {
    await chart.choose("table-toggle");
    await chart.show(candlesOf(flat(0.000_001_2, 0.000_001_23)));
    assert.equal(await chart.text("legend-close"), "0.00000123");
    assert.equal(await chart.get("rows").locator("td").first().textContent(), "0.00000123");
    await chart.show({ type: "candle", candle: newest(0.000_001_234) });
    assert.equal(await chart.text("legend-close"), "0.000001234");
    assert.equal(
      await chart.get("rows").locator("td").nth(5).textContent(),
      "0.000001200",
      "all rows have the same decimals",
    );
  });

  it("has one row above its plot at any width and at 200 percent, with the pair and the menu", async () => {
    const shownMarks = { orders: true, fills: true, averageCost: false };
    await chart.show(marketOf({ last: "3101800.53", shownMarks }), candlesOf(flat(99, 100)));
    for (const width of [800, 500, 400, 360, 250, 180]) {
      await chart.resize({ width, height: 500 });
      const [plot, legend, menu] = await Promise.all(
        ["chart", "legend", "menu-button"].map((id) => chart.get(id).boundingBox()),
      );
      assert.ok(plot && plot.y <= 28 && legend && legend.y >= plot.y, `${plot?.y} at ${width} px`);
      assert.ok(menu && menu.x + menu.width <= width, `the menu at ${width} px`);
      assert.deepEqual(await cutOff(chart.page.locator("header")), [], `${width} px`);
    }
  });

  it("drops what does not fit from its row, the price last", async () => {
    await chart.show(marketOf({ last: "3101800.53" }), candlesOf(flat(99, 100)));
    const seen = async (width: number): Promise<string[]> => {
      await chart.resize({ width, height: 500 });
      const parts = ["pair", "last", "change", "intervals", "interval", "venue"];
      const boxes = await Promise.all(parts.map((id) => chart.get(id).boundingBox()));
      return parts.filter((_, at) => (boxes[at]?.y ?? 28) < 28);
    };
    assert.deepEqual(await seen(800), ["pair", "last", "change", "intervals", "venue"]);
    assert.deepEqual(await seen(500), ["pair", "last", "change", "interval", "venue"]);
    assert.deepEqual(await seen(300), ["pair", "last", "interval", "venue"]);
    assert.deepEqual(await seen(180), ["pair", "interval"]);
  });

  it("offers the intervals as a list on a narrow page, of one mind with the buttons of a wide one", async () => {
    await chart.resize({ width: 360, height: 500 });
    await chart.page.getByRole("combobox", { name: "Interval" }).selectOption("1h");
    assert.deepEqual((await chart.sent()).at(-1), { type: "interval", interval: "1h" });
    await chart.resize({ width: 800, height: 500 });
    assert.ok(await chart.page.getByRole("radio", { name: "1 hour" }).isChecked());
    await chart.page.getByRole("radio", { name: "1 day" }).check();
    assert.equal(await chart.get("interval").inputValue(), "1d");
  });

  it("opens its menu by keys, moves in it by arrows, and returns the focus on Escape or a choice", async () => {
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    const [button, menu] = [chart.get("menu-button"), chart.get("menu")];
    const focused = (): Promise<string> => chart.page.locator(":focus").innerText();
    // From the chart.
    await chart.page.keyboard.press("Shift+Tab");
    await chart.page.keyboard.press("ArrowUp");
    assert.match(await focused(), /^Keys/);
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    for (const [key, item] of [
      ["ArrowDown", "Lock"],
      ["ArrowDown", "Open to the Side"],
      ["ArrowUp", "Lock"],
      ["ArrowUp", "Keys"],
      ["Home", "Lock"],
      ["End", "Keys"],
    ] as const) {
      await chart.page.keyboard.press(key);
      assert.ok((await focused()).startsWith(item), `${key} to ${item}`);
    }
    const isClosed = async (): Promise<boolean> =>
      !(await menu.isVisible()) && (await button.getAttribute("aria-expanded")) === "false";
    await chart.page.keyboard.press("Escape");
    assert.ok((await isClosed()) && (await button.evaluate((each) => each.matches(":focus"))));
    await chart.page.keyboard.press("Enter");
    await chart.page.keyboard.press("Enter");
    assert.ok((await isClosed()) && (await button.evaluate((each) => each.matches(":focus"))));
    assert.deepEqual((await chart.sent()).at(-1), { type: "lock", locked: true });
    await chart.show(marketOf({ locked: true }));
    assert.equal(await chart.get("lock").getAttribute("aria-checked"), "true");
    await chart.page.keyboard.press("ArrowDown");
    await chart.page.keyboard.press("Tab");
    assert.ok((await isClosed()) && (await chart.get("chart").evaluate((each) => each.matches(":focus"))));
    await button.click();
    await chart.get("chart").click({ position: { x: 20, y: 200 } });
    assert.ok(await isClosed(), "a click elsewhere closes it");
  });

  it("offers studies in its menu, with their periods, and shows those of the host as legends and columns", async () => {
    const rising = flat(...Array.from({ length: 60 }, (_, index) => 100 + index));
    await chart.show(marketOf(), candlesOf(rising));
    await chart.get("menu-button").click();
    const studies = chart.page.getByRole("group", { name: "Studies" });
    const boxes = studies.getByRole("menuitemcheckbox");
    assert.deepEqual(await boxes.allInnerTexts(), [
      "SMA 20",
      "EMA 50",
      "Bollinger 20, 2",
      "VWAP",
      "Volume",
      "RSI 14",
      "MACD 12, 26, 9",
    ]);
    const checked = studies.getByRole("menuitemcheckbox", { checked: true });
    assert.deepEqual(await checked.allInnerTexts(), ["Volume"]);
    await studies.getByRole("menuitemcheckbox", { name: "RSI 14" }).click();
    await chart.choose("periods");
    assert.deepEqual((await chart.sent()).slice(-2), [
      { type: "showStudy", study: "rsi", shown: true },
      { type: "periods" },
    ]);
    await chart.show(studiesOf({ sma: [10] }, ["sma", "rsi", "macd"]));
    await chart.get("pane-legends").getByText("MACD").waitFor();
    const legends = await chart.page.locator(".legend .study").allTextContents();
    assert.match(
      legends.join(" "),
      /^SMA 10154\.50 RSI 14100\.00 MACD 12, 26, 9-?\d\.\d\d \/ \d\.\d\d \/ \d\.\d\d$/,
    );
    const tops = await chart
      .get("pane-legends")
      .locator("dl")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    assert.ok(tops[0] !== undefined && tops[1] !== undefined && tops[0] + 50 < tops[1], tops.join());
    await chart.get("chart").focus();
    await chart.page.keyboard.press("ArrowLeft");
    assert.match(await chart.text("spoken"), /SMA 10: 153\.50\. RSI 14: 100\.00/);
    await chart.choose("table-toggle");
    assert.deepEqual((await chart.page.getByRole("columnheader").allInnerTexts()).slice(-3), [
      "SMA 10",
      "RSI 14",
      "MACD 12, 26, 9",
    ]);
    await chart.show({ type: "candle", candle: { ...newest(160), high: 160 } });
    const cells = chart.get("rows").locator("tr").first().locator("td");
    assert.equal(await cells.nth(5).innerText(), "154.60");
  });

  it("asks for older candles once when it is dragged or keyed back, and keeps its place as they arrive", async () => {
    const asked = async (): Promise<number> =>
      (await chart.sent()).filter(({ type }) => type === "older").length;
    const all = flat(...Array.from({ length: 1500 }, (_, index) => 100 + (index % 17)));
    const half = all.slice(750);
    await chart.show(marketOf(), candlesOf(half, { hasOlder: true }));
    assert.equal(await asked(), 0);
    const { x, y, width, height } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
    const drag = async (): Promise<void> => {
      await chart.page.mouse.move(x + 80, y + height / 3);
      await chart.page.mouse.down();
      await chart.page.mouse.move(x + width - 160, y + height / 3, { steps: 4 });
      await chart.page.mouse.up();
    };
    await waitFor("the request", async () => {
      await drag();
      return (await asked()) > 0 ? true : undefined;
    });
    await drag();
    assert.equal(await asked(), 1, "only once");
    await chart.page.mouse.move(x + width / 2, y + height / 3);
    const time = (): Promise<string> => chart.text("legend-time");
    const before = await time();
    await chart.show(candlesOf(all, { hasOlder: true }));
    await chart.page.mouse.move(x + width / 2 + 1, y + height / 3);
    assert.equal(await time(), before);
    await chart.get("chart").focus();
    await chart.page.keyboard.press("Home");
    await waitFor("another request", async () => ((await asked()) === 2 ? true : undefined));
    await chart.show(candlesOf(all, { hasOlder: false }));
    for (const key of ["End", "Home"]) await chart.page.keyboard.press(key);
    await chart.show();
    assert.equal(await asked(), 2, "there are none");
  });

  it("has a logarithmic scale if the host says so, on which equal percentages are equal distances", async () => {
    await chart.show(marketOf(), candlesOf(flat(100, 200, 400)));
    await chart.choose("log-scale");
    await chart.get("chart").focus();
    await chart.page.keyboard.press("L");
    const request = { type: "logScale", on: true };
    assert.deepEqual((await chart.sent()).slice(-2), [request, request]);
    const isChecked = (): Promise<string | null> => chart.get("log-scale").getAttribute("aria-checked");
    assert.equal(await isChecked(), "false", "until the host follows");
    /** Where the lines of these prices are, px. */
    const heights = async (): Promise<number[]> => {
      const tops: number[] = [];
      for (const rate of ["100", "200", "400"]) {
        await chart.show(marketOf({ last: rate, logScale: (await isChecked()) === "true" }));
        await chart.page.keyboard.press("Escape");
        await chart.page.keyboard.press("ArrowLeft");
        tops.push((await chart.get("pick").boundingBox())?.y ?? Number.NaN);
      }
      return tops;
    };
    // A pointer that rests on the chart would take the crosshair to its own price.
    await chart.page.mouse.move(0, 0);
    const [low = 0, middle = 0, high = 0] = await heights();
    assert.ok(Math.abs(2 * (low - middle) - (middle - high)) < 4, [low, middle, high].join());
    await chart.show(marketOf({ logScale: true }));
    assert.equal(await isChecked(), "true");
    const [lowest = 0, between = 0, highest = 0] = await heights();
    assert.ok(Math.abs(lowest - between - (between - highest)) < 4, [lowest, between, highest].join());
  });

  it("leaves the scales of studies linear if that of the prices is logarithmic", async () => {
    const candles = flat(...Array.from({ length: 60 }, (_, index) => 100 + (index % 7)));
    /** The panes of two studies, of which one is added to the other. */
    const studies = async (logScale: boolean): Promise<Buffer> => {
      await chart.show(marketOf({ logScale }), candlesOf(candles));
      for (const shown of [["rsi"], ["volume", "rsi"]] as const) await chart.show(studiesOf({}, shown));
      const { x, y, width, height } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
      return await chart.page.screenshot({ clip: { x, y: y + height * 0.6, width, height: height * 0.4 } });
    };
    assert.ok((await studies(false)).equals(await studies(true)));
  });

  it("shows all candles at once by its menu and by the key F", async () => {
    const all = flat(...Array.from({ length: 400 }, (_, index) => 100 + index));
    await chart.show(marketOf(), candlesOf(all, { hasOlder: true }));
    const asked = async (): Promise<number> =>
      (await chart.sent()).filter(({ type }) => type === "older").length;
    assert.equal(await asked(), 0, "the oldest candle is out of view");
    await chart.get("chart").focus();
    await chart.page.keyboard.press("f");
    await waitFor("the oldest candle", async () => ((await asked()) === 1 ? true : undefined));
    await chart.show(candlesOf(all, { hasOlder: true }));
    await chart.page.keyboard.press("End");
    await chart.choose("fit");
    assert.equal(await chart.get("to-newest").isVisible(), false);
  });

  it("reports the candle of its crosshair to other charts, and marks theirs in its own candles", async () => {
    await chart.show(marketOf(), candlesOf(flat(...Array.from({ length: 30 }, (_, index) => 71 + index))));
    await chart.get("chart").focus();
    for (const key of ["ArrowLeft", "ArrowUp", "ArrowLeft", "Escape"]) await chart.page.keyboard.press(key);
    const minute = intervals["1m"].ms;
    assert.deepEqual(
      (await chart.sent()).filter(({ type }) => type === "crosshair"),
      [
        { type: "crosshair", at: NOON - minute },
        { type: "crosshair", at: NOON - 2 * minute },
        { type: "crosshair", at: undefined },
      ],
    );
    const line = chart.get("shared-time");
    const left = async (): Promise<number> => (await line.boundingBox())?.x ?? Number.NaN;
    await chart.show({ type: "crosshair", at: NOON - 9.5 * minute });
    assert.equal(await chart.text("legend-close"), "90.00", "the candle that contains the time");
    const before = await left();
    await chart.show({ type: "crosshair", at: NOON - 4 * minute });
    assert.equal(await chart.text("legend-close"), "96.00");
    assert.ok((await left()) > before);
    for (const at of [NOON - 60 * minute, undefined]) {
      await chart.show({ type: "crosshair", at });
      assert.equal(await line.isVisible(), false);
      assert.equal(await chart.text("legend-close"), "100.00");
    }
  });

  it("sends a picture of its plot, in the colours of the theme, to be saved", async () => {
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    await chart.choose("picture");
    const sent = (await chart.sent()).findLast(({ type }) => type === "picture");
    assert.ok(sent?.type === "picture" && readFromChart(sent), "the host accepts it");
    const picture = sharp(Buffer.from(sent.png, "base64"));
    const [{ width, height }, { channels }] = await Promise.all([picture.metadata(), picture.stats()]);
    const plot = (await chart.get("chart").boundingBox()) ?? assert.fail();
    assert.ok(Math.abs(width - plot.width) < 2 && Math.abs(height - plot.height) < 2, `${width} × ${height}`);
    assert.ok(
      channels.some(({ stdev }) => stdev > 1),
      "it is not empty",
    );
  });

  it("copies a picture of its plot to the clipboard, and reports if the editor does not allow it", async () => {
    await chart.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    const copied = async (): Promise<boolean> => {
      await chart.choose("copy-picture");
      const isResult = ({ type }: { readonly type: string }): boolean => type === "pictureCopied";
      const sent = await waitFor("the result", async () => (await chart.sent()).findLast(isResult));
      return sent.type === "pictureCopied" && sent.isCopied;
    };
    assert.equal(await copied(), true);
    const size = await chart.page.evaluate<number[]>(`(async () => {
      const [item] = await navigator.clipboard.read();
      const { width, height } = await createImageBitmap(await item.getType("image/png"));
      return [width, height];
    })()`);
    const plot = (await chart.get("chart").boundingBox()) ?? assert.fail();
    assert.ok(
      Math.abs((size[0] ?? 0) - plot.width) < 2 && Math.abs((size[1] ?? 0) - plot.height) < 2,
      size.join(),
    );
    await chart.close();
    chart = await ChartPage.open("THB_BTC");
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    await chart.page.evaluate("navigator.clipboard.write = () => Promise.reject(new Error('not allowed'))");
    assert.equal(await copied(), false);
  });

  it("asks for older candles when its table is scrolled to the oldest ones", async () => {
    await chart.choose("table-toggle");
    const all = flat(...Array.from({ length: 300 }, (_, index) => 100 + index));
    await chart.show(marketOf(), candlesOf(all, { hasOlder: true }));
    await chart.get("table-view").focus();
    await chart.page.keyboard.press("End");
    await waitFor("the request", async () =>
      (await chart.sent()).some(({ type }) => type === "older") ? true : undefined,
    );
  });

  it("has no Cut, Copy and Paste in its context menu, except in the table", async () => {
    const menu = async (selector: string): Promise<unknown> =>
      JSON.parse((await chart.page.locator(selector).getAttribute("data-vscode-context")) ?? "");
    assert.deepEqual(await menu("body"), { preventDefaultContextMenuItems: true });
    assert.deepEqual(await menu("#table-view"), { preventDefaultContextMenuItems: false });
  });

  it("names own marks that are off the scale at its edge, and keeps the keys' crosshair in the scale", async () => {
    const marks = [
      lineMark("averageCost", "150", "Average cost", "Average cost 150.00"),
      lineMark("order", "50", "Buy 1", "Open order: Buy 1 at 50.00"),
    ];
    await chart.show(marketOf(), candlesOf(flat(99, 100)), { type: "marks", marks });
    await chart
      .get("marks-above")
      .filter({ hasText: /^↑ Average cost 150\.00$/ })
      .waitFor();
    assert.equal(await chart.text("marks-below"), "↓ Open order: Buy 1 at 50.00");
    await chart.get("chart").focus();
    for (let step = 0; step < 40; step += 1) await chart.page.keyboard.press("ArrowUp");
    const [frame, pick] = await Promise.all([
      chart.get("frame").boundingBox(),
      chart.get("pick").boundingBox(),
    ]);
    assert.ok(frame && pick && pick.y >= frame.y - 1, `${pick?.y} above ${frame?.y}`);
    assert.ok(Number(/[\d.]+/.exec(await chart.text("spoken"))?.[0]) < 110);
  });

  /** Collects the texts that the chart paints in the global `written`. */
  async function collectTexts(): Promise<void> {
    await chart.page.evaluate(`
      globalThis.written = new Set();
      const { prototype } = CanvasRenderingContext2D;
      const { fillText } = prototype;
      prototype.fillText = function (text, ...place) {
        written.add(text);
        fillText.call(this, text, ...place);
      };`);
  }

  it("labels the market's last price while scrolled back, and returns to now by the button and by End", async () => {
    const past = Array.from({ length: 400 }, (_, index) => (index < 200 ? 100.37 : 100.23));
    const candles = flat(...past).map((candle) => ({ ...candle, low: 99, high: 101 }));
    await chart.show(marketOf({ last: "100.23" }), candlesOf(candles));
    const isShown = (shown: boolean): Promise<void> =>
      chart.get("to-newest").waitFor({ state: shown ? "visible" : "hidden" });
    await isShown(false);
    await chart.get("chart").focus();
    await collectTexts();
    for (const back of [() => chart.get("to-newest").click(), () => chart.page.keyboard.press("End")]) {
      await chart.page.keyboard.press("Home");
      await chart.page.keyboard.press("Escape");
      await isShown(true);
      await chart.page.evaluate("written.clear()");
      await chart.show({ type: "candle", candle: { ...newest(100.23), low: 99, high: 101 } });
      await chart.page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
      );
      const texts = await chart.page.evaluate<string[]>("[...written]");
      assert.ok(texts.includes("100.23") && !texts.includes("100.37"), texts.join());
      await back();
      await isShown(false);
    }
  });

  it("writes its hours in the clock that the host says, also after a change of it", async () => {
    await collectTexts();
    const hours = async (hourCycle: "h12" | "h23"): Promise<string[]> => {
      await chart.page.evaluate("written.clear()");
      await chart.show(marketOf({ hourCycle }), candlesOf(flat(...Array.from({ length: 200 }, () => 100))));
      await chart.page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
      );
      return (await chart.page.evaluate<string[]>("[...written]")).filter((text) => /^\d+:\d\d/.test(text));
    };
    const [twelve, day, again] = [await hours("h12"), await hours("h23"), await hours("h12")];
    const isTwelve = (text: string): boolean => /^\d+:\d\d\s?[ap]\.?m/i.test(text);
    assert.ok(twelve.length > 1 && twelve.every(isTwelve), twelve.join());
    assert.ok(day.length > 1 && day.every((text) => /^\d\d:\d\d$/.test(text)), day.join());
    assert.deepEqual(again, twelve);
    assert.match(await chart.text("legend-time"), /[ap]m$/i);
  });

  it("leaves out a text of the price scale while a label would cover a part of it", async () => {
    const wide = { ...(flat(100, 100)[0] ?? assert.fail()), low: 99, high: 101 };
    await chart.show(marketOf(), candlesOf([wide, newest(100)]));
    await collectTexts();
    /** The chart paints in an animation frame, which a busy computer may delay. */
    const isPainted = (): Promise<unknown> =>
      chart.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const isWrittenAt = async (last: number): Promise<boolean> => {
      await isPainted();
      await chart.page.evaluate("written.clear()");
      await chart.show(marketOf({ last: String(last) }), { type: "candle", candle: newest(last) });
      await isPainted();
      return await chart.page.evaluate<boolean>("written.has('100.00')");
    };
    assert.deepEqual(
      [
        await isWrittenAt(99.7),
        await isWrittenAt(99.96),
        await isWrittenAt(100.04),
        await isWrittenAt(100.3),
      ],
      [true, false, false, true],
    );
    const averageCost = lineMark("averageCost", "100.05", "Average cost", "Average cost 100.05");
    await chart.show({ type: "marks", marks: [averageCost] });
    assert.equal(await isWrittenAt(100.31), false, "the label of an own line covers it too");
  });

  it("prints every number of its scales in full, whatever prices the scale ends at", async () => {
    await chart.show(marketOf(), candlesOf(flat(99, 101)));
    await chart.page.evaluate(`
      globalThis.cut = [];
      const { prototype } = CanvasRenderingContext2D;
      const { fillText } = prototype;
      prototype.fillText = function (text, x, y) {
        const middle = this.getTransform().transformPoint({ x, y }).y;
        // Half the height of a digit.
        const half = 4;
        if (/\\d/.test(text) && (middle < half || middle > this.canvas.height - half)) cut.push(text);
        fillText.call(this, text, x, y);
      };`);
    for (let cents = 100; cents < 200; cents += 5)
      await chart.show(candlesOf(flat(100 - cents / 100, 100 + cents / 100)));
    assert.deepEqual(await chart.page.evaluate("cut"), []);
  });

  it("keeps values and hints off the labels of lines, however long all are", async () => {
    const label = "Average cost of everything";
    const marks = [
      lineMark("averageCost", "100", label, label),
      ...["50", "51", "150", "151"].map((rate) =>
        lineMark("order", rate, "Buy 1", `Open order: Buy 0.12345678 at ${rate}`),
      ),
    ];
    await chart.show(marketOf(), candlesOf(flat(99, 100)), { type: "marks", marks });
    await chart.get("marks-above").filter({ hasText: "151" }).waitFor();
    const width = await chart.page.evaluate<number>(`(() => {
      const paint = document.createElement("canvas").getContext("2d");
      const { fontSize, fontFamily } = getComputedStyle(document.body);
      paint.font = fontSize + " " + fontFamily;
      return paint.measureText(${JSON.stringify(label)}).width;
    })()`);
    for (const [pageWidth, ids] of [
      [360, ["legend", "marks-above", "marks-below"]],
      [600, ["legend"]],
    ] as const) {
      await chart.resize({ width: pageWidth, height: 500 });
      const plot =
        (await chart.get("chart").locator("td:nth-child(2) canvas").first().boundingBox()) ?? assert.fail();
      for (const id of ids) {
        const text = (await chart.get(id).boundingBox()) ?? assert.fail();
        assert.ok(text.x + text.width <= plot.x + plot.width - width, `${id} at ${pageWidth} px`);
      }
    }
    assert.deepEqual(await cutOff(chart.page.locator("html")), []);
  });

  it("has the values of a candle in two lines at most, at any width and in any font", async () => {
    const label = "Average cost";
    const prices = flat(...Array.from({ length: 30 }, (_, index) => 3_101_800.53 + index));
    await chart.show(marketOf(), candlesOf(prices), {
      type: "marks",
      marks: [lineMark("averageCost", "3101810", label, label)],
    });
    for (const font of fontNames) {
      await applyLook(chart.page, "dark2026", font);
      let shown = 0;
      for (let width = 200; width <= 1000; width += 40) {
        await chart.resize({ width, height: 500 });
        const values = chart.get("legend").locator("dd:visible");
        const heightOf = async (id: string): Promise<number> =>
          ((await chart.get(id).boundingBox()) ?? assert.fail(id)).height;
        const [height, line] = [await heightOf("legend"), await heightOf("legend-close")];
        assert.ok(height < 2.5 * line, `${height} px at ${width} px in the ${font} font`);
        const count = await values.count();
        assert.ok(count >= shown, `a wider page has no fewer values: ${count} at ${width} px`);
        shown = count;
        if (width === 480) assert.ok(count >= 4, `${count} values in a usual column in the ${font} font`);
      }
      assert.equal(shown, 6);
    }
  });

  it("asks for all candles again if only the newest one reached the page while it loaded", async () => {
    const readiness = async (): Promise<unknown> => {
      await chart.page.evaluate(async () => {
        (globalThis as unknown as EventTarget).dispatchEvent(new Event("load"));
        await new Promise((resolve) => setTimeout(resolve));
      });
      return (await chart.sent()).at(-1);
    };
    const ready = { type: "ready", interval: "1m" };
    await chart.show(marketOf(), { type: "candle", candle: newest(101) });
    assert.equal(await chart.text("legend-close"), "–", "a single candle is not shown as the whole past");
    assert.deepEqual(await readiness(), { ...ready, isFilled: false });
    await chart.show(candlesOf(flat(99, 100)));
    assert.deepEqual(await readiness(), { ...ready, isFilled: true });
  });

  it("makes the table's rows when the table is opened, and updates the rows while the table is shown", async () => {
    const rows = chart.get("rows").locator("tr");
    const closes = async (): Promise<string[]> =>
      await rows.evaluateAll((all) => all.map((row) => row.children[4]?.textContent ?? ""));
    await chart.show(marketOf(), candlesOf(flat(99, 100, 101)));
    await chart.show({ type: "candle", candle: newest(102) });
    assert.equal(await rows.count(), 0);
    await chart.choose("table-toggle");
    assert.deepEqual(await closes(), ["102.00", "100.00", "99.00"]);
    await chart.show({ type: "candle", candle: newest(103) });
    assert.deepEqual(await closes(), ["103.00", "100.00", "99.00"]);
    await chart.choose("table-toggle");
    await chart.show(candlesOf(flat(1, 2)));
    assert.deepEqual(await closes(), ["103.00", "100.00", "99.00"], "hidden rows cost nothing");
    await chart.choose("table-toggle");
    assert.deepEqual(await closes(), ["2.00", "1.00"]);
  });

  it("draws only the newest of the prices and candles that came within a frame, and every candle's last state", async () => {
    await chart.choose("table-toggle");
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    const ticks = Array.from({ length: 200 }, (_, index) => 201 + index);
    const next = (price: number): Candle => ({ ...newest(price), time: NOON + intervals["1m"].ms });
    const messages = ticks.flatMap((price) => [
      marketOf({ last: String(price) }),
      { type: "candle" as const, candle: price <= 300 ? newest(price) : next(price) },
    ]);
    assert.equal(await chart.changesOf("#last", ...messages), 1);
    assert.equal(await chart.text("last"), "400.00");
    const closes = await chart
      .get("rows")
      .locator("tr")
      .evaluateAll((all) => all.map((row) => row.children[4]?.textContent ?? ""));
    assert.deepEqual(closes, ["400.00", "300.00", "99.00"]);
  });

  it("has the focus on the chart as soon as there are candles, so that its keys work", async () => {
    await chart.show(marketOf(), candlesOf(flat(99, 100, 101)));
    await chart.page.keyboard.press("ArrowLeft");
    assert.match(await chart.text("spoken"), /open 100\.00/);
  });

  it("lists its keys over the plot on request, until Escape", async () => {
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    const help = chart.get("help");
    assert.equal(await help.isVisible(), false);
    await chart.page.keyboard.press("?");
    assert.ok(await help.isVisible());
    assert.equal(await chart.get("ask-key").isVisible(), false, "the exchange offers no asks");
    await chart.page.keyboard.press("Escape");
    assert.equal(await help.isVisible(), false);
    await chart.choose("keys-toggle");
    assert.ok(await help.isVisible());
    assert.equal(await chart.get("keys-toggle").getAttribute("aria-checked"), "true");
    await chart.page.keyboard.press("Escape");
    assert.equal(await help.isVisible(), false, "the chart has the focus");
  });

  it("offers a helpful action beside a note, and another try only after a failure", async () => {
    await chart.show(
      marketOf(),
      candlesOf(flat(100), { note: "No price history yet.", action: "Set History Path" }),
    );
    assert.ok(await chart.get("action").isVisible());
    assert.equal(await chart.get("retry").isVisible(), false);
    await chart.show(candlesOf(flat(100)));
    assert.equal(await chart.get("action").isVisible(), false);
    await chart.show({ type: "failed", text: "It cannot be shown.", action: "Show Log" });
    assert.ok((await chart.get("retry").isVisible()) && (await chart.get("action").isVisible()));
  });

  it("says that it is reading, and still shows the earlier candles", async () => {
    await chart.show(marketOf(), candlesOf(flat(100, 101)), { type: "loading", isOtherVenue: false });
    assert.equal(await chart.get("note").innerText(), "Loading the price history…");
    assert.ok(await chart.get("chart").isVisible());
    await chart.show(candlesOf(flat(100, 101), { interval: "1d" }));
    assert.equal(await chart.get("note").innerText(), "");
  });

  it("drops the candles of another venue at once", async () => {
    await chart.choose("table-toggle");
    await chart.show(marketOf(), candlesOf(flat(100, 101)));
    assert.equal(await chart.get("rows").locator("tr").count(), 2);
    await chart.show({ type: "loading", isOtherVenue: true });
    assert.equal(await chart.get("note").innerText(), "Loading the price history…");
    assert.equal(await chart.get("chart").isVisible(), false);
    assert.equal(await chart.get("rows").locator("tr").count(), 0);
    assert.equal(await chart.text("legend-close"), "–");
  });

  /** Puts the crosshair on the candle at noon, two steps below the last price of 100. */
  async function pointByKeys(): Promise<void> {
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    await chart.get("chart").focus();
    for (const key of ["End", "ArrowDown", "ArrowDown"]) await chart.page.keyboard.press(key);
    assert.match(await chart.text("legend-time"), /12:00|00:00/);
  }
  const bidName = async (): Promise<string | null> => await chart.get("pick-bid").getAttribute("aria-label");

  it("keeps the crosshair that keys put on a candle and a rate while prices and candles come in", async () => {
    await pointByKeys();
    const time = await chart.text("legend-time");
    for (const messages of [
      [{ type: "candle", candle: { ...newest(100), high: 180, close: 170 } }],
      [{ type: "candle", candle: { ...newest(170), time: NOON + intervals["1m"].ms } }],
      [candlesOf([...flat(98, 99, 100), { ...newest(160), time: NOON + intervals["1m"].ms }])],
    ] as const) {
      await chart.show(...messages);
      assert.equal(await chart.text("legend-time"), time);
      assert.equal(await bidName(), "Buy at 99.81");
      assert.ok(await chart.get("pick").isVisible());
    }
    await chart.page.keyboard.press("Enter");
    assert.deepEqual((await chart.sent()).at(-1), { type: "placeBid", rate: "99.81" });
  });

  it("shows the time of a single candle in full, also in a narrow editor", async () => {
    await chart.page.setViewportSize({ width: 360, height: 700 });
    await chart.show(marketOf(), candlesOf(flat(100)));
    await waitFor("the first candles to be painted", () =>
      chart.page.evaluate<boolean>('performance.getEntriesByName("bidside-first-candles").length > 0'),
    );
    const scale = chart.get("chart").locator("tr:last-child td:nth-child(2) canvas").first();
    const [painted, needed] = await scale.evaluate((canvas) => {
      const { width, height } = canvas;
      const paint = canvas.getContext("2d");
      const { data } = paint.getImageData(0, 0, width, height);
      const colourAt = (x: number, y: number): string =>
        data.slice(4 * (y * width + x), 4 * (y * width + x + 1)).join();
      const columns: number[] = [];
      // The line along the top is no text.
      for (let x = 0; x < width; x += 1)
        for (let y = 4; y < height; y += 1) if (colourAt(x, y) !== colourAt(0, 4)) columns.push(x);
      return [
        (columns.at(-1) ?? 0) - (columns[0] ?? 0),
        paint.measureText("12:00 PM").width as number,
      ] as const;
    });
    assert.ok(painted > needed - 5, `${painted} of ${needed} px`);
  });

  it("removes the crosshair with its candle, and when another interval is chosen", async () => {
    await pointByKeys();
    await chart.show(candlesOf([{ ...newest(160), time: NOON + 5 * intervals["1m"].ms }]));
    assert.equal(await chart.get("pick").isVisible(), false);
    await pointByKeys();
    await chart.page.getByRole("radio", { name: "1 hour" }).check();
    await chart.show(candlesOf(flat(99, 100), { interval: "1h" }));
    assert.equal(await chart.get("pick").isVisible(), false);
  });

  it("keeps the crosshair under a pointer at rest while other candles come in", async () => {
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    const { x, y, width } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
    await chart.page.mouse.move(x + width / 2, y + 40, { steps: 3 });
    assert.ok(await chart.get("pick").isVisible());
    await chart.show(candlesOf(flat(197, 198, 199, 200), { interval: "5m" }));
    assert.ok(await chart.get("pick").isVisible());
    const [, rate = ""] = /at ([\d.]+)$/.exec((await bidName()) ?? "") ?? [];
    assert.ok(Number(rate) > 150, `${rate} is the rate under the pointer now`);
  });

  it("keeps its scale when a pointer rests on it and the oldest candle makes room for the next", async () => {
    const errors: Error[] = [];
    chart.page.on("pageerror", (error) => errors.push(error));
    const prices = Array.from({ length: 200 }, (_, index) => 100 + Math.sin(index));
    const candles = flat(...prices);
    await chart.show(marketOf(), candlesOf(candles), studiesOf({}, ["bollinger", "volume", "rsi"]));
    const { x, y, width, height } = (await chart.get("chart").boundingBox()) ?? assert.fail();
    await chart.page.mouse.move(x + width * 0.4, y + height * 0.3, { steps: 3 });
    const pointed = (): Promise<string | null> => chart.get("pick-bid").getAttribute("aria-label");
    const before = await pointed();
    const next = { ...newest(100), time: NOON + intervals["1m"].ms };
    await chart.show(candlesOf([...candles.slice(1), next]));
    await chart.page.mouse.move(x + width * 0.4 + 1, y + height * 0.3);
    assert.equal(await pointed(), before);
    assert.equal(await chart.get("to-newest").isVisible(), false);
    assert.deepEqual(errors, []);
  });

  it("lets keys move the crosshair while the pointer rests", async () => {
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    const { x, y, width, height } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
    // The pointer is on the buttons, and keys then move the buttons away.
    await chart.page.mouse.move(x + width / 2, y + height / 4, { steps: 3 });
    const button = (await chart.get("pick-bid").boundingBox()) ?? assert.fail("no button");
    await chart.page.mouse.move(button.x + 5, button.y + 5, { steps: 5 });
    await chart.get("chart").focus();
    await chart.page.keyboard.press("End");
    for (let step = 0; step < 3; step += 1) await chart.page.keyboard.press("ArrowDown");
    const name = await bidName();
    await chart.page.mouse.move(button.x + 5, button.y + 5);
    await chart.show({ type: "candle", candle: newest(100) });
    assert.equal(await bidName(), name);
    assert.ok(await chart.get("pick").isVisible());
  });

  it("asks for an alert by the key A, in lower case or in upper case", async () => {
    await pointByKeys();
    for (const key of ["a", "A"]) await chart.page.keyboard.press(key);
    const alert = { type: "addAlert", price: "99.81" };
    assert.deepEqual((await chart.sent()).slice(-2), [alert, alert]);
  });

  it("fills in an ask by the button and by the key S where the exchange offers asks, and nowhere else", async () => {
    await pointByKeys();
    assert.equal(await chart.get("pick-ask").isVisible(), false);
    await chart.page.keyboard.press("s");
    assert.equal((await chart.sent()).filter(({ type }) => type === "placeAsk").length, 0);
    await chart.show(marketOf({ canAsk: true }));
    await chart.page.keyboard.press("ArrowLeft");
    assert.equal(await chart.get("pick-ask").getAttribute("aria-label"), "Sell at 99.81 (S)");
    for (const key of ["s", "S"]) await chart.page.keyboard.press(key);
    await chart.get("pick-ask").click();
    const ask = { type: "placeAsk", rate: "99.81" };
    assert.deepEqual((await chart.sent()).slice(-3), [ask, ask, ask]);
  });

  it("moves by the exchange's own step of rates, by keys and under the pointer", async () => {
    await chart.show(marketOf({ last: "100", rateStep: "0.25" }), candlesOf(flat(99, 100, 101)));
    await chart.page.keyboard.press("ArrowUp");
    assert.equal(await bidName(), "Buy at 100.25");
    const { x, y, width, height } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
    for (const share of [0.2, 0.23, 0.31]) {
      await chart.page.mouse.move(x + width / 2, y + height * share, { steps: 3 });
      assert.match((await bidName()) ?? "", /^Buy at \d+\.(00|25|50|75)$/);
    }
  });

  it("hides and shows each kind of own marks in its menu", async () => {
    const shownMarks = { orders: true, fills: true, averageCost: false };
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    await chart.get("menu-button").click();
    const group = chart.page.getByRole("group", { name: "Shown in the chart" });
    assert.equal(await group.isVisible(), false, "an exchange that does not report orders");
    await chart.show(marketOf({ shownMarks }));
    const boxes = group.getByRole("menuitemcheckbox");
    const checked = (): Promise<(string | null)[]> =>
      boxes.evaluateAll((all) => all.map((box) => box.getAttribute("aria-checked")));
    assert.deepEqual(await boxes.allInnerTexts(), ["Orders", "Fills", "Average cost"]);
    assert.deepEqual(await checked(), ["true", "true", "false"]);
    await boxes.nth(2).click();
    await chart.get("menu-button").click();
    await boxes.nth(0).click();
    await chart.get("menu-button").click();
    assert.deepEqual(await checked(), ["false", "true", "true"]);
    assert.deepEqual(
      (await chart.sent()).filter(({ type }) => type === "showMark"),
      [
        { type: "showMark", mark: "averageCost", shown: true },
        { type: "showMark", mark: "orders", shown: false },
      ],
    );
  });

  it("follows the pointer again after keys were used", async () => {
    await pointByKeys();
    const { x, y, width } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
    await chart.page.mouse.move(x + width / 2, y + 40, { steps: 3 });
    assert.notEqual(await bidName(), "Buy at 99.81");
    await chart.page.mouse.move(1, 1);
    assert.equal(await chart.get("pick").isVisible(), false);
  });

  it("offers another try and a helpful action without a chart, and shows one problem once", async () => {
    const text = "The history cannot be shown. Example cannot be reached.";
    const note = "Example cannot be reached.";
    await chart.show(marketOf({ note }), { type: "failed", text, action: "Edit Account…" });
    assert.equal(await chart.get("note").innerText(), text);
    await chart.get("retry").click();
    await chart.page.getByRole("button", { name: "Edit Account…" }).click();
    assert.deepEqual((await chart.sent()).slice(-2), [{ type: "retry" }, { type: "action" }]);
    await chart.show(candlesOf(flat(100)));
    assert.equal(await chart.get("note").innerText(), note);
    assert.equal(await chart.get("action").isVisible(), false);
  });

  it("names pair and interval in its title and for screen readers, with intervals in words", async () => {
    const { page } = chart;
    assert.equal(await page.title(), "Candles of THB_PEPE, 1 minute");
    await chart.show(marketOf({ pair: { quote: "THB", base: "PEPE" } }));
    assert.equal(await page.title(), "Candles of PEPE/THB, 1 minute");
    assert.equal(await page.getByRole("heading").innerText(), "PEPE/THB");
    await page.getByRole("radio", { name: "15 minutes", exact: true }).press("ArrowRight");
    assert.deepEqual((await chart.sent()).at(-1), { type: "interval", interval: "1h" });
    assert.ok(await page.getByRole("radio", { name: "1 hour", exact: true }).isChecked());
    await chart.show({ type: "loading", isOtherVenue: false });
    assert.equal(await page.title(), "Candles of PEPE/THB, 1 minute", "until other candles arrive");
    await chart.show(candlesOf(flat(100), { interval: "1h" }));
    assert.equal(await page.title(), "Candles of PEPE/THB, 1 hour");
    assert.equal(await chart.text("caption"), "Candles of PEPE/THB, 1 hour");
    for (const name of ["1 minute", "1 day"]) {
      assert.equal(await page.getByRole("radio", { name, exact: true }).count(), 1);
    }
  });

  it("says a candle's volume to screen readers too", async () => {
    await chart.show(marketOf(), candlesOf(flat(99, 100)));
    await chart.get("chart").focus();
    await chart.page.keyboard.press("ArrowLeft");
    assert.match(await chart.text("spoken"), /close 99\.00, volume 1$/);
  });

  it("ignores a candle older than the newest, for example after the clock was set back", async () => {
    const errors: string[] = [];
    chart.page.on("pageerror", ({ message }) => errors.push(message));
    const late = { ...newest(50), time: NOON - intervals["1m"].ms };
    await chart.choose("table-toggle");
    await chart.show(marketOf(), candlesOf(flat(99, 100)), { type: "candle", candle: late });
    assert.deepEqual(errors, []);
    assert.equal(await chart.text("legend-close"), "100.00");
    assert.equal(await chart.get("rows").locator("tr").count(), 2);
  });

  it("draws own orders, alerts and fills, lists them for a screen reader, and announces the fills of the candle that keys select", async () => {
    await chart.show(marketOf({ last: "100" }), candlesOf(flat(99, 100, 101)));
    const items = chart.get("marks").locator("li");
    const picture = async (): Promise<Uint8Array> => {
      // A key shows the focus, in all pictures alike; labels move the candles to the left, and End moves them back.
      for (const key of ["End", "Escape"]) await chart.page.keyboard.press(key);
      return await sharp(await chart.get("chart").screenshot())
        .raw()
        .toBuffer();
    };
    /** Whether somebody would see a difference. A dashed line that is drawn again differs a little. */
    const isLike = (one: Uint8Array, other: Uint8Array): boolean =>
      one.length === other.length && one.every((value, at) => Math.abs(value - (other[at] ?? 0)) < 16);
    const plain = await picture();
    const marks = [
      lineMark("averageCost", "100.25", "Average cost", "Average cost 100.25"),
      lineMark("order", "99.5", "Buy 2", "Open order: Buy 2 at 99.50"),
      lineMark("alert", "101.5", "Alert ↑", "Alert: rises to 101.50"),
      fillMark("up", NOON - intervals["1m"].ms + 5, "Bought 1 at 100.00, 11:59:00 AM"),
      fillMark("down", NOON + 5, "Sold 1 at 101.00, 12:00:00 PM"),
    ];
    await chart.show({ type: "marks", marks });
    assert.deepEqual(await items.allTextContents(), [
      "Average cost 100.25",
      "Open order: Buy 2 at 99.50",
      "Alert: rises to 101.50",
      "Sold 1 at 101.00, 12:00:00 PM",
      "Bought 1 at 100.00, 11:59:00 AM",
    ]);
    assert.ok(!isLike(await picture(), plain));
    await chart.page.keyboard.press("ArrowLeft");
    assert.match(await chart.text("spoken"), /volume 1\. Bought 1 at 100\.00, 11:59:00 AM$/);
    await chart.page.keyboard.press("End");
    assert.match(await chart.text("spoken"), /volume 1\. Sold 1 at 101\.00/);
    await chart.page.keyboard.press("Home");
    assert.match(await chart.text("spoken"), /volume 1$/);
    await chart.page.keyboard.press("Escape");
    await chart.show({ type: "marks", marks: [] });
    assert.deepEqual(await items.allTextContents(), ["No open orders, alerts, lines or fills."]);
    assert.ok(isLike(await picture(), plain));
  });

  it("draws the line of a selected row at least twice as thick", async () => {
    const order = lineMark("order", "99.5", "Buy 2", "Open order: Buy 2 at 99.50");
    const pixels = async (marks: readonly ChartMark[]): Promise<Uint8Array> => {
      await chart.show({ type: "marks", marks });
      const { x, y, height } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
      // Left of the candles, the legend is above the line.
      const clip = { x: x + 10, y: y + height / 3, width: 300, height: height / 3 };
      return await sharp(await chart.page.screenshot({ clip }))
        .greyscale()
        .raw()
        .toBuffer();
    };
    await chart.show(marketOf({ last: "100" }), candlesOf(flat(99, 100, 99)));
    const plain = await pixels([]);
    const drawn = async (mark: ChartMark): Promise<number> =>
      (await pixels([mark])).filter((value, at) => Math.abs(value - (plain[at] ?? 0)) > 16).length;
    const [usual, selected] = [await drawn(order), await drawn(selectedLine(order))];
    assert.ok(usual > 50 && selected >= 2 * usual, `${usual} and ${selected} pixels`);
  });

  it("names the selected order first at the edge of the scale", async () => {
    const orders = Array.from({ length: 20 }, (_, at) =>
      lineMark("order", `${200 + at}`, "Buy 2", `Order ${at}`),
    );
    const marks = [...orders, selectedLine(lineMark("order", "300", "Buy 2", "Order 20 (selected)"))];
    await chart.show(marketOf({ last: "100" }), candlesOf(flat(99, 100)), { type: "marks", marks });
    assert.match(await chart.text("marks-above"), /^↑ Order 20 \(selected\) · Order 0/);
  });
});
