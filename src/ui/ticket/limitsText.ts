import * as vscode from "vscode";
import { plainText } from "../../market/numbers/decimal.ts";
import type { OrderRules } from "../../market/order.ts";
import { pairName, type Pair } from "../../market/pair.ts";
import type { FormLimits } from "../../protocol/ticket.ts";
import { confirmedAmountText, exactRateText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";

/** A pair's order rules for the ticket, with a line that explains them. `exchange` is its name. */
export function formLimits(rules: OrderRules, pair: Pair, exchange: string): FormLimits {
  const { feeShare, quantityPlaces, amountPlaces, rateStep } = rules;
  return {
    feeShare: plainText(feeShare),
    quantityPlaces,
    amountPlaces,
    rateStep: rateStep && plainText(rateStep),
    text: [frozenText(rules, pair, exchange), limitsText(rules, pair, exchange)].filter(Boolean).join(" "),
    tooltip: rules.isOfExchange
      ? bandText(rules)
      : vscode.l10n.t("The exchange's limits for this pair are not known. The exchange checks each order."),
  };
}

function limitsText(
  { minimumAmount, rateStep, isOfExchange }: OrderRules,
  pair: Pair,
  exchange: string,
): string {
  const minimum = `${confirmedAmountText(minimumAmount, pair.quote)} ${pair.quote}`;
  if (!isOfExchange) return vscode.l10n.t("Default limits: minimum {0}.", minimum);
  return rateStep
    ? vscode.l10n.t(
        "Limits of {0}: minimum {1}, prices in steps of {2} {3}.",
        exchange,
        minimum,
        exactRateText(rateStep),
        pair.quote,
      )
    : vscode.l10n.t("Limits of {0}: minimum {1}.", exchange, minimum);
}

/** The sides for which the exchange accepts no orders; "" if it accepts both. */
function frozenText({ frozenSides = [] }: OrderRules, pair: Pair, exchange: string): string {
  const [first, second] = frozenSides;
  if (first === undefined) return "";
  if (second !== undefined)
    return vscode.l10n.t("{0} does not accept orders for {1} at the moment.", exchange, pairName(pair));
  return sideTexts[first].frozenOn(exchange, pairName(pair));
}

/** The price band that the exchange accepts; "" if it states none. */
function bandText({ bandPercent = {} }: OrderRules): string {
  return (["buy", "sell"] as const)
    .flatMap((side) => {
      const percent = bandPercent[side];
      return percent ? [sideTexts[side].band(plainText(percent))] : [];
    })
    .join(" ");
}
