import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { accountId, type AccountRef, type OrderName } from "../../market/order.ts";
import { type Fill } from "../../market/orderReport.ts";
import { hasEnded } from "../../market/orders/knownOrder.ts";
import { groupByFile, type SkippedLinesOfFile } from "../../storage/orders/skippedLines.ts";
import { accountText } from "../text/accountText.ts";
import { commandLink } from "../commands.ts";
import { onDidChangeSettings, privacyKeys } from "../settings.ts";
import { shownAmounts } from "../text/amountText.ts";
import { accountItem, fillItem, groupItem, reportedOrderItem, moreItem, orderItem } from "./orderItems.ts";
import {
  type GroupName,
  groupNames,
  isShallowEqual,
  type OrderList,
  OrderRow,
  type OtherAccount,
  OrderRows,
} from "./orderRows.ts";
import { orderTooltip } from "./orderText.ts";
import { skippedLinesItem, type SkippedLinesRow, skippedLinesTooltip } from "./skippedLineRows.ts";
import { revealRow } from "../revealRow.ts";

export type ViewRow =
  | OrderRow
  | GroupRow
  | FillRow
  | MoreRow
  | OtherAccount
  | SkippedLinesRow
  | SkippedLinesOfFile;

interface GroupRow {
  readonly group: GroupName;
}

interface FillRow {
  readonly of: OrderRow;
  readonly fill: Fill;
}

/** Loads more rows of a group. */
interface MoreRow {
  readonly more: true;
}

type OrdersDesk = Pick<Desk, "orders" | "timers" | "accounts" | "venue">;

const HISTORY_ROWS = 100;

const GROUP_ROWS: Readonly<Record<GroupName, GroupRow>> = {
  actionNeeded: { group: "actionNeeded" },
  open: { group: "open" },
  done: { group: "done" },
};
const MORE: MoreRow = { more: true };

/**
 * The rows of the Orders view: skipped lines, orders of the current account, then a row for each other account with its
 * orders below. If the exchange reports order status, orders are grouped;
 * otherwise those that need attention come first.
 */
export class OrdersTree extends Disposable {
  readonly #desk: OrdersDesk;
  readonly #view: vscode.TreeView<ViewRow>;
  /** Repaints rows; undefined refreshes all. */
  readonly #paint: (rows: ViewRow[] | undefined) => void;
  readonly #rows: OrderRows;
  /** The painted rows, each with the content it was painted with. */
  readonly #drawn = new Map<OrderRow, readonly unknown[]>();
  #list: OrderList;
  /** The groups with a row that can be expanded when they were last painted. */
  #expandable: readonly GroupName[];
  #skippedLines: unknown;
  #historyRows = HISTORY_ROWS;

  constructor(
    desk: OrdersDesk,
    view: vscode.TreeView<ViewRow>,
    paint: (rows: ViewRow[] | undefined) => void,
  ) {
    super();
    this.#desk = desk;
    this.#view = view;
    this.#paint = paint;
    const { orders, venue } = desk;
    this.#rows = new OrderRows(desk);
    this.#list = this.#rows.read();
    this.#expandable = expandableGroups(this.#list);
    this.register(
      orders.onDidChange(() => this.#show()),
      venue.onDidChange(() => this.#show()),
      desk.accounts.onDidChange(() => this.#repaint()),
      onDidChangeSettings(privacyKeys, () => this.#repaint()),
    );
    this.#showAttention();
  }

  get list(): OrderList {
    return this.#list;
  }

  /** The children of a row, or the top-level rows. */
  children(row?: ViewRow): ViewRow[] {
    if (!row) return this.#topRows();
    if (row instanceof OrderRow) return (row.known?.fills ?? []).map((fill) => ({ of: row, fill }));
    if ("files" in row) return [...row.files];
    if ("account" in row) return row.orders.map((order) => this.#rows.rowOf(order));
    if (!("group" in row)) return [];
    const { groups } = this.#list;
    if (row.group !== "done") return [...groups[row.group]];
    const shown = groups.done.slice(0, this.#historyRows);
    return groups.done.length > shown.length ? [...shown, MORE] : shown;
  }

  parent(row: ViewRow): ViewRow | undefined {
    if ("of" in row) return row.of;
    return row instanceof OrderRow && this.#list.isGrouped ? GROUP_ROWS[row.group] : undefined;
  }

  /** The tree item, without its tooltip. Throws for an order of which nothing is known. */
  item(row: ViewRow): vscode.TreeItem {
    if (row instanceof OrderRow) {
      const item = this.#orderItem(row);
      if (row.symbol !== undefined) item.command = commandLink("previewOrder", vscode.l10n.t("Open Chart"));
      return item;
    }
    if ("group" in row) return groupItem(row.group, this.#list.groups[row.group].length);
    if ("account" in row) return accountItem(row, this.#names);
    if ("of" in row) {
      if (!row.of.known) throw new Error(`Nothing is known of order ${row.of.id}.`);
      const now = this.#desk.timers.now();
      return fillItem(row.of, row.fill, row.of.known, { now, amounts: shownAmounts() });
    }
    if ("more" in row) {
      const link = commandLink("showMoreOrders", vscode.l10n.t("Show More"));
      return moreItem(this.#list.groups.done.length - this.#historyRows, link);
    }
    return skippedLinesItem(row);
  }

  /** Undefined for rows other than orders and damaged lines. */
  tooltip(row: ViewRow): vscode.MarkdownString | undefined {
    if (row instanceof OrderRow) return orderTooltip(row.order, shownAmounts());
    return "files" in row || "lines" in row ? skippedLinesTooltip(row) : undefined;
  }

  showMore(): void {
    this.#historyRows += HISTORY_ROWS;
    this.#paint([GROUP_ROWS.done]);
  }

  /** Selects and focuses the row of an order. */
  async reveal(name: OrderName): Promise<void> {
    const row = this.#rows.find(name);
    if (!row) return;
    const done = this.#list.groups.done.indexOf(row);
    if (done >= this.#historyRows) {
      this.#historyRows = done + 1;
      this.#paint([GROUP_ROWS.done]);
    }
    await revealRow(this.#view, row, { select: true, focus: true });
  }

  #topRows(): ViewRow[] {
    const { skippedLines } = this.#desk.orders;
    const { isGrouped, here, groups, accounts } = this.#list;
    return [
      ...(skippedLines.length === 0 ? [] : [{ files: groupByFile(skippedLines) }]),
      ...(isGrouped
        ? groupNames.filter((name) => groups[name].length > 0).map((name) => GROUP_ROWS[name])
        : here),
      ...accounts,
    ];
  }

  #orderItem(row: OrderRow): vscode.TreeItem {
    this.#drawn.set(row, contentOf(row));
    const { isGrouped, hasSeveralQuotes } = this.#list;
    const { own, isOurs } = row;
    const amounts = shownAmounts();
    // What was reported of another account's open order may be outdated, but an end is final.
    const isCurrent = isGrouped && isOurs;
    const isReported = isCurrent || (own?.isReported && row.known !== undefined && hasEnded(row.known));
    const known = (!own || isReported) && row.group !== "actionNeeded" ? row.known : undefined;
    if (!own || (known && own.state === "accepted")) {
      if (!known) throw new Error(`Nothing is known of order ${row.id}.`);
      return reportedOrderItem(row, known, {
        ...this.#names,
        amounts,
        hasSeveralQuotes,
        cancelling: row.cancelState,
      });
    }
    return orderItem(own, { ...this.#names, amounts, hasSeveralQuotes, isOurs });
  }

  get #names() {
    return { accountText: (ref: AccountRef) => accountText(ref, this.#desk.accounts) };
  }

  #showAttention(): void {
    const { attention } = this.#desk.orders;
    this.#view.badge =
      attention === 0
        ? undefined
        : { value: attention, tooltip: vscode.l10n.t("Orders that may have been placed: {0}", attention) };
  }

  #show(): void {
    this.#showAttention();
    const before = this.#list;
    const after = (this.#list = this.#rows.read());
    if (this.#isRebuilt(before, after)) return this.#repaint();
    const expandable = expandableGroups(after);
    // If one row of a group can be expanded, the editor indents the others, but only as it paints them.
    const changed: ViewRow[] = groupNames
      .filter(
        (name) =>
          !isShallowEqual(before.groups[name], after.groups[name]) ||
          this.#expandable.includes(name) !== expandable.includes(name),
      )
      .map((name) => GROUP_ROWS[name]);
    this.#expandable = expandable;
    for (const [row, drawn] of this.#drawn) {
      const content = contentOf(row);
      if (isShallowEqual(drawn, content)) continue;
      this.#drawn.set(row, content);
      changed.push(row);
    }
    if (changed.length > 0) this.#paint(changed);
  }

  /**
   * Whether anything outside the groups changed. A full refresh undoes a click that expands a row, so it is done only
   * if needed.
   */
  #isRebuilt(before: OrderList, after: OrderList): boolean {
    const { skippedLines } = this.#desk.orders;
    const isSkippingSame = this.#skippedLines === skippedLines || skippedLines.length === 0;
    this.#skippedLines = skippedLines;
    return (
      !isSkippingSame ||
      before.isGrouped !== after.isGrouped ||
      before.hasSeveralQuotes !== after.hasSeveralQuotes ||
      !(after.isGrouped || isShallowEqual(before.here, after.here)) ||
      before.accounts.length !== after.accounts.length ||
      before.accounts.some((each, at) => !isSameList(each, after.accounts[at])) ||
      groupNames.some((name) => before.groups[name].length > 0 !== after.groups[name].length > 0)
    );
  }

  #repaint(): void {
    this.#list = this.#rows.read();
    this.#expandable = expandableGroups(this.#list);
    this.#drawn.clear();
    this.#paint(undefined);
  }
}

function expandableGroups({ groups }: OrderList): GroupName[] {
  return groupNames.filter((name) => groups[name].some(({ known }) => (known?.fills ?? []).length > 0));
}

function isSameList(one: OtherAccount, other: OtherAccount | undefined): boolean {
  return (
    other !== undefined &&
    accountId(one.account) === accountId(other.account) &&
    isShallowEqual(one.orders, other.orders)
  );
}

/** Everything that an order's row depends on and that records can change. */
function contentOf({ isOurs, group, order }: OrderRow): readonly unknown[] {
  return [isOurs, group, order];
}
