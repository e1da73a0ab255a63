import * as vscode from "vscode";

/** What the badge of a page says of its venue; the page puts the venue's name in for `{0}`. */
export function venueWords(): { readonly practice: string; readonly live: string } {
  return {
    practice: vscode.l10n.t("{0} · play money", "{0}"),
    live: vscode.l10n.t("Live · {0}", "{0}"),
  };
}
