import assert from "node:assert/strict";
import { emptyWatchlist, type Watchlist } from "../../../../src/desk/watchlist/watchlist.ts";
import type { ActivePair } from "../../../../src/ui/activePair.ts";
import type { MarketsView } from "../../../../src/ui/markets/marketsView.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, shownMessages } from "../../../support/fakes/vscode.ts";

const { WatchlistActions } = await loadUi(() => import("../../../../src/ui/markets/watchlistActions.ts"));

/** Markets with the row of THB_BTC on screen and another row selected; `isRead`: the exchange's prices are read. */
function marketsWhere({ isRead }: { readonly isRead: boolean }) {
  let list: Watchlist = emptyWatchlist;
  const tickers = { ticker: (symbol: string) => (isRead ? tickerOf(symbol) : undefined) };
  const change = (edit: (before: Watchlist) => Watchlist) => Promise.resolve(void (list = edit(list)));
  const view = {
    rows: { list: { change } },
    symbolOf: (row: { readonly symbol: string }) => Promise.resolve(row.symbol),
  } as unknown as MarketsView;
  return {
    actions: new WatchlistActions({ tickers } as never, view, { symbol: "THB_ETH" } as ActivePair),
    list: () => list,
  };
}

describe("a command of a row of Markets", () => {
  const row = { symbol: "THB_BTC" };
  beforeEach(() => void (shownMessages.length = 0));

  it("acts on its row even while another row is selected", async () => {
    const { actions, list } = marketsWhere({ isRead: true });
    await actions.star(row);
    assert.deepEqual(list().favourites, ["THB_BTC"]);
    assert.deepEqual(shownMessages, []);
  });

  it("does nothing for a row left over from the previous exchange, and says so instead of asking for a pair", async () => {
    const { actions, list } = marketsWhere({ isRead: false });
    const calls = [
      () => actions.star(row),
      () => actions.unstar(row),
      () => actions.pin(row),
      () => actions.unpin(row),
      () => actions.moveFavourite("up", row),
    ];
    for (const call of calls) {
      shownMessages.length = 0;
      await call();
      assert.deepEqual(list(), emptyWatchlist);
      assert.deepEqual(
        shownMessages.map(({ text }) => text),
        ["Nothing was done: the price of THB_BTC is not known yet. Try again."],
      );
    }
  });
});
