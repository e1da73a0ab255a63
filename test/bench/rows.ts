import type { TickerFeed } from "../../src/desk/feeds/tickerFeed.ts";
import type { Sort } from "../../src/desk/watchLists/watchLists.ts";
import type { MarketRows } from "../../src/ui/markets/marketRows.ts";
import { listsStore } from "../support/fakes/watchLists.ts";
import { loadUi } from "../support/fakes/vscode.ts";

/** The rows of the Markets view on a feed, without an editor. Default: in the order of a new installation. */
export async function rowsOn(feed: TickerFeed, sort?: Sort): Promise<MarketRows> {
  const { MarketRows } = await loadUi(() => import("../../src/ui/markets/marketRows.ts"));
  const lists = listsStore();
  if (sort) await lists.change((before) => ({ ...before, sort }));
  const rows = new MarketRows(feed, lists);
  // As the editor does. Until rows that changed their order were read, no event comes.
  rows.onDidChangeTreeData((changed) => {
    if (!changed) queueMicrotask(() => rows.getChildren());
  });
  return rows;
}
