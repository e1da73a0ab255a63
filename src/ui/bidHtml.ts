import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { plainText } from "../market/decimal.ts";
import type { BidRules } from "../market/order.ts";
import type { BidFormSetup } from "../panels/bidForm.ts";

/** The bid form's page. No text from a service is in it: that comes later by message and is set as text. */
export function bidHtml(webview: vscode.Webview, extensionUri: vscode.Uri, rules: BidRules): string {
  const nonce = randomBytes(16).toString("base64");
  const uri = (...path: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const source = webview.cspSource;
  const policy = [
    "default-src 'none'",
    `style-src ${source}`,
    `img-src ${source}`,
    `font-src ${source}`,
    `script-src 'nonce-${nonce}'`,
  ].join("; ");
  const setup: BidFormSetup = {
    locale: vscode.env.language,
    rules: {
      minimumAmount: plainText(rules.minimumAmount),
      feeShare: plainText(rules.feeShare),
      quantityPlaces: rules.quantityPlaces,
    },
    strings: {
      frozen: vscode.l10n.t("frozen"),
      unknownBalance: vscode.l10n.t("not known yet"),
      noTotals: "–",
      choosePair: vscode.l10n.t("Choose a pair"),
    },
  };
  const label = (text: string): string => escapeHtml(text);
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri("media", "bidForm.css")}">
<title>${label(vscode.l10n.t("Place Bid"))}</title>
</head>
<body>
<main>
<header>
<h1>${label(vscode.l10n.t("Place Bid"))}</h1>
<p id="venue" class="venue"></p>
</header>
<form id="form" novalidate autocomplete="off">
<div class="field">
<label for="pair">${label(vscode.l10n.t("Pair"))}</label>
<select id="pair" aria-describedby="pair-error"></select>
<p id="pair-error" class="error" aria-live="polite"></p>
</div>
<dl class="prices">
<div><dt>${label(vscode.l10n.t("Last"))}</dt><dd id="last">–</dd></div>
<div><dt>${label(vscode.l10n.t("Best bid"))}</dt><dd id="best-bid">–</dd></div>
<div><dt>${label(vscode.l10n.t("Best ask"))}</dt><dd id="best-ask">–</dd></div>
</dl>
<p id="note" class="note" aria-live="polite"></p>
<div class="field">
<label for="amount">${label(vscode.l10n.t("Amount"))} <span id="amount-unit" class="unit"></span></label>
<div class="row">
<input id="amount" inputmode="decimal" spellcheck="false" aria-describedby="amount-error available-line">
<span class="shares" role="group" aria-label="${label(vscode.l10n.t("Share of the available balance"))}">
<button type="button" data-share="0.25">25%</button>
<button type="button" data-share="0.5">50%</button>
<button type="button" data-share="0.75">75%</button>
<button type="button" data-share="1">100%</button>
</span>
</div>
<p id="available-line" class="hint">${label(vscode.l10n.t("Available"))}: <span id="available">–</span></p>
<p id="amount-error" class="error" aria-live="polite"></p>
</div>
<div class="field">
<label for="rate">${label(vscode.l10n.t("Rate"))} <span id="rate-unit" class="unit"></span></label>
<div class="row">
<button type="button" id="rate-down" class="step" aria-label="${label(vscode.l10n.t("Lower the rate by 0.1 percent"))}">−</button>
<input id="rate" inputmode="decimal" spellcheck="false" aria-describedby="rate-error">
<button type="button" id="rate-up" class="step" aria-label="${label(vscode.l10n.t("Raise the rate by 0.1 percent"))}">+</button>
<button type="button" id="use-last">${label(vscode.l10n.t("Last"))}</button>
<button type="button" id="use-ask">${label(vscode.l10n.t("Ask"))}</button>
</div>
<p id="rate-error" class="error" aria-live="polite"></p>
</div>
<div class="field">
<label for="buy-quantity">${label(vscode.l10n.t("Or the quantity to buy"))} <span id="buy-quantity-unit" class="unit"></span></label>
<div class="row"><input id="buy-quantity" inputmode="decimal" spellcheck="false" aria-describedby="buy-quantity-hint"></div>
<p id="buy-quantity-hint" class="hint">${label(vscode.l10n.t("Sets the amount that buys it, fee included."))}</p>
</div>
<dl class="totals">
<div><dt>${label(vscode.l10n.t("You receive about"))}</dt><dd><output id="quantity" for="amount rate">–</output></dd></div>
<div><dt>${label(vscode.l10n.t("Fee, out of the amount"))}</dt><dd><output id="fee" for="amount">–</output></dd></div>
<div><dt>${label(vscode.l10n.t("Left after it"))}</dt><dd><output id="left" for="amount">–</output></dd></div>
</dl>
<div class="row end">
<button type="submit" id="submit" class="primary">${label(vscode.l10n.t("Place Bid"))}…</button>
</div>
</form>
<div id="status" class="status" role="status"></div>
<p id="status-action-line" hidden><button type="button" id="status-action"></button></p>
</main>
<script type="application/json" id="setup">${JSON.stringify(setup).replaceAll("<", "\\u003c")}</script>
<script nonce="${nonce}" src="${uri("dist", "webview", "bidForm.js")}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  const escapes: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
