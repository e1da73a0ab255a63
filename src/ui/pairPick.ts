import * as vscode from "vscode";
import type { TickerFeed } from "../desk/tickerFeed.ts";
import { rateText } from "./numberText.ts";

/** Asks for a pair; undefined where the person left. */
export async function askPair(tickers: TickerFeed, title: string): Promise<string | undefined> {
  const entries = [...tickers.state.tickers.values()]
    .map((ticker) => ({ label: ticker.symbol, description: rateText(ticker.last, ticker) }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
  const chosen = await vscode.window.showQuickPick(entries, {
    title,
    placeHolder: vscode.l10n.t("Pair"),
  });
  return chosen?.label;
}
