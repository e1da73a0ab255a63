import * as vscode from "vscode";
import type { Watching } from "../../desk/venue.ts";

/** Texts of a page's exchange badge, beside the exchange's name. */
export function venueWords(): { readonly practice: string; readonly live: string } {
  return {
    practice: vscode.l10n.t("play money"),
    live: vscode.l10n.t("Live"),
  };
}

/** `Live · api.example.com`, or just the name of the practice exchange, which is self-explanatory. */
export function venueWord({ account, name }: Watching): string {
  return account.kind === "live" ? vscode.l10n.t("Live · {0}", name) : name;
}
