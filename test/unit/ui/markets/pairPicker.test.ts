import assert from "node:assert/strict";
import { emptyWatchLists } from "../../../../src/desk/watchLists/watchLists.ts";
import type { Desk } from "../../../../src/desk/desk.ts";
import type { Pair } from "../../../../src/market/pair.ts";
import type { MarketRows } from "../../../../src/ui/markets/marketRows.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const { pickPair } = await loadUi(() => import("../../../../src/ui/markets/pairPicker.ts"));

const nothing = (): void => undefined;

describe("Find a Pair", () => {
  const { choose } = person;
  afterEach(() => {
    person.choose = choose;
    person.search = "";
  });

  function marketOf(...symbols: readonly string[]): { readonly desk: Desk; readonly rows: MarketRows } {
    const tickers = new Map(symbols.map((symbol) => [symbol, tickerOf(symbol)]));
    const desk = {
      tickers: {
        state: { tickers, readAt: 0, problem: undefined },
        isStaleOf: () => false,
        ticker: (symbol: string) => tickers.get(symbol),
        placesOf: () => 2,
        demand: { add: () => nothing },
        onDidChangePaced: () => nothing,
      },
      venue: { state: { kind: "opening", account: practiceAccount } },
      rules: {
        nameOf: ({ base, quote }: Pair) => (quote === "THB" && base === "BTC" ? "Bitcoin" : undefined),
      },
    } as unknown as Desk;
    const rows = {
      allSymbols: [...tickers.keys()],
      tickers: desk.tickers,
      lists: { state: emptyWatchLists, onDidChange: () => nothing },
    } as unknown as MarketRows;
    shownMessages.length = 0;
    return { desk, rows };
  }

  it("never hides a pair whose name is typed without a separator, in wide letters or with invisible marks, in either order", async () => {
    for (const [search, shown] of [
      ["btcthb", ["BTC/THB"]],
      ["btc th", ["BTC/THB"]],
      ["ＴＨＢＢ", ["BTC/THB"]],
      ["usdtbtc", ["BTC/USDT"]],
      ["ｂｔ", ["BTC/THB", "BTC/USDT"]],
      ["ＢＴＣ／ｔ", ["BTC/THB"]],
      ["\u200Bbtc", ["BTC/THB", "BTC/USDT"]],
      ["bitc", ["BTC/THB"]],
      // The editor finds these itself.
      ["btc", []],
      ["thb", []],
    ] as const) {
      const { desk, rows } = marketOf("THB_BTC", "USDT_BTC");
      person.search = search;
      await pickPair(desk, rows, "Find a Pair");
      const { more } = shownMessages.find(({ how }) => how === "choices") ?? assert.fail();
      const items = JSON.parse(more) as { label: string; alwaysShow: boolean }[];
      assert.deepEqual(
        items.filter(({ alwaysShow }) => alwaysShow).map(({ label }) => label),
        shown,
        search,
      );
    }
  });

  it("lists each pair by its name, finds the pair also by its symbol, and returns the choice", async () => {
    const { desk, rows } = marketOf("THB_BTC", "USDT_BTC");
    person.choose = () => "BTC/USDT";
    const chosen = await pickPair(desk, rows, "Find a Pair");
    const choices = shownMessages.find(({ how }) => how === "choices") ?? assert.fail("Nothing was offered.");
    assert.equal(choices.text, "BTC/THB\nBTC/USDT");
    const [first] = JSON.parse(choices.more) as { description: string }[];
    assert.equal(first?.description, "100.00  ▲ +1.50%  THB_BTC");
    assert.equal(chosen?.symbol, "USDT_BTC");
  });
});
