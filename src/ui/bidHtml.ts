import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { plainText } from "../market/decimal.ts";
import type { BidRules } from "../market/order.ts";
import type { BidFormSetup } from "../panels/bidForm.ts";
import { hiddenAmount } from "./numberText.ts";

/**
 * The bid form's page: media/bidForm.html with its words and addresses filled in. No text from a service is in it:
 * that comes later by message and is set as text.
 */
export async function bidHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  rules: BidRules,
): Promise<string> {
  const file = (...path: string[]): vscode.Uri => vscode.Uri.joinPath(extensionUri, ...path);
  const template = new TextDecoder().decode(
    await vscode.workspace.fs.readFile(file("media", "bidForm.html")),
  );
  const values: Record<string, string> = {
    ...words(),
    ...addresses(webview, file),
    lang: vscode.env.language,
  };
  const page = template.replace(/\{\{(\w+)\}\}/g, (place, name: string) =>
    name in values ? escapeHtml(values[name] ?? "") : place,
  );
  return page.replace("{{setup}}", () => JSON.stringify(setupOf(rules)).replaceAll("<", "\\u003c"));
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

function addresses(webview: vscode.Webview, file: (...path: string[]) => vscode.Uri): Record<string, string> {
  const nonce = randomBytes(16).toString("base64");
  const source = webview.cspSource;
  return {
    nonce,
    style: webview.asWebviewUri(file("media", "bidForm.css")).toString(),
    script: webview.asWebviewUri(file("dist", "webview", "bidForm.js")).toString(),
    policy: `default-src 'none'; style-src ${source}; img-src ${source}; font-src ${source}; script-src 'nonce-${nonce}'`,
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
      unknownBalance: vscode.l10n.t("not known yet"),
      hiddenAmount,
      noTotals: "–",
      choosePair: vscode.l10n.t("Choose a pair"),
      wait: vscode.l10n.t("The exchange asks to wait: {0} s"),
      waitBegins: vscode.l10n.t("The exchange asks to wait {0} s. Place Bid is off until then."),
      waitEnds: vscode.l10n.t("The wait is over. You can place a bid again."),
    },
  };
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
