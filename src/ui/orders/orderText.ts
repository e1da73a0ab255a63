import * as vscode from "vscode";
import { Decimal } from "../../market/numbers/decimal.ts";
import { assetsOf } from "../../market/order.ts";
import { orderedAs, sumFills } from "../../market/orderReport.ts";
import { hasEnded, type KnownOrder } from "../../market/orders/knownOrder.ts";
import { pairName } from "../../market/pair.ts";
import type { CancelRecord } from "../../storage/orders/placedOrderRecords.ts";
import type { OrderEvent } from "../../storage/orders/records.ts";
import { isOwn, type Order, type SentOrder } from "../../storage/orders/order.ts";
import type { AmountText } from "../text/amountText.ts";
import { codeText } from "../text/codeText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { confirmedAmountText, confirmedHoldingText, exactRateText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { tableTooltip } from "../text/tableTooltip.ts";
import { dateTimeText } from "../text/timeText.ts";
import {
  averageText,
  filledText,
  progressText,
  reportDetails,
  reportNotes,
  type Sized,
  sizeOf,
  stopParts,
} from "./reportText.ts";
import { postOnlyText, orderStateText, venueText } from "./orderState.ts";
import { differencesText } from "./receiptText.ts";

/**
 * All details of an order, one per line. Amounts are shown, because a confirmation and a copy need them; `shown` masks
 * them for text that is only displayed.
 */
export function orderDetails(order: SentOrder, shown = (text: string): string => text): string[] {
  const { intent } = order;
  const texts = sideTexts[intent.side];
  const assets = assetsOf(intent.side, intent);
  const textOf = (figure: string, asset: string): string =>
    shown(confirmedHoldingText(new Decimal(figure), asset, intent.quote));
  return [
    vscode.l10n.t("Status: {0}", orderStateText(order)),
    vscode.l10n.t("Exchange: {0}", venueText(intent)),
    vscode.l10n.t("Pair: {0}", intent.symbol),
    texts.side(),
    vscode.l10n.t("Amount: {0} {1}", textOf(intent.amount, assets.amount), assets.amount),
    vscode.l10n.t(
      "Limit price: {0} {1} per {2}",
      exactRateText(new Decimal(intent.rate)),
      intent.quote,
      intent.base,
    ),
    texts.quantity(textOf(intent.quantity, assets.quantity), assets.quantity),
    ...(intent.postOnly ? [postOnlyText()] : []),
    vscode.l10n.t("Time: {0}", dateTimeText(intent.at)),
    ...order.evidence.map((event) => evidenceText(event, dateTimeText(event.at, intent.at), shown)),
    ...(order.accountResetAt === undefined ? [] : [resetText(order.accountResetAt, intent.at)]),
  ];
}

function resetText(resetAt: number, orderedAt: number): string {
  const at = dateTimeText(resetAt, orderedAt);
  return vscode.l10n.t("{0}: practice account reset; this order belongs to the previous account", at);
}

/** Describes a recorded event. Its free text comes from the exchange or from this computer. */
function evidenceText(event: OrderEvent, at: string, shown: (text: string) => string): string {
  switch (event.kind) {
    case "outcome":
      if (event.state === "accepted") {
        const accepted = vscode.l10n.t("{0}: accepted, order {1}", at, event.orderId ?? "–");
        if (!event.differences) return accepted;
        const differences = differencesText(event.differences, shown);
        return `${accepted}. ${vscode.l10n.t("The exchange's response differs from the order: {0}.", differences)}`;
      }
      if (event.state === "rejected")
        return vscode.l10n.t("{0}: rejected with error {1}", at, codeText(event.code, shown));
      return vscode.l10n.t("{0}: {1}", at, shown(event.reason));
    case "check":
      return vscode.l10n.t("{0}: checked: {1}", at, shown(event.text));
    case "settled":
      if (event.by === "user") return vscode.l10n.t("{0}: marked by you", at);
      return event.as === "unresolved"
        ? vscode.l10n.t("{0}: the last check was inconclusive: {1}", at, shown(event.evidence))
        : vscode.l10n.t("{0}: resolved by a check: {1}", at, shown(event.evidence));
  }
}

/** All details of any order, including what its exchange has reported. */
export function rowDetails(order: Order, shown = (text: string): string => text): string[] {
  const { name, known, isReported, cancel } = order;
  const reported = known && isReported ? reportDetails(known, shown) : [];
  const cancelled = cancel ? cancelDetails(cancel, known, shown) : [];
  if (isOwn(order)) return [...orderDetails(order, shown), ...reported, ...cancelled];
  if (!name || !known) return cancelled;
  return [
    vscode.l10n.t("This order was placed elsewhere, not from this computer."),
    vscode.l10n.t("Exchange: {0}", venueText(name)),
    vscode.l10n.t("Pair: {0}", pairName(known.pair)),
    sideTexts[known.side].side(),
    vscode.l10n.t("Order: {0}", known.orderId),
    ...sizeDetails(known, shown),
    ...(known.rate
      ? [
          vscode.l10n.t(
            "Limit price: {0} {1} per {2}",
            exactRateText(known.rate),
            known.pair.quote,
            known.pair.base,
          ),
        ]
      : []),
    ...(known.placedAt === undefined ? [] : [vscode.l10n.t("Time: {0}", dateTimeText(known.placedAt))]),
    ...reported,
    ...cancelled,
  ];
}

function sizeDetails(known: KnownOrder, shown: (text: string) => string): string[] {
  const [size, asset] = sizeOf(known);
  return size
    ? [vscode.l10n.t("Amount: {0} {1}", shown(confirmedHoldingText(size, asset, known.pair.quote)), asset)]
    : [];
}

function cancelDetails(
  cancel: CancelRecord,
  known: KnownOrder | undefined,
  shown: (text: string) => string,
): string[] {
  const isStillOpen = known?.cancel === "stillOpen";
  return [
    cancelDetail(cancel, shown),
    ...(isStillOpen ? [vscode.l10n.t("Still listed as open, half a minute after the cancellation")] : []),
  ];
}

function cancelDetail({ step, at, reason }: CancelRecord, shown: (text: string) => string): string {
  const time = dateTimeText(at);
  switch (step) {
    case "requested":
      return vscode.l10n.t("{0}: cancellation sent", time);
    case "accepted":
      return vscode.l10n.t("{0}: cancellation accepted by the exchange", time);
    case "rejected":
      return vscode.l10n.t("{0}: not cancelled: {1}", time, shown(reason ?? "–"));
    case "notOpen":
      return vscode.l10n.t("{0}: not cancelled: the exchange has no such open order", time);
    case "unanswered":
      return vscode.l10n.t("{0}: no response to the cancellation: {1}", time, shown(reason ?? "–"));
  }
}

/**
 * The order as a table with masked amounts, followed by what its row does not show: why the outcome is unknown, and
 * contradictions.
 */
export function orderTooltip(order: Order, amounts: AmountText): vscode.MarkdownString {
  const { known, isReported, cancel } = order;
  const own = isOwn(order) ? order : undefined;
  const facts = own ? factsOfOwn(own) : known;
  const tooltip = facts
    ? tableTooltip(sideTexts[facts.side].named(pairName(facts.pair)), tableRows(order, facts, amounts.maskIn))
    : new vscode.MarkdownString();
  const notes = [
    ...(own?.intent.postOnly ? [postOnlyText()] : []),
    ...(own ? historyLines(own, amounts.maskIn) : []),
    ...(known && isReported ? reportNotes(known) : []),
    ...(cancel ? cancelDetails(cancel, known, amounts.maskIn) : []),
    ...(own ? [] : [vscode.l10n.t("This order was placed elsewhere, not from this computer.")]),
  ];
  for (const line of notes) {
    tooltip.appendMarkdown("\n\n");
    tooltip.appendText(sanitizeText(line));
  }
  return tooltip;
}

type Facts = Sized & Pick<KnownOrder, "rate" | "placedAt">;

function factsOfOwn({ intent }: SentOrder): Facts {
  const { quote, base, at, ...terms } = intent;
  const ordered = orderedAs(intent.side, new Decimal(terms.amount));
  return {
    side: intent.side,
    pair: { quote, base },
    ...ordered,
    rate: new Decimal(terms.rate),
    placedAt: at,
  };
}

/** The state first, then the figures. */
function tableRows(
  order: Order,
  facts: Facts,
  shown: (text: string) => string,
): (readonly [string, string])[] {
  const { pair, rate, placedAt } = facts;
  const [size, asset] = sizeOf(facts);
  const { account, known, isReported } = order;
  const reported = isReported ? known : undefined;
  const fills = reported?.fills ?? [];
  const sums = sumFills(fills);
  const state = reported
    ? hasEnded(reported)
      ? progressText(reported)
      : vscode.l10n.t("Open, {0}", [progressText(reported), ...stopParts(reported)].join(", "))
    : isOwn(order)
      ? orderStateText(order)
      : undefined;
  const rows: (readonly [string, string | undefined])[] = [
    [vscode.l10n.t("Status"), state],
    [vscode.l10n.t("Exchange"), venueText(account)],
    [vscode.l10n.t("Amount"), size && `${shown(confirmedHoldingText(size, asset, pair.quote))} ${asset}`],
    [vscode.l10n.t("Limit price"), rate && `${exactRateText(rate)} ${pair.quote}`],
    ...(reported && fills.length > 0
      ? ([
          [vscode.l10n.t("Filled"), `${filledText(fills, shown)} ${pair.base}`],
          [vscode.l10n.t("Average price"), `${averageText(reported) ?? "–"} ${pair.quote}`],
          [vscode.l10n.t("Fee"), `${shown(confirmedAmountText(sums.fee, pair.quote))} ${pair.quote}`],
        ] as const)
      : []),
    [vscode.l10n.t("Placed"), placedAt === undefined ? undefined : dateTimeText(placedAt)],
    [vscode.l10n.t("Order"), known?.orderId],
  ];
  return rows.flatMap(([each, value]) => (value === undefined ? [] : [[each, value] as const]));
}

/** The recorded events, unless the order was simply accepted. */
function historyLines(order: SentOrder, shown: (text: string) => string): string[] {
  const isPlain = order.evidence.every(
    (event) => event.kind === "outcome" && event.state === "accepted" && !event.differences,
  );
  if (isPlain && order.accountResetAt === undefined) return [];
  const { at } = order.intent;
  return [
    ...order.evidence.map((event) => evidenceText(event, dateTimeText(event.at, at), shown)),
    ...(order.accountResetAt === undefined ? [] : [resetText(order.accountResetAt, at)]),
  ];
}
