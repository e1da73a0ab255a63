import * as vscode from "vscode";
import type { Venue } from "../../desk/venue.ts";

/** Texts of a page's exchange badge; the page replaces `{0}` with the name. */
export function venueWords(): { readonly practice: string; readonly live: string } {
  return {
    practice: vscode.l10n.t("{0} · play money", "{0}"),
    live: vscode.l10n.t("Live · {0}", "{0}"),
  };
}

/** `Live · api.example.com`, or just the name of the practice exchange, which is self-explanatory. */
export function venueWord({ id, name }: Venue): string {
  return id === "live" ? vscode.l10n.t("Live · {0}", name) : name;
}
