import * as vscode from "vscode";
import { orderCommandIds } from "../../contributions.ts";
import type { Orders } from "../../desk/orders/orders.ts";
import type { UnknownOrders } from "../../desk/orders/unknownOrders.ts";
import type { BidRecord } from "../../storage/orders/replay.ts";
import type { BidForm } from "../ticket/bidForm.ts";

export interface OrderCommandParts {
  readonly orders: Orders;
  readonly bidForm: BidForm;
  /** Checks bids with an unknown outcome. Loaded when there is such a bid. */
  readonly unknownBids: () => Promise<UnknownOrders>;
  readonly folder: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

const actions = () => import("./orderActions.ts");

/** Registers the commands of the Orders view. Their code is loaded at the first call. */
export function registerOrderCommands(parts: OrderCommandParts): vscode.Disposable {
  const { orders, bidForm, unknownBids, folder, log } = parts;
  const commands: Record<keyof typeof orderCommandIds, (bid: BidRecord) => unknown> = {
    checkOrder: async (bid) => (await actions()).checkOrder(await unknownBids(), bid, log),
    markPlaced: async (bid) => (await actions()).settleByHand(orders, bid, "accepted"),
    markNotPlaced: async (bid) => (await actions()).settleByHand(orders, bid, "notPlaced"),
    bidAgain: ({ intent }) => {
      const { symbol, amount, rate } = intent;
      return bidForm.open({ symbol, amount, rate }, intent);
    },
    copyOrder: async (bid) => (await actions()).copyOrder(bid),
    revealJournal: (row: unknown) =>
      vscode.commands.executeCommand("revealFileInOS", journalUri(folder, row)),
    exportOrders: async () => (await actions()).exportOrders(orders, log),
  };
  const names = Object.keys(orderCommandIds) as (keyof typeof orderCommandIds)[];
  return vscode.Disposable.from(
    ...names.map((name) => vscode.commands.registerCommand(orderCommandIds[name], commands[name])),
  );
}

/** The file of a row that shows a file, else the journal's folder. */
function journalUri(folder: vscode.Uri, row: unknown): vscode.Uri {
  const isOfFile = typeof row === "object" && row !== null && "file" in row && typeof row.file === "string";
  return isOfFile ? vscode.Uri.joinPath(folder, String(row.file)) : folder;
}
