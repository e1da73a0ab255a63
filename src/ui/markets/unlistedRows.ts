import * as vscode from "vscode";

/** The address of every row whose pair the exchange does not list. The editor colours a row only by its address. */
export const UNLISTED_ROW = vscode.Uri.from({ scheme: "bidside-unlisted", path: "/" });

/** Greys out the rows with this address. */
export function greyOutUnlisted(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === UNLISTED_ROW.scheme ? { color: new vscode.ThemeColor("descriptionForeground") } : undefined,
  });
}
