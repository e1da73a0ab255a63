import * as vscode from "vscode";
import type { Place } from "../../desk/venue.ts";
import { offer, switchLink } from "../commands.ts";
import { venueText } from "../orders/orderState.ts";

/** Explains that an order belongs to another exchange, and offers to switch. */
export async function offerSwitch(from: Place): Promise<void> {
  const text = vscode.l10n.t(
    "This order is from {0}, but you are on another exchange. Nothing was filled in. Switch to {0} first, then try again.",
    venueText(from),
  );
  await offer("showWarningMessage", text, switchLink());
}
