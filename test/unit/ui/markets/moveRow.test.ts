import assert from "node:assert/strict";
import { FAVOURITES } from "../../../../src/desk/watchLists/watchLists.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { ActivePair } from "../../../../src/ui/activePair.ts";
import type { MarketsView } from "../../../../src/ui/markets/marketsView.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import { favouritesOf, listsStore } from "../../../support/fakes/watchLists.ts";

const { ListActions } = await loadUi(() => import("../../../../src/ui/markets/listActions.ts"));
const { MarketRows } = await loadUi(() => import("../../../../src/ui/markets/marketRows.ts"));

/** A market of three pairs with these favourites and this selected row. */
function marketWith(favourites: readonly string[], selected?: string, active = "all") {
  const lists = listsStore(favouritesOf(favourites, { active }));
  const all = new Map(["THB_BTC", "THB_ETH", "THB_XRP"].map((symbol) => [symbol, tickerOf(symbol)]));
  const tickers = {
    state: { tickers: all },
    ticker: (symbol: string): Ticker | undefined => all.get(symbol),
    placesOf: () => 2,
    onDidChangePaced: () => () => undefined,
  };
  const rows = new MarketRows(tickers as never, lists);
  const view = { rows, symbolOf: () => Promise.resolve(undefined) } as unknown as MarketsView;
  return {
    actions: new ListActions({ tickers } as never, view, { symbol: selected } as ActivePair),
    favourites: () => lists.state.lists[0].pairs,
  };
}

describe("Move Up and Move Down from the palette", () => {
  const { choose } = person;
  beforeEach(() => void (shownMessages.length = 0));
  afterEach(() => void (person.choose = choose));

  it("moves the selected favourite", async () => {
    const { actions, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_ETH");
    await actions.move("up", undefined);
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
    assert.deepEqual(shownMessages, []);
  });

  it("asks for a favourite if none is selected, and offers those that can move that way", async () => {
    const { actions, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_XRP");
    person.choose = (offered) => offered[0];
    await actions.move("down", undefined);
    assert.equal(shownMessages.find(({ how }) => how === "choices")?.text, "BTC/THB");
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
  });

  it("says why nothing can be moved", async () => {
    for (const starred of [[], ["THB_BTC"]]) {
      shownMessages.length = 0;
      await marketWith(starred).actions.move("up", undefined);
      assert.match(shownMessages[0]?.text ?? "", /fewer than two pairs/);
    }
  });

  it("moves a pair that the exchange does not list, in the list on screen", async () => {
    const { actions, favourites } = marketWith(["THB_BTC", "THB_GONE"], undefined, FAVOURITES);
    person.choose = () => "GONE/THB";
    await actions.move("up", undefined);
    assert.deepEqual(favourites(), ["THB_GONE", "THB_BTC"]);
  });
});

describe("the keys that move a row", () => {
  const keys = { focused: true };
  beforeEach(() => void (shownMessages.length = 0));

  it("say in the status bar that a row without a star cannot be moved", async () => {
    const { actions, favourites } = marketWith(["THB_BTC"], "THB_XRP");
    await actions.move("up", keys);
    assert.deepEqual(favourites(), ["THB_BTC"]);
    assert.deepEqual(
      shownMessages.map(({ how, text }) => [how, text]),
      [["status bar", "XRP/THB is not a favourite. Only favourites can be moved."]],
    );
  });

  it("say nothing when they move a favourite, or when the favourite is already the last", async () => {
    const { actions, favourites } = marketWith(["THB_BTC", "THB_ETH"], "THB_BTC");
    await actions.move("down", keys);
    assert.deepEqual(favourites(), ["THB_ETH", "THB_BTC"]);
    await marketWith(["THB_BTC"], "THB_BTC").actions.move("down", keys);
    assert.deepEqual(shownMessages, []);
  });
});
