import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { knownCost } from "../../desk/portfolio/knownTrades.ts";
import { openOrdersOf } from "../../desk/tracking/openOrders.ts";
import { reportsOrders } from "../../desk/venue.ts";
import { type Alert, type AlertEdge, hasLevel } from "../../market/alertRule.ts";
import type { DrawnLine } from "../../market/drawnLine.ts";
import { type Decimal, plainText } from "../../market/numbers/decimal.ts";
import { type KnownOrder, openQuantity } from "../../market/orders/knownOrder.ts";
import type { ChartMark, LineMark, ShownMarks } from "../../protocol/chartMarks.ts";
import type { RecordedTrade } from "../../storage/orders/tradeBook.ts";
import { ruleText } from "../alerts/alertText.ts";
import { alertLineKey, costLineKey, orderLineKey } from "../selectedLine.ts";
import type { AmountText } from "../text/amountText.ts";
import { exactRateText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { dateTimeText } from "../text/timeText.ts";
import { drawnLineMark } from "./drawnLineMarks.ts";

/** Limits, because more marks would cover the candles and every change sends all of them to the page. */
const MAX_ORDERS = 50;
const MAX_FILLS = 1000;
const MAX_ALERTS = 50;

const TONES = { buy: "up", sell: "down" } as const;

interface MarksInput {
  readonly symbol: string;
  readonly desk: Pick<Desk, "venue" | "tickers" | "orders" | "elsewhere">;
  /** Which marks the user turned on. */
  readonly shown: ShownMarks;
  readonly amounts: AmountText;
  /** Alerts of the current exchange. */
  readonly alerts: readonly Alert[];
  /** The lines that the user drew in the pair's charts. */
  readonly drawn: readonly DrawnLine[];
  /** Key of the line whose row is selected. */
  readonly selected: string | undefined;
}

/** Whether the pair's chart can have marks: its exchange reports orders, or fills or a cost are known. */
export function mayHaveMarks(symbol: string, desk: MarksInput["desk"]): boolean {
  const { venue, signedIn } = desk.venue;
  const ticker = desk.tickers.ticker(symbol);
  if (!venue || !ticker) return false;
  const { pair } = ticker;
  return (
    reportsOrders(venue) ||
    (signedIn && desk.orders.trades?.get(signedIn.ref, pair)) !== undefined ||
    knownCost(desk, pair, desk.tickers.placesOf(ticker)) !== undefined
  );
}

/**
 * The user's alerts, lines, open orders, newest fills and average cost of a pair, as far as they are known.
 */
export function marksOf({ symbol, desk, shown, amounts, alerts, drawn, selected }: MarksInput): ChartMark[] {
  const ticker = desk.tickers.ticker(symbol);
  const { signedIn } = desk.venue;
  if (!ticker) return [];
  const { pair } = ticker;
  const places = desk.tickers.placesOf(ticker);
  const lit = (key: string, lines: readonly LineMark[]): readonly LineMark[] =>
    key === selected ? lines.map(selectedMark) : lines;
  const alertMarks = alerts
    .filter((alert) => alert.isOn && desk.tickers.ticker(alert.symbol) === ticker)
    .slice(-MAX_ALERTS)
    .flatMap((alert) => lit(alertLineKey(alert), alertMark(alert, places)));
  const trades = signedIn && desk.orders.trades?.get(signedIn.ref, pair);
  const text = (held: Decimal): string => amounts.holding(held, pair.base, pair.quote);
  const orders = signedIn && shown.orders ? openOrdersOf(pair, signedIn, desk.orders) : [];
  const average = shown.averageCost ? knownCost(desk, pair, places) : undefined;
  const fills = shown.fills ? (trades?.trades ?? []) : [];
  return [
    ...(average ? lit(costLineKey(symbol), [costMark(average, places)]) : []),
    ...orders.slice(-MAX_ORDERS).flatMap((order) => lit(orderLineKey(order), orderMark(order, places, text))),
    ...alertMarks,
    ...drawn.map((line) => drawnLineMark(line, places)),
    ...fills.slice(-MAX_FILLS).map((fill) => fillMark(fill, places, text)),
  ];
}

/** Emphasised by words too, for screen readers and at the edge of the scale. */
function selectedMark(line: LineMark): LineMark {
  return { ...line, text: vscode.l10n.t("{0} (selected)", line.text), isSelected: true };
}

function costMark(average: Decimal, places: number): LineMark {
  return {
    kind: "averageCost",
    tone: "plain",
    rate: plainText(average),
    label: vscode.l10n.t("Average cost"),
    text: vscode.l10n.t("Average cost {0}", exactRateText(average, places)),
  };
}

function orderMark(order: KnownOrder, places: number, text: (held: Decimal) => string): LineMark[] {
  const { side, trigger } = order;
  if (trigger !== undefined) return stopMark(order, places, text);
  const { rate } = order;
  if (!rate) return [];
  const left = openQuantity(order);
  const label = [sideTexts[side].word(), left ? text(left) : ""].filter(Boolean).join(" ");
  const at = exactRateText(rate, places);
  const spoken = vscode.l10n.t("Open order: {0} at {1}", label, at);
  return [{ kind: "order", tone: TONES[side], rate: plainText(rate), label, text: spoken }];
}

/** A stop order at its trigger; nothing if that is unknown, because its limit price is not in the market yet. */
function stopMark(order: KnownOrder, places: number, text: (held: Decimal) => string): LineMark[] {
  const { side, trigger } = order;
  if (trigger === undefined || typeof trigger === "string") return [];
  const left = openQuantity(order);
  const label = [vscode.l10n.t("Stop"), sideTexts[side].word(), left ? text(left) : ""]
    .filter(Boolean)
    .join(" ");
  const at = exactRateText(trigger, places);
  const spoken = vscode.l10n.t("Stop order: {0} at {1}", label, at);
  return [{ kind: "order", tone: TONES[side], rate: plainText(trigger), label, text: spoken }];
}

function alertMark({ id, rule }: Alert, places: number): LineMark[] {
  if (!hasLevel(rule)) return [];
  const text = vscode.l10n.t("Alert: {0}", ruleText(rule, places));
  const line = (rate: string, label: string, edge: AlertEdge = "price"): LineMark => ({
    kind: "alert",
    tone: "plain",
    rate,
    label,
    text,
    ref: { kind: "alert", id, edge },
  });
  switch (rule.kind) {
    case "above":
      return [line(rule.price, vscode.l10n.t("Alert ↑"))];
    case "below":
      return [line(rule.price, vscode.l10n.t("Alert ↓"))];
    case "crosses":
      return [line(rule.price, vscode.l10n.t("Alert ↕"))];
    case "within":
      return [
        line(rule.low, vscode.l10n.t("Alert ↑"), "low"),
        line(rule.high, vscode.l10n.t("Alert ↓"), "high"),
      ];
  }
}

function fillMark(
  { at, side, rate, quantity }: RecordedTrade,
  places: number,
  text: (held: Decimal) => string,
): ChartMark {
  const what = sideTexts[side].fill(text(quantity), exactRateText(rate, places));
  return {
    kind: "fill",
    tone: TONES[side],
    rate: plainText(rate),
    at,
    text: `${what}, ${dateTimeText(at)}`,
  };
}
