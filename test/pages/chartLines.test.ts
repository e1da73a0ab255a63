import assert from "node:assert/strict";
import type { Candle } from "../../src/market/candle.ts";
import { type LineShape, MAX_LINE_NAME } from "../../src/market/drawnLine.ts";
import { intervals } from "../../src/market/intervals.ts";
import { type FromChart, readFromChart } from "../../src/protocol/chart.ts";
import type { ChartMark } from "../../src/protocol/chartMarks.ts";
import { alertMark, candlesOf, ChartPage, drawnMark, marketOf, trendMark } from "../support/pages/chart.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = intervals["1m"].ms;
const [ALERT, LEVEL, TREND] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

/** Two hours of candles between 90 and 110, each from low to high. */
const CANDLES: readonly Candle[] = Array.from({ length: 120 }, (_, index) => ({
  time: NOON + (index - 119) * MINUTE,
  open: 100,
  high: 110,
  low: 90,
  close: 100,
  volume: 1,
}));

describe("the lines in a chart's page", () => {
  let chart: ChartPage;
  beforeEach(async () => {
    chart = await ChartPage.open("THB_BTC");
    await chart.show(marketOf(), candlesOf(CANDLES));
    await chart.get("chart").focus();
  });
  afterEach(() => chart.close());

  const show = (...marks: readonly ChartMark[]): Promise<void> => chart.show({ type: "marks", marks });

  /** Messages about lines, each of which the host accepts. */
  async function changes(): Promise<FromChart[]> {
    const sent = (await chart.sent()).filter(({ type }) => /Line$|^place|^addAlert/.test(type));
    for (const message of sent) assert.deepEqual(readFromChart(message), message);
    return sent;
  }

  /** The place of a price on the page, and of a candle so many minutes before noon. */
  async function placeOf(
    price: number,
    minutesAgo = 30,
  ): Promise<{ readonly x: number; readonly y: number }> {
    const { x, y, width, height } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
    const at = async (across: number, down: number) => {
      await chart.page.mouse.move(x + width * across, y + height * down);
      await chart.show();
      const [pick, name, time] = await Promise.all([
        chart.get("pick").boundingBox(),
        chart.get("pick-bid").getAttribute("aria-label"),
        chart.text("legend-time"),
      ]);
      assert.ok(pick);
      const [hour = 0, minute = 0] = (/(\d+):(\d+)/.exec(time) ?? []).slice(1).map(Number);
      return {
        x: x + width * across,
        y: y + height * down,
        price: Number(/[\d.]+/.exec(name ?? "")?.[0]),
        minutes: 60 * hour + minute,
      };
    };
    const [one, other] = [await at(0.3, 0.2), await at(0.5, 0.4)];
    const perPrice = (other.y - one.y) / (other.price - one.price);
    const perMinute = (other.x - one.x) / ((other.minutes - one.minutes + 720) % 720 || 1);
    const noon = new Date(NOON);
    const wanted = (noon.getHours() % 12) * 60 + noon.getMinutes() - minutesAgo;
    return {
      x: one.x + perMinute * (((wanted - one.minutes + 1080) % 720) - 360),
      y: one.y + perPrice * (price - one.price),
    };
  }

  const priceOf = (shape: LineShape): number =>
    Number(shape.kind === "level" ? shape.price : shape.from.price);
  const isNear = (one: number, other: number, by = 0.2): void =>
    assert.ok(Math.abs(one - other) < by, `${one} is not ${other}`);

  /** Presses at one place, moves to another and releases. */
  async function drag(
    from: { readonly x: number; readonly y: number },
    to: { readonly x: number; readonly y: number },
  ): Promise<void> {
    const { mouse } = chart.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(to.x, to.y, { steps: 4 });
    await mouse.up();
  }

  it("are drawn at a price by a choice in the menu and a click, which the hint explains", async () => {
    const { x, y } = await placeOf(104);
    await chart.choose("draw-level");
    assert.match(await chart.text("line-hint"), /^Click at the price/);
    await chart.page.mouse.move(x, y);
    assert.equal(await chart.get("pick").isVisible(), false, "its buttons are in the way");
    await chart.page.mouse.click(x, y);
    const [drawn, ...others] = await changes();
    assert.ok(drawn?.type === "drawLine" && drawn.shape.kind === "level" && others.length === 0);
    isNear(priceOf(drawn.shape), 104);
    assert.equal(await chart.text("line-hint"), "");
    await chart.page.mouse.click(x, y - 40);
    assert.equal((await changes()).length, 1, "only one line");
  });

  it("shorten a long name where it would take the candles' place", async () => {
    /** Space for labels, and width of the plot with them, px. */
    const spaces = async (width: number): Promise<number[]> => {
      await chart.resize({ width, height: 640 });
      const style = (await chart.get("frame").getAttribute("style")) ?? "";
      const plot = await chart.get("chart").locator("td:nth-child(2) canvas").first().boundingBox();
      return [Number(/--labels: ([\d.]+)px/.exec(style)?.[1]), plot?.width ?? Number.NaN];
    };
    await show(drawnMark(LEVEL, "104", "W".repeat(MAX_LINE_NAME)));
    const [whole = Number.NaN] = await spaces(900);
    const [shortened = Number.NaN, plot = Number.NaN] = await spaces(360);
    assert.ok(shortened < plot / 2, `${shortened} of ${plot} px`);
    assert.ok(whole > 1.5 * shortened, `${whole} px`);
  });

  it("are drawn between two clicks as a trend, and not at all after Escape", async () => {
    const [from, to] = [await placeOf(95, 80), await placeOf(105, 20)];
    await chart.choose("draw-trend");
    await chart.page.mouse.click(from.x, from.y);
    assert.match(await chart.text("line-hint"), /^Click where the line ends/);
    await chart.page.keyboard.press("Escape");
    await chart.page.mouse.click(to.x, to.y);
    assert.deepEqual(await changes(), []);
    await chart.choose("draw-trend");
    await chart.page.mouse.click(from.x, from.y);
    await chart.page.mouse.click(to.x, to.y);
    const [drawn] = await changes();
    assert.ok(drawn?.type === "drawLine" && drawn.shape.kind === "trend");
    const { shape } = drawn;
    isNear(Number(shape.from.price), 95);
    isNear(Number(shape.to.price), 105);
    assert.deepEqual([NOON - shape.from.at, NOON - shape.to.at], [80 * MINUTE, 20 * MINUTE]);
  });

  it("are drawn by keys: a level at the crosshair at once, a trend from it to where Enter is pressed", async () => {
    for (const key of ["ArrowLeft", "ArrowUp", "h"]) await chart.page.keyboard.press(key);
    assert.deepEqual(await changes(), [{ type: "drawLine", shape: { kind: "level", price: "100.1" } }]);
    for (const key of ["t", "ArrowLeft", "ArrowLeft", "ArrowDown", "Enter"])
      await chart.page.keyboard.press(key);
    const [, trend] = await changes();
    const shape = {
      kind: "trend",
      from: { at: NOON - MINUTE, price: "100.1" },
      to: { at: NOON - 3 * MINUTE, price: "100" },
    };
    assert.deepEqual(trend, { type: "drawLine", shape });
  });

  it("move with the pointer that drags them, while the chart stays where it is", async () => {
    await show(alertMark(ALERT, "104"), drawnMark(LEVEL, "97", "Support"));
    const time = async (): Promise<string> => {
      const { x, y } = await placeOf(108);
      await chart.page.mouse.move(x, y);
      return await chart.text("legend-time");
    };
    const before = await time();
    await drag(await placeOf(104), await placeOf(106, 60));
    const [moved] = await changes();
    assert.ok(moved?.type === "moveLine");
    assert.deepEqual(moved.ref, { kind: "alert", id: ALERT, edge: "price" });
    isNear(priceOf(moved.shape), 106);
    await show(alertMark(ALERT, String(priceOf(moved.shape))), drawnMark(LEVEL, "97", "Support"));
    await chart.page.keyboard.press("Escape");
    assert.equal(await time(), before);
    await drag(await placeOf(97), await placeOf(93));
    const [, other] = await changes();
    assert.ok(other?.type === "moveLine" && other.ref.id === LEVEL);
    isNear(priceOf(other.shape), 93);
    assert.equal((await changes()).length, 2);
  });

  it("move as a whole or by one end if they are trends", async () => {
    const ends = [
      { at: NOON - 80 * MINUTE, price: "95" },
      { at: NOON - 20 * MINUTE, price: "105" },
    ] as const;
    await show(trendMark(TREND, ...ends, "Trend"));
    await drag(await placeOf(105, 20), await placeOf(102, 10));
    await chart.page.keyboard.press("Escape");
    await drag(await placeOf(100, 50), await placeOf(103, 55));
    const [byEnd, whole] = await changes();
    assert.ok(byEnd?.type === "moveLine" && byEnd.shape.kind === "trend");
    assert.deepEqual(byEnd.shape.from, ends[0]);
    assert.equal(byEnd.shape.to.at, NOON - 10 * MINUTE);
    isNear(Number(byEnd.shape.to.price), 102);
    assert.ok(whole?.type === "moveLine" && whole.shape.kind === "trend");
    const { from, to } = whole.shape;
    assert.deepEqual([from.at, to.at], [NOON - 85 * MINUTE, NOON - 25 * MINUTE]);
    isNear(Number(from.price), 98);
    isNear(Number(to.price), 108);
  });

  it("are selected by N and moved by arrows; only Enter moves them, and it fills in no order", async () => {
    await show(
      alertMark(ALERT, "104"),
      trendMark(TREND, { at: NOON - 9 * MINUTE, price: "95" }, { at: NOON, price: "105" }, "Trend"),
    );
    const { keyboard } = chart.page;
    await keyboard.press("n");
    assert.equal(await chart.text("spoken"), "Alert: rises to 104");
    for (const key of ["ArrowUp", "ArrowUp", "Shift+ArrowUp"]) await keyboard.press(key);
    assert.equal(await chart.text("spoken"), "105.20");
    assert.deepEqual(await changes(), []);
    await keyboard.press("Enter");
    const shape = { kind: "level", price: "105.2" } as const;
    const ref = { kind: "alert", id: ALERT, edge: "price" } as const;
    assert.deepEqual(await changes(), [{ type: "moveLine", ref, shape }]);
    await keyboard.press("Enter");
    for (const spoken of ["Trend", "Trend: start", "Trend: end", "Alert: rises to 104"]) {
      await keyboard.press("n");
      assert.equal(await chart.text("spoken"), spoken);
    }
    await keyboard.press("Shift+n");
    for (const key of ["ArrowLeft", "ArrowDown", "Enter"]) await keyboard.press(key);
    const [, ended] = await changes();
    assert.deepEqual(ended, {
      type: "moveLine",
      ref: { kind: "drawn", id: TREND },
      shape: {
        kind: "trend",
        from: { at: NOON - 9 * MINUTE, price: "95" },
        to: { at: NOON - MINUTE, price: "104.9" },
      },
    });
  });

  it("return to their place on Escape, and when the host shows them there", async () => {
    await show(drawnMark(LEVEL, "104", "Support"));
    const tools = chart.get("line-tools");
    const top = async (): Promise<number> => (await tools.boundingBox())?.y ?? Number.NaN;
    await chart.page.keyboard.press("n");
    const before = await top();
    await chart.page.keyboard.press("Shift+ArrowDown");
    assert.ok((await top()) > before + 3);
    await chart.page.keyboard.press("Enter");
    await show(drawnMark(LEVEL, "104", "Support"));
    isNear(await top(), before, 1);
    await chart.page.keyboard.press("Shift+ArrowDown");
    await chart.page.keyboard.press("Escape");
    assert.equal(await tools.isVisible(), false);
    await chart.page.keyboard.press("n");
    isNear(await top(), before, 1);
    await show();
    assert.equal(await tools.isVisible(), false, "the line was removed");
  });

  it("are renamed or edited, and removed, by buttons beside the selected line and by keys", async () => {
    await show(drawnMark(LEVEL, "104", "Support"), alertMark(ALERT, "96"));
    const { x, y } = await placeOf(104);
    await chart.page.mouse.click(x, y);
    assert.deepEqual(await chart.get("line-tools").locator("button").allInnerTexts(), ["Rename…", "Remove"]);
    await chart.get("line-edit").click();
    await chart.page.mouse.click(x, y);
    await chart.get("line-remove").click();
    const line = { kind: "drawn", id: LEVEL } as const;
    assert.deepEqual(await changes(), [
      { type: "editLine", ref: line },
      { type: "removeLine", ref: line },
    ]);
    await chart.page.keyboard.press("Shift+n");
    assert.equal(await chart.get("line-edit").innerText(), "Edit…");
    await chart.page.keyboard.press("F2");
    await chart.page.keyboard.press("Shift+n");
    await chart.page.keyboard.press("Delete");
    const alert = { kind: "alert", id: ALERT, edge: "price" } as const;
    assert.deepEqual((await changes()).slice(2), [
      { type: "editLine", ref: alert },
      { type: "removeLine", ref: alert },
    ]);
  });

  it("are in the list for screen readers, and drawn ones are not named at the edge of the scale", async () => {
    await show(
      drawnMark(LEVEL, "500", "Far"),
      trendMark(TREND, { at: 0, price: "1" }, { at: 1, price: "2" }, "T"),
    );
    assert.deepEqual(await chart.get("marks").locator("li").allTextContents(), ["Far at 500", "T"]);
    assert.equal(await chart.text("marks-above"), "");
    await show();
    await chart.page.keyboard.press("n");
    assert.equal(await chart.text("spoken"), "No lines or alerts in this chart.");
  });
});
