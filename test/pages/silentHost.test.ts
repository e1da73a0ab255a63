import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { Beat } from "../../src/protocol/echo.ts";
import type { ToChart } from "../../src/protocol/chart.ts";
import type { ToTicket } from "../../src/protocol/ticket.ts";
import { candlesOf, ChartPage, marketOf as chartMarketOf } from "../support/pages/chart.ts";
import { marketOf, outcomeOf, quoteOf, TicketPage } from "../support/pages/ticket.ts";

const beat: Beat = { type: "beat" };
const NINE_SECONDS = 9000;
const FOUR_SECONDS = 4000;

describe("a page whose extension host stopped", () => {
  let page: TicketPage | ChartPage;
  afterEach(() => page.close());

  async function assertSilent(isSilent: boolean, button: Locator): Promise<void> {
    assert.equal(await page.get("silent").isVisible(), isSilent);
    assert.equal(await button.isDisabled(), isSilent);
  }

  it("says so in the ticket after 10 s, submits nothing, and recovers with the next message", async () => {
    const ticket = (page = await TicketPage.open(undefined, true));
    await ticket.show(marketOf(["THB_BTC"]));
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC"));
    await ticket.get("amount").fill("100");
    const submit = ticket.get("submit");
    await ticket.page.clock.runFor(NINE_SECONDS);
    await assertSilent(false, submit);
    await ticket.show(beat as unknown as ToTicket);
    await ticket.page.clock.runFor(NINE_SECONDS);
    await assertSilent(false, submit);
    await ticket.page.clock.runFor(FOUR_SECONDS);
    await assertSilent(true, submit);
    const reload = ticket.get("silent").getByText("Reload Window");
    assert.equal(await reload.getAttribute("href"), "command:workbench.action.reloadWindow");
    await ticket.get("amount").press("Enter");
    assert.equal(await ticket.last("submit"), undefined);
    await ticket.show(beat as unknown as ToTicket);
    await assertSilent(false, submit);
  });

  it("asks for the outcome of its order when it is loaded again, and only until it has one", async () => {
    const before = (page = await TicketPage.open());
    await before.show(marketOf(["THB_BTC"]));
    await before.choose("btc");
    await before.show(quoteOf("THB_BTC"));
    await before.get("amount").fill("100");
    await before.get("submit").click();
    const submitted = (await before.last("submit"))?.draft;
    assert.ok(submitted);
    const state = await before.state();
    await before.close();
    const restored = (page = await TicketPage.open(state));
    assert.deepEqual((await restored.last("awaits"))?.draft, submitted);
    const notice = { tone: "good", text: "Your order was placed." } as const;
    await restored.show(outcomeOf({ notice, done: true, ended: submitted.id }));
    const settled = await restored.state();
    await restored.close();
    const last = (page = await TicketPage.open(settled));
    assert.equal(await last.last("awaits"), undefined);
  });

  it("says so in the chart, whose buttons then open no ticket", async () => {
    const chart = (page = await ChartPage.open("THB_BTC", true));
    const candles = [1, 2].map((index) => ({
      time: index * 60_000,
      open: 100,
      high: 101,
      low: 99,
      close: 100,
      volume: 1,
    }));
    await chart.show(chartMarketOf(), candlesOf(candles));
    await chart.page.clock.runFor(NINE_SECONDS + FOUR_SECONDS);
    await chart.get("chart").focus();
    await chart.page.keyboard.press("ArrowUp");
    await chart.page.keyboard.press("Enter");
    await assertSilent(true, chart.get("pick-bid"));
    assert.ok((await chart.sent()).every(({ type }) => type !== "placeBid"));
    await chart.show(beat as unknown as ToChart);
    assert.equal(await chart.get("silent").isVisible(), false);
  });
});
