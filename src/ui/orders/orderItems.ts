import * as vscode from "vscode";
import { orderContexts } from "../../contributions.ts";
import { needsAttention } from "../../desk/orders/orders.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { type Account, assetsOf } from "../../market/order.ts";
import { type Fill, hasEnded, isUnlisted, type KnownOrder } from "../../market/orderReport.ts";
import { pairName } from "../../market/pair.ts";
import { isOwn, type SentOrder } from "../../storage/orders/order.ts";
import { type AmountText, spoken } from "../text/amountText.ts";
import { exactRateText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { ageText, momentText } from "../text/timeText.ts";
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
import { accountText } from "../text/accountText.ts";
import type { GroupName, OrderRow, OtherAccount } from "./orderRows.ts";
import { receiptDiffers, orderStateText, venueText } from "./orderState.ts";

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

interface OrderSurroundings {
  /** Whether the view has several quote assets, so that the base asset does not identify the pair. */
  readonly hasSeveralQuotes: boolean;
  /** The row of an order at another account or exchange names that. */
  readonly ownership: OrderRow["ownership"];
  /** Rows in groups show state and price first, which matter most. */
  readonly isGrouped?: boolean;
}

/** An order's row: amount, price, state as icon and text, and time. The tooltip has all details. */
export function orderItem(
  order: SentOrder,
  now: number,
  amounts: AmountText,
  { hasSeveralQuotes, ownership, isGrouped }: OrderSurroundings = {
    hasSeveralQuotes: false,
    ownership: "ours",
  },
): vscode.TreeItem {
  const { intent } = order;
  const texts = sideTexts[intent.side];
  const name = hasSeveralQuotes ? pairName(intent) : intent.base;
  const item = new vscode.TreeItem(texts.named(name));
  item.id = intent.id;
  const asset = assetsOf(intent.side, intent).amount;
  const amount = amounts.holding(new Decimal(intent.amount), asset, intent.quote);
  const rate = exactRateText(new Decimal(intent.rate));
  const state = orderStateText(order);
  const rest = [state, momentText(intent.at, now), ...ownerText(ownership, intent)];
  const parts =
    isGrouped === true
      ? [`${state} @ ${rate}`, momentText(intent.at, now), `${amount} ${asset}`]
      : [`${amount} @ ${rate}`, ...rest];
  item.description = parts.join(" · ");
  const icon = receiptDiffers(order) ? WARNING : ICONS[order.state];
  item.iconPath = needsAttention(order) ? icon : iconFor(ownership, icon);
  item.contextValue = needsAttention(order) ? orderContexts.unsettled : orderContexts.settled;
  const label = texts.orderAt(pairName(intent), amount, asset, rate);
  item.accessibilityInformation = { label: spoken([label, ...rest].join(", ")) };
  return item;
}

interface RowSurroundings {
  readonly now: number;
  readonly amounts: AmountText;
  readonly hasSeveralQuotes: boolean;
  /** Progress of an unconfirmed cancellation. */
  readonly cancelling: "cancelling" | "stillOpen" | undefined;
}

/**
 * The row of an order that its exchange reports. The label is side and asset. The description begins with what matters
 * most, because a narrow side bar truncates it: filled share and limit price of an open order, outcome and price of a
 * past one.
 */
export function reportedOrderItem(row: OrderRow, known: KnownOrder, at: RowSurroundings): vscode.TreeItem {
  const { own } = row;
  const { pair, fills } = known;
  const texts = sideTexts[known.side];
  const asset = at.hasSeveralQuotes ? pairName(pair) : pair.base;
  const item = new vscode.TreeItem(texts.named(asset), fills.length > 0 ? Collapsed : None);
  item.id = row.id;
  const state = row.group === "open" ? openParts(row, known, at) : historyParts(row, known, at);
  const parts = [...state, ...ownerText(row.ownership, row.order.account)];
  item.description = parts.join(" · ");
  item.iconPath = iconFor(row.ownership, reportedOrderIcon(row, known, at.cancelling));
  item.contextValue = contextOf(row);
  const spokenParts = row.group === "open" ? [progressText(known), ...parts] : parts;
  item.accessibilityInformation = {
    label: spoken([texts.order(pairName(pair)), ...spokenParts, ...(own ? [] : [elsewhere()])].join(", ")),
  };
  return item;
}

/** `45.2% @ 2,950,000.00 · 5,000.00 THB · 3 min`. */
function openParts(
  row: OrderRow,
  known: KnownOrder,
  { now, cancelling, amounts }: RowSurroundings,
): string[] {
  return [
    ...(cancelling ? [cancelText(cancelling)] : []),
    ...(isUnlisted(known) ? [vscode.l10n.t("Not listed")] : []),
    ...stopParts(known),
    `${shareOf(known) ?? "0%"} @ ${limitText(known.rate)}`,
    ...sizeParts(known, amounts),
    ageText(now - (known.placedAt ?? row.order.at)),
    ...(row.own ? [] : [elsewhere()]),
  ];
}

/**
 * `Filled @ 2,949,000.00 · 9:07 PM · 5,000.00 THB`: the average price, or the limit price if nothing was filled.
 */
function historyParts(row: OrderRow, known: KnownOrder, { now, amounts }: RowSurroundings): string[] {
  return [
    `${noteOf(row, known) ?? progressText(known)} @ ${averageText(known) ?? limitText(known.rate)}`,
    momentText(known.placedAt ?? row.order.at, now),
    ...sizeParts(known, amounts),
    ...(row.own ? [] : [elsewhere()]),
  ];
}

/** `5,000.00 THB` for a purchase, else the base quantity; nothing if unreported. */
function sizeParts(known: KnownOrder, amounts: AmountText): string[] {
  const [size, asset] = sizeOf(known);
  return size ? [`${amounts.holding(size, asset, known.pair.quote)} ${asset}`] : [];
}

/** The recorded state, if the exchange's reports are missing or not conclusive. */
function noteOf({ own }: OrderRow, known: KnownOrder): string | undefined {
  return own && (receiptDiffers(own) || !hasEnded(known)) ? orderStateText(own) : undefined;
}

/** The account or exchange of an order, unless it belongs to the signed-in account. */
function ownerText(ownership: OrderRow["ownership"], of: Account): readonly string[] {
  if (ownership === "ours") return [];
  return [ownership === "otherAccounts" ? accountText(of.account) : venueText(of)];
}

/** Grey for orders of other accounts, which are not followed. */
function iconFor(ownership: OrderRow["ownership"], icon: vscode.ThemeIcon): vscode.ThemeIcon {
  return ownership === "otherAccounts" ? new vscode.ThemeIcon(icon.id, GREY) : icon;
}

function elsewhere(): string {
  return vscode.l10n.t("placed elsewhere");
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
  { now, amounts }: Pick<RowSurroundings, "now" | "amounts">,
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

export function accountItem({ account, orders, isAnotherSignedIn }: OtherAccount): vscode.TreeItem {
  const own = orders.filter(isOwn);
  const item = collapsedItem(`account ${account}`, accountText(account), orders.length, own);
  item.description = `${item.description} · ${vscode.l10n.t("not signed in")}`;
  item.tooltip = isAnotherSignedIn
    ? vscode.l10n.t(
        "Bidside does not track these orders, because they may belong to another account. If they belong to the account you use now, choose Same Account… in this row's menu.",
      )
    : vscode.l10n.t(
        "Bidside does not track these orders, because no API key is stored. It resumes once the API key of their account is set.",
      );
  item.iconPath ??= new vscode.ThemeIcon("account", GREY);
  item.contextValue = isAnotherSignedIn ? orderContexts.otherAccount : orderContexts.group;
  item.accessibilityInformation = { label: `${accountText(account)}, ${item.description}` };
  return item;
}

function countText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 order") : vscode.l10n.t("{0} orders", count);
}

export function othersItem(others: readonly SentOrder[]): vscode.TreeItem {
  const label = vscode.l10n.t("Other exchanges");
  const item = collapsedItem("others", label, others.length, others);
  item.iconPath ??= new vscode.ThemeIcon("archive");
  item.accessibilityInformation = { label: `${label}, ${String(item.description)}` };
  return item;
}

/**
 * The header row of orders that are not followed. Expanded initially and with a warning if one needs attention.
 */
function collapsedItem(
  id: string,
  label: string,
  count: number,
  own: readonly SentOrder[],
): vscode.TreeItem & { description: string } {
  const attention = own.filter(needsAttention).length;
  const unknown = attention > 0 ? [vscode.l10n.t("{0} unknown", attention)] : [];
  const item = new vscode.TreeItem(label, attention > 0 ? Expanded : Collapsed);
  if (attention > 0) item.iconPath = WARNING;
  return Object.assign(item, {
    // The editor remembers expansion by id, so a new id expands the row for an order that needs attention.
    id: attention > 0 ? `${id} with attention` : id,
    description: [countText(count), ...unknown].join(" · "),
  });
}
