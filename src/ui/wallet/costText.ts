import * as vscode from "vscode";
import { type KnownTrades, totalResult } from "../../desk/portfolio/knownTrades.ts";
import { type AssetCost, averageCostRate, costWithin, unrealisedResult } from "../../market/holdings/cost.ts";
import type { Holding, Portfolio } from "../../market/holdings/portfolio.ts";
import { Decimal, priceText } from "../../market/numbers/decimal.ts";
import type { AmountText } from "../text/amountText.ts";
import { arrowText, exactRateText } from "../text/numberText.ts";
import { momentText } from "../text/timeText.ts";
import { numberOf, type WalletNumbers, incompleteText } from "./portfolioText.ts";

/** Decimals of an average that would show as zero with its pair's decimals. */
const FINEST_PLACES = 12;

/** Labelled cost and result of a holding; empty if nothing is known and the exchange reports nothing. */
export function costFigures(
  holding: Holding,
  trades: KnownTrades,
  { amounts, placesOf }: WalletNumbers,
  now: number,
): [string, string][] {
  const { asset, amount, ticker } = holding;
  if (!ticker) return [];
  // What was paid stays in the asset that it was paid in, whatever asset values are shown in.
  const { quote } = ticker.pair;
  const known = trades.of(asset, quote);
  const name = vscode.l10n.t("Average cost");
  const unknown: [string, string] = [name, vscode.l10n.t("unknown: bought elsewhere")];
  if (!known) return trades.areReported ? [unknown] : [];
  const cost = costWithin(known.average, amount);
  const rate = averageRateText(cost, placesOf(ticker));
  const quantity = (held: Decimal): string => amounts.holding(held, asset, quote);
  const figures: [string, string][] = [];
  if (rate !== undefined) {
    figures.push([name, `${rate} ${quote}`]);
    if (cost.held.lt(amount))
      figures.push([
        vscode.l10n.t("Cost basis known for"),
        vscode.l10n.t(
          "{0} of {1} {2}; the rest was bought elsewhere",
          quantity(cost.held),
          quantity(amount),
          asset,
        ),
      ]);
    if (ticker.last !== undefined) {
      const result = unrealisedResult(cost, new Decimal(priceText(ticker.last)));
      figures.push([vscode.l10n.t("Unrealised result"), resultText(result, cost.cost, quote, amounts)]);
    }
  } else if (amount.gt("0")) figures.push(unknown);
  if (known.trades.some(({ side }) => side === "sell")) {
    figures.push([
      vscode.l10n.t("Realised result"),
      resultText(known.average.realised, undefined, quote, amounts),
    ]);
    const { soldWithoutCost } = known.average;
    if (soldWithoutCost.gt("0"))
      figures.push([vscode.l10n.t("Sold, cost unknown"), `${quantity(soldWithoutCost)} ${asset}`]);
  }
  const { since } = known.average;
  if (since !== undefined) figures.push([vscode.l10n.t("Fills since"), momentText(since, now)]);
  if (known.entered) {
    const entered = `${quantity(known.entered.quantity)} ${asset}`;
    figures.push([
      vscode.l10n.t("Cost basis, entered by you"),
      vscode.l10n.t("for {0}, {1}", entered, momentText(known.entered.at, now)),
    ]);
  }
  return figures;
}

/** Labelled total results, including those of sold assets; empty without a known trade. */
export function totalResultFigures(
  portfolio: Portfolio,
  trades: KnownTrades,
  amounts: AmountText,
  now: number,
): [string, string][] {
  const result = totalResult(portfolio, trades);
  if (!result) return [];
  const { unrealised, paid, realised, since, leftOut } = result;
  const { quote } = portfolio;
  return [
    [
      vscode.l10n.t("Unrealised result"),
      incompleteText(resultText(unrealised, paid, quote, amounts), leftOut.unrealised),
    ],
    [
      vscode.l10n.t("Realised result"),
      incompleteText(resultText(realised, undefined, quote, amounts), leftOut.realised),
    ],
    ...(since === undefined
      ? []
      : [[vscode.l10n.t("Fills since"), momentText(since, now)] as [string, string]]),
  ];
}

/** The average cost per unit with its pair's decimals; undefined if no cost is known. */
function averageRateText(cost: AssetCost, places: number): string | undefined {
  const rate = averageCostRate(cost, places);
  const shown = rate?.eq("0") ? averageCostRate(cost, FINEST_PLACES) : rate;
  return shown && exactRateText(shown, places);
}

/** `▲ +1.23% (+1,234.50 THB)`; no percentage if nothing was paid. */
export function resultText(
  result: Decimal,
  paid: Decimal | undefined,
  quote: string,
  amounts: AmountText,
): string {
  const amount = `${amounts.value(result, "exceptZero")} ${quote}`;
  return paid?.gt("0") ? `${arrowText(numberOf(result.times("100").div(paid)))} (${amount})` : amount;
}
