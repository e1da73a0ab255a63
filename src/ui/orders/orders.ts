import * as vscode from "vscode";
import { contextKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import type { OrderFollowing } from "../../desk/life/orderFollowing.ts";
import type { Orders } from "../../desk/orders/orders.ts";
import { offersCancel, tellsOrders } from "../../desk/venue.ts";
import { sideOf } from "../../market/order.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";
import { registerCommands } from "../commands.ts";
import { announcedFills } from "../settings.ts";
import type { Ticket } from "../ticket/ticket.ts";
import type { Markets } from "../markets/markets.ts";
import { FavouriteOrders } from "../markets/favouriteOrders.ts";
import type { AccountOffer, askAboutAccount } from "./accountQuestion.ts";
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
import type { OrderRow } from "./orderRows.ts";
import { type LateOrdersView, OrdersView } from "./ordersView.ts";

/** What the view, messages and commands need. */
interface LateOrders extends LateOrdersView {
  readonly AccountOffer: typeof AccountOffer;
  readonly askAboutAccount: typeof askAboutAccount;
  readonly cancelAllOfPair: typeof cancelAllOfPair;
  readonly cancelOrder: typeof cancelOrder;
  readonly checkOrder: typeof checkOrder;
  readonly copyOrder: typeof copyOrder;
  readonly exportFills: typeof exportFills;
  readonly exportOrders: typeof exportOrders;
  readonly FillMessages: typeof FillMessages;
  readonly OrderRow: typeof OrderRow;
  readonly revealJournal: typeof revealJournal;
  readonly settleByHand: typeof settleByHand;
}

/** The recorded order of a command's argument: an id or a row. Undefined if there is no such order. */
export function recordOf(orders: Pick<Orders, "all">, order: unknown): RecordedOrder | undefined {
  const id = typeof order === "string" ? order : idIn(order);
  return orders.all.find(({ intent }) => intent.id === id);
}

function idIn(row: unknown): unknown {
  const own = typeof row === "object" && row !== null && "own" in row ? row.own : undefined;
  const intent = typeof own === "object" && own !== null && "intent" in own ? own.intent : undefined;
  return typeof intent === "object" && intent !== null && "id" in intent ? intent.id : undefined;
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
  const offer = late().then(({ AccountOffer }) => new AccountOffer(desk));
  const offerAccounts = async (): Promise<void> => (await offer).offer((await view.tree).list.accounts);
  return vscode.Disposable.from(
    view,
    new FavouriteOrders(desk.orderWatch, view.view, markets),
    { dispose: venue.onDidChange(adapt) },
    { dispose: venue.onDidLearnAccount(() => void offerAccounts()) },
    { dispose: orders.onDidChange(() => void offerAccounts()) },
    { dispose: () => parts.forEach((part) => part.dispose()) },
    registerCommands({
      checkOrder: async (order) => {
        const own = recordOf(orders, order);
        if (own) await (await late()).checkOrder(await desk.unknownOrders(), own, log);
      },
      markPlaced: async (order) => {
        const own = recordOf(orders, order);
        if (own) await (await late()).settleByHand(orders, own, "accepted");
      },
      markNotPlaced: async (order) => {
        const own = recordOf(orders, order);
        if (own) await (await late()).settleByHand(orders, own, "notPlaced");
      },
      bidAgain: async (order) => {
        const own = recordOf(orders, order);
        if (!own) return;
        const { symbol, amount, rate, postOnly = false } = own.intent;
        const side = sideOf(own.intent);
        await ticket.open({ side, symbol, amount, rate, postOnly, preparedBy: "order" }, own.intent);
      },
      sameAccount: async (row) => {
        if (typeof row !== "object" || row === null || !("account" in row)) return;
        const { accounts } = (await view.tree).list;
        const other = accounts.find(({ account }) => account === row.account);
        if (other) await (await late()).askAboutAccount(desk, other.account);
      },
      copyOrder: async (row) => {
        const { copyOrder, OrderRow } = await late();
        if (row instanceof OrderRow) await copyOrder(row);
      },
      cancelOrder: async (row) => (await late()).cancelOrder(desk, (await view.tree).list, row),
      cancelAllOfPair: async (row) => (await late()).cancelAllOfPair(desk, (await view.tree).list, row),
      showMoreOrders: async () => (await view.tree).showMore(),
      revealJournal: async (row) => (await late()).revealJournal(desk.ordersFolder, row),
      exportOrders: async () => (await late()).exportOrders(orders, log),
      exportFills: async () => (await late()).exportFills(orders, log),
    }),
  );
}
