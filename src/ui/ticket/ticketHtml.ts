import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { plainText } from "../../market/numbers/decimal.ts";
import { hiddenAmount } from "../../market/numbers/hiddenFigures.ts";
import type { OrderRules } from "../../market/order.ts";
import type { BookStrings, TicketSetup } from "../../protocol/ticket.ts";
import { venueWords } from "../pages/venueWords.ts";
import { pageHtml } from "../pages/webviewPage.ts";

export function ticketHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  rules: OrderRules,
): Promise<string> {
  return pageHtml(webview, extensionUri, { name: "ticket", words: words(), setup: setupOf(rules) });
}

function words(): Record<string, string> {
  return {
    title: vscode.l10n.t("Order Ticket"),
    side: vscode.l10n.t("Side"),
    buy: vscode.l10n.t("Buy"),
    sell: vscode.l10n.t("Sell"),
    sideKeys: vscode.l10n.t("Keys: B to buy, S to sell"),
    pair: vscode.l10n.t("Pair"),
    pairs: vscode.l10n.t("Pairs"),
    lock: vscode.l10n.t("Lock"),
    lockTitle: vscode.l10n.t("Stay on this pair when another pair is selected elsewhere"),
    noPairFound: vscode.l10n.t("No matching pairs."),
    prices: vscode.l10n.t("Prices"),
    usePrice: vscode.l10n.t("Use as the limit price"),
    last: vscode.l10n.t("Last"),
    bestBid: vscode.l10n.t("Best bid"),
    bestAsk: vscode.l10n.t("Best ask"),
    rate: vscode.l10n.t("Limit price"),
    rateKeys: vscode.l10n.t("The up and down arrow keys change the price by 0.1%, with Shift by 1%"),
    rateDown: vscode.l10n.t("Lower the price by 0.1%"),
    rateUp: vscode.l10n.t("Raise the price by 0.1%"),
    available: vscode.l10n.t("Available"),
    shares: vscode.l10n.t("Share of the available balance"),
    quantityHint: vscode.l10n.t("approximate, after the fee"),
    postOnly: vscode.l10n.t("Post only"),
    postOnlyTitle: vscode.l10n.t("The exchange cancels the order instead of filling it immediately."),
    left: vscode.l10n.t("Balance after this order"),
    fillsAtOnce: vscode.l10n.t("Fills immediately"),
    averageRate: vscode.l10n.t("Average price"),
    slippage: vscode.l10n.t("Slippage"),
    slippageTitle: vscode.l10n.t("How far the average price is from the best price in the order book"),
    book: vscode.l10n.t("Order book"),
    bookKeys: vscode.l10n.t("Click a price or press Enter to use it."),
    price: vscode.l10n.t("Price"),
    size: vscode.l10n.t("Size"),
    trades: vscode.l10n.t("Recent trades"),
    time: vscode.l10n.t("Time"),
  };
}

function setupOf(rules: OrderRules): TicketSetup {
  return {
    locale: vscode.env.language,
    sitting: randomUUID(),
    rules: {
      minimumAmount: plainText(rules.minimumAmount),
      feeShare: plainText(rules.feeShare),
      quantityPlaces: rules.quantityPlaces,
    },
    strings: {
      ...venueWords(),
      sides: {
        buy: {
          heading: vscode.l10n.t("Buy"),
          amount: vscode.l10n.t("Amount"),
          quantity: vscode.l10n.t("Quantity"),
          fee: vscode.l10n.t("Fee (included)"),
          total: vscode.l10n.t("Total"),
          submit: vscode.l10n.t("Buy…"),
          submitFigures: vscode.l10n.t("Buy about {0} for {1}…", "{0}", "{1}"),
        },
        sell: {
          heading: vscode.l10n.t("Sell"),
          amount: vscode.l10n.t("Amount to sell"),
          quantity: vscode.l10n.t("To receive"),
          fee: vscode.l10n.t("Fee (deducted)"),
          total: vscode.l10n.t("Value"),
          submit: vscode.l10n.t("Sell…"),
          submitFigures: vscode.l10n.t("Sell {0} for about {1}…", "{0}", "{1}"),
        },
      },
      asksNotOffered: vscode.l10n.t("This exchange does not offer sell orders."),
      preparedBy: {
        assistant: vscode.l10n.t("Prepared by an assistant. Check every figure before you submit."),
        link: vscode.l10n.t("Filled in from a link. Check every figure before you submit."),
        order: vscode.l10n.t("Filled in from an earlier order. Check every figure before you submit."),
      },
      choosePair: vscode.l10n.t("Choose a pair"),
      frozen: vscode.l10n.t("frozen"),
      pairsFound: vscode.l10n.t("Matching pairs: {0}", "{0}"),
      pairNotFound: vscode.l10n.t("No pair matches “{0}”. The pair has not changed.", "{0}"),
      unknownBalance: vscode.l10n.t("unknown"),
      hiddenAmount,
      hiddenSpoken: vscode.l10n.t("hidden"),
      shareOfAvailable: vscode.l10n.t("{0} of the available balance", "{0}"),
      noTotals: "–",
      about: vscode.l10n.t("about {0}", "{0}"),
      atLast: vscode.l10n.t("at the last price"),
      aboveLast: vscode.l10n.t("{0} above the last price", "{0}"),
      belowLast: vscode.l10n.t("{0} below the last price", "{0}"),
      wait: vscode.l10n.t("Rate limit: wait {0} s", "{0}"),
      waitBegins: vscode.l10n.t("Rate limit: wait {0} s. The order button is disabled until then.", "{0}"),
      waitEnds: vscode.l10n.t("The rate limit has ended. You can place orders again."),
      book: bookStrings(),
    },
  };
}

function bookStrings(): BookStrings {
  return {
    asks: vscode.l10n.t("Asks"),
    bids: vscode.l10n.t("Bids"),
    noAsks: vscode.l10n.t("No asks"),
    noBids: vscode.l10n.t("No bids"),
    spread: vscode.l10n.t("Spread {0} ({1})", "{0}", "{1}"),
    noSpread: vscode.l10n.t("No spread"),
    yourOrder: vscode.l10n.t("your order"),
    askSpoken: vscode.l10n.t("Ask at {0} {1}: {2} {3}", "{0}", "{1}", "{2}", "{3}"),
    bidSpoken: vscode.l10n.t("Bid at {0} {1}: {2} {3}", "{0}", "{1}", "{2}", "{3}"),
    rateTaken: vscode.l10n.t("The limit price is now {0}.", "{0}"),
    noTrades: vscode.l10n.t("No trades yet"),
    boughtSpoken: vscode.l10n.t("{0}: bought {1} at {2}", "{0}", "{1}", "{2}"),
    soldSpoken: vscode.l10n.t("{0}: sold {1} at {2}", "{0}", "{1}", "{2}"),
  };
}
