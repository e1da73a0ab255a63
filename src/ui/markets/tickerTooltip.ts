import * as vscode from "vscode";
import { Decimal, priceText } from "../../market/numbers/decimal.ts";
import { pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { arrowText, exactRateText, percentText, rateText, volumeText } from "../text/numberText.ts";
import { tableTooltip } from "../text/tableTooltip.ts";
import { timeText } from "../text/timeText.ts";
import { sparkline } from "./sparkline.ts";

/** What is shown of a pair beside its ticker. */
export interface PairFacts {
  /** Prices of the last 24 hours in equal steps, the oldest first. */
  readonly prices: readonly (number | undefined)[];
  /** What the account has in the pair, as names and values. */
  readonly account: readonly (readonly [string, string])[];
}

/**
 * All values of a ticker. Stale prices are shown with their time (`oldSince`, ms since the epoch), not their age,
 * because the editor caches the tooltip until the row changes. `places`: the pair's decimals.
 */
export function tickerTooltip(
  ticker: Ticker,
  places: number,
  oldSince: number | undefined,
  { prices, account }: PairFacts,
): vscode.MarkdownString {
  const { frozen, last, bestBid, bestAsk, baseVolume, quoteVolume, pair } = ticker;
  const rate = (price: number | undefined): string => rateText(price, places);
  const name = pairName(pair);
  const tooltip = tableTooltip(frozen ? `${name} · ${vscode.l10n.t("frozen")}` : name, [
    [
      vscode.l10n.t("Last"),
      last === undefined ? vscode.l10n.t("no trades yet") : `${rate(last)} ${pair.quote}`,
    ],
    [vscode.l10n.t("Change, 24 h"), arrowText(ticker.percentChange) || "–"],
    [vscode.l10n.t("Range, 24 h"), rangeText(ticker, rate)],
    [vscode.l10n.t("Best bid"), rate(bestBid)],
    [vscode.l10n.t("Best ask"), rate(bestAsk)],
    [vscode.l10n.t("Spread"), spreadText(ticker, places)],
    [vscode.l10n.t("Volume, 24 h"), volumeText(baseVolume, pair.base)],
    ["", volumeText(quoteVolume, pair.quote)],
    ...account,
  ]);
  const picture = sparkline(prices);
  if (picture !== undefined) {
    const words = vscode.l10n.t("Prices of the last 24 hours, as far as Bidside has seen them");
    tooltip.appendMarkdown(`\n\n![${words}](${picture})`);
  }
  if (oldSince !== undefined) {
    tooltip.appendMarkdown("\n\n");
    tooltip.appendText(vscode.l10n.t("Prices are from {0}.", timeText(oldSince)));
  }
  return tooltip;
}

const RANGE_STEPS = 8;

/** Low, the place of the last price between them, and high: `90.00 ──●────── 110.00`. */
function rangeText({ last, low, high }: Ticker, rate: (price: number | undefined) => string): string {
  if (low === undefined || high === undefined) return "–";
  if (last === undefined || high <= low) return `${rate(low)} – ${rate(high)}`;
  // A streamed price may be beyond the polled range.
  const share = Math.min(1, Math.max(0, (last - low) / (high - low)));
  const before = Math.round(share * RANGE_STEPS);
  return `${rate(low)} ${"─".repeat(before)}●${"─".repeat(RANGE_STEPS - before)} ${rate(high)}`;
}

/** Best ask minus best bid, and its share of the ask. */
function spreadText({ bestBid, bestAsk }: Ticker, places: number): string {
  if (bestBid === undefined || bestAsk === undefined || bestAsk < bestBid || bestAsk <= 0) return "–";
  const ask = new Decimal(priceText(bestAsk));
  const spread = ask.minus(priceText(bestBid));
  return `${exactRateText(spread, places)} · ${percentText(spread.times("100").div(ask))}`;
}
