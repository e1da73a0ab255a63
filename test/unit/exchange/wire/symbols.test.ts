import assert from "node:assert/strict";
import { decodeSymbols } from "../../../../src/exchange/wire/symbols.ts";
import { answerRead, inEnvelope, withPlainDecimals } from "../../../support/builders/answers.ts";

const row = {
  symbol: "BTC_THB",
  base_asset: "BTC",
  quote_asset: "THB",
  name: "Bitcoin",
  min_quote_size: 10,
  price_scale: 2,
  price_step: "0.01",
  base_asset_scale: 8,
  quote_asset_scale: 2,
  buy_price_gap_as_percent: 20,
  sell_price_gap_as_percent: 15,
  freeze_buy: false,
  freeze_sell: false,
  freeze_cancel: false,
  quantity_step: "1",
  quantity_scale: 0,
  status: "active",
  source: "exchange",
  pairing_id: 1,
};
const listing = {
  pair: { quote: "THB", base: "BTC" },
  name: "Bitcoin",
  pairingId: 1,
  isTrading: true,
  minimumAmount: "10",
  rateStep: "0.01",
  quantityPlaces: 8,
  amountPlaces: 2,
  buyBandPercent: "20",
  sellBandPercent: "15",
  isBuyFrozen: false,
  isSellFrozen: false,
  isCancelFrozen: false,
};

function decode(rows: unknown, order: "quoteFirst" | "baseFirst" = "baseFirst") {
  const read = decodeSymbols(answerRead(inEnvelope(rows, "B"), "symbols"), order);
  return (
    read && {
      ...read,
      listings: Object.fromEntries([...read.listings].map(([key, each]) => [key, plain(each)])),
    }
  );
}

function plain(value: unknown): Record<string, unknown> {
  return withPlainDecimals(value) as Record<string, unknown>;
}

describe("decodeSymbols", () => {
  it("reads minimum, step, decimals, bands and freezes of a pair, whatever the order of its name", () => {
    for (const order of ["quoteFirst", "baseFirst"] as const)
      assert.deepEqual(decode([row], order), {
        listings: { THB_BTC: listing },
        unreadable: [],
        stated: new Set(["THB_BTC"]),
      });
  });

  it("reads numbers and text, and the letter case of either", () => {
    const text = { ...row, symbol: "btc_thb", base_asset: "btc", min_quote_size: "10", price_step: 0.01 };
    assert.deepEqual(decode([{ ...text, freeze_buy: 0, freeze_sell: "false" }])?.listings, {
      THB_BTC: listing,
    });
  });

  it("reads the oldest list, which has names only", () => {
    const { listings } = decode([{ id: 1, symbol: "THB_BTC", info: "…" }], "quoteFirst") ?? assert.fail();
    const { pair, pairingId, isTrading, isBuyFrozen, isSellFrozen, isCancelFrozen } = listing;
    assert.deepEqual(listings, {
      THB_BTC: { pair, pairingId, isTrading, isBuyFrozen, isSellFrozen, isCancelFrozen },
    });
  });

  it("uses the quantity scale where given, and never the step that services document as unused", () => {
    const scaled = { ...row, base_quantity_scale: 4, quote_quantity_scale: 0 };
    const read = decode([scaled])?.listings["THB_BTC"];
    assert.deepEqual([read?.["quantityPlaces"], read?.["amountPlaces"]], [4, 0]);
  });

  it("derives the tick size from the scale if none is given", () => {
    assert.equal(
      decode([{ ...row, price_step: "0", price_scale: 3 }])?.listings["THB_BTC"]?.["rateStep"],
      "0.001",
    );
    assert.equal(
      decode([{ ...row, price_step: null, price_scale: 0 }])?.listings["THB_BTC"]?.["rateStep"],
      "1",
    );
  });

  it("has no figure where it cannot be read or would refuse everything", () => {
    const odd = {
      pairing_id: "1/../2",
      min_quote_size: "-10",
      price_step: "x",
      price_scale: 31,
      base_asset_scale: -1,
      quote_asset_scale: 1.5,
      buy_price_gap_as_percent: 0,
      sell_price_gap_as_percent: 1e9,
    };
    const { pair, isTrading, isBuyFrozen, isSellFrozen, isCancelFrozen } = listing;
    for (const name of [7, "", "…", "B".repeat(61)])
      assert.equal(decode([{ ...row, name }])?.listings["THB_BTC"]?.["name"], undefined);
    assert.deepEqual(decode([{ ...row, ...odd, name: null }])?.listings["THB_BTC"], {
      pair,
      isTrading,
      isBuyFrozen,
      isSellFrozen,
      isCancelFrozen,
    });
  });

  it("counts only an explicit no as not frozen, and only active as trading", () => {
    for (const value of [true, 1, "true", "yes", {}, 2])
      assert.equal(decode([{ ...row, freeze_buy: value }])?.listings["THB_BTC"]?.["isBuyFrozen"], true);
    for (const status of ["stopped", "", null, 1])
      assert.equal(decode([{ ...row, status }])?.listings["THB_BTC"]?.["isTrading"], false);
  });

  it("leaves a pair out that is listed twice or whose names contradict each other, and keeps the others", () => {
    const other = { ...row, symbol: "ETH_THB", base_asset: "ETH" };
    const rows = [row, { ...row, min_quote_size: 20 }, other, { ...row, symbol: "XRP_THB" }, null, row];
    const read = decode(rows);
    assert.deepEqual(Object.keys(read?.listings ?? {}), ["THB_ETH"]);
    assert.deepEqual(read?.unreadable, ["THB_BTC", "#3", "#4", "THB_BTC"]);
  });

  it("treats another shape as unknown", () => {
    for (const content of [{}, "x", [{}], [{ symbol: "BTC" }]]) assert.equal(decode(content), undefined);
    assert.deepEqual(decode([])?.listings, {});
  });
});
