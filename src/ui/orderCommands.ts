import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { commandIds, orderCommandIds, viewIds } from "../contributions.ts";
import type { Orders } from "../desk/orders.ts";
import type { UnknownBids } from "../desk/unknownBids.ts";
import { exportBids } from "../journal/exportBids.ts";
import type { BidRecord } from "../journal/foldBids.ts";
import type { BidPanel } from "./bidPanel.ts";
import { errorLine } from "./log.ts";
import { orderDetails } from "./ordersTree.ts";

export interface OrderCommandParts {
  readonly orders: Orders;
  readonly bidPanel: BidPanel;
  readonly unknownBids: UnknownBids;
  readonly folder: vscode.Uri;
}

/** Registers the commands of the Orders view. */
export function registerOrderCommands(parts: OrderCommandParts): vscode.Disposable {
  const { orders, bidPanel, unknownBids, folder } = parts;
  const commands: Record<keyof typeof orderCommandIds, (bid: BidRecord) => unknown> = {
    checkOrder: (bid) => check(unknownBids, bid),
    markPlaced: (bid) => settle(orders, bid, "placed"),
    markNotPlaced: (bid) => settle(orders, bid, "notPlaced"),
    bidAgain: ({ intent: { symbol, amount, rate } }) => bidPanel.open({ symbol, amount, rate }),
    copyOrder: (bid) => vscode.env.clipboard.writeText(orderDetails(bid).join("\n")),
    revealJournal: () => vscode.commands.executeCommand("revealFileInOS", folder),
    exportOrders: () => exportOrders(parts),
  };
  const names = Object.keys(orderCommandIds) as (keyof typeof orderCommandIds)[];
  return vscode.Disposable.from(
    ...names.map((name) => vscode.commands.registerCommand(orderCommandIds[name], commands[name])),
  );
}

async function check(unknownBids: UnknownBids, bid: BidRecord): Promise<void> {
  try {
    await vscode.window.withProgress({ location: { viewId: viewIds.orders } }, () => unknownBids.check(bid));
  } catch (error) {
    const showLog = vscode.l10n.t("Show Log");
    const text = vscode.l10n.t(
      "The balance of the bid's venue could not be read. Switch to that venue and try again.",
    );
    const chosen = await vscode.window.showWarningMessage(text, { detail: errorLine(error) }, showLog);
    if (chosen === showLog) await vscode.commands.executeCommand(commandIds.showLog);
  }
}

/** The person's own word, asked for twice: it ends the checking of a bid that may hold their money. */
async function settle(orders: Orders, bid: BidRecord, as: "placed" | "notPlaced"): Promise<void> {
  const yes = as === "placed" ? vscode.l10n.t("Mark as Placed") : vscode.l10n.t("Mark as Not Placed");
  const question =
    as === "placed"
      ? vscode.l10n.t("Was this bid placed?")
      : vscode.l10n.t("Are you sure that this bid was not placed?");
  const advice = vscode.l10n.t(
    "Look at your orders and balance on the exchange first. Your word is recorded as yours.",
  );
  const detail = [...orderDetails(bid), "", advice].join("\n");
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, yes);
  if (chosen === yes) await orders.settle(bid.intent.id, { by: "user", as, evidence: "" });
}

async function exportOrders({ orders }: OrderCommandParts): Promise<void> {
  await orders.reread();
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export Orders"),
    filters: { CSV: ["csv"], JSON: ["json"] },
  });
  if (!target) return;
  const format = target.path.endsWith(".json") ? "json" : "csv";
  await writeFile(target.fsPath, exportBids(orders.bids, format));
}
