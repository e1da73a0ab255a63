import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { knownCost } from "../../desk/portfolio/knownTrades.ts";
import { openOrdersOf } from "../../desk/tracking/openOrders.ts";
import { knownBalance, totalOf } from "../../market/balance.ts";
import { priceText } from "../../market/numbers/decimal.ts";
import { type KnownOrder, openQuantity } from "../../market/orders/knownOrder.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { AmountText } from "../text/amountText.ts";
import { exactRateText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";

/** More rows would make a tooltip taller than the screen. */
const MAX_ORDERS = 5;

/** What the account has in a pair, as names and values: the balance, its average cost and the open orders. */
export function pairAccountRows(
  ticker: Ticker,
  desk: Desk,
  amounts: AmountText,
): readonly (readonly [string, string])[] {
  const { venue, balances, orders, tickers } = desk;
  const { signedIn } = venue;
  const { pair, last } = ticker;
  const places = tickers.placesOf(ticker);
  const balance = signedIn && knownBalance(balances.state.wallet, pair.base);
  const held = balance && totalOf(balance);
  const rows: [string, string][] = [];
  if (held?.gt("0")) {
    const value = last === undefined ? undefined : held.times(priceText(last));
    const parts = [
      `${amounts.balance(held, pair.base, pair.quote)} ${pair.base}`,
      value ? `${amounts.value(value)} ${pair.quote}` : "",
    ];
    rows.push([vscode.l10n.t("Your balance"), parts.filter(Boolean).join(" · ")]);
  }
  const cost = knownCost(desk, pair, places);
  if (cost) rows.push([vscode.l10n.t("Average cost"), exactRateText(cost, places)]);
  const open = signedIn ? openOrdersOf(pair, signedIn, orders) : [];
  for (const order of open.slice(-MAX_ORDERS))
    rows.push([vscode.l10n.t("Open order"), orderText(order, ticker, places, amounts)]);
  const others = open.length - MAX_ORDERS;
  if (others > 0) rows.push([vscode.l10n.t("Other open orders"), String(others)]);
  return rows;
}

function orderText(order: KnownOrder, { pair }: Ticker, places: number, amounts: AmountText): string {
  const { side, rate, trigger } = order;
  const left = openQuantity(order);
  const at = trigger !== undefined && typeof trigger !== "string" ? trigger : rate;
  return [
    trigger === undefined ? "" : vscode.l10n.t("Stop"),
    sideTexts[side].word(),
    left ? amounts.holding(left, pair.base, pair.quote) : "",
    at ? `@ ${exactRateText(at, places)}` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
