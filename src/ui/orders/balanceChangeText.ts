import * as vscode from "vscode";
import type { Orders } from "../../desk/orders/orders.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { assetsOf, isSameAccount } from "../../market/order.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import { confirmedHoldingText } from "../text/numberText.ts";
import { dateTimeText } from "../text/timeText.ts";

/**
 * How the available balance of what an order spends has changed since it was sent, and how many other orders may have
 * caused that: figures for the user, who decides. Empty if one of the figures is unknown.
 */
export function balanceChangeText(
  { intent, account, id }: OwnOrder,
  { own, elsewhere }: Orders,
  available: (asset: string) => Decimal | undefined,
): readonly string[] {
  const asset = assetsOf(intent.side, intent).amount;
  const now = available(asset);
  if (!now || intent.availableBefore === undefined) return [];
  const change = now.minus(intent.availableBefore);
  const text = (figure: Decimal): string => `${confirmedHoldingText(figure, asset, intent.quote)} ${asset}`;
  const since = dateTimeText(intent.at);
  const zero = new Decimal("0");
  const sentence = change.eq(zero)
    ? vscode.l10n.t("Available since {0}: unchanged, {1}", since, text(now))
    : change.lt(zero)
      ? vscode.l10n.t(
          "Available since {0}: fell by exactly {1}, to {2}",
          since,
          text(change.abs()),
          text(now),
        )
      : vscode.l10n.t("Available since {0}: rose by exactly {1}, to {2}", since, text(change), text(now));
  const others = [...own, ...elsewhere].filter(
    (other) =>
      other.id !== id && isSameAccount(other.account, account) && (other.lastAt ?? other.at) >= intent.at,
  ).length;
  return [
    sentence,
    others === 0
      ? vscode.l10n.t("No other order is known to have changed since")
      : vscode.l10n.t("Other orders that changed since: {0}", others),
  ];
}
