import * as vscode from "vscode";
import { Decimal } from "../../market/numbers/decimal.ts";
import { assetsOf } from "../../market/order.ts";
import { pairName } from "../../market/pair.ts";
import type { SentOrder } from "../../storage/orders/order.ts";
import { confirmedHoldingText, exactRateText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { momentText } from "../text/timeText.ts";

/** More lines would push the new order's figures out of view. */
const MAX_NAMED = 3;

/**
 * The part of a confirmation about earlier orders of this side with unknown outcomes; "" without any. It precedes the
 * new order's figures. Amounts are never masked, because the user needs them to decide.
 */
export function unknownOrdersText(open: readonly SentOrder[], now: number): string {
  const [first] = open;
  if (!first) return "";
  const pair = pairName(first.intent);
  const texts = sideTexts[first.intent.side];
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
  return [
    open.length === 1 ? texts.unknownOrder(pair) : texts.unknownOrders(open.length, pair),
    ...lines,
    ...(more > 0 ? [vscode.l10n.t("{0} more in Orders.", more)] : []),
  ].join("\n");
}
