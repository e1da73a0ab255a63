import assert from "node:assert/strict";
import { readPortfolioChoices } from "../../src/protocol/portfolioPage.ts";
import type { Locator } from "playwright-core";
import { LONG, PortfolioPage, portfolioContentOf } from "../support/pages/portfolio.ts";
import { waitFor } from "../support/waitFor.ts";

/** Whether an element is completely inside another one on screen. */
async function isWithin(shown: Locator, around: Locator): Promise<boolean> {
  const [inner, outer] = await Promise.all([shown.boundingBox(), around.boundingBox()]);
  return (
    inner !== null &&
    outer !== null &&
    inner.y >= outer.y - 1 &&
    inner.y + inner.height <= outer.y + outer.height + 1
  );
}

describe("the Portfolio page", () => {
  let page: PortfolioPage;
  afterEach(() => page.close());

  const cellsOf = async (id: string): Promise<string[][]> => {
    const rows = await page.get(id).locator("tr").all();
    return await Promise.all(rows.map((row) => row.locator("th, td").allInnerTexts()));
  };

  it("has the values of the line as a table, with deposits apart from results", async () => {
    page = await PortfolioPage.open(await portfolioContentOf());
    const [headings, ...days] = await cellsOf("days");
    assert.deepEqual(headings, ["Day", "Value", "Result", "Deposits and withdrawals"]);
    assert.deepEqual(
      days.flatMap(([, , , transfer]) => (transfer === "" ? [] : [transfer])),
      ["+150,000.00"],
    );
    assert.match((await page.get("plot").locator("svg").getAttribute("aria-label")) ?? "", /^Value from /);
  });

  it("breaks the line where nothing was recorded", async () => {
    const content = await portfolioContentOf();
    assert.equal(content.line.length, 2);
    page = await PortfolioPage.open(content);
    const path = (await page.get("plot").locator("path").getAttribute("d")) ?? "";
    assert.equal(path.split("M").length - 1, 2);
  });

  it("folds small balances into one row, and names the place of what is elsewhere", async () => {
    page = await PortfolioPage.open(await portfolioContentOf());
    const names = (await cellsOf("assets")).slice(1).map(([name]) => name?.split("\n")[0]);
    assert.deepEqual(names, [
      "BTC",
      "BTC · cold wallet",
      "THB",
      "ETH",
      "ETH · Ledger in the safe at my parents' house",
      "KUB",
      "AIR",
      "2 small balances",
    ]);
  });

  it("names the way of what is valued through other pairs, in the allocation and for an account", async () => {
    page = await PortfolioPage.open(await portfolioContentOf());
    const pathOf = (id: string, name: string): Promise<string[]> =>
      page.get(id).getByRole("row", { name }).locator(".path").allTextContents();
    assert.deepEqual(await pathOf("assets", "KUB"), ["KUB → USDT → THB"]);
    assert.deepEqual(await pathOf("assets", "AIR"), []);
    assert.deepEqual(await pathOf("accounts", "Dollars"), ["USDT → THB"]);
  });

  it("says how many results it leaves out, and where all are", async () => {
    page = await PortfolioPage.open(await portfolioContentOf({ days: LONG }));
    assert.equal(await page.get("results").locator("tbody tr").count(), 400);
    assert.equal(
      await page.text("omittedResults"),
      "The newest 400 of 420 rows. Export Fills and Results… writes all of them.",
    );
  });

  it("scrolls a long table by keyboard, with its headings in view", async () => {
    page = await PortfolioPage.open(await portfolioContentOf({ days: LONG }));
    const days = page.get("days");
    await days.focus();
    await page.page.keyboard.press("End");
    const oldest = days.locator("tbody tr").last();
    await waitFor("the oldest day in view", async () => await isWithin(oldest, days));
    assert.ok(await isWithin(days.locator("thead"), days));
  });

  it("offers ranges and periods by keyboard, of which one is pressed", async () => {
    page = await PortfolioPage.open(await portfolioContentOf());
    const week = page.get("ranges").getByRole("button", { name: "7 days" });
    await week.focus();
    await page.page.keyboard.press("Enter");
    const day = page.get("periods").getByRole("button", { name: "Day" });
    await day.focus();
    await page.page.keyboard.press("Space");
    assert.deepEqual((await page.sent()).slice(1), [
      { type: "range", range: "week" },
      { type: "period", period: "day" },
    ]);
    assert.equal(await page.get("ranges").locator("[aria-pressed=true]").textContent(), "30 days");
  });

  it("names the values that have no price in the shown asset", async () => {
    page = await PortfolioPage.open(await portfolioContentOf());
    assert.match(
      (await page.get("lineNote").textContent()) ?? "",
      /^Values until .* recorded in USDT without a price in THB are left out\.$/,
    );
  });

  it("adds up all accounts, and names those without a recorded value", async () => {
    page = await PortfolioPage.open(await portfolioContentOf());
    const [headings, ...rows] = await cellsOf("accounts");
    assert.deepEqual(headings, ["Account", "Value", "Recorded"]);
    assert.deepEqual(
      rows.map(([name]) => name?.split("\n")[0]),
      ["Main", "Savings", "Dollars", "Old", "Elsewhere", "All accounts"],
    );
    assert.deepEqual(rows.at(-1)?.[2], "without Old");
    const values = rows.map(([, value = ""]) => Number(value.replaceAll(",", "")) || 0);
    const sum = values.slice(0, -1).reduce((before, value) => before + value);
    assert.equal(values.at(-1)?.toFixed(1), sum.toFixed(1));
  });

  it("stores its range and period, with which the editor restores it", async () => {
    page = await PortfolioPage.open({ ...(await portfolioContentOf()), range: "year", period: "day" });
    assert.deepEqual(readPortfolioChoices(await page.page.evaluate("state")), {
      range: "year",
      period: "day",
    });
  });

  it("shows no amount while amounts are hidden, but changes and shares", async () => {
    page = await PortfolioPage.open(await portfolioContentOf({ areHidden: true }));
    const text = (await page.page.locator("main").textContent()) ?? "";
    assert.doesNotMatch(text, /\d,\d{3}|400000|3104500/);
    assert.match(text, /2\.35%/);
  });

  it("says what to do without a key, and why there is no line yet", async () => {
    page = await PortfolioPage.open(await portfolioContentOf({ isEmpty: true }));
    assert.match(await page.text("note"), /^Add what you hold to see its value\. With an API key, /);
    assert.match((await page.get("plot").textContent()) ?? "", /The line starts with the second value/);
  });
});
