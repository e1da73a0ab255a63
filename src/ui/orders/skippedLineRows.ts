import * as vscode from "vscode";
import { orderContexts } from "../../contributions.ts";
import type { SkippedLinesOfFile, SkippedReason } from "../../storage/orders/skippedLines.ts";

/** The row for all damaged lines, with a child row per file. */
export interface SkippedLinesRow {
  readonly files: readonly SkippedLinesOfFile[];
}

/** Maximum line numbers in a row; the tooltip has all. */
const MAX_NUMBERS = 8;

/**
 * Expanded initially with at most this many files, because a click on a collapsed row may be lost during a refresh.
 */
const MAX_EXPANDED_FILES = 3;

/** The row, without its tooltip: the number of damaged lines and, for a file, which ones. */
export function skippedLinesItem(row: SkippedLinesRow | SkippedLinesOfFile): vscode.TreeItem {
  if ("files" in row) {
    const item = itemOf(vscode.l10n.t("Journal"), partsText(countsOf(row.files)));
    item.id = "skippedLines";
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    item.collapsibleState = row.files.length <= MAX_EXPANDED_FILES ? Expanded : Collapsed;
    item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
    return item;
  }
  const item = itemOf(whereText(row), fileText(row));
  item.id = `skippedLines ${row.file ?? ""}`;
  item.iconPath = new vscode.ThemeIcon(row.file === undefined ? "folder" : "file");
  return item;
}

/**
 * Explains what is damaged and where, and what that means for the user's orders; for a file, also which lines and why.
 */
export function skippedLinesTooltip(row: SkippedLinesRow | SkippedLinesOfFile): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  const texts =
    "files" in row
      ? [...meaningTexts(row.files), ...row.files.map((file) => `${fileText(file)}: ${whereText(file)}`)]
      : row.lines.map(({ line, reason }) =>
          line === undefined
            ? reasonText(reason)
            : vscode.l10n.t("Line {0}: {1}", String(line), reasonText(reason)),
        );
  for (const text of texts) tooltip.appendText(text).appendMarkdown("\n\n");
  return tooltip;
}

function itemOf(label: string, description: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.description = description;
  item.contextValue = orderContexts.skippedLines;
  item.accessibilityInformation = { label: `${label}, ${description}` };
  return item;
}

interface Counts {
  readonly lines: number;
  readonly unreadable: number;
  readonly newer: number;
}

function countsOf(files: readonly SkippedLinesOfFile[]): Counts {
  const reasons = files.flatMap(({ lines }) => lines.map(({ reason }) => reason));
  const count = (wanted: SkippedReason): number => reasons.filter((reason) => reason === wanted).length;
  const [unreadable, newer] = [count("unreadable"), count("newer")];
  return { lines: reasons.length - unreadable - newer, unreadable, newer };
}

/** `2 damaged journal lines: 4, 9`. */
function whereText(file: SkippedLinesOfFile): string {
  const numbers = file.lines.flatMap(({ line }) => (line === undefined ? [] : [String(line)]));
  const named = [...numbers.slice(0, MAX_NUMBERS), ...(numbers.length > MAX_NUMBERS ? ["…"] : [])];
  return [partsText(countsOf([file])), named.join(", ")].filter(Boolean).join(": ");
}

function fileText({ file }: SkippedLinesOfFile): string {
  return file ?? vscode.l10n.t("Journal folder");
}

function partsText({ lines, unreadable, newer }: Counts): string {
  const parts: string[] = [];
  if (lines === 1) parts.push(vscode.l10n.t("1 damaged journal line"));
  if (lines > 1) parts.push(vscode.l10n.t("{0} damaged journal lines", lines));
  if (unreadable > 0) parts.push(vscode.l10n.t("unreadable: {0}", unreadable));
  if (newer > 0) parts.push(vscode.l10n.t("written by a newer version: {0}", newer));
  return parts.join(" · ");
}

/** The consequences for the user's orders, as far as they are known. */
function meaningTexts(files: readonly SkippedLinesOfFile[]): string[] {
  const { lines, unreadable, newer } = countsOf(files);
  const isFolderReadable = files.every(({ file }) => file !== undefined);
  const texts = [vscode.l10n.t("Nothing was deleted or changed.")];
  if (isFolderReadable)
    texts.unshift(vscode.l10n.t("All other lines were read, and no other order is affected."));
  if (unreadable > 0)
    texts.unshift(
      vscode.l10n.t(
        "Bidside retries unreadable files when this window gets focus. Until then, orders may be missing here.",
      ),
    );
  if (newer > 0)
    texts.unshift(
      vscode.l10n.t(
        "A newer version of Bidside wrote orders that this version can neither show nor follow. Update Bidside and reload this window to see them.",
      ),
    );
  if (lines > 0)
    texts.unshift(
      vscode.l10n.t(
        "An order or its outcome may be missing here. Compare this list with your orders on the exchange.",
      ),
    );
  return texts;
}

function reasonText(reason: SkippedReason): string {
  const texts: Record<SkippedReason, string> = {
    damaged: vscode.l10n.t("damaged"),
    repeated: vscode.l10n.t("a duplicate of an earlier line"),
    noRecord: vscode.l10n.t("a record unknown to this version"),
    contradiction: vscode.l10n.t("conflicts with other records of the order, or the order is missing"),
    unreadable: vscode.l10n.t("cannot be read"),
    newer: vscode.l10n.t("written by a newer version of Bidside"),
  };
  return texts[reason];
}
