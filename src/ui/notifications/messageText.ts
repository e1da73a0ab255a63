import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import type { Firing } from "../../desk/notifications/firing.ts";
import type { ChannelMessage } from "../../desk/notifications/message.ts";
import { quotedPrice } from "../../market/numbers/decimal.ts";
import { accountId } from "../../market/order.ts";
import { pairName, parseSymbol } from "../../market/pair.ts";
import { alertPairName, firedText, ruleText } from "../alerts/alertText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { sideTexts } from "../text/sideTexts.ts";

interface MessageSource {
  readonly tickers: Pick<Desk["tickers"], "ticker" | "placesOf">;
  readonly timers: Desk["timers"];
  readonly venue: Pick<Desk["venue"], "account">;
}

/** What other programs and services get of a firing: nothing of the account. */
export function messageOf(firing: Firing, { tickers, timers, venue }: MessageSource): ChannelMessage {
  const common = { id: firing.key, time: new Date(firing.at).toISOString() };
  if (firing.kind === "fills") {
    const pair = parseSymbol(firing.symbol, "quoteFirst");
    const text = sentence(fillText(firing), firing.venue);
    return {
      ...common,
      pair: pair ? pairName(pair) : sanitizeText(firing.symbol),
      rule: text,
      price: "",
      text,
    };
  }
  const { alert } = firing;
  // The prices of a window are those of its account.
  const ticker = accountId(alert) === venue.account.id ? tickers.ticker(alert.symbol) : undefined;
  const places = ticker && tickers.placesOf(ticker);
  return {
    ...common,
    pair: sanitizeText(alertPairName(alert, ticker)),
    rule: ruleText(alert.rule, places),
    price: alert.fired ? quotedPrice(alert.fired.price) : "",
    text: sentence(firedText(alert, timers.now(), ticker, places), alert.venue),
  };
}

/** The message of *Send a Test*. `now`: ms since the epoch. */
export function testMessage(now: number): ChannelMessage {
  const text = vscode.l10n.t("This is a test of your Bidside alerts.");
  return { id: `test-${now}`, pair: "", rule: text, price: "", time: new Date(now).toISOString(), text };
}

/** `Buy order for BTC/THB: filled.` Without a figure, an id or the exchange. */
export function fillText({ symbol, side, isFilled }: Extract<Firing, { kind: "fills" }>): string {
  const pair = parseSymbol(symbol, "quoteFirst");
  const order = sideTexts[side].order(pair ? pairName(pair) : symbol);
  return isFilled ? vscode.l10n.t("{0}: filled.", order) : vscode.l10n.t("{0}: partly filled.", order);
}

function sentence(text: string, venue: "practice" | "live"): string {
  return sanitizeText(venue === "practice" ? vscode.l10n.t("Practice: {0}", text) : text);
}
