import * as vscode from "vscode";
import { contextKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import type { OrderFollowing } from "../../desk/life/orderFollowing.ts";
import { offersCancel, tellsOrders } from "../../desk/venue.ts";
import { sideOf } from "../../market/order.ts";
import { registerCommands } from "../commands.ts";
import { announcedFills } from "../settings.ts";
import type { Ticket } from "../ticket/ticket.ts";
import type { Markets } from "../markets/markets.ts";
import { FavouriteOrders } from "../markets/favouriteOrders.ts";
import type { cancelAllOfPair, cancelOrder } from "./cancelOrders.ts";
import type { FillMessages } from "./fillMessages.ts";
import type {
  checkOrder,
  copyOrder,
  exportFills,
  exportOrders,
  revealJournal,
  settleByHand,
} from "./orderActions.ts";
import { type LateOrdersView, OrdersView } from "./ordersView.ts";

/** What the view, messages and commands need. */
interface LateOrders extends LateOrdersView {
  readonly cancelAllOfPair: typeof cancelAllOfPair;
  readonly cancelOrder: typeof cancelOrder;
  readonly checkOrder: typeof checkOrder;
  readonly copyOrder: typeof copyOrder;
  readonly exportFills: typeof exportFills;
  readonly exportOrders: typeof exportOrders;
  readonly FillMessages: typeof FillMessages;
  readonly revealJournal: typeof revealJournal;
  readonly settleByHand: typeof settleByHand;
}

/** The Orders view, its commands, and the messages about fills. */
export function showOrders(
  desk: Desk,
  ticket: Ticket,
  markets: Markets,
  late: () => Promise<LateOrders>,
): vscode.Disposable {
  const { orders, log, timers, venue } = desk;
  let following: Promise<OrderFollowing> | undefined;
  const view = new OrdersView(desk, late);
  const parts: { dispose(): unknown }[] = [];
  const follow = async (): Promise<void> => {
    const { FillMessages } = await late();
    const { tracker } = await (following ??= desk.following());
    const messages = new FillMessages({
      timers,
      which: announcedFills,
      reveal: (name) => void view.reveal(name),
    });
    parts.push(messages, { dispose: tracker.onDidChange(messages.add) });
  };
  const adapt = (): void => {
    void vscode.commands.executeCommand("setContext", contextKeys.offersCancel, offersCancel(venue.venue));
    if (!following && tellsOrders(venue.venue)) {
      following = desk.following();
      void follow();
    }
  };
  adapt();
  return vscode.Disposable.from(
    view,
    new FavouriteOrders(desk.orderWatch, view.view, markets),
    { dispose: venue.onDidChange(adapt) },
    { dispose: () => parts.forEach((part) => part.dispose()) },
    registerCommands({
      checkOrder: async ({ own }) => own && (await late()).checkOrder(await desk.unknownOrders(), own, log),
      markPlaced: async ({ own }) => own && (await late()).settleByHand(orders, own, "accepted"),
      markNotPlaced: async ({ own }) => own && (await late()).settleByHand(orders, own, "notPlaced"),
      bidAgain: ({ own }) => {
        if (!own) return;
        const { symbol, amount, rate, postOnly = false } = own.intent;
        return ticket.open({ side: sideOf(own.intent), symbol, amount, rate, postOnly }, own.intent);
      },
      copyOrder: async (row) => (await late()).copyOrder(row),
      cancelOrder: async (row) => (await late()).cancelOrder(desk, (await view.tree).list, row),
      cancelAllOfPair: async (row) => (await late()).cancelAllOfPair(desk, (await view.tree).list, row),
      showMoreOrders: async () => (await view.tree).showMore(),
      revealJournal: async (row) => (await late()).revealJournal(desk.ordersFolder, row),
      exportOrders: async () => (await late()).exportOrders(orders, log),
      exportFills: async () => (await late()).exportFills(orders, log),
    }),
  );
}
