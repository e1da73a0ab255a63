import * as vscode from "vscode";
import type { OrderQuestion } from "../../desk/orders/orderPlacer.ts";
import type { SignedIn } from "../../desk/venue.ts";
import { shownAmount } from "../../market/numbers/amountDecimals.ts";
import { Decimal, plainText, quotedPrice } from "../../market/numbers/decimal.ts";
import { assetsOf, type LimitOrder, percentFromLast } from "../../market/order.ts";
import { pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { shownAmounts } from "../text/amountText.ts";
import { confirmedAmountText, confirmedHoldingText, exactRateText, percentText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { postOnlyText } from "../orders/orderState.ts";
import { averageWords, bookFillLines } from "./bookText.ts";
import { unknownOrdersText } from "./unknownOrdersText.ts";

/** Live confirmations are warnings, so that they look different before they are read. */
const SHOW = { practice: "showInformationMessage", live: "showWarningMessage" } as const;

/** Title and button, which name the side and whether the money is real. The title also has the figures. */
function titleAndYes(
  { side, pair, amount, quantity }: LimitOrder,
  { account, name }: SignedIn,
): readonly [title: string, yes: string] {
  const [texts, assets] = [sideTexts[side], assetsOf(side, pair)];
  const figure = (held: Decimal, asset: string): string =>
    `${confirmedHoldingText(held, asset, pair.quote)} ${asset}`;
  const figures = [figure(quantity, assets.quantity), figure(amount, assets.amount)] as const;
  return account.kind === "practice"
    ? [texts.practiceTitle(...figures, name), texts.practiceYes()]
    : [texts.liveTitle(...figures, name), texts.word()];
}

/**
 * The modal before every order. It always shows the order's real figures, even in privacy mode: all digits that are
 * signed and sent, grouped. Estimates say "about". The balance stays masked in privacy mode. `places`: the pair's
 * decimals, if it is listed.
 */
export async function confirmOrder(question: OrderQuestion, places?: number): Promise<boolean> {
  const { order, venue, ticker, available } = question;
  const { side, pair, amount, fee } = order;
  const [title, yes] = titleAndYes(order, venue);
  const asset = assetsOf(side, pair).amount;
  const left = available?.gte(amount)
    ? `${shownAmounts().holding(available.minus(amount), asset, pair.quote)} ${asset}`
    : undefined;
  const feeText = confirmedAmountText(shownAmount(fee, pair.quote), pair.quote);
  const lines = [
    vscode.l10n.t("Limit price: {0}", rateWords(order, ticker, places)),
    ...bookFillLines(question.bookFill, order, places),
    sideTexts[side].fee(feeText, pair.quote),
    ...(order.postOnly ? [postOnlyText()] : []),
    vscode.l10n.t("Balance after this order: {0}", left ?? vscode.l10n.t("unknown")),
  ];
  return await ask(question, title, yes, lines.join("\n"));
}

/**
 * The first of two confirmations: the limit price is far above the last price to buy or below it to sell, or the book
 * would fill the order far from its best offer on average.
 */
export async function confirmBeyond(question: OrderQuestion, places?: number): Promise<boolean> {
  const { order, venue, bookFill } = question;
  const { beyondLastPercent, beyondBookPercent, rate, pair } = order;
  const texts = sideTexts[order.side];
  const book = beyondBookPercent ? averageWords(bookFill, order, places) : "";
  const fill = texts.mayFillAt(venue.name, exactRateText(rate, places), pair.quote, pair.base);
  const percent = plainText(beyondLastPercent ?? beyondBookPercent ?? new Decimal("0"));
  const [title, yes] = beyondLastPercent
    ? [texts.beyondLastTitle, texts.beyondLastYes]
    : [texts.beyondBookTitle, texts.beyondBookYes];
  return await ask(question, title(percent, pairName(pair)), yes(), fill, book);
}

/** Names who filled in the figures; "" if the user did. */
function preparedByText(preparedBy: OrderQuestion["preparedBy"]): string {
  switch (preparedBy) {
    case "assistant":
      return vscode.l10n.t("Prepared by an assistant. Check every figure.");
    case "link":
      return vscode.l10n.t("Filled in from a link. Check every figure.");
    case "order":
      return vscode.l10n.t("Filled in from an earlier order. Check every figure.");
    case undefined:
      return "";
  }
}

/** Shows the modal. Its detail begins with who filled in the figures, and earlier orders with unknown outcomes. */
async function ask(
  { venue, preparedBy, open, now }: OrderQuestion,
  title: string,
  yes: string,
  ...paragraphs: readonly string[]
): Promise<boolean> {
  const detail = [preparedByText(preparedBy), unknownOrdersText(open, now), ...paragraphs]
    .filter(Boolean)
    .join("\n\n");
  return (await vscode.window[SHOW[venue.account.kind]](title, { modal: true, detail }, yes)) === yes;
}

/** The exact rate and its distance from the last price. */
function rateWords({ rate, pair }: LimitOrder, ticker?: Ticker, places?: number): string {
  const text = vscode.l10n.t("{0} {1} per {2}", exactRateText(rate, places), pair.quote, pair.base);
  if (ticker?.last === undefined) return text;
  const percent = percentFromLast(rate, new Decimal(quotedPrice(ticker.last)));
  const distance = percentText(percent.abs());
  if (percent.eq("0")) return vscode.l10n.t("{0}, at the last price", text);
  return percent.gt("0")
    ? vscode.l10n.t("{0}, {1} above the last price", text, distance)
    : vscode.l10n.t("{0}, {1} below the last price", text, distance);
}
