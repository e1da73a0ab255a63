import type * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { MAX_FAVOURITES } from "../../desk/tracking/visibleOrders.ts";

/** Polls the open orders of the first listed favourites while the Orders view is visible. */
export class FavouriteOrders extends Disposable {
  constructor({ visibleOrders, tickers, watchlist }: Desk, view: vscode.TreeView<unknown>) {
    super();
    const follow = (): void => {
      const listed = watchlist.state.favourites.filter((key) => tickers.ticker(key));
      visibleOrders.set(this, view.visible ? listed.slice(0, MAX_FAVOURITES) : undefined);
    };
    this.register(
      view.onDidChangeVisibility(follow),
      watchlist.onDidChange(follow),
      tickers.onDidChange(({ change }) => change?.rowsChanged && follow()),
      () => visibleOrders.set(this, undefined),
    );
    follow();
  }
}
