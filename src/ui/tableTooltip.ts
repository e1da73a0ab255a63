import * as vscode from "vscode";

/** A title over a table of names and values. What a service named is appended as text: it can make no markup. */
export function tableTooltip(
  title: string,
  rows: readonly (readonly [string, string])[],
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString("**");
  tooltip.appendText(title);
  tooltip.appendMarkdown("**\n\n| | |\n|:--|--:|\n");
  for (const [name, value] of rows) {
    tooltip.appendMarkdown("| ");
    tooltip.appendText(name);
    tooltip.appendMarkdown(" | ");
    tooltip.appendText(value);
    tooltip.appendMarkdown(" |\n");
  }
  return tooltip;
}
