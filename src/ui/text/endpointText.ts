import * as vscode from "vscode";
import type { Endpoint } from "../../exchange/endpoints.ts";
import type { StreamName } from "../../exchange/features.ts";

/** The name of each endpoint and stream in the interface. */
export function endpointText(name: Endpoint | StreamName): string {
  return texts()[name];
}

function texts(): Record<Endpoint | StreamName, string> {
  return {
    serverTime: vscode.l10n.t("Server time"),
    tickers: vscode.l10n.t("Prices"),
    wallet: vscode.l10n.t("Balance"),
    placeBid: vscode.l10n.t("Buy orders"),
    history: vscode.l10n.t("Price history"),
    placeAsk: vscode.l10n.t("Sell orders"),
    cancelOrder: vscode.l10n.t("Cancelling orders"),
    balances: vscode.l10n.t("Balances with reserved amounts"),
    openOrders: vscode.l10n.t("Open orders"),
    orderInfo: vscode.l10n.t("Order details"),
    orderHistory: vscode.l10n.t("Order history with fills"),
    symbols: vscode.l10n.t("Trading rules"),
    depth: vscode.l10n.t("Order book"),
    trades: vscode.l10n.t("Recent trades"),
    status: vscode.l10n.t("Exchange status"),
    feeCredits: vscode.l10n.t("Fee credits"),
    tickerStream: vscode.l10n.t("Streamed prices"),
    bookStream: vscode.l10n.t("Streamed order book"),
    privateStream: vscode.l10n.t("Streamed order updates"),
  };
}
