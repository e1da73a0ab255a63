import * as vscode from "vscode";
import { contextKeys, viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { offersCancel } from "../../desk/venue.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { AccountRef } from "../../market/order.ts";
import type { TicketFill } from "../../protocol/ticket.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import { executeCommand, fieldOf, registerCommands } from "../commands.ts";
import { focusedRow, meansFocused } from "../focusedRow.ts";
import { orderLineKey, type SelectedLine } from "../selectedLine.ts";
import { TopListOrders } from "./topListOrders.ts";
import { cancelAllOfPair, cancelOrder } from "./cancelOrders.ts";
import {
  checkOrder,
  copyOrder,
  exportFills,
  exportOrders,
  revealJournal,
  settleByHand,
} from "./orderActions.ts";
import { OrderRow } from "./orderRows.ts";
import type { OrdersView } from "./ordersView.ts";

/** The order ticket, as the rows of orders fill it in. */
interface OrderTicket {
  readonly open: (fill: TicketFill, from: AccountRef) => void;
  readonly changeOrder: (order: OwnOrder) => unknown;
}

interface OrdersWindow {
  readonly ticket: OrderTicket;
  readonly selectedLine: SelectedLine;
}

/** The Orders view's commands and what it offers. */
export function showOrders(desk: Desk, view: OrdersView, { ticket, selectedLine }: OrdersWindow): Disposable {
  const { orders, log, venue } = desk;
  const adapt = (): void => {
    void vscode.commands.executeCommand("setContext", contextKeys.offersCancel, offersCancel(venue.venue));
  };
  adapt();
  /** Acts on the recorded order of a command's argument, an id or a row, if there is one. */
  const onRecord = (act: (own: OwnOrder) => unknown) => (order: unknown) => {
    const id = typeof order === "string" ? order : fieldOf(order, "id");
    const own = orders.own.find(({ intent }) => intent.id === id);
    return own && act(own);
  };
  return new Disposable(
    new TopListOrders(desk, view.view),
    selectedLine.follow(view.view, (row) =>
      row instanceof OrderRow && row.known ? orderLineKey(row.known) : undefined,
    ),
    venue.onDidChange(adapt),
    registerCommands({
      checkOrder: onRecord((own) => checkOrder(desk.unknownOrders, own, log)),
      markPlaced: onRecord((own) => settleByHand(desk, own, "accepted")),
      markNotPlaced: onRecord((own) => settleByHand(desk, own, "notPlaced")),
      orderAgain: onRecord(({ intent }) => {
        const { symbol, amount, rate, postOnly = false } = intent;
        ticket.open({ side: intent.side, symbol, amount, rate, postOnly, preparedBy: "order" }, intent);
      }),
      changeOrder: onRecord((own) => ticket.changeOrder(own)),
      copyOrder: async (row) => {
        if (row instanceof OrderRow) await copyOrder(row.order);
      },
      revealOrder: onRecord(async ({ name }) => {
        await vscode.commands.executeCommand(`${viewIds.orders}.focus`);
        if (name) await view.reveal(name);
      }),
      cancelOrder: async (row) =>
        cancelOrder(desk, view.tree.list, meansFocused(row) ? ((await focusedRow(view.view)) ?? {}) : row),
      previewOrder: () => {
        const [row] = view.view.selection;
        if (row instanceof OrderRow && row.symbol !== undefined)
          return executeCommand("previewChart", row.symbol);
      },
      cancelAllOfPair: (row) => cancelAllOfPair(desk, view.tree.list, row),
      showMoreOrders: () => view.tree.showMore(),
      revealJournal: (row) => revealJournal(desk.ordersFolder, row),
      exportOrders: () => exportOrders(desk),
      exportFills: () => exportFills(desk),
    }),
  );
}
