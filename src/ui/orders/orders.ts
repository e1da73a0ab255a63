import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import type { BidForm } from "../ticket/bidForm.ts";
import { registerOrderCommands } from "./orderCommands.ts";
import { OrdersView } from "./ordersView.ts";

export interface OrderParts {
  readonly desk: Desk;
  readonly bidForm: BidForm;
  readonly log: vscode.LogOutputChannel;
}

/** The Orders view and its commands. */
export function showOrders({ desk, bidForm, log }: OrderParts): vscode.Disposable {
  const { orders, venue, timers } = desk;
  const folder = vscode.Uri.file(desk.ordersFolder);
  const unknownBids = () => desk.unknownOrders();
  return vscode.Disposable.from(
    new OrdersView(orders, venue, timers),
    registerOrderCommands({ orders, bidForm, unknownBids, folder, log }),
  );
}
