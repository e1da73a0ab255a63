import * as vscode from "vscode";
import { sanitizeText } from "./sanitizeText.ts";

/** A title and a table of names and values, all inserted as text because they may come from an exchange. */
export function tableTooltip(
  title: string,
  rows: readonly (readonly [string, string])[],
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString("**");
  tooltip.appendText(sanitizeText(title));
  tooltip.appendMarkdown("**\n\n| | |\n|:--|--:|\n");
  for (const [name, value] of rows) {
    tooltip.appendMarkdown("| ");
    tooltip.appendText(sanitizeText(name));
    tooltip.appendMarkdown(" | ");
    tooltip.appendText(sanitizeText(value));
    tooltip.appendMarkdown(" |\n");
  }
  return tooltip;
}
