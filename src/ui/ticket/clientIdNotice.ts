import * as vscode from "vscode";
import type { SignedIn } from "../../desk/venue.ts";
import { offer, showLogLink } from "../commands.ts";

/** Explains, once per exchange, that it does not store client order ids and what that changes. */
export async function notifyClientIdsIgnored({ name }: Pick<SignedIn, "name">): Promise<void> {
  const text = vscode.l10n.t(
    "{0} does not store the order IDs that Bidside sends, so Bidside no longer sends them. If the response to an order is lost, Bidside checks your balance instead.",
    name,
  );
  await offer("showInformationMessage", text, showLogLink());
}
