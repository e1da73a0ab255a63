import assert from "node:assert/strict";
import { createList, showList } from "../../../../src/desk/watchLists/edits.ts";
import type { ActivePair } from "../../../../src/ui/activePair.ts";
import type { MarketsView } from "../../../../src/ui/markets/marketsView.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import { favouritesOf, listsStore } from "../../../support/fakes/watchLists.ts";

const { ListActions } = await loadUi(() => import("../../../../src/ui/markets/listActions.ts"));

/** Markets with another row selected than the one of the command. */
function marketsOf(...listed: readonly string[]) {
  const lists = listsStore(createList(favouritesOf(["THB_ETH"]), { id: "majors", name: "Majors" }));
  const all = new Map(listed.map((symbol) => [symbol, tickerOf(symbol)]));
  const tickers = { ticker: (symbol: string) => all.get(symbol), state: { tickers: all } };
  const rows = { lists, order: { has: () => true, top: ["THB_ETH"] }, nameOf: (symbol: string) => symbol };
  const view = {
    rows,
    symbolOf: (row: { readonly symbol: string }) => Promise.resolve(row.symbol),
  } as unknown as MarketsView;
  const desk = { tickers, newId: () => "new" };
  return {
    actions: new ListActions(desk as never, view, { symbol: "THB_ETH" } as ActivePair),
    lists,
    pairs: () => lists.state.lists.map((list) => list.pairs),
  };
}

describe("a command of a row of Markets", () => {
  const { choose } = person;
  const row = { symbol: "THB_BTC" };
  beforeEach(() => void (shownMessages.length = 0));
  afterEach(() => void (person.choose = choose));

  it("acts on its row even while another row is selected, and needs no price", async () => {
    for (const listed of [["THB_BTC"], []]) {
      const { actions, pairs } = marketsOf(...listed);
      await actions.star(row);
      assert.deepEqual(pairs()[0], ["THB_ETH", "THB_BTC"]);
      assert.deepEqual(shownMessages, []);
    }
  });

  it("removes a pair from the list on screen only", async () => {
    const { actions, lists, pairs } = marketsOf("THB_ETH");
    await actions.addToList({ symbol: "THB_ETH" });
    await actions.removeFromList({ symbol: "THB_ETH" });
    assert.deepEqual(pairs(), [["THB_ETH"], []]);
    await lists.change((before) => showList(before, "all"));
    await actions.removeFromList({ symbol: "THB_ETH" });
    assert.deepEqual(pairs(), [["THB_ETH"], []], "all pairs are no list");
  });
});
