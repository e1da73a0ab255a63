import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import type { Desk } from "../../../../src/desk/desk.ts";
import { tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages, userSettings } from "../../../support/fakes/vscode.ts";
import { favouritesOf } from "../../../support/fakes/watchLists.ts";

const { chooseValueAsset } = await loadUi(() => import("../../../../src/ui/wallet/valueAsset.ts"));
const { currentPortfolio, holdingFigures, shownValueAsset, totalText } = await loadUi(
  () => import("../../../../src/ui/wallet/portfolioText.ts"),
);
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

function deskWith(): Desk {
  const market = ["THB_KUB", "THB_USDT", "USD_AIR"].map((symbol) => tickerOf(symbol, { last: 36 }));
  return {
    tickers: { state: { tickers: new Map(market.map((ticker) => [ticker.symbol, ticker])) } },
    balances: { state: { wallet: walletOf({ THB: "72", KUB: "1", AIR: "9" }) } },
    watchLists: { state: favouritesOf([]) },
    elsewhere: { list: [] },
  } as unknown as Desk;
}

describe("Show Values In", () => {
  const { choose } = person;
  beforeEach(() => void (shownMessages.length = 0));
  afterEach(() => {
    userSettings.clear();
    person.choose = choose;
  });

  it("offers what the account decides, and every listed asset, the quote assets first", async () => {
    person.choose = (offered) => offered.find((each) => each === "USDT");
    await chooseValueAsset(deskWith());
    const offered = shownMessages.find(({ how }) => how === "choices")?.text.split("\n");
    assert.deepEqual(offered, ["Automatic", "THB", "USD", "AIR", "KUB", "USDT"]);
    assert.equal(userSettings.get(settingKeys.valuesIn), "USDT");
    person.choose = (offered) => offered[0];
    await chooseValueAsset(deskWith());
    assert.ok(!userSettings.has(settingKeys.valuesIn));
  });

  it("values the account in the chosen asset, names the way, and says what the total is without", () => {
    userSettings.set(settingKeys.valuesIn, "usdt");
    const portfolio = currentPortfolio(deskWith()) ?? assert.fail();
    const amounts = new AmountText(false);
    assert.equal(totalText(portfolio, amounts), "3.00 USDT without AIR");
    const kub = portfolio.holdings.find(({ asset }) => asset === "KUB") ?? assert.fail();
    const figures = new Map(holdingFigures(kub, portfolio, { amounts, placesOf: () => 2 }));
    assert.equal(figures.get("Valued through"), "KUB → THB → USDT");
    assert.equal(figures.get("Last"), "36.00 THB");
    assert.equal(figures.get("Value"), "1.00 USDT");
  });

  it("lets the account decide if the exchange does not list the chosen asset", () => {
    userSettings.set(settingKeys.valuesIn, "EUR");
    assert.equal(shownValueAsset(deskWith()), "THB");
  });
});
