import * as vscode from "vscode";

/** The badge of a page for its venue. The page replaces `{0}` by the venue's name. */
export function venueWords(): { readonly practice: string; readonly live: string } {
  return {
    practice: vscode.l10n.t("{0} · play money", "{0}"),
    live: vscode.l10n.t("Live · {0}", "{0}"),
  };
}
