import * as vscode from "vscode";

/** Texts of a page's exchange badge; the page replaces `{0}` with the name. */
export function venueWords(): { readonly practice: string; readonly live: string } {
  return {
    practice: vscode.l10n.t("{0} · play money", "{0}"),
    live: vscode.l10n.t("Live · {0}", "{0}"),
  };
}
