import * as vscode from "vscode";
import type { BookProblem } from "../../desk/feeds/bookFeed.ts";
import type { BookFill } from "../../market/book/bookFill.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { hiddenAmount } from "../../market/numbers/hiddenFigures.ts";
import type { LimitOrder } from "../../market/order.ts";
import type { FormBookFill } from "../../protocol/ticketBook.ts";
import type { AmountText } from "../text/amountText.ts";
import { explain } from "../text/errorText.ts";
import { exactRateText, filledShareText, percentText, smallestShareText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";

type Order = Pick<LimitOrder, "side" | "pair">;

/** Significant digits of an average if the pair's decimals are unknown. */
const AVERAGE_DIGITS = 12;

/** The confirmation's lines about the order book; empty without a book. */
export function bookFillLines(
  bookFill: BookFill | "nothing" | undefined,
  order: Order,
  places: number | undefined,
): string[] {
  if (!bookFill) return [];
  const share = vscode.l10n.t("Fills immediately: {0}", filledShare(bookFill));
  return bookFill === "nothing" ? [share] : [share, averageWords(bookFill, order, places)];
}

/** The average price of the immediate fill and its distance from the best offer; "" if nothing fills. */
export function averageWords(
  bookFill: BookFill | "nothing" | undefined,
  { side, pair }: Order,
  places: number | undefined,
): string {
  if (!bookFill || bookFill === "nothing") return "";
  const distance = percentText(bookFill.slippagePercent);
  const rate = vscode.l10n.t("{0} {1} per {2}", averageText(bookFill, places), pair.quote, pair.base);
  return bookFill.slippagePercent.eq("0")
    ? sideTexts[side].averageAtBest(rate)
    : sideTexts[side].averageBeyondBest(rate, distance);
}

/**
 * A draft's immediate fill, for the ticket. `isHidden`: the draft is a share of a hidden balance, so exact figures
 * would reveal that balance.
 */
export function bookFillTexts(
  bookFill: BookFill | "nothing",
  places: number,
  isHidden = false,
): FormBookFill {
  if (bookFill === "nothing") return { share: filledShare(bookFill), average: "", slippage: "" };
  if (isHidden) return { share: hiddenAmount, average: hiddenAmount, slippage: hiddenAmount };
  return {
    share: filledShare(bookFill),
    average: averageText(bookFill, places),
    slippage: percentText(bookFill.slippagePercent),
  };
}

/** Why the book is not current. `venue` is the exchange's name. */
export function bookProblemText(problem: BookProblem, amounts: AmountText, venue: string): string {
  if ("error" in problem)
    return vscode.l10n.t(
      "The order book could not be read. {0}",
      explain(problem.error, amounts, venue).sentence,
    );
  switch (problem.fault) {
    case "empty":
      return vscode.l10n.t("The order book is empty.");
    case "crossed":
      return vscode.l10n.t(
        "The order book is inconsistent: its best bid is not below its best ask. Bidside waits for the next update.",
      );
    case "odd":
      return vscode.l10n.t("The order book contains invalid entries. Bidside waits for the next update.");
  }
}

function filledShare(bookFill: BookFill | "nothing"): string {
  if (bookFill === "nothing") return vscode.l10n.t("nothing");
  if (bookFill.share.gte("1")) return vscode.l10n.t("all");
  const share = filledShareText(bookFill.share) ?? vscode.l10n.t("less than {0}", smallestShareText());
  return bookFill.isCut ? vscode.l10n.t("{0} or more", share) : share;
}

/** Rounded, and marked with "about" unless exact. */
function averageText({ average, isCut }: BookFill, places: number | undefined): string {
  const rounded =
    places === undefined
      ? average.prec(AVERAGE_DIGITS, Decimal.roundHalfUp)
      : average.round(places, Decimal.roundHalfUp);
  const shown = rounded.eq("0") ? average.prec(AVERAGE_DIGITS, Decimal.roundHalfUp) : rounded;
  const text = exactRateText(shown, places);
  if (isCut) return vscode.l10n.t("at worst {0}", text);
  return shown.eq(average) ? text : vscode.l10n.t("about {0}", text);
}
