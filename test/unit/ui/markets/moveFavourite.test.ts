import assert from "node:assert/strict";
import { emptyWatchlist, type Watchlist } from "../../../../src/desk/watchlist/watchlist.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { WatchParts } from "../../../../src/ui/markets/watchlistActions.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, said } from "../../../support/fakes/vscode.ts";

const { runWatchCommand } = await loadUi(() => import("../../../../src/ui/markets/watchlistActions.ts"));

/** A market of three pairs with these favourites and this selected row. */
function marketWith(favourites: readonly string[], selected?: string) {
  let list: Watchlist = { ...emptyWatchlist, favourites };
  const tickers = new Map(["THB_BTC", "THB_ETH", "THB_XRP"].map((symbol) => [symbol, tickerOf(symbol)]));
  const parts = {
    list: {
      change: (edit: (before: Watchlist) => Watchlist) => Promise.resolve(void (list = edit(list))),
    },
    rows: { order: { symbols: [...tickers.keys()], favourites } },
    tickers: { ticker: (symbol: string): Ticker | undefined => tickers.get(symbol) },
    markets: {
      view: { selection: selected === undefined ? [] : [{ symbol: selected }] },
      rowMeant: () => Promise.resolve(undefined),
    },
  } as unknown as WatchParts;
  return { parts, favourites: () => list.favourites };
}

// U10
describe("Move Favourite from the palette", () => {
  const { choose } = person;
  beforeEach(() => void (said.length = 0));
  afterEach(() => void (person.choose = choose));

  it("moves the selected favourite", async () => {
    const { parts, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_ETH");
    await runWatchCommand(parts, "moveFavouriteUp", undefined);
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
    assert.deepEqual(said, []);
  });

  it("asks for a favourite if none is selected, and offers those that can move in this direction", async () => {
    const { parts, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_XRP");
    person.choose = (offered) => offered[0];
    await runWatchCommand(parts, "moveFavouriteDown", undefined);
    assert.equal(said.find(({ how }) => how === "choices")?.text, "BTC/THB");
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
  });

  it("says why nothing can be moved", async () => {
    for (const [starred, words] of [
      [[], /You have no favourites here/],
      [["THB_BTC"], /one favourite here/],
    ] as const) {
      const { parts } = marketWith(starred);
      said.length = 0;
      await runWatchCommand(parts, "moveFavouriteUp", undefined);
      assert.match(said[0]?.text ?? "", words);
    }
  });
});

// U10
describe("The keys that move a favourite", () => {
  const keys = { focused: true };
  beforeEach(() => void (said.length = 0));

  it("say in the status bar that a row without a star cannot be moved", async () => {
    const { parts, favourites } = marketWith(["THB_BTC"], "THB_XRP");
    await runWatchCommand(parts, "moveFavouriteUp", keys);
    assert.deepEqual(favourites(), ["THB_BTC"]);
    assert.deepEqual(
      said.map(({ how, text }) => [how, text]),
      [["status bar", "XRP/THB is not a favourite. Only favourites can be moved."]],
    );
  });

  it("say nothing when they move a favourite, or when the favourite is the last one already", async () => {
    const { parts, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_BTC");
    await runWatchCommand(parts, "moveFavouriteDown", keys);
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
    await runWatchCommand(marketWith(["THB_BTC"], "THB_BTC").parts, "moveFavouriteDown", keys);
    assert.deepEqual(said, []);
  });
});
