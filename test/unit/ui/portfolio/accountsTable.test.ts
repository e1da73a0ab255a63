import assert from "node:assert/strict";
import { portfolioOf } from "../../../../src/market/holdings/portfolio.ts";
import type { ValueSnapshot } from "../../../../src/market/holdings/valueSnapshot.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { AccountsInput } from "../../../../src/ui/portfolio/accountsTable.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { accountsTable } = await loadUi(() => import("../../../../src/ui/portfolio/accountsTable.ts"));
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

const NOW = new Date(2026, 10, 21, 12).getTime();
const market = [tickerOf("THB_BTC", { last: 4000 }), tickerOf("THB_USDT", { last: 40 })];

const recorded = (quote: string, asset: string, quantity: string, price: string): ValueSnapshot => ({
  at: NOW - 3_600_000,
  account: "1".repeat(16),
  quote,
  balances: [{ asset, quantity: new Decimal(quantity), price: new Decimal(price) }],
  elsewhere: [{ asset: "BTC", quantity: new Decimal("2"), price: new Decimal("4000") }],
});

describe("the sum over all accounts", () => {
  const rowsOf = (others: AccountsInput["others"], isHidden = false): (readonly string[])[] => [
    ...accountsTable({
      portfolio: portfolioOf(walletOf({ THB: "1000", BTC: "0.5" }), market, "THB", [
        heldElsewhere({ quantity: "2" }),
      ]),
      account: "Main",
      others,
      tickers: market,
      amounts: new AmountText(isHidden),
      now: NOW,
    }).rows,
  ];

  it("counts each account as last recorded, in one asset, and what is elsewhere once", () => {
    const rows = rowsOf([
      { label: "Baht", snapshot: recorded("THB", "THB", "500", "1") },
      { label: "Dollars", snapshot: recorded("USDT", "USDT", "10", "1") },
    ]);
    assert.deepEqual(
      rows.map(([label, value]) => [label, value]),
      [
        ["Main", "3,000.00"],
        ["Baht", "500.00"],
        ["Dollars", "400.00"],
        ["Elsewhere", "8,000.00"],
        ["All accounts", "11,900.00"],
      ],
    );
  });

  it("names what it leaves out: an account without a value, or in an asset without a price", () => {
    const rows = rowsOf([
      { label: "New", snapshot: undefined },
      { label: "Euros", snapshot: recorded("EUR", "EUR", "10", "1") },
    ]);
    assert.deepEqual(rows.at(-1), ["All accounts", "11,000.00", "without New, Euros"]);
  });

  it("is left out with one account, and hides every amount in privacy mode", () => {
    assert.deepEqual(rowsOf([]), []);
    const hidden = rowsOf([{ label: "Baht", snapshot: recorded("THB", "THB", "500", "1") }], true);
    assert.doesNotMatch(JSON.stringify(hidden.map(([, value]) => value)), /\d/);
  });
});
