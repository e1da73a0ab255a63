import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { type AssetCost, averageCostRate, costWithin, unrealisedResult } from "../../market/holdings/cost.ts";
import type { Holding, Portfolio } from "../../market/holdings/portfolio.ts";
import { Decimal, priceText } from "../../market/numbers/decimal.ts";
import type { PairTrades } from "../../storage/orders/tradeBook.ts";
import type { AmountText } from "../text/amountText.ts";
import { arrowText, exactRateText } from "../text/numberText.ts";
import { momentText } from "../text/timeText.ts";
import { numberOf, type WalletNumbers } from "./portfolioText.ts";

/** What is known of purchases and sales at the open exchange. */
export interface KnownTrades {
  /** Whether the exchange tells fills. Otherwise an asset without a known cost is not worth a word. */
  readonly areTold: boolean;
  readonly of: (asset: string, quote: string) => PairTrades | undefined;
  /** Of all assets, also of those that are not held any more. */
  readonly all: readonly PairTrades[];
}

/** Places of an average that would show as zero with the decimals of its pair. */
const FINEST_PLACES = 12;
const NOTHING = new Decimal("0");

/** The trades of the open exchange that this computer knows. */
export function knownTrades({ venue: { venue }, orders }: Pick<Desk, "venue" | "orders">): KnownTrades {
  const book = orders.lives?.trades;
  if (!venue) return { areTold: false, of: () => undefined, all: [] };
  const { orderInfo, orderHistory } = venue.profile.features;
  const place = { venue: venue.id, origin: venue.profile.baseUrl.origin };
  return {
    areTold: (orderInfo ?? orderHistory) !== undefined,
    of: (base, quote) => book?.get(place, { base, quote }),
    all: (book?.all() ?? []).filter(
      ({ place: at }) => at.venue === place.venue && (at.venue === "practice" || at.origin === place.origin),
    ),
  };
}

/** Cost and result of a holding, each figure with its name; none where nothing is known and nothing is told. */
export function costFigures(
  holding: Holding,
  { quote }: Portfolio,
  trades: KnownTrades,
  { amounts, placesOf }: WalletNumbers,
  now: number,
): [string, string][] {
  const { asset, amount, ticker } = holding;
  if (asset === quote || !ticker) return [];
  const known = trades.of(asset, quote);
  const name = vscode.l10n.t("Average cost");
  const unknown: [string, string] = [name, vscode.l10n.t("unknown: bought elsewhere")];
  if (!known) return trades.areTold ? [unknown] : [];
  const cost = costWithin(known.average, amount);
  const rate = averageRateText(cost, placesOf(ticker));
  const quantity = (held: Decimal): string => amounts.holding(held, asset, quote);
  const figures: [string, string][] = [];
  if (rate !== undefined) {
    figures.push([name, `${rate} ${quote}`]);
    if (cost.held.lt(amount))
      figures.push([
        vscode.l10n.t("Cost known for"),
        vscode.l10n.t(
          "{0} of {1} {2}; the rest was bought elsewhere",
          quantity(cost.held),
          quantity(amount),
          asset,
        ),
      ]);
    const result = unrealisedResult(cost, new Decimal(priceText(ticker.last)));
    figures.push([vscode.l10n.t("Unrealised result"), resultText(result, cost.cost, quote, amounts)]);
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
      vscode.l10n.t("Cost entered by hand"),
      vscode.l10n.t("for {0}, {1}", entered, momentText(known.entered.at, now)),
    ]);
  }
  return figures;
}

/** The results of all assets together, also of those that were sold; none without a known trade. */
export function totalResultFigures(
  { holdings, quote }: Portfolio,
  trades: KnownTrades,
  amounts: AmountText,
  now: number,
): [string, string][] {
  const known = trades.all.filter(({ pair }) => pair.quote === quote);
  if (known.length === 0) return [];
  let unrealised = NOTHING;
  let paid = NOTHING;
  for (const { asset, amount, ticker } of holdings) {
    const of = ticker && trades.of(asset, quote);
    if (!of) continue;
    const cost = costWithin(of.average, amount);
    unrealised = unrealised.plus(unrealisedResult(cost, new Decimal(priceText(ticker.last))));
    paid = paid.plus(cost.cost);
  }
  const realised = known.reduce((sum, { average }) => sum.plus(average.realised), NOTHING);
  const times = known.flatMap(({ average }) => average.since ?? []);
  return [
    [vscode.l10n.t("Unrealised result"), resultText(unrealised, paid, quote, amounts)],
    [vscode.l10n.t("Realised result"), resultText(realised, undefined, quote, amounts)],
    ...(times.length > 0
      ? [[vscode.l10n.t("Fills since"), momentText(Math.min(...times), now)] as [string, string]]
      : []),
  ];
}

/** The average cost of one unit in the decimals of its pair; undefined if nothing with a known cost is held. */
function averageRateText(cost: AssetCost, places: number): string | undefined {
  const rate = averageCostRate(cost, places);
  const shown = rate?.eq("0") ? averageCostRate(cost, FINEST_PLACES) : rate;
  return shown && exactRateText(shown, places);
}

/** `▲ +1.23% (+1,234.50 THB)`; without a percentage if nothing was paid. */
function resultText(result: Decimal, paid: Decimal | undefined, quote: string, amounts: AmountText): string {
  const amount = `${amounts.value(result, "exceptZero")} ${quote}`;
  return paid?.gt("0") ? `${arrowText(numberOf(result.times("100").div(paid)))} (${amount})` : amount;
}
