import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { OrderName } from "../../market/order.ts";
import { noteRead, PausedPainting } from "../paintPause.ts";
import type { OrdersTree, ViewRow } from "./ordersTree.ts";

/** What the view needs right after activation. */
export interface LateOrdersView {
  readonly OrdersTree: typeof OrdersTree;
}

/** The Orders view. Its rows are loaded right after activation, because its badge tells of orders that need the person. */
export class OrdersView extends Disposable {
  readonly view: vscode.TreeView<ViewRow>;
  readonly tree: Promise<OrdersTree>;
  readonly #painting: PausedPainting<ViewRow>;

  constructor(desk: Desk, late: () => Promise<LateOrdersView>) {
    super();
    const changed = this.register(new vscode.EventEmitter<ViewRow[] | undefined>());
    const painting = (this.#painting = this.register(
      new PausedPainting<ViewRow>(desk.timers, (rows) => changed.fire(rows)),
    ));
    const view = (this.view = this.register(
      vscode.window.createTreeView<ViewRow>(viewIds.orders, {
        treeDataProvider: {
          onDidChangeTreeData: changed.event,
          getChildren: async (row) => {
            noteRead();
            return (await this.tree).children(row);
          },
          getParent: async (row) => (await this.tree).parent(row),
          getTreeItem: async (row) => (await this.tree).item(row),
          resolveTreeItem: async (item, row) => {
            item.tooltip = (await this.tree).tooltip(row);
            return item;
          },
        },
      }),
    ));
    // Also while an input opens: no row of the exchange before may stay.
    this.register(desk.venue.onDidChange(() => painting.catchUp()));
    this.tree = late().then(({ OrdersTree }) =>
      this.register(new OrdersTree(desk, view, (rows) => painting.paint(rows))),
    );
  }

  /** Selects the row of an order at its exchange, and gives it the focus. */
  async reveal(name: OrderName): Promise<void> {
    const tree = await this.tree;
    this.#painting.catchUp();
    await tree.reveal(name);
  }
}
