import * as vscode from "vscode";
import { harmless } from "./foreignText.ts";

/**
 * A title and a table of names and values. Names from an exchange are appended as text, so that they cannot contain
 * markup.
 */
export function tableTooltip(
  title: string,
  rows: readonly (readonly [string, string])[],
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString("**");
  tooltip.appendText(harmless(title));
  tooltip.appendMarkdown("**\n\n| | |\n|:--|--:|\n");
  for (const [name, value] of rows) {
    tooltip.appendMarkdown("| ");
    tooltip.appendText(harmless(name));
    tooltip.appendMarkdown(" | ");
    tooltip.appendText(harmless(value));
    tooltip.appendMarkdown(" |\n");
  }
  return tooltip;
}
