import assert from "node:assert/strict";
import type { Ticker } from "../../../src/market/ticker.ts";
import { emptyWatchlist, type Watchlist } from "../../../src/desk/watchlist.ts";
import type { WatchParts } from "../../../src/ui/watchActions.ts";
import { tickerOf } from "../../support/fakeVenue.ts";
import { loadUi, person, said } from "../../support/hollowEditor.ts";

const { runWatchCommand } = await loadUi(() => import("../../../src/ui/watchActions.ts"));

/** A market of three pairs with these favourites, of which the person selected one row. */
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

  it("asks for a favourite where no favourite is selected, and offers those that can move that way", async () => {
    const { parts, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_XRP");
    person.choose = (offered) => offered[0];
    await runWatchCommand(parts, "moveFavouriteDown", undefined);
    assert.equal(said.find(({ how }) => how === "choices")?.text, "THB_BTC");
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
  });

  it("says why nothing moves where there is nothing to move", async () => {
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
