import { basename, join } from "node:path";
import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { isOfAccount } from "../../desk/orders/orders.ts";
import type { UnknownOrders } from "../../desk/unknown/unknownOrders.ts";
import { exportText } from "../../storage/orders/export.ts";
import { fillsExportText } from "../../storage/orders/fillsExport.ts";
import type { Order, OwnOrder } from "../../storage/orders/order.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { fieldOf, offer, showLogLink } from "../commands.ts";
import { saveFile } from "../saveFile.ts";
import { csvFormat } from "../settings.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { balanceChangeText } from "./balanceChangeText.ts";
import { orderDetails, rowDetails } from "./orderText.ts";
import type { AccountList } from "../../desk/accounts/accountList.ts";
import type { AccountRef } from "../../market/order.ts";

type ExportDesk = Pick<Desk, "orders" | "accounts" | "log">;

/** Searches the exchange's lists for one order now, with progress in the view. */
export async function checkOrder(
  unknownOrders: UnknownOrders,
  order: OwnOrder,
  log: Desk["log"],
): Promise<void> {
  try {
    await vscode.window.withProgress({ location: { viewId: viewIds.orders } }, () =>
      unknownOrders.check(order),
    );
  } catch (error) {
    log.warn(`Check Order: ${errorLine(error)}`);
    const text = vscode.l10n.t(
      "The orders and the balance on the order's exchange could not be read, so the outcome is still unknown. Switch to that exchange and account, then try again.",
    );
    await offer("showWarningMessage", text, showLogLink());
  }
}

/**
 * Records the user's decision after a confirmation, because it ends all checks of an order that may have cost money.
 */
export async function settleByHand(
  { orders, venue, balances }: Desk,
  order: OwnOrder,
  as: "accepted" | "notPlaced",
): Promise<void> {
  const yes = as === "accepted" ? vscode.l10n.t("Mark as Placed") : vscode.l10n.t("Mark as Not Placed");
  const question =
    as === "accepted"
      ? vscode.l10n.t("Was this order placed?")
      : vscode.l10n.t("Are you sure this order was not placed?");
  const advice = vscode.l10n.t(
    "Check your orders and balance on the exchange first. This will be recorded as your decision.",
  );
  const isHere = venue.signedIn !== undefined && isOfAccount(order, venue.signedIn);
  const balance = isHere ? balanceChangeText(order, orders, (asset) => balances.available(asset)) : [];
  const detail = [...orderDetails(order), ...balance, "", advice].join("\n");
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, yes);
  if (chosen !== yes || (await orders.settle(order.intent.id, { by: "user", as, evidence: "" }))) return;
  const failed = vscode.l10n.t("Your decision could not be recorded. The order stays as it was.");
  await offer("showErrorMessage", failed, showLogLink());
}

/** Exports all orders to a file that the user picks, and reports the result. */
export async function exportOrders({ orders, accounts, log }: ExportDesk): Promise<void> {
  await orders.reread();
  await saveFile(log, {
    title: vscode.l10n.t("Export Orders"),
    filters: { CSV: ["csv"], JSON: ["json"] },
    content: (path) => {
      const own = orders.own.map((order) => ({ ...order, intent: named(order.intent, accounts) }));
      const { skippedLines } = orders;
      return exportText({ own, skippedLines }, path.endsWith(".json") ? "json" : csvFormat());
    },
    saved: (path) => vscode.l10n.t("Orders exported: {0}", path),
    failed: (path) =>
      vscode.l10n.t(
        "The orders could not be exported to {0}. Close it if another program uses it, or choose another folder.",
        path,
      ),
  });
}

/** A record with the label of its account instead of the id, which means nothing outside. */
function named<T extends AccountRef>(record: T, accounts: AccountList): T {
  return { ...record, account: accounts.labelOf(record) };
}

/** Exports all fills with costs and results to a file that the user picks. */
export async function exportFills({ orders, accounts, log }: ExportDesk): Promise<void> {
  await orders.reread();
  await saveFile(log, {
    title: vscode.l10n.t("Export Fills and Results"),
    filters: { CSV: ["csv"] },
    content: () => {
      const all = (orders.trades?.all() ?? []).map(({ account, pair, trades, entered, average }) => ({
        account: named(account, accounts),
        pair,
        trades,
        entered,
        average,
      }));
      return fillsExportText(all, csvFormat());
    },
    saved: (path) => vscode.l10n.t("Fills and results exported: {0}", path),
    failed: (path) =>
      vscode.l10n.t(
        "The fills could not be exported to {0}. Close it if another program uses it, or choose another folder.",
        path,
      ),
  });
}

export async function copyOrder(order: Order): Promise<void> {
  await vscode.env.clipboard.writeText(rowDetails(order).join("\n"));
}

/** Reveals the file of a row, or else the journal folder. */
export async function revealJournal(folder: string, row: unknown): Promise<void> {
  const file = fieldOf(row, "file");
  const path = typeof file === "string" ? join(folder, basename(file)) : folder;
  try {
    await vscode.commands.executeCommand("revealFileInOS", vscode.Uri.file(path));
    showStatusMessage(vscode.l10n.t("Your orders are recorded in {0}", folder));
  } catch {
    // An editor in a browser cannot show folders.
    void vscode.window.showInformationMessage(vscode.l10n.t("Your orders are recorded in {0}", folder));
  }
}
