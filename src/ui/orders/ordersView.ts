import * as vscode from "vscode";
import { orderContexts, settingKeys, viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { needsAttention } from "../../desk/orders/orders.ts";
import { isAt } from "../../desk/venue.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { assetsOf } from "../../market/order.ts";
import { pairName } from "../../market/pair.ts";
import { sideOf } from "../../storage/orders/records.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";
import type { SkippedLinesOfFile } from "../../storage/orders/skippedLines.ts";
import { onDidChangeSettings, shownAmounts } from "../settings.ts";
import { type AmountText, spoken } from "../text/amountText.ts";
import { exactRateText } from "../text/numberText.ts";
import { momentText } from "../text/timeText.ts";
import { TimedRows } from "../text/timedRows.ts";
import { lifeText } from "./lifeText.ts";
import { receiptDiffers, stateText, venueText } from "./orderState.ts";
import type { SkippedLinesRow } from "./skippedLineRows.ts";

/** A row of the Orders view. */
export type OrderRow = RecordedOrder | OtherOrders | SkippedLinesRow | SkippedLinesOfFile;

/** The row above the orders of all other exchanges. */
interface OtherOrders {
  readonly others: readonly RecordedOrder[];
}

interface OrdersDesk extends Pick<Desk, "orders" | "timers"> {
  readonly venue: Pick<Desk["venue"], "venue" | "id" | "onDidChange">;
}

/** Loaded only if a journal line was skipped, which is rare. */
const skippedLineRows = () => import("./skippedLineRows.ts");

/**
 * The Orders view: the skipped lines, then the orders of the open exchange (first those that need attention),
 * then one row with the orders of all other exchanges below it.
 */
export class OrdersView extends Disposable implements vscode.TreeDataProvider<OrderRow> {
  readonly #desk: OrdersDesk;
  readonly #changed = this.register(new vscode.EventEmitter<OrderRow[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<OrderRow>;
  readonly #times: TimedRows<OrderRow>;

  constructor(desk: OrdersDesk) {
    super();
    this.#desk = desk;
    const { orders, venue, timers } = desk;
    this.view = this.register(vscode.window.createTreeView(viewIds.orders, { treeDataProvider: this }));
    this.#times = this.register(
      new TimedRows({
        view: this.view,
        timers,
        textOf: (row) => this.#timeOf(row),
        repaint: (rows) => this.#changed.fire(rows),
      }),
    );
    this.register(
      orders.onDidChange(() => this.#show()),
      venue.onDidChange(() => this.#repaint()),
      onDidChangeSettings([settingKeys.hideAmounts], () => this.#repaint()),
    );
  }

  async getChildren(row?: OrderRow): Promise<OrderRow[]> {
    if (row) return "files" in row ? [...row.files] : "others" in row ? [...row.others] : [];
    const { all, skippedLines } = this.#desk.orders;
    const others = all.filter((order) => !this.#isHere(order));
    return [
      ...(skippedLines.length === 0 ? [] : [(await skippedLineRows()).skippedLinesRow(skippedLines)]),
      ...all.filter((order) => this.#isHere(order)),
      ...(others.length === 0 ? [] : [{ others }]),
    ];
  }

  async getTreeItem(row: OrderRow): Promise<vscode.TreeItem> {
    if ("others" in row) return othersItem(row);
    if (!("intent" in row)) return (await skippedLineRows()).skippedLinesItem(row);
    this.#times.note(row, this.#timeOf(row));
    return orderItem(row, this.#desk.timers.now(), shownAmounts(), {
      hasSeveralQuotes: this.#desk.orders.all.some(({ intent }) => intent.quote !== row.intent.quote),
      isElsewhere: !this.#isHere(row),
      progress: receiptDiffers(row) ? undefined : lifeText(row, this.#desk.orders.lives),
    });
  }

  async resolveTreeItem(item: vscode.TreeItem, row: OrderRow): Promise<vscode.TreeItem> {
    if ("others" in row) return item;
    item.tooltip =
      "intent" in row
        ? (await import("./orderText.ts")).orderTooltip(row, shownAmounts())
        : (await skippedLineRows()).skippedLinesTooltip(row);
    return item;
  }

  /** Whether an order belongs to the open exchange. While no exchange is open: to the kind of exchange that opens. */
  #isHere({ intent }: RecordedOrder): boolean {
    const { venue, id } = this.#desk.venue;
    return venue ? isAt(intent, venue) : intent.venue === id;
  }

  #show(): void {
    const { attention } = this.#desk.orders;
    this.view.badge =
      attention === 0
        ? undefined
        : { value: attention, tooltip: vscode.l10n.t("Orders that may have been placed: {0}", attention) };
    this.#repaint();
  }

  #repaint(): void {
    this.#times.clear();
    this.#changed.fire(undefined);
  }

  #timeOf(row: OrderRow): string {
    return "intent" in row ? momentText(row.intent.at, this.#desk.timers.now()) : "";
  }
}

const ICONS: Record<RecordedOrder["state"], vscode.ThemeIcon> = {
  sending: new vscode.ThemeIcon("sync"),
  accepted: new vscode.ThemeIcon("pass"),
  rejected: new vscode.ThemeIcon("error"),
  notSent: new vscode.ThemeIcon("circle-slash"),
  notPlaced: new vscode.ThemeIcon("circle-slash"),
  unknown: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
  unresolved: new vscode.ThemeIcon("question", new vscode.ThemeColor("list.warningForeground")),
  accountReset: new vscode.ThemeIcon("discard"),
};

/** For an accepted order whose receipt contradicts the order, and for orders that need the person. */
const WARNING = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));

interface OrderSurroundings {
  /** The view has orders in several quote assets, so the base asset does not identify the pair. */
  readonly hasSeveralQuotes: boolean;
  /** The order is below the row of the other exchanges, so its row names the exchange. */
  readonly isElsewhere: boolean;
  /** How far the order is; missing if its exchange never told. */
  readonly progress?: string | undefined;
}

/** An order's row: amount of the asset that leaves, rate, the state as icon and word, and the time. The tooltip has all details. */
export function orderItem(
  order: RecordedOrder,
  now: number,
  amounts: AmountText,
  { hasSeveralQuotes, isElsewhere, progress }: OrderSurroundings = {
    hasSeveralQuotes: false,
    isElsewhere: false,
  },
): vscode.TreeItem {
  const { intent } = order;
  const item = new vscode.TreeItem(hasSeveralQuotes ? pairName(intent) : intent.base);
  item.id = intent.id;
  const side = sideOf(intent);
  const asset = assetsOf(side, intent).amount;
  const amount = amounts.holding(new Decimal(intent.amount), asset, intent.quote);
  const rate = exactRateText(new Decimal(intent.rate));
  const rest = [
    progress ?? stateText(order),
    momentText(intent.at, now),
    ...(isElsewhere ? [venueText(order)] : []),
  ];
  const figures = side === "buy" ? `${amount} @ ${rate}` : vscode.l10n.t("Sell {0} @ {1}", amount, rate);
  item.description = [figures, ...rest].join(" · ");
  item.iconPath = receiptDiffers(order) ? WARNING : ICONS[order.state];
  item.contextValue = needsAttention(order) ? orderContexts.unsettled : orderContexts.settled;
  const pair = pairName(intent);
  const said =
    side === "buy"
      ? vscode.l10n.t("Bid for {0}: {1} {2} at {3}", pair, amount, asset, rate)
      : vscode.l10n.t("Ask for {0}: {1} {2} at {3}", pair, amount, asset, rate);
  item.accessibilityInformation = { label: spoken([said, ...rest].join(", ")) };
  return item;
}

/** Expanded at first if an order below needs the person. */
function othersItem({ others }: OtherOrders): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const attention = others.filter(needsAttention).length;
  const item = new vscode.TreeItem(vscode.l10n.t("Other exchanges"), attention > 0 ? Expanded : Collapsed);
  // The editor remembers by the id whether a row is expanded. A new id expands the row for an order that needs the person.
  item.id = attention > 0 ? "othersWithAttention" : "others";
  const orders = others.length === 1 ? vscode.l10n.t("1 order") : vscode.l10n.t("{0} orders", others.length);
  item.description = [orders, ...(attention > 0 ? [vscode.l10n.t("{0} unknown", attention)] : [])].join(
    " · ",
  );
  item.iconPath = attention > 0 ? WARNING : new vscode.ThemeIcon("archive");
  item.accessibilityInformation = { label: `${String(item.label)}, ${item.description}` };
  return item;
}
