import assert from "node:assert/strict";
import fc from "fast-check";
import { knownBalance, type Wallet } from "../../../../src/market/balance.ts";
import { Decimal, plainText, priceText } from "../../../../src/market/numbers/decimal.ts";
import { portfolioOf, type Portfolio } from "../../../../src/market/holdings/portfolio.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { HeldElsewhere } from "../../../../src/market/holdings/heldElsewhere.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { tickerOf, walletOf } from "../../../support/fakes/venue.ts";

const zero = new Decimal("0");

function holdingOf(portfolio: Portfolio, asset: string) {
  return portfolio.holdings.find((each) => each.asset === asset) ?? assert.fail(asset);
}

function amountIn(wallet: Wallet, asset: string): Decimal {
  const { available = zero, reserved = zero } = knownBalance(wallet, asset) ?? {};
  return available.plus(reserved);
}

const assets = ["THB", "BTC", "ETH", "USDT", "LUNC"];
/** Up to 30 decimals, as some services keep them. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, places]) => new Decimal(`${digits}e-${places}`));
const wallets: fc.Arbitrary<Wallet> = fc
  .uniqueArray(fc.constantFrom(...assets))
  .chain((held) =>
    fc
      .tuple(...held.map((asset) => fc.tuple(fc.constant(asset), amount, amount)))
      .map(
        (balances) =>
          new Map(balances.map(([asset, available, reserved]) => [asset, { available, reserved }])),
      ),
  );
const markets: fc.Arbitrary<Ticker[]> = fc.array(
  fc
    .record({
      symbol: fc.constantFrom("THB_BTC", "THB_ETH", "THB_USDT", "USDT_BTC", "THB_LUNC"),
      last: fc.double({ min: 1e-8, max: 1e9, noNaN: true }),
      percentChange: fc.option(fc.double({ min: -100, max: 500, noNaN: true }), { nil: undefined }),
    })
    .map(({ symbol, ...given }) => tickerOf(symbol, given)),
);

const entriesOf: fc.Arbitrary<HeldElsewhere[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...assets), amount)
    .map(([asset, quantity]) => ({ ...heldElsewhere({ asset }), quantity })),
  { maxLength: 4 },
);

describe("a portfolio", () => {
  it("includes amounts reserved by open orders in the total, and says how much that is", () => {
    const wallet: Wallet = new Map([
      ["THB", { available: new Decimal("900"), reserved: new Decimal("100") }],
      ["BTC", { available: new Decimal("0.4"), reserved: new Decimal("0.1") }],
      ["AIR", { available: zero, reserved: new Decimal("7") }],
    ]);
    const { total, reserved } = portfolioOf(wallet, [tickerOf("THB_BTC", { last: 4000 })], "THB");
    assert.deepEqual([plainText(total), plainText(reserved)], ["3000", "500"]);
  });

  it("values every asset at the last price of its pair, and divides the total into shares", () => {
    const wallet = walletOf({ THB: "1000", BTC: "0.5", ETH: "2" });
    const market = [tickerOf("THB_BTC", { last: 4000 }), tickerOf("THB_ETH", { last: 500 })];
    const portfolio = portfolioOf(wallet, market, "THB");
    assert.equal(plainText(portfolio.total), "4000");
    assert.deepEqual(
      portfolio.holdings.map(({ asset, value, share }) => [
        asset,
        value && plainText(value),
        share && plainText(share),
      ]),
      [
        ["BTC", "2000", "0.5"],
        ["ETH", "1000", "0.25"],
        ["THB", "1000", "0.25"],
      ],
    );
  });

  it("shows the gain of 24 hours, exactly if a quotient allows it", () => {
    const wallet = walletOf({ THB: "1000", BTC: "1" });
    const portfolio = portfolioOf(wallet, [tickerOf("THB_BTC", { last: 125, percentChange: 25 })], "THB");
    assert.equal(plainText(holdingOf(portfolio, "BTC").gained ?? zero), "25");
    assert.equal(plainText(portfolio.gained ?? zero), "25");
    assert.equal(plainText(portfolio.gainedPercent ?? zero).slice(0, 8), "2.272727");
  });

  it("has no change if the change of one of its assets is unknown", () => {
    const wallet = walletOf({ THB: "1000", BTC: "1", ETH: "1" });
    const market = [tickerOf("THB_BTC"), tickerOf("THB_ETH", { percentChange: undefined })];
    const portfolio = portfolioOf(wallet, market, "THB");
    assert.equal(holdingOf(portfolio, "ETH").gained, undefined);
    assert.equal(portfolio.gained, undefined);
    assert.equal(portfolio.gainedPercent, undefined);
  });

  it("gives an asset without a pair no value, and lists the asset last", () => {
    const wallet = walletOf({ AIR: "1000000", BTC: "1" });
    const portfolio = portfolioOf(wallet, [tickerOf("THB_BTC"), tickerOf("USD_AIR")], "THB");
    assert.deepEqual(
      portfolio.holdings.map(({ asset }) => asset),
      ["BTC", "AIR"],
    );
    const { value, share, gained } = holdingOf(portfolio, "AIR");
    assert.deepEqual([value, share, gained], [undefined, undefined, undefined]);
  });

  it("excludes unreadable balances from the total, and has no shares of an incomplete total", () => {
    const wallet = walletOf({ THB: "unreadable", BTC: "0.5" });
    const portfolio = portfolioOf(wallet, [tickerOf("THB_BTC", { last: 4000 })], "THB");
    assert.deepEqual(portfolio.unreadable, ["THB"]);
    assert.deepEqual(
      portfolio.holdings.map(({ asset, share }) => [asset, share]),
      [["BTC", undefined]],
    );
    assert.deepEqual(
      [plainText(portfolio.total), portfolio.gained, portfolio.gainedPercent],
      ["2000", undefined, undefined],
    );
  });

  it("loses no digit: every value in a pair with the quote asset is amount × last, and the values add up to the total", () => {
    fc.assert(
      fc.property(wallets, markets, (wallet, tickers) => {
        const { holdings, total } = portfolioOf(wallet, tickers, "THB");
        let added = zero;
        for (const { asset, amount, available, reserved, ticker, value, path } of holdings) {
          assert.ok(amount.eq(available.plus(reserved)));
          if (asset === "THB") assert.ok(value?.eq(amount));
          else if (path.length === 2 && ticker?.last !== undefined)
            assert.ok(value?.eq(amount.times(priceText(ticker.last))));
          else assert.equal(value === undefined, path.length === 0);
          if (value) assert.deepEqual([path[0], path.at(-1)], [asset, "THB"]);
          added = added.plus(value ?? zero);
        }
        assert.ok(added.eq(total));
        const held = [...wallet.keys()].filter((asset) => amountIn(wallet, asset).gt(zero));
        assert.deepEqual(new Set(holdings.map(({ asset }) => asset)), new Set(held));
      }),
    );
  });

  it("counts holdings elsewhere as if they were in the account, but never as available or reserved", () => {
    fc.assert(
      fc.property(wallets, markets, entriesOf, (wallet, tickers, entries) => {
        const all = new Map(wallet);
        for (const { asset, quantity } of entries) {
          const { available = zero, reserved = zero } = knownBalance(all, asset) ?? {};
          all.set(asset, { available: available.plus(quantity), reserved });
        }
        const portfolio = portfolioOf(wallet, tickers, "THB", entries);
        const merged = portfolioOf(all, tickers, "THB");
        const apart = portfolioOf(wallet, tickers, "THB");
        const off = portfolio.total.minus(merged.total).abs();
        assert.ok(off.lte("1e-20"), plainText(off));
        assert.ok(portfolio.reserved.eq(apart.reserved));
        assert.deepEqual(
          portfolio.holdings.map((each) => [each.asset, plainText(each.available)]),
          apart.holdings.map((each) => [each.asset, plainText(each.available)]),
        );
        assert.deepEqual(
          new Set(portfolio.elsewhere.map(({ entry }) => entry.id)),
          new Set(entries.map(({ id }) => id)),
        );
      }),
    );
  });

  it("has shares of at most 100%, and of exactly 100% but for the places cut off", () => {
    fc.assert(
      fc.property(wallets, markets, (wallet, tickers) => {
        const { holdings, total } = portfolioOf(wallet, tickers, "THB");
        const shares = holdings.flatMap(({ share }) => share ?? []);
        if (total.eq(zero)) return assert.deepEqual(shares, []);
        const whole = shares.reduce((sum, share) => sum.plus(share), zero);
        assert.ok(whole.lte("1") && whole.gt(new Decimal("1").minus("1e-38")), plainText(whole));
      }),
    );
  });

  it("has the gain that turns the value of 24 hours ago into the current value", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: -9999, max: 100_000 }), (quantity, hundredths) => {
        fc.pre(quantity.gt(zero));
        const market = [tickerOf("THB_BTC", { last: 31_337.5, percentChange: hundredths / 100 })];
        const wallet: Wallet = new Map([["BTC", { available: quantity, reserved: zero }]]);
        const { value = zero, gained = zero } = holdingOf(portfolioOf(wallet, market, "THB"), "BTC");
        const grown = value
          .minus(gained)
          .times(new Decimal(String(hundredths)).plus("10000"))
          .div("10000");
        const off = grown.minus(value).abs();
        assert.ok(off.lte("1e-36"), `${plainText(off)} off`);
      }),
    );
  });
});
