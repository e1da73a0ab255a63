import assert from "node:assert/strict";
import { emptyWatchlist, type Watchlist } from "../../../../src/desk/watchlist/watchlist.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { ActivePair } from "../../../../src/ui/activePair.ts";
import type { MarketsView } from "../../../../src/ui/markets/marketsView.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";

const { WatchlistActions } = await loadUi(() => import("../../../../src/ui/markets/watchlistActions.ts"));

/** A market of three pairs with these favourites and this selected row. */
function marketWith(favourites: readonly string[], selected?: string) {
  let list: Watchlist = { ...emptyWatchlist, favourites };
  const tickers = new Map(["THB_BTC", "THB_ETH", "THB_XRP"].map((symbol) => [symbol, tickerOf(symbol)]));
  const desk = { tickers: { ticker: (symbol: string): Ticker | undefined => tickers.get(symbol) } };
  const view = {
    rows: {
      order: { symbols: [...tickers.keys()], favourites },
      tickers: desk.tickers,
      list: {
        change: (edit: (before: Watchlist) => Watchlist) => Promise.resolve(void (list = edit(list))),
      },
    },
    symbolOf: () => Promise.resolve(undefined),
  } as unknown as MarketsView;
  return {
    actions: new WatchlistActions(desk as never, view, { symbol: selected } as ActivePair),
    favourites: () => list.favourites,
  };
}

describe("Move Favourite from the palette", () => {
  const { choose } = person;
  beforeEach(() => void (shownMessages.length = 0));
  afterEach(() => void (person.choose = choose));

  it("moves the selected favourite", async () => {
    const { actions, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_ETH");
    await actions.moveFavourite("up", undefined);
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
    assert.deepEqual(shownMessages, []);
  });

  it("asks for a favourite if none is selected, and offers those that can move that way", async () => {
    const { actions, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_XRP");
    person.choose = (offered) => offered[0];
    await actions.moveFavourite("down", undefined);
    assert.equal(shownMessages.find(({ how }) => how === "choices")?.text, "BTC/THB");
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
  });

  it("says why nothing can be moved", async () => {
    for (const [starred, words] of [
      [[], /You have no favourites here/],
      [["THB_BTC"], /one favourite here/],
    ] as const) {
      const { actions } = marketWith(starred);
      shownMessages.length = 0;
      await actions.moveFavourite("up", undefined);
      assert.match(shownMessages[0]?.text ?? "", words);
    }
  });
});

describe("the keys that move a favourite", () => {
  const keys = { focused: true };
  beforeEach(() => void (shownMessages.length = 0));

  it("say in the status bar that a row without a star cannot be moved", async () => {
    const { actions, favourites } = marketWith(["THB_BTC"], "THB_XRP");
    await actions.moveFavourite("up", keys);
    assert.deepEqual(favourites(), ["THB_BTC"]);
    assert.deepEqual(
      shownMessages.map(({ how, text }) => [how, text]),
      [["status bar", "XRP/THB is not a favourite. Only favourites can be moved."]],
    );
  });

  it("say nothing when they move a favourite, or when the favourite is already the last", async () => {
    const { actions, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_BTC");
    await actions.moveFavourite("down", keys);
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
    await marketWith(["THB_BTC"], "THB_BTC").actions.moveFavourite("down", keys);
    assert.deepEqual(shownMessages, []);
  });
});
