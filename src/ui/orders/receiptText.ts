import * as vscode from "vscode";
import { type Decimal, parseWireDecimal } from "../../market/numbers/decimal.ts";
import type { ReceiptDifference } from "../../market/order.ts";
import { confirmedAmountText, confirmedQuantityText, exactRateText } from "../text/numberText.ts";

/**
 * The differences between a receipt and the sent order: "amount: sent 1,000, receipt 10,000". `shown` may mask amounts.
 */
export function differencesText(
  differences: readonly ReceiptDifference[],
  shown: (text: string) => string,
): string {
  return differences.map((each) => differenceText(each, shown)).join("; ");
}

function differenceText(
  { field, sent, returned }: ReceiptDifference,
  shown: (text: string) => string,
): string {
  switch (field) {
    case "amount": {
      const [sentText, receivedText] = [sent, returned].map((text) =>
        shown(figureText(text, (amount) => confirmedAmountText(amount, undefined))),
      );
      return vscode.l10n.t("amount: sent {0}, returned {1}", sentText ?? "", receivedText ?? "");
    }
    case "quantity": {
      const [sentText, receivedText] = [sent, returned].map((text) =>
        shown(figureText(text, confirmedQuantityText)),
      );
      return vscode.l10n.t("to receive: expected {0}, returned {1}", sentText ?? "", receivedText ?? "");
    }
    case "rate": {
      const [sentText, receivedText] = [sent, returned].map((text) => figureText(text, exactRateText));
      return vscode.l10n.t("limit price: sent {0}, returned {1}", sentText ?? "", receivedText ?? "");
    }
    case "symbol":
      return vscode.l10n.t("pair: sent {0}, returned {1}", sent, returned);
    case "side":
      return vscode.l10n.t("side: sent {0}, returned {1}", sent, returned);
    case "type":
      return vscode.l10n.t("order type: sent {0}, returned {1}", sent, returned);
  }
}

/** Formats a number from the journal, which stores numbers as text. A file edited elsewhere may contain anything. */
function figureText(text: string, format: (figure: Decimal) => string): string {
  const figure = parseWireDecimal(text);
  return figure ? format(figure) : text;
}
