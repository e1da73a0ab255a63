import * as vscode from "vscode";
import type { OrderQuestion } from "../../desk/orders/orderPlacer.ts";
import type { Venue, VenueId } from "../../desk/venue.ts";
import { Decimal, plainText, quotedPrice } from "../../market/numbers/decimal.ts";
import { type LimitOrder, percentFromLast } from "../../market/order.ts";
import { pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { shownAmounts } from "../settings.ts";
import {
  confirmedAmountText,
  confirmedQuantityText,
  exactRateText,
  percentText,
} from "../text/numberText.ts";
import { openOrdersText } from "./openOrders.ts";

/** The question of each kind of venue. The live question is a warning, so that it looks different before it is read. */
interface Question {
  readonly show: "showInformationMessage" | "showWarningMessage";
  readonly title: (pair: string, venue: Venue) => string;
  readonly yes: () => string;
}

const QUESTIONS: Readonly<Record<VenueId, Question>> = {
  practice: {
    show: "showInformationMessage",
    title: (pair, { name }) => vscode.l10n.t("Bid for {0} on {1}, with play money?", pair, name),
    yes: () => vscode.l10n.t("Place Practice Bid"),
  },
  live: {
    show: "showWarningMessage",
    title: (pair, { name }) => vscode.l10n.t("Bid for {0} on Live {1}, with real money?", pair, name),
    yes: () => vscode.l10n.t("Place Bid"),
  },
};

/**
 * The native modal before every order. It always shows real figures of the order, also while amounts are hidden: all
 * digits that are signed and sent, grouped. The balance stays masked while amounts are hidden.
 * `places` are the decimals of the pair if it is listed.
 */
export async function confirmOrder(question: OrderQuestion, places?: number): Promise<boolean> {
  const { order, venue, ticker, available, open, now } = question;
  const { pair, amount, quantity, fee } = order;
  const { show, title, yes } = QUESTIONS[venue.id];
  const left = available?.gte(amount)
    ? `${shownAmounts().amount(available.minus(amount))} ${pair.quote}`
    : undefined;
  const lines = [
    vscode.l10n.t("Amount: {0} {1}", confirmedAmountText(amount), pair.quote),
    vscode.l10n.t("Rate: {0}", rateWords(order, ticker, places)),
    vscode.l10n.t("Quantity: about {0} {1}", confirmedQuantityText(quantity), pair.base),
    vscode.l10n.t("Fee (included): about {0} {1}", confirmedAmountText(fee), pair.quote),
    vscode.l10n.t("Balance after this order: {0}", left ?? vscode.l10n.t("not known")),
  ];
  const detail = [openOrdersText(open, now), lines.join("\n")].filter(Boolean).join("\n\n");
  return await ask(show, title(pairName(pair), venue), detail, yes());
}

/** The first of two questions: the rate is far above the last price. */
export async function confirmBeyond(question: OrderQuestion, places?: number): Promise<boolean> {
  const { order, venue, open, now } = question;
  const { beyondLastPercent, rate, pair } = order;
  const percent = beyondLastPercent === undefined ? "" : plainText(beyondLastPercent);
  const fill = vscode.l10n.t(
    "{0} may fill the order at up to {1} {2} per {3}.",
    venue.name,
    exactRateText(rate, places),
    pair.quote,
    pair.base,
  );
  return await ask(
    QUESTIONS[venue.id].show,
    vscode.l10n.t("The rate is {0}% above the last price of {1}. Place the order?", percent, pairName(pair)),
    [openOrdersText(open, now), fill].filter(Boolean).join("\n\n"),
    vscode.l10n.t("Bid Above the Last Price"),
  );
}

async function ask(show: Question["show"], title: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window[show](title, { modal: true, detail }, yes)) === yes;
}

/** The exact rate, and its distance from the last price. */
function rateWords({ rate, pair }: LimitOrder, ticker?: Ticker, places?: number): string {
  const text = vscode.l10n.t("{0} {1} per {2}", exactRateText(rate, places), pair.quote, pair.base);
  if (!ticker) return text;
  const percent = percentFromLast(rate, new Decimal(quotedPrice(ticker.last)));
  const distance = percentText(percent.abs());
  if (percent.eq("0")) return vscode.l10n.t("{0}, at the last price", text);
  return percent.gt("0")
    ? vscode.l10n.t("{0}, {1} above the last price", text, distance)
    : vscode.l10n.t("{0}, {1} below the last price", text, distance);
}
