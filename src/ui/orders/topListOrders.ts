import type * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { MAX_LIST_ORDERS } from "../../desk/tracking/visibleOrders.ts";
import { topList } from "../../desk/watchLists/watchLists.ts";
import { findPairs } from "../../market/pair.ts";

/** Polls the open orders of the first listed pairs of the list at the top of Markets while Orders is visible. */
export class TopListOrders extends Disposable {
  constructor({ visibleOrders, tickers, watchLists }: Desk, view: vscode.TreeView<unknown>) {
    super();
    const follow = (): void => {
      const listed = findPairs(tickers.state.tickers, topList(watchLists.state).pairs);
      const symbols = listed.slice(0, MAX_LIST_ORDERS).map(({ symbol }) => symbol);
      visibleOrders.set(this, view.visible ? symbols : undefined);
    };
    this.register(
      view.onDidChangeVisibility(follow),
      watchLists.onDidChange(follow),
      tickers.onDidChange(({ change }) => change?.rowsChanged && follow()),
      () => visibleOrders.set(this, undefined),
    );
    follow();
  }
}
