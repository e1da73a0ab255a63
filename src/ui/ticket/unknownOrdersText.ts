import * as vscode from "vscode";
import { Decimal } from "../../market/numbers/decimal.ts";
import { assetsOf } from "../../market/order.ts";
import { pairName } from "../../market/pair.ts";
import type { SentOrder } from "../../storage/orders/order.ts";
import { confirmedHoldingText, exactRateText } from "../text/numberText.ts";
import { momentText } from "../text/timeText.ts";

/** More lines would push the new order's figures out of view. */
const MAX_NAMED = 3;

/**
 * The part of a confirmation about earlier orders of this side with unknown outcomes; "" without any. It precedes the
 * new order's figures. Amounts are never masked, because the user needs them to decide.
 */
export function unknownOrdersText(open: readonly SentOrder[], now: number): string {
  if (open.length === 0) return "";
  const [first] = open;
  const pair = first ? pairName(first.intent) : "";
  const lines = open.slice(0, MAX_NAMED).map(({ intent }) => {
    const asset = assetsOf(intent.side, intent).amount;
    return vscode.l10n.t(
      "{0}: {1} {2} at {3}",
      momentText(intent.at, now),
      confirmedHoldingText(new Decimal(intent.amount), asset, intent.quote),
      asset,
      exactRateText(new Decimal(intent.rate)),
    );
  });
  const more = open.length - lines.length;
  const isSale = first !== undefined && first.intent.side === "sell";
  return [
    isSale ? saleText(open.length, pair) : purchaseText(open.length, pair),
    ...lines,
    ...(more > 0 ? [vscode.l10n.t("{0} more in Orders.", more)] : []),
  ].join("\n");
}

function purchaseText(count: number, pair: string): string {
  return count === 1
    ? vscode.l10n.t(
        "The outcome of an earlier order for {0} is unknown. It may have been placed, so with this order you may buy twice.",
        pair,
      )
    : vscode.l10n.t(
        "The outcomes of {0} earlier orders for {1} are unknown. They may have been placed, so with this order you may buy more than once.",
        count,
        pair,
      );
}

function saleText(count: number, pair: string): string {
  return count === 1
    ? vscode.l10n.t(
        "The outcome of an earlier order for {0} is unknown. It may have been placed, so with this order you may sell twice.",
        pair,
      )
    : vscode.l10n.t(
        "The outcomes of {0} earlier orders for {1} are unknown. They may have been placed, so with this order you may sell more than once.",
        count,
        pair,
      );
}
