import * as vscode from "vscode";
import type { Firing } from "../../desk/notifications/firing.ts";
import { pairName, parseSymbol } from "../../market/pair.ts";
import { sideTexts } from "../text/sideTexts.ts";

/** `Buy order for BTC/THB: filled.` Without a figure, an id or the exchange, so that other programs may read it. */
export function fillText({ symbol, side, isFilled }: Extract<Firing, { kind: "fills" }>): string {
  const pair = parseSymbol(symbol, "quoteFirst");
  const order = sideTexts[side].order(pair ? pairName(pair) : symbol);
  return isFilled ? vscode.l10n.t("{0}: filled.", order) : vscode.l10n.t("{0}: partly filled.", order);
}
