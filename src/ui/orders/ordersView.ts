import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { OrderName } from "../../market/order.ts";
import { noteRowRead, PausedPainting } from "../paintPause.ts";
import { OrdersTree, type ViewRow } from "./ordersTree.ts";

export class OrdersView extends Disposable {
  readonly view: vscode.TreeView<ViewRow>;
  readonly tree: OrdersTree;
  readonly #painting: PausedPainting<ViewRow>;

  constructor(desk: Desk) {
    super();
    const changed = this.register(new vscode.EventEmitter<ViewRow[] | undefined>());
    const painting = (this.#painting = this.register(
      new PausedPainting<ViewRow>(desk.timers, (rows) => changed.fire(rows)),
    ));
    const view = (this.view = this.register(
      vscode.window.createTreeView<ViewRow>(viewIds.orders, {
        treeDataProvider: {
          onDidChangeTreeData: changed.event,
          getChildren: (row) => {
            noteRowRead();
            return this.tree.children(row);
          },
          getParent: (row) => this.tree.parent(row),
          getTreeItem: (row) => this.tree.item(row),
          resolveTreeItem: (item, row) => {
            item.tooltip = this.tree.tooltip(row);
            return item;
          },
        },
      }),
    ));
    // Repaints even while an input opens, because rows of the previous exchange must not stay on screen.
    this.register(desk.venue.onDidChange(() => painting.catchUp()));
    const { unreadable } = desk.following;
    const showUnreadable = (): void => {
      // Undefined means no message; the editor's types do not allow it.
      view.message = (unreadable.isAny ? unreadableText() : undefined) as string;
    };
    this.register(unreadable.onDidChange(showUnreadable));
    this.tree = this.register(new OrdersTree(desk, view, (rows) => painting.paint(rows)));
  }

  /** Selects and focuses the row of an order. */
  async reveal(name: OrderName): Promise<void> {
    this.#painting.catchUp();
    await this.tree.reveal(name);
  }
}

function unreadableText(): string {
  return vscode.l10n.t(
    "Some orders or fills on the exchange could not be read and may be missing here. The log shows which.",
  );
}
