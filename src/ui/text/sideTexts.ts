import * as vscode from "vscode";
import type { Side } from "../../market/order.ts";

const buy = {
  word: () => vscode.l10n.t("Buy"),
  fill: (quantity: string, rate: string) => vscode.l10n.t("Bought {0} at {1}", quantity, rate),
  named: (name: string) => vscode.l10n.t("Buy {0}", name),
  side: () => vscode.l10n.t("Side: buy"),
  order: (pair: string) => vscode.l10n.t("Buy order for {0}", pair),
  orderOn: (pair: string, exchange: string) => vscode.l10n.t("Buy order for {0} on {1}", pair, exchange),
  orderAt: (pair: string, amount: string, asset: string, rate: string) =>
    vscode.l10n.t("Buy order for {0}: {1} {2} at {3}", pair, amount, asset, rate),
  quantity: (quantity: string, asset: string) => vscode.l10n.t("Quantity: about {0} {1}", quantity, asset),
  fee: (fee: string, asset: string) => vscode.l10n.t("Fee (included): about {0} {1}", fee, asset),

  practiceTitle: (quantity: string, amount: string, exchange: string) =>
    vscode.l10n.t("Buy about {0} for {1} on {2} with play money?", quantity, amount, exchange),
  practiceYes: () => vscode.l10n.t("Buy on Practice"),
  liveTitle: (quantity: string, amount: string, exchange: string) =>
    vscode.l10n.t("Buy about {0} for {1} on Live {2} with real money?", quantity, amount, exchange),
  beyondLastTitle: (percent: string, pair: string) =>
    vscode.l10n.t("Buy {1} at {0}% above the last price?", percent, pair),
  beyondLastYes: () => vscode.l10n.t("Buy Above the Last Price"),
  mayFillAt: (exchange: string, rate: string, quote: string, base: string) =>
    vscode.l10n.t("{0} may fill the order at up to {1} {2} per {3}.", exchange, rate, quote, base),
  beyondBookTitle: (percent: string, pair: string) =>
    vscode.l10n.t("Buy {1} at an average price {0}% above the best ask?", percent, pair),
  beyondBookYes: () => vscode.l10n.t("Buy Above the Best Ask"),
  averageAtBest: (rate: string) => vscode.l10n.t("Average price: {0}, at the best ask", rate),
  averageBeyondBest: (rate: string, distance: string) =>
    vscode.l10n.t("Average price: {0}, {1} above the best ask", rate, distance),
  unknownOrder: (pair: string) =>
    vscode.l10n.t(
      "The outcome of an earlier order for {0} is unknown. It may have been placed, so with this order you may buy twice.",
      pair,
    ),
  unknownOrders: (count: number, pair: string) =>
    vscode.l10n.t(
      "The outcomes of {0} earlier orders for {1} are unknown. They may have been placed, so with this order you may buy more than once.",
      count,
      pair,
    ),

  frozenOn: (exchange: string, pair: string) =>
    vscode.l10n.t("{0} does not accept buy orders for {1} at the moment.", exchange, pair),
  band: (percent: string) =>
    vscode.l10n.t("A buy order may be at most {0}% above or below the last price.", percent),
  missingAmount: () => vscode.l10n.t("Enter the amount to spend."),
  missingRate: () => vscode.l10n.t("Enter the highest price to pay."),
  frozen: () => vscode.l10n.t("The exchange does not accept buy orders for this pair at the moment."),
  belowMinimum: (bound: string, quote: string) => vscode.l10n.t("The minimum is {0} {1}.", bound, quote),
  aboveMaximum: (bound: string, quote: string) =>
    vscode.l10n.t("Exceeds your limit of {0} {1} per order.", bound, quote),
  quantityZero: () => vscode.l10n.t("Too small to buy anything at this price."),
  farFromBook: (percent: string) =>
    vscode.l10n.t(
      "The order book would fill this order at an average price more than {0}% above its best ask. Lower the limit price or the amount.",
      percent,
    ),

  notSent: () => vscode.l10n.t("Not sent. Nothing was spent."),
  notRecorded: (advice: string) =>
    vscode.l10n.t("Not sent: the order could not be recorded. Nothing was spent. {0}", advice),
  rejected: () => vscode.l10n.t("Rejected. Nothing was spent."),
  endedEmpty: (end: string) => vscode.l10n.t("{0}: nothing was bought.", end),
  notPlaced: (order: string) => vscode.l10n.t("Your order was not placed and nothing was spent: {0}.", order),
};

const sell: typeof buy = {
  word: () => vscode.l10n.t("Sell"),
  fill: (quantity, rate) => vscode.l10n.t("Sold {0} at {1}", quantity, rate),
  named: (name) => vscode.l10n.t("Sell {0}", name),
  side: () => vscode.l10n.t("Side: sell"),
  order: (pair) => vscode.l10n.t("Sell order for {0}", pair),
  orderOn: (pair, exchange) => vscode.l10n.t("Sell order for {0} on {1}", pair, exchange),
  orderAt: (pair, amount, asset, rate) =>
    vscode.l10n.t("Sell order for {0}: {1} {2} at {3}", pair, amount, asset, rate),
  quantity: (quantity, asset) => vscode.l10n.t("To receive: about {0} {1}", quantity, asset),
  fee: (fee, asset) => vscode.l10n.t("Fee (deducted): about {0} {1}", fee, asset),

  practiceTitle: (quantity, amount, exchange) =>
    vscode.l10n.t("Sell {0} for about {1} on {2} with play money?", amount, quantity, exchange),
  practiceYes: () => vscode.l10n.t("Sell on Practice"),
  liveTitle: (quantity, amount, exchange) =>
    vscode.l10n.t("Sell {0} for about {1} on Live {2} with real money?", amount, quantity, exchange),
  beyondLastTitle: (percent, pair) => vscode.l10n.t("Sell {1} at {0}% below the last price?", percent, pair),
  beyondLastYes: () => vscode.l10n.t("Sell Below the Last Price"),
  mayFillAt: (exchange, rate, quote, base) =>
    vscode.l10n.t("{0} may fill the order at only {1} {2} per {3}.", exchange, rate, quote, base),
  beyondBookTitle: (percent, pair) =>
    vscode.l10n.t("Sell {1} at an average price {0}% below the best bid?", percent, pair),
  beyondBookYes: () => vscode.l10n.t("Sell Below the Best Bid"),
  averageAtBest: (rate) => vscode.l10n.t("Average price: {0}, at the best bid", rate),
  averageBeyondBest: (rate, distance) =>
    vscode.l10n.t("Average price: {0}, {1} below the best bid", rate, distance),
  unknownOrder: (pair) =>
    vscode.l10n.t(
      "The outcome of an earlier order for {0} is unknown. It may have been placed, so with this order you may sell twice.",
      pair,
    ),
  unknownOrders: (count, pair) =>
    vscode.l10n.t(
      "The outcomes of {0} earlier orders for {1} are unknown. They may have been placed, so with this order you may sell more than once.",
      count,
      pair,
    ),

  frozenOn: (exchange, pair) =>
    vscode.l10n.t("{0} does not accept sell orders for {1} at the moment.", exchange, pair),
  band: (percent) =>
    vscode.l10n.t("A sell order may be at most {0}% below or above the last price.", percent),
  missingAmount: () => vscode.l10n.t("Enter the amount to sell."),
  missingRate: () => vscode.l10n.t("Enter the lowest price to accept."),
  frozen: () => vscode.l10n.t("The exchange does not accept sell orders for this pair at the moment."),
  belowMinimum: (bound, quote) => vscode.l10n.t("Worth less than the minimum of {0} {1}.", bound, quote),
  aboveMaximum: (bound, quote) =>
    vscode.l10n.t("Worth more than your limit of {0} {1} per order.", bound, quote),
  quantityZero: () => vscode.l10n.t("Too small to yield anything at this price."),
  farFromBook: (percent) =>
    vscode.l10n.t(
      "The order book would fill this order at an average price more than {0}% below its best bid. Raise the limit price or sell less.",
      percent,
    ),

  notSent: () => vscode.l10n.t("Not sent. Nothing was sold."),
  notRecorded: (advice) =>
    vscode.l10n.t("Not sent: the order could not be recorded. Nothing was sold. {0}", advice),
  rejected: () => vscode.l10n.t("Rejected. Nothing was sold."),
  endedEmpty: (end) => vscode.l10n.t("{0}: nothing was sold.", end),
  notPlaced: (order) => vscode.l10n.t("Your order was not placed and nothing was sold: {0}.", order),
};

/** Every text that differs between buy and sell orders, as whole sentences, because translations need them. */
export const sideTexts: Readonly<Record<Side, typeof buy>> = { buy, sell };
