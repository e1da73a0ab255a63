import * as vscode from "vscode";
import { orderContexts, settingKeys, viewIds } from "../contributions.ts";
import { needsAttention, type Orders } from "../desk/orders.ts";
import type { BidRecord } from "../journal/foldBids.ts";
import type { BidEvent } from "../journal/orderRecords.ts";
import { ageText, spoken, timeText, withoutAmounts } from "./numberText.ts";
import { onDidChangeSettings } from "./settings.ts";

/** The Orders view: every bid, those that need attention first. */
export class OrdersTree implements vscode.TreeDataProvider<BidRecord>, vscode.Disposable {
  readonly view: vscode.TreeView<BidRecord>;
  readonly onDidChangeTreeData: vscode.Event<undefined>;
  readonly #orders: Orders;
  readonly #now: () => number;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #stop: () => void;
  readonly #settings: vscode.Disposable;

  constructor(orders: Orders, now: () => number) {
    this.#orders = orders;
    this.#now = now;
    this.onDidChangeTreeData = this.#changed.event;
    this.view = vscode.window.createTreeView(viewIds.orders, { treeDataProvider: this });
    this.#stop = orders.onDidChange(() => this.#show());
    this.#settings = onDidChangeSettings([settingKeys.hideAmounts], () => this.#changed.fire(undefined));
  }

  getChildren(bid?: BidRecord): BidRecord[] {
    return bid ? [] : [...this.#orders.bids];
  }

  getTreeItem(bid: BidRecord): vscode.TreeItem {
    return orderItem(bid, this.#now());
  }

  dispose(): void {
    this.#stop();
    this.#settings.dispose();
    this.view.dispose();
    this.#changed.dispose();
  }

  #show(): void {
    const { attention, setAside } = this.#orders;
    this.view.badge =
      attention === 0
        ? undefined
        : { value: attention, tooltip: vscode.l10n.t("Bids whose outcome nothing proves: {0}", attention) };
    const message =
      setAside === 0 ? undefined : vscode.l10n.t("Journal lines set aside as damaged: {0}.", setAside);
    this.view.message = message as string;
    this.#changed.fire(undefined);
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
};

/** A bid's row: what, its state by icon and word, age and venue; all of it in the tooltip. */
export function orderItem(bid: BidRecord, now: number): vscode.TreeItem {
  const { intent, state } = bid;
  const item = new vscode.TreeItem(intent.symbol);
  item.id = intent.id;
  const age = vscode.l10n.t("{0} ago", ageText(now - intent.at));
  const amount = `${withoutAmounts(intent.amount)} ${intent.quote}`;
  item.description = [stateText(state), amount, age, venueText(bid)].join(" · ");
  item.iconPath = ICONS[state];
  item.contextValue = needsAttention(bid) ? orderContexts.unsettled : orderContexts.settled;
  item.tooltip = orderTooltip(bid);
  item.accessibilityInformation = { label: spoken(`${intent.symbol}, ${item.description}`) };
  return item;
}

/** The state in a word or two. */
function stateText(state: BidRecord["state"]): string {
  const words: Record<BidRecord["state"], string> = {
    sending: vscode.l10n.t("Sending"),
    accepted: vscode.l10n.t("Accepted"),
    placed: vscode.l10n.t("Placed"),
    rejected: vscode.l10n.t("Rejected"),
    notSent: vscode.l10n.t("Not sent"),
    notPlaced: vscode.l10n.t("Not placed"),
    unknown: vscode.l10n.t("Unknown"),
    unresolved: vscode.l10n.t("Unresolved"),
  };
  return words[state];
}

/**
 * Every detail of a bid on lines of its own, amounts and all: what is asked about or copied must not be blind.
 * `shown` may mask them for what only stands on screen.
 */
export function orderDetails(bid: BidRecord, shown = (text: string): string => text): string[] {
  const { intent, state } = bid;
  return [
    vscode.l10n.t("State: {0}", stateText(state)),
    vscode.l10n.t("Venue: {0}", venueText(bid)),
    vscode.l10n.t("Pair: {0}", intent.symbol),
    vscode.l10n.t("Amount: {0} {1}", shown(intent.amount), intent.quote),
    vscode.l10n.t("Rate: {0} {1} per {2}", intent.rate, intent.quote, intent.base),
    vscode.l10n.t("Quantity: about {0} {1}", shown(intent.quantity), intent.base),
    vscode.l10n.t("Time: {0}", `${new Date(intent.at).toISOString().slice(0, 10)} ${timeText(intent.at)}`),
    ...bid.evidence.map((event) => evidenceText(event, shown)),
  ];
}

/** One recorded event, in words; its free text is the service's or the machine's own. */
function evidenceText(event: BidEvent, shown: (text: string) => string): string {
  const at = timeText(event.at);
  switch (event.kind) {
    case "sent":
      return vscode.l10n.t("{0}: sent", at);
    case "outcome":
      if (event.state === "accepted")
        return vscode.l10n.t("{0}: accepted, order {1}", at, event.orderId ?? "–");
      if (event.state === "rejected") return vscode.l10n.t("{0}: rejected with error {1}", at, event.code);
      return vscode.l10n.t("{0}: {1}", at, event.reason);
    case "check":
      return vscode.l10n.t("{0}: balance looked at: {1}", at, shown(event.text));
    case "settled":
      return event.by === "user"
        ? vscode.l10n.t("{0}: settled by you", at)
        : vscode.l10n.t("{0}: settled by a look at the balance: {1}", at, shown(event.evidence));
  }
}

function orderTooltip(bid: BidRecord): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  for (const line of orderDetails(bid, withoutAmounts)) {
    tooltip.appendText(line);
    tooltip.appendMarkdown("\n\n");
  }
  return tooltip;
}

function venueText({ intent }: BidRecord): string {
  return intent.venue === "practice" ? vscode.l10n.t("Practice") : new URL(intent.origin).host;
}
