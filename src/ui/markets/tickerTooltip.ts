import * as vscode from "vscode";
import { pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { arrowText, figures, rateText } from "../text/numberText.ts";
import { tableTooltip } from "../text/tableTooltip.ts";
import { timeText } from "../text/timeText.ts";

/**
 * All values of a ticker. Stale prices are shown with their time (`oldSince`, ms since the epoch), not their age,
 * because the editor caches the tooltip until the row changes. `places`: the pair's decimals.
 */
export function tickerTooltip(
  ticker: Ticker,
  places: number,
  oldSince: number | undefined,
): vscode.MarkdownString {
  const { frozen, last, bestBid, bestAsk, high, low, baseVolume, quoteVolume, pair } = ticker;
  const rate = (price: number | undefined): string => rateText(price, places);
  const name = pairName(pair);
  const tooltip = tableTooltip(frozen ? `${name} · ${vscode.l10n.t("frozen")}` : name, [
    [
      vscode.l10n.t("Last"),
      last === undefined ? vscode.l10n.t("no trades yet") : `${rate(last)} ${pair.quote}`,
    ],
    [vscode.l10n.t("Change, 24 h"), arrowText(ticker.percentChange) || "–"],
    [vscode.l10n.t("Best bid"), rate(bestBid)],
    [vscode.l10n.t("Best ask"), rate(bestAsk)],
    [vscode.l10n.t("High, 24 h"), rate(high)],
    [vscode.l10n.t("Low, 24 h"), rate(low)],
    [vscode.l10n.t("Volume, 24 h"), volumeOf(baseVolume, pair.base)],
    ["", volumeOf(quoteVolume, pair.quote)],
  ]);
  if (oldSince !== undefined) {
    tooltip.appendMarkdown("\n\n");
    tooltip.appendText(vscode.l10n.t("Prices are from {0}.", timeText(oldSince)));
  }
  return tooltip;
}

function volumeOf(amount: number | undefined, asset: string): string {
  return amount === undefined ? "–" : `${figures.volume(amount)} ${asset}`;
}
