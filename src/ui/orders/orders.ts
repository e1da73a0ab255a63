import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { registerCommands } from "../commands.ts";
import type { BidForm } from "../ticket/bidForm.ts";
import { OrdersView } from "./ordersView.ts";

const actions = () => import("./orderActions.ts");

/** The Orders view and its commands. */
export function showOrders(desk: Desk, ticket: BidForm): vscode.Disposable {
  const { orders, log } = desk;
  return vscode.Disposable.from(
    new OrdersView(desk),
    registerCommands({
      checkOrder: async (bid) => (await actions()).checkOrder(await desk.unknownOrders(), bid, log),
      markPlaced: async (bid) => (await actions()).settleByHand(orders, bid, "accepted"),
      markNotPlaced: async (bid) => (await actions()).settleByHand(orders, bid, "notPlaced"),
      bidAgain: ({ intent }) => {
        const { symbol, amount, rate } = intent;
        return ticket.open({ symbol, amount, rate }, intent);
      },
      copyOrder: async (bid) => (await actions()).copyOrder(bid),
      revealJournal: async (row) => (await actions()).revealJournal(desk.ordersFolder, row),
      exportOrders: async () => (await actions()).exportOrders(orders, log),
    }),
  );
}
