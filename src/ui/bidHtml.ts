import * as vscode from "vscode";
import { plainText } from "../market/decimal.ts";
import type { BidRules } from "../market/order.ts";
import type { BidFormSetup } from "../panels/bidForm.ts";
import { hiddenAmount } from "./numberText.ts";
import { pageHtml } from "./pageHtml.ts";

/** The bid form's page. */
export function bidHtml(webview: vscode.Webview, extensionUri: vscode.Uri, rules: BidRules): Promise<string> {
  return pageHtml(webview, extensionUri, { name: "bidForm", words: words(), setup: setupOf(rules) });
}

function words(): Record<string, string> {
  return {
    title: vscode.l10n.t("Place Bid"),
    pair: vscode.l10n.t("Pair"),
    last: vscode.l10n.t("Last"),
    bestBid: vscode.l10n.t("Best bid"),
    bestAsk: vscode.l10n.t("Best ask"),
    amount: vscode.l10n.t("Amount"),
    shares: vscode.l10n.t("Share of the available balance"),
    available: vscode.l10n.t("Available"),
    rate: vscode.l10n.t("Rate"),
    rateDown: vscode.l10n.t("Lower the rate by 0.1 percent"),
    rateUp: vscode.l10n.t("Raise the rate by 0.1 percent"),
    buyQuantity: vscode.l10n.t("Or the quantity to buy"),
    buyQuantityHint: vscode.l10n.t("Sets the amount that buys it, fee included."),
    quantity: vscode.l10n.t("You receive about"),
    fee: vscode.l10n.t("Fee, out of the amount"),
    left: vscode.l10n.t("Left after it"),
    submit: vscode.l10n.t("Place Bid…"),
  };
}

function setupOf(rules: BidRules): BidFormSetup {
  return {
    locale: vscode.env.language,
    rules: {
      minimumAmount: plainText(rules.minimumAmount),
      feeShare: plainText(rules.feeShare),
      quantityPlaces: rules.quantityPlaces,
    },
    strings: {
      frozen: vscode.l10n.t("frozen"),
      unknownBalance: vscode.l10n.t("unknown"),
      hiddenAmount,
      noTotals: "–",
      choosePair: vscode.l10n.t("Choose a pair"),
      wait: vscode.l10n.t("The exchange asks to wait: {0} s"),
      waitBegins: vscode.l10n.t("The exchange asks to wait {0} s. Place Bid is off until then."),
      waitEnds: vscode.l10n.t("The wait is over. You can place a bid again."),
    },
  };
}
