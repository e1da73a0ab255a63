import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { Orders } from "../desk/orders.ts";
import { errorLine } from "./log.ts";
import { type OrderCommandParts, registerOrderCommands } from "./orderCommands.ts";
import { OrdersTree } from "./ordersTree.ts";

/** The orders of this machine, with the journal in the extension's global storage; its module is loaded at first need. */
export function createOrders(
  context: vscode.ExtensionContext,
  now: () => number,
  log: vscode.LogOutputChannel,
): { readonly orders: Orders; readonly folder: vscode.Uri } {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, "orders");
  const orders = new Orders({
    open: async () => {
      const { openOrderJournal } = await import("../journal/orderJournal.ts");
      return openOrderJournal({ directory: folder.fsPath, now });
    },
    newId: randomUUID,
    now,
    trouble: (error) => log.error(errorLine(error)),
  });
  return { orders, folder };
}

/** What a person sees of the orders. The journal is read now and whenever the window comes to the front: another may have written to it. */
export function showOrders(
  parts: OrderCommandParts & { now: () => number; log: vscode.LogOutputChannel },
): vscode.Disposable {
  const { orders, now, log } = parts;
  const reread = (): void => void orders.reread().catch((error: unknown) => log.error(errorLine(error)));
  reread();
  return vscode.Disposable.from(
    new OrdersTree(orders, now),
    registerOrderCommands(parts),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && reread()),
    new vscode.Disposable(() => void orders.close()),
  );
}
