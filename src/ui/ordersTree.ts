import * as vscode from "vscode";
import { orderContexts, settingKeys, viewIds } from "../contributions.ts";
import { needsAttention, type Orders } from "../desk/orders.ts";
import type { Timers } from "../desk/timers.ts";
import { differencesOf, type BidRecord } from "../journal/foldBids.ts";
import type { Place } from "../desk/venue.ts";
import type { SetAsideFile } from "../journal/setAside.ts";
import { Decimal } from "../market/decimal.ts";
import { amountText, spoken } from "./numberText.ts";
import type { SetAsideRow } from "./setAsideRows.ts";
import { onDidChangeSettings } from "./settings.ts";
import { TimedRows } from "./timedRows.ts";
import { momentText } from "./timeText.ts";

/** A row of the Orders view. */
export type OrderRow = BidRecord | SetAsideRow | SetAsideFile;

/** Loaded where there is anything set aside, which is seldom. */
const setAsideRows = () => import("./setAsideRows.ts");

/** The Orders view: what was set aside, then every bid, those that need attention first. */
export class OrdersTree implements vscode.TreeDataProvider<OrderRow>, vscode.Disposable {
  readonly view: vscode.TreeView<OrderRow>;
  readonly onDidChangeTreeData: vscode.Event<OrderRow[] | undefined>;
  readonly #orders: Orders;
  readonly #timers: Timers;
  readonly #changed = new vscode.EventEmitter<OrderRow[] | undefined>();
  readonly #times: TimedRows<OrderRow>;
  readonly #stop: () => void;
  readonly #settings: vscode.Disposable;

  constructor(orders: Orders, timers: Timers) {
    this.#orders = orders;
    this.#timers = timers;
    this.onDidChangeTreeData = this.#changed.event;
    this.view = vscode.window.createTreeView(viewIds.orders, { treeDataProvider: this });
    this.#times = new TimedRows({
      view: this.view,
      timers,
      textOf: (row) => this.#timeOf(row),
      repaint: (rows) => this.#changed.fire(rows),
    });
    this.#stop = orders.onDidChange(() => this.#show());
    this.#settings = onDidChangeSettings([settingKeys.hideAmounts], () => this.#repaint());
  }

  async getChildren(row?: OrderRow): Promise<OrderRow[]> {
    if (row) return "files" in row ? [...row.files] : [];
    const { bids, setAside } = this.#orders;
    return setAside.length === 0 ? [...bids] : [(await setAsideRows()).setAsideRow(setAside), ...bids];
  }

  async getTreeItem(row: OrderRow): Promise<vscode.TreeItem> {
    if (!("intent" in row)) return (await setAsideRows()).setAsideItem(row);
    this.#times.note(row, this.#timeOf(row));
    return orderItem(row, this.#timers.now());
  }

  async resolveTreeItem(item: vscode.TreeItem, row: OrderRow): Promise<vscode.TreeItem> {
    item.tooltip =
      "intent" in row
        ? (await import("./orderText.ts")).orderTooltip(row)
        : (await setAsideRows()).setAsideTooltip(row);
    return item;
  }

  dispose(): void {
    this.#stop();
    this.#settings.dispose();
    this.#times.dispose();
    this.view.dispose();
    this.#changed.dispose();
  }

  #show(): void {
    const { attention } = this.#orders;
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
    return "intent" in row ? momentText(row.intent.at, this.#timers.now()) : "";
  }
}

const ICONS: Record<BidRecord["state"], vscode.ThemeIcon> = {
  sending: new vscode.ThemeIcon("sync"),
  accepted: new vscode.ThemeIcon("pass"),
  placed: new vscode.ThemeIcon("pass"),
  rejected: new vscode.ThemeIcon("error"),
  notSent: new vscode.ThemeIcon("circle-slash"),
  notPlaced: new vscode.ThemeIcon("circle-slash"),
  unknown: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
  unresolved: new vscode.ThemeIcon("question", new vscode.ThemeColor("list.warningForeground")),
  accountReset: new vscode.ThemeIcon("discard"),
};

/** Accepted, with a receipt that contradicts the order. */
const DIFFERS = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));

/** A bid's row: what, its state by icon and word, when, and the venue; all of it in the tooltip. */
export function orderItem(bid: BidRecord, now: number): vscode.TreeItem {
  const { intent } = bid;
  const item = new vscode.TreeItem(intent.symbol);
  item.id = intent.id;
  const amount = `${amountText(new Decimal(intent.amount))} ${intent.quote}`;
  item.description = [stateText(bid), amount, momentText(intent.at, now), venueText(bid)].join(" · ");
  item.iconPath = differencesOf(bid).length > 0 ? DIFFERS : ICONS[bid.state];
  item.contextValue = needsAttention(bid) ? orderContexts.unsettled : orderContexts.settled;
  item.accessibilityInformation = { label: spoken(`${intent.symbol}, ${item.description}`) };
  return item;
}

/** The state in a word or two. */
export function stateText(bid: BidRecord): string {
  if (differencesOf(bid).length > 0) return vscode.l10n.t("Accepted, receipt differs");
  const words: Record<BidRecord["state"], string> = {
    sending: vscode.l10n.t("Sending"),
    accepted: vscode.l10n.t("Accepted"),
    placed: vscode.l10n.t("Placed"),
    rejected: vscode.l10n.t("Rejected"),
    notSent: vscode.l10n.t("Not sent"),
    notPlaced: vscode.l10n.t("Not placed"),
    unknown: vscode.l10n.t("Unknown"),
    unresolved: vscode.l10n.t("Unresolved"),
    accountReset: vscode.l10n.t("Account reset"),
  };
  return words[bid.state];
}

/** Where it was sent. */
export function venueText({ intent }: { readonly intent: Place }): string {
  return intent.venue === "practice" ? vscode.l10n.t("Practice") : new URL(intent.origin).host;
}
