import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { BalanceFeed } from "../../desk/feeds/balanceFeed.ts";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import { Orders } from "../../desk/orders/orders.ts";
import type { UnknownOrders } from "../../desk/orders/unknownOrders.ts";
import { resumeAfterSleep } from "../../desk/time/resumeAfterSleep.ts";
import type { WakeDetector } from "../../desk/time/wakeDetector.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import { followSending, shareRecords } from "../../desk/windows/recordSync.ts";
import type { SharedDesk } from "../../desk/windows/sharedDesk.ts";
import { errorLine } from "../log.ts";
import { type OrderCommandParts, registerOrderCommands } from "./orderCommands.ts";
import { OrdersView } from "./ordersView.ts";

/** The orders of this computer. Their journal is in the extension's global storage; its module is loaded at first use. */
export function createOrders(
  context: vscode.ExtensionContext,
  now: () => number,
  log: vscode.LogOutputChannel,
): { readonly orders: Orders; readonly folder: vscode.Uri } {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, "orders");
  const orders = new Orders({
    open: async () => {
      const { openOrderJournal } = await import("../../storage/orders/orderJournal.ts");
      return openOrderJournal({ directory: folder.fsPath, now });
    },
    newId: randomUUID,
    now,
    trouble: (error) => log.error(errorLine(error)),
  });
  return { orders, folder };
}

export interface OrderParts extends Omit<OrderCommandParts, "unknownBids"> {
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  readonly shared: SharedDesk;
  readonly timers: WakeDetector;
  readonly random: () => number;
}

/**
 * Shows the orders, and checks the orders with an unknown outcome: one window of this computer does that for all. The other
 * windows are told when this window writes to the journal; this window reads the journal when another window may have
 * written to it. After a sleep of the computer, unknown orders are checked before anything else.
 */
export function showOrders(parts: OrderParts): vscode.Disposable {
  const { orders, venue, tickers, balances, shared, timers, random, log } = parts;
  const { windows, balance } = shared;
  const reread = (): void => void orders.reread().catch((error: unknown) => log.error(errorLine(error)));
  let loaded: Promise<UnknownOrders> | undefined;
  const unknownBids = (): Promise<UnknownOrders> =>
    (loaded ??= import("../../desk/orders/unknownOrders.ts").then(
      (desk) =>
        new desk.UnknownOrders({ orders, venue, timers, random, isMine: () => balance.checkIsMine() }),
    ));
  const lookAfterBids = async (): Promise<void> => {
    await windows.settled();
    await (await loaded)?.look();
  };
  const stop = [
    // Loaded only for an unknown order, because most windows never have one.
    orders.onDidChange(() => orders.attention > 0 && void unknownBids()),
    shareRecords(windows, "ordersChanged", { onDidWrite: orders.onDidWrite, reread }),
    followSending(orders, timers, reread),
    timers.onDidWake(() => void resumeAfterSleep({ venue, tickers, balances, lookAfterBids })),
  ];
  reread();
  return vscode.Disposable.from(
    ...stop.map((each) => new vscode.Disposable(each)),
    new vscode.Disposable(() => void loaded?.then((each) => each.dispose())),
    new OrdersView(orders, venue, timers),
    registerOrderCommands({ ...parts, unknownBids }),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && reread()),
    new vscode.Disposable(() => void orders.close()),
  );
}
