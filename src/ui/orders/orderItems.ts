import * as vscode from "vscode";
import { orderContexts } from "../../contributions.ts";
import { needsAttention } from "../../desk/orders/orders.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { accountId, type AccountRef, assetsOf } from "../../market/order.ts";
import { type Fill } from "../../market/orderReport.ts";
import { hasEnded, isUnlisted, type KnownOrder } from "../../market/orders/knownOrder.ts";
import { pairName } from "../../market/pair.ts";
import { isOwn, type SentOrder } from "../../storage/orders/order.ts";
import { type AmountText, spoken } from "../text/amountText.ts";
import { exactRateText, shortText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { momentText } from "../text/timeText.ts";
import {
  averageText,
  cancelText,
  isContradicted,
  limitText,
  progressText,
  shareOf,
  sizeOf,
  stopParts,
} from "./reportText.ts";
import type { GroupName, OrderRow, OtherAccount } from "./orderRows.ts";
import { receiptDiffers, orderStateText } from "./orderState.ts";

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

const ICONS: Record<SentOrder["state"], vscode.ThemeIcon> = {
  sending: new vscode.ThemeIcon("sync"),
  accepted: new vscode.ThemeIcon("pass"),
  rejected: new vscode.ThemeIcon("error"),
  notSent: new vscode.ThemeIcon("circle-slash"),
  notPlaced: new vscode.ThemeIcon("circle-slash"),
  unknown: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
  unresolved: new vscode.ThemeIcon("question", new vscode.ThemeColor("list.warningForeground")),
  accountReset: new vscode.ThemeIcon("discard"),
};

/** For contradicted orders, and for orders that need the user's attention. */
const WARNING = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));

const GREY = new vscode.ThemeColor("disabledForeground");

/** How accounts are named. */
interface Names {
  readonly accountText: (ref: AccountRef) => string;
}

interface OrderSurroundings extends Names {
  readonly amounts: AmountText;
  /** Whether the view has several quote assets, so that the base asset does not identify the pair. */
  readonly hasSeveralQuotes: boolean;
  /** The row of an order of another account names that. */
  readonly isOurs: boolean;
}

/**
 * The row of an order: side and asset as label, then limit price, state and size. A narrow side bar cuts off the end, so
 * what matters most comes first; the tooltip has the rest.
 */
export function orderItem(order: SentOrder, at: OrderSurroundings): vscode.TreeItem {
  const { intent } = order;
  const texts = sideTexts[intent.side];
  const item = new vscode.TreeItem(texts.named(at.hasSeveralQuotes ? pairName(intent) : intent.base));
  item.id = intent.id;
  const size = new Decimal(intent.amount);
  const rate = exactRateText(new Decimal(intent.rate));
  const state = orderStateText(order);
  const owner = ownerText(at.isOurs, intent, at);
  item.description = [rate, state, ...sizeParts(size, at.amounts), ...owner].join(" · ");
  const icon = receiptDiffers(order) ? WARNING : ICONS[order.state];
  item.iconPath = needsAttention(order) ? icon : iconFor(at.isOurs, icon);
  item.contextValue = needsAttention(order) ? orderContexts.unsettled : orderContexts.settled;
  const asset = assetsOf(intent.side, intent).amount;
  const amount = at.amounts.holding(size, asset, intent.quote);
  const label = texts.orderAt(pairName(intent), amount, asset, rate);
  item.accessibilityInformation = { label: spoken([label, state, ...owner].join(", ")) };
  return item;
}

interface RowSurroundings extends Names {
  readonly amounts: AmountText;
  readonly hasSeveralQuotes: boolean;
  /** Progress of an unconfirmed cancellation. */
  readonly cancelling: "cancelling" | "stillOpen" | undefined;
}

/** The same for an order that its exchange reports, with the filled share of an open order as its state. */
export function reportedOrderItem(row: OrderRow, known: KnownOrder, at: RowSurroundings): vscode.TreeItem {
  const { own } = row;
  const { pair, fills } = known;
  const texts = sideTexts[known.side];
  const asset = at.hasSeveralQuotes ? pairName(pair) : pair.base;
  const item = new vscode.TreeItem(texts.named(asset), fills.length > 0 ? Collapsed : None);
  item.id = row.id;
  const isOpen = row.group === "open";
  const price = isOpen ? limitText(known.rate) : (averageText(known) ?? limitText(known.rate));
  const notes = isOpen ? openNotes(known, at) : [];
  const owner = ownerText(row.isOurs, row.order.account, at);
  const size = sizeParts(sizeOf(known)[0], at.amounts);
  const state = noteOf(row, known) ?? progressText(known);
  const progress = isOpen ? [filledOf(known, size)] : [state, ...size];
  item.description = [price, ...notes, ...progress, ...owner].join(" · ");
  item.iconPath = iconFor(row.isOurs, reportedOrderIcon(row, known, at.cancelling));
  item.contextValue = contextOf(row);
  const label = texts.order(pairName(pair));
  const words = [
    label,
    isOpen ? progressText(known) : state,
    price,
    ...notes,
    ...spokenSize(known, at.amounts),
  ];
  const source = own ? [] : [vscode.l10n.t("placed elsewhere")];
  item.accessibilityInformation = { label: spoken([...words, ...owner, ...source].join(", ")) };
  return item;
}

/** `45.2% of 100K`. */
function filledOf(known: KnownOrder, [size]: readonly string[]): string {
  const share = shareOf(known) ?? "0%";
  return size === undefined ? share : vscode.l10n.t("{0} of {1}", share, size);
}

/** What is unusual about an open order. */
function openNotes(known: KnownOrder, { cancelling }: RowSurroundings): string[] {
  return [
    ...(cancelling ? [cancelText(cancelling)] : []),
    ...(isUnlisted(known) ? [vscode.l10n.t("Not listed")] : []),
    ...stopParts(known),
  ];
}

/** A short size, in quote to buy and in base to sell; nothing if unreported or hidden. */
function sizeParts(size: Decimal | undefined, amounts: AmountText): string[] {
  return size && !amounts.areHidden ? [shortText(size)] : [];
}

/** `5,000.00 THB` for a purchase, else the base quantity; nothing if unreported. */
function spokenSize(known: KnownOrder, amounts: AmountText): string[] {
  const [size, asset] = sizeOf(known);
  return size ? [`${amounts.holding(size, asset, known.pair.quote)} ${asset}`] : [];
}

/** The recorded state, if the exchange's reports are missing or not conclusive. */
function noteOf({ own }: OrderRow, known: KnownOrder): string | undefined {
  return own && (receiptDiffers(own) || !hasEnded(known)) ? orderStateText(own) : undefined;
}

/** The account of an order, unless it is the current one. */
function ownerText(isOurs: boolean, of: AccountRef, { accountText }: Names): readonly string[] {
  return isOurs ? [] : [accountText(of)];
}

/** Grey for orders of other accounts, which are not followed. */
function iconFor(isOurs: boolean, icon: vscode.ThemeIcon): vscode.ThemeIcon {
  return isOurs ? icon : new vscode.ThemeIcon(icon.id, GREY);
}

function reportedOrderIcon(
  row: OrderRow,
  known: KnownOrder,
  cancelling: RowSurroundings["cancelling"],
): vscode.ThemeIcon {
  if (isContradicted(known) || (row.own && receiptDiffers(row.own))) return WARNING;
  if (cancelling) return cancelling === "cancelling" ? new vscode.ThemeIcon("sync") : WARNING;
  if (!row.own) return new vscode.ThemeIcon("globe");
  if (row.group === "open") {
    if (isUnlisted(known)) return new vscode.ThemeIcon("question");
    return new vscode.ThemeIcon(known.fills.length > 0 ? "pie-chart" : "clock");
  }
  switch (known.status) {
    case "filled":
      return ICONS.accepted;
    case "cancelled":
    case "partlyFilledCancelled":
      return ICONS.notSent;
    case "rejected":
      return ICONS.rejected;
    default:
      return new vscode.ThemeIcon("question");
  }
}

function contextOf(row: OrderRow): string {
  if (row.isCancellable) return row.own ? orderContexts.open : orderContexts.openElsewhere;
  return row.own ? orderContexts.settled : orderContexts.doneElsewhere;
}

/** The row of a fill: quantity and price, then time and fee. */
export function fillItem(
  row: OrderRow,
  fill: Fill,
  { pair }: KnownOrder,
  { now, amounts }: { readonly now: number; readonly amounts: AmountText },
): vscode.TreeItem {
  const held = amounts.holding(fill.quantity, pair.base, pair.quote);
  const quantity = fill.isQuantityAbout ? `≈ ${held}` : held;
  const item = new vscode.TreeItem(`${quantity} @ ${exactRateText(fill.rate)}`);
  item.id = `${row.id} ${fill.id}`;
  const time = momentText(fill.at, now);
  const fee = vscode.l10n.t("fee {0} {1}", amounts.amount(fill.fee, pair.quote), pair.quote);
  item.description = `${time} · ${fee}`;
  item.iconPath = new vscode.ThemeIcon("circle-small");
  const label = vscode.l10n.t(
    "Fill: {0}",
    `${quantity} ${pair.base} @ ${exactRateText(fill.rate)} ${pair.quote}`,
  );
  item.accessibilityInformation = { label: spoken([label, time, fee].join(", ")) };
  return item;
}

export function groupItem(name: GroupName, count: number): vscode.TreeItem {
  const labels: Record<GroupName, string> = {
    actionNeeded: vscode.l10n.t("Action needed"),
    open: vscode.l10n.t("Open orders"),
    done: vscode.l10n.t("Order history"),
  };
  const item = new vscode.TreeItem(labels[name], Expanded);
  item.id = `group ${name}`;
  item.description = String(count);
  item.contextValue = name === "open" ? orderContexts.openGroup : orderContexts.group;
  if (name === "actionNeeded") item.iconPath = WARNING;
  item.accessibilityInformation = { label: `${labels[name]}, ${count}` };
  return item;
}

/** The row that loads more of the order history. */
export function moreItem(hidden: number, link: vscode.Command): vscode.TreeItem {
  const item = new vscode.TreeItem(link.title);
  item.id = "more";
  item.description = vscode.l10n.t("{0} not shown", hidden);
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  item.command = link;
  return item;
}

export function accountItem({ account, orders }: OtherAccount, { accountText }: Names): vscode.TreeItem {
  const own = orders.filter(isOwn);
  const attention = own.filter(needsAttention).length;
  const unknown = attention > 0 ? [vscode.l10n.t("{0} unknown", attention)] : [];
  const label = accountText(account);
  // Expanded initially if an order needs attention.
  const item = new vscode.TreeItem(label, attention > 0 ? Expanded : Collapsed);
  const description = [countText(orders.length), ...unknown].join(" · ");
  // The editor remembers expansion by id, so a new id expands the row for an order that needs attention.
  item.id = `account ${accountId(account)}${attention > 0 ? " with attention" : ""}`;
  item.description = description;
  item.tooltip = vscode.l10n.t(
    "Bidside does not track these orders in this window. Switch to their account to see and change their current state.",
  );
  item.iconPath = attention > 0 ? WARNING : new vscode.ThemeIcon("account", GREY);
  item.contextValue = orderContexts.group;
  item.accessibilityInformation = { label: `${label}, ${description}` };
  return item;
}

function countText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 order") : vscode.l10n.t("{0} orders", count);
}
