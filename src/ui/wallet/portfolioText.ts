import * as vscode from "vscode";
import { type PortfolioDesk, portfolioNow, valueAssetNow } from "../../desk/portfolio/portfolioNow.ts";
import { plainText, type Decimal } from "../../market/numbers/decimal.ts";
import {
  assetsWithoutValue,
  type Holding,
  type Portfolio,
  type ValuedAmount,
} from "../../market/holdings/portfolio.ts";
import type { Ticker } from "../../market/ticker.ts";
import { valuesIn } from "../settings.ts";
import type { AmountText } from "../text/amountText.ts";
import { arrowText, changeText, rateText, shareText } from "../text/numberText.ts";

export interface WalletNumbers {
  readonly amounts: AmountText;
  readonly placesOf: (ticker: Ticker) => number;
}

/** The asset that values are shown in; undefined in an empty market. */
export function shownValueAsset(desk: PortfolioDesk): string | undefined {
  return valueAssetNow(desk, valuesIn());
}

/** The account and the holdings elsewhere, valued at last prices in the asset that values are shown in. */
export function currentPortfolio(desk: PortfolioDesk): Portfolio | undefined {
  return portfolioNow(desk, valuesIn());
}

/** Why a holding has no value. */
export function noWorthText({ ticker }: ValuedAmount, { quote }: Portfolio): string {
  return quote === "" || ticker ? vscode.l10n.t("no price yet") : vscode.l10n.t("no pair with {0}", quote);
}

/** Value, share and change of a holding, or why it has no value. */
export function worthText(holding: ValuedAmount, portfolio: Portfolio, amounts: AmountText): string {
  const { quote } = portfolio;
  const { asset, percentChange, value, share } = holding;
  if (quote === "" || !value) return noWorthText(holding, portfolio);
  return [
    asset === quote ? "" : `${amounts.value(value)} ${quote}`,
    share ? shareText(share) : "",
    arrowText(percentChange),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The total, and the assets it excludes. */
export function totalText(portfolio: Portfolio, amounts: AmountText): string {
  return [`${amounts.value(portfolio.total)} ${portfolio.quote}`, withoutText(portfolio)]
    .filter(Boolean)
    .join(" ");
}

/** More names would push the total out of view. */
const MAX_NAMES = 3;

/** Names the assets that the total excludes: unreadable or unpriced. "" if none. */
export function withoutText(portfolio: Portfolio): string {
  return withoutNames(assetsWithoutValue(portfolio));
}

/** A figure, with what it leaves out: `+5.00 THB without AIR`. */
export function incompleteText(figure: string, left: readonly string[]): string {
  return [figure, withoutNames(left)].filter(Boolean).join(" ");
}

/** Names what a figure leaves out; "" if nothing. */
export function withoutNames(left: readonly string[]): string {
  if (left.length === 0) return "";
  const names = left.slice(0, MAX_NAMES).join(", ");
  const others = left.length - MAX_NAMES;
  return others > 0
    ? vscode.l10n.t("without {0} and {1} more", names, others)
    : vscode.l10n.t("without {0}", names);
}

/** The reserved part of the total; "" if none. */
export function reservedText({ reserved, quote }: Portfolio, amounts: AmountText): string {
  return reserved.gt("0")
    ? vscode.l10n.t("{0} reserved by orders", `${amounts.value(reserved)} ${quote}`)
    : "";
}

/** The reserved part of a holding and its total; "" if none is reserved. */
export function reservedOfTotalText(
  { asset, reserved, amount }: Holding,
  { quote }: Portfolio,
  amounts: AmountText,
): string {
  if (reserved.eq("0")) return "";
  const [held, all] = [reserved, amount].map((each) => amounts.balance(each, asset, quote));
  return vscode.l10n.t("{0} reserved, {1} in total", held ?? "", all ?? "");
}

/** What open orders reserve of each asset; empty if nothing. */
export function reservedByAsset({ holdings, quote }: Portfolio, amounts: AmountText): [string, string][] {
  return holdings
    .filter(({ reserved }) => reserved.gt("0"))
    .map(({ asset, reserved }) => [asset, `${amounts.balance(reserved, asset, quote)} ${asset}`]);
}

/** Labelled available, reserved and total amounts; empty if nothing is reserved. */
export function reservedFigures(
  { asset, available, reserved, amount }: Holding,
  { quote }: Portfolio,
  amounts: AmountText,
): [string, string][] {
  if (reserved.eq("0")) return [];
  const text = (held: Decimal): string => `${amounts.balance(held, asset, quote)} ${asset}`;
  return [
    [vscode.l10n.t("Available"), text(available)],
    [vscode.l10n.t("Reserved"), text(reserved)],
    [vscode.l10n.t("Total"), text(amount)],
  ];
}

/** The labelled value of all reserved amounts; empty if there are none. */
export function totalReserved({ reserved, quote }: Portfolio, amounts: AmountText): [string, string][] {
  return reserved.gt("0")
    ? [[vscode.l10n.t("Reserved by orders"), `${amounts.value(reserved)} ${quote}`]]
    : [];
}

/** The total for screen readers, which read no columns. */
export function spokenTotal(portfolio: Portfolio, amounts: AmountText): string {
  const { gainedPercent } = portfolio;
  const parts = [
    `${vscode.l10n.t("Total")}, ${totalText(portfolio, amounts)}`,
    reservedText(portfolio, amounts),
    spokenChange(gainedPercent && numberOf(gainedPercent)),
  ];
  return parts.filter(Boolean).join(", ");
}

/** A holding for screen readers, quantity first. */
export function spokenHolding(holding: Holding, portfolio: Portfolio, amounts: AmountText): string {
  const { asset, reserved } = holding;
  return spokenAmount(
    holding,
    reserved.eq("0") ? "" : vscode.l10n.t("{0} reserved", amounts.balance(reserved, asset, portfolio.quote)),
    portfolio,
    amounts,
  );
}

/** An amount and its value for screen readers, with what is said between them. */
export function spokenAmount(
  held: ValuedAmount,
  detail: string,
  portfolio: Portfolio,
  amounts: AmountText,
): string {
  const { asset, amount, percentChange, value, share } = held;
  const { quote } = portfolio;
  const parts = [asset, amounts.balance(amount, asset, quote), detail];
  if (quote === "" || !value) parts.push(noWorthText(held, portfolio));
  else
    parts.push(
      asset === quote ? "" : `${amounts.value(value)} ${quote}`,
      share ? vscode.l10n.t("{0} of the total", shareText(share)) : "",
      spokenChange(percentChange),
    );
  return parts.filter(Boolean).join(", ");
}

function spokenChange(percent: number | undefined): string {
  return percent === undefined ? "" : vscode.l10n.t("{0} in 24 hours", changeText(percent));
}

/** `▲ +1.23% (+1,234.50 THB)`; "" if any asset's change is unknown. */
export function gainText({ gained, gainedPercent, quote }: Portfolio, amounts: AmountText): string {
  if (!gained) return "";
  const amount = `${amounts.value(gained, "exceptZero")} ${quote}`;
  return gainedPercent ? `${arrowText(numberOf(gainedPercent))} (${amount})` : amount;
}

/** All figures of a holding, labelled; money has the decimals of its currency. */
export function holdingFigures(
  holding: Holding,
  portfolio: Portfolio,
  numbers: WalletNumbers,
): [string, string][] {
  const { asset, available, reserved, amount } = holding;
  const text = (held: Decimal): string => `${numbers.amounts.balance(held, asset, portfolio.quote)} ${asset}`;
  return [
    [vscode.l10n.t("Available"), text(available)],
    [vscode.l10n.t("Reserved"), text(reserved)],
    [vscode.l10n.t("Total"), text(amount)],
    ...valueFigures(holding, portfolio, numbers),
  ];
}

/** The price, value, share and change of an amount, labelled; empty if it has no value. */
export function valueFigures(
  { asset, ticker, value, share, gained, percentChange, path }: ValuedAmount,
  { quote }: Portfolio,
  { amounts, placesOf }: WalletNumbers,
): [string, string][] {
  const none = "–";
  if (!value) return [];
  const figures: [string, string][] = [];
  if (ticker)
    figures.push([vscode.l10n.t("Last"), `${rateText(ticker.last, placesOf(ticker))} ${ticker.pair.quote}`]);
  const way = pathText(path);
  if (way !== "") figures.push([vscode.l10n.t("Valued through"), way]);
  figures.push(
    [vscode.l10n.t("Value"), `${amounts.computed(value, quote)} ${quote}`],
    [vscode.l10n.t("Share"), share ? shareText(share) : none],
  );
  if (asset !== quote) {
    const change = arrowText(percentChange) || none;
    const amount = gained ? ` (${amounts.value(gained, "exceptZero")} ${quote})` : "";
    figures.push([vscode.l10n.t("Change, 24 h"), change + amount]);
  }
  return figures;
}

/** The assets through which a value was found; "" if a single pair was enough. */
export function pathText(path: readonly string[]): string {
  return path.length > 2 ? path.join(" → ") : "";
}

/** For display only. */
export function numberOf(percent: Decimal): number {
  return Number(plainText(percent));
}
