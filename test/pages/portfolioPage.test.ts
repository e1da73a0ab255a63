import assert from "node:assert/strict";
import { readPortfolioChoices } from "../../src/protocol/portfolioPage.ts";
import { PortfolioPage, portfolioContentOf } from "../support/pages/portfolio.ts";

describe("the Portfolio page", () => {
  let page: PortfolioPage;
  afterEach(() => page.close());

  const cellsOf = async (id: string): Promise<string[][]> => {
    const rows = await page.get(id).locator("tr").all();
    return await Promise.all(
      rows.map(async (row) => (await row.locator("th, td").allTextContents()).map((text) => text.trim())),
    );
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
    const names = (await cellsOf("assets")).slice(1).map(([name]) => name);
    assert.deepEqual(names, [
      "BTC",
      "BTC · cold wallet",
      "THB",
      "ETH",
      "ETH · Ledger in the safe at my parents' house",
      "AIR",
      "1 small balance",
    ]);
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

  it("says why there is no line yet", async () => {
    page = await PortfolioPage.open(await portfolioContentOf({ isEmpty: true }));
    assert.match((await page.get("plot").textContent()) ?? "", /The line starts with the second value/);
  });
});
