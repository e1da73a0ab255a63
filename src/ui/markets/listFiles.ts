import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import {
  MAX_LISTS_FILE_BYTES,
  mergeLists,
  readListsFile,
  writeListsFile,
  type ListsFile,
  type ListsFileProblem,
} from "../../desk/watchLists/listsFile.ts";
import { MAX_LIST_PAIRS, MAX_LISTS, type WatchLists } from "../../desk/watchLists/watchLists.ts";
import { offer, showLogLink } from "../commands.ts";
import { saveFile } from "../saveFile.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { sanitizeText } from "../text/sanitizeText.ts";

const MAX_PROBLEMS = 5;

/** Command "Export Watch Lists…": writes all lists to a file. */
export async function exportLists({ watchLists, tickers, log }: Desk): Promise<void> {
  await saveFile(log, {
    title: vscode.l10n.t("Export Watch Lists"),
    filters: { JSON: ["json"] },
    content: () => writeListsFile(watchLists.state, tickers.state.tickers),
    saved: (path) => vscode.l10n.t("Watch lists exported: {0}", path),
    failed: (path) =>
      vscode.l10n.t(
        "The watch lists could not be written to {0}. Close it if another program uses it, or choose another folder.",
        path,
      ),
  });
}

/** Command "Import Watch Lists…": adds the lists and pairs of a file. Nothing is removed, so it asks nothing. */
export async function importLists({ watchLists, tickers, log, newId }: Desk): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Import Watch Lists"),
      openLabel: vscode.l10n.t("Import Watch Lists"),
      filters: { JSON: ["json"] },
    })) ?? [];
  if (!source) return;
  let file: ListsFile | ListsFileProblem[];
  try {
    file = await readFile(source);
  } catch (error) {
    log.error(`Import Watch Lists: ${errorLine(error)}`);
    const text = vscode.l10n.t("The file {0} could not be read.", source.fsPath);
    return await offer("showErrorMessage", text, showLogLink());
  }
  if (Array.isArray(file)) return refuse(file);
  const lists = file;
  const before = watchLists.state;
  let problems: ListsFileProblem[] = [];
  await watchLists.change((all) => {
    const merged = mergeLists(all, lists, tickers.state.tickers, newId);
    if (!Array.isArray(merged)) return merged;
    problems = merged;
    return all;
  });
  if (problems.length > 0) return refuse(problems);
  showStatusMessage(importedText(before, watchLists.state));
}

/** Checks the size first, so that a huge file is not read. */
async function readFile(source: vscode.Uri): Promise<ListsFile | ListsFileProblem[]> {
  const { size } = await vscode.workspace.fs.stat(source);
  if (size > MAX_LISTS_FILE_BYTES) return ["tooLarge"];
  return readListsFile(await vscode.workspace.fs.readFile(source));
}

function refuse(problems: readonly ListsFileProblem[]): void {
  const shown = problems.slice(0, MAX_PROBLEMS).map(problemText).join(" ");
  void vscode.window.showErrorMessage(vscode.l10n.t("No watch lists were imported. {0}", shown));
}

function importedText(before: WatchLists, after: WatchLists): string {
  return vscode.l10n.t(
    "Watch lists imported. New lists: {0}. New pairs: {1}.",
    after.lists.length - before.lists.length,
    pairCount(after) - pairCount(before),
  );
}

function pairCount({ lists }: WatchLists): number {
  return lists.reduce((sum, { pairs }) => sum + pairs.length, 0);
}

function problemText(problem: ListsFileProblem): string {
  switch (problem) {
    case "tooLarge":
      return vscode.l10n.t("The file is larger than 1 MB.");
    case "notJson":
      return vscode.l10n.t("The file is not JSON.");
    case "notLists":
      return vscode.l10n.t("The file does not begin with {0}.", '"bidsideWatchLists": 1');
    case "tooManyLists":
      return vscode.l10n.t("There would be more than {0} watch lists.", MAX_LISTS);
    default: {
      const [kind, ...rest] = problem.split(":");
      const text = sanitizeText(rest.join(":")).slice(0, 100);
      return kind === "listFull"
        ? vscode.l10n.t("{0} would have more than {1} pairs.", text, MAX_LIST_PAIRS)
        : vscode.l10n.t("{0} is unknown, is missing, occurs twice, or has an invalid value.", text);
    }
  }
}
