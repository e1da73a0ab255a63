import * as vscode from "vscode";
import type { SignedIn } from "../../desk/venue.ts";
import { offer, showLogLink } from "../commands.ts";

/** Warns, once, that an exchange reports more orders than the journal records. */
export async function warnOrdersOmitted({ name }: Pick<SignedIn, "name">): Promise<void> {
  const text = vscode.l10n.t(
    "{0} reports more orders than Bidside records per day. Your own orders are always recorded. Orders placed elsewhere, and their fills and costs, may be missing today.",
    name,
  );
  await offer("showWarningMessage", text, showLogLink());
}
