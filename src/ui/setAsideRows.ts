import * as vscode from "vscode";
import { orderContexts } from "../contributions.ts";
import { groupByFile, type SetAside, type SetAsideFile, type SetAsideReason } from "../journal/setAside.ts";

/** The row for all that was set aside; a row per file is below it. */
export interface SetAsideRow {
  readonly files: readonly SetAsideFile[];
}

/** Numbers named in a row before it says that there are more; the tooltip names them all. */
const MOST_NUMBERS = 8;

/** No row where nothing was set aside. */
export function setAsideRows(setAside: readonly SetAside[]): SetAsideRow[] {
  return setAside.length === 0 ? [] : [{ files: groupByFile(setAside) }];
}

/** How much was set aside, what that means for the person's orders, and where it is. */
export function setAsideItem({ files }: SetAsideRow): vscode.TreeItem {
  const item = itemOf(
    vscode.l10n.t("Journal"),
    summaryText(files),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = "setAside";
  item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  item.tooltip = tooltipOf([
    ...meaningTexts(files),
    ...files.map((file) => `${nameOf(file)}: ${whereText(file)}`),
  ]);
  return item;
}

/** What it means for the person's orders, as far as anybody can tell. */
function meaningTexts(files: readonly SetAsideFile[]): string[] {
  const { lines, unreadable } = countsOf(files);
  const isFolderReadable = files.every(({ file }) => file !== undefined);
  return [
    ...(lines > 0
      ? [
          vscode.l10n.t(
            "What these lines said is not known: a bid may be missing here, or what became of it. Compare this list with your orders on the exchange.",
          ),
        ]
      : []),
    ...(unreadable > 0
      ? [
          vscode.l10n.t(
            "What cannot be read is tried again when this window comes to the front: until then, bids may be missing here.",
          ),
        ]
      : []),
    ...(isFolderReadable ? [vscode.l10n.t("Every other line was read: no other order is lost.")] : []),
    vscode.l10n.t("Nothing was deleted or changed: what was set aside stays where it is."),
  ];
}

/** Which lines of one file were set aside, and why. */
export function setAsideFileItem(file: SetAsideFile): vscode.TreeItem {
  const item = itemOf(whereText(file), nameOf(file), vscode.TreeItemCollapsibleState.None);
  item.id = `setAside ${file.file ?? ""}`;
  item.iconPath = new vscode.ThemeIcon(file.file === undefined ? "folder" : "file");
  item.tooltip = tooltipOf(
    file.lines.map(({ line, reason }) =>
      line === undefined
        ? reasonText(reason)
        : vscode.l10n.t("Line {0}: {1}", String(line), reasonText(reason)),
    ),
  );
  return item;
}

function itemOf(label: string, description: string, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.description = description;
  item.contextValue = orderContexts.setAside;
  item.accessibilityInformation = { label: `${label}, ${description}` };
  return item;
}

function tooltipOf(lines: readonly string[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  for (const line of lines) tooltip.appendText(line).appendMarkdown("\n\n");
  return tooltip;
}

function summaryText(files: readonly SetAsideFile[]): string {
  const { lines, unreadable } = countsOf(files);
  return [
    ...(lines > 0 ? [linesText(lines)] : []),
    ...(unreadable > 0 ? [vscode.l10n.t("unreadable files: {0}", unreadable)] : []),
  ].join(" · ");
}

function countsOf(files: readonly SetAsideFile[]): { lines: number; unreadable: number } {
  const reasons = files.flatMap(({ lines }) => lines.map(({ reason }) => reason));
  const unreadable = reasons.filter((reason) => reason === "unreadable").length;
  return { lines: reasons.length - unreadable, unreadable };
}

function linesText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 line set aside") : vscode.l10n.t("{0} lines set aside", count);
}

function nameOf({ file }: SetAsideFile): string {
  return file ?? vscode.l10n.t("The journal's folder");
}

/** `2 lines set aside: 4, 9`. */
function whereText({ lines }: SetAsideFile): string {
  const found = lines.filter(({ reason }) => reason !== "unreadable");
  const numbers = found.flatMap(({ line }) => (line === undefined ? [] : [String(line)]));
  const named = [...numbers.slice(0, MOST_NUMBERS), ...(numbers.length > MOST_NUMBERS ? ["…"] : [])];
  const where =
    named.length === 0 ? linesText(found.length) : `${linesText(found.length)}: ${named.join(", ")}`;
  return [
    ...(found.length > 0 ? [where] : []),
    ...(found.length < lines.length ? [reasonText("unreadable")] : []),
  ].join(" · ");
}

function reasonText(reason: SetAsideReason): string {
  switch (reason) {
    case "damaged":
      return vscode.l10n.t("damaged");
    case "repeated":
      return vscode.l10n.t("a copy of an earlier line");
    case "noRecord":
      return vscode.l10n.t("not a record that this version knows");
    case "contradiction":
      return vscode.l10n.t("contradicts what is known of its bid, or its bid is missing");
    case "unreadable":
      return vscode.l10n.t("cannot be read");
  }
}
