import type * as vscode from "vscode";
import { Disposable } from "../../desk/disposable.ts";
import { MAX_FAVOURITES, type OrderWatch } from "../../desk/tracking/orderWatch.ts";
import type { Markets } from "../markets/markets.ts";

/** Polls the open orders of the first favourites while the Orders view is visible. */
export class FavouriteOrders extends Disposable {
  constructor(watch: OrderWatch, view: vscode.TreeView<unknown>, markets: Markets) {
    super();
    const follow = (): void =>
      watch.set(this, view.visible ? markets.favourites.slice(0, MAX_FAVOURITES) : undefined);
    this.register(view.onDidChangeVisibility(follow), markets.onDidChangeFavourites(follow), () =>
      watch.set(this, undefined),
    );
    follow();
  }
}
