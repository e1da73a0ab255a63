import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { registerCommands } from "../commands.ts";
import { sideOf } from "../../storage/orders/records.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { OrdersView } from "./ordersView.ts";

const actions = () => import("./orderActions.ts");

/** The Orders view and its commands. */
export function showOrders(desk: Desk, ticket: Ticket): vscode.Disposable {
  const { orders, log } = desk;
  return vscode.Disposable.from(
    new OrdersView(desk),
    registerCommands({
      checkOrder: async (order) => (await actions()).checkOrder(await desk.unknownOrders(), order, log),
      markPlaced: async (order) => (await actions()).settleByHand(orders, order, "accepted"),
      markNotPlaced: async (order) => (await actions()).settleByHand(orders, order, "notPlaced"),
      bidAgain: ({ intent }) => {
        const { symbol, amount, rate } = intent;
        return ticket.open({ side: sideOf(intent), symbol, amount, rate }, intent);
      },
      copyOrder: async (order) => (await actions()).copyOrder(order),
      revealJournal: async (row) => (await actions()).revealJournal(desk.ordersFolder, row),
      exportOrders: async () => (await actions()).exportOrders(orders, log),
      exportFills: async () => (await actions()).exportFills(orders, log),
    }),
  );
}
