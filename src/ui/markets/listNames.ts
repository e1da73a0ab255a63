import * as vscode from "vscode";
import {
  activeList,
  FAVOURITES,
  isListName,
  MAX_LIST_NAME,
  type Sort,
  type WatchList,
  type WatchLists,
} from "../../desk/watchLists/watchLists.ts";
import { sanitizeText } from "../text/sanitizeText.ts";

/** The name of a list, or of the choice of all pairs. */
export function listName(list: WatchList | undefined): string {
  if (!list) return vscode.l10n.t("All Pairs");
  return list.id === FAVOURITES ? vscode.l10n.t("Favourites") : sanitizeText(list.name);
}

/** What Markets shows, short enough for the view's header: "Favourites", "Favourites · Change ↓", "Volume ↓". */
export function listText(lists: WatchLists): string {
  const list = activeList(lists);
  const { by, down } = list?.sort ?? lists.sort;
  const order = by === "own" ? "" : `${sortName(by)} ${down ? "↓" : "↑"}`;
  return [list ? listName(list) : "", order].filter(Boolean).join(" · ");
}

export function sortName(by: Sort["by"]): string {
  const names: Record<Sort["by"], string> = {
    symbol: vscode.l10n.t("Symbol"),
    last: vscode.l10n.t("Last"),
    change: vscode.l10n.t("Change"),
    volume: vscode.l10n.t("Volume"),
    own: vscode.l10n.t("Own order"),
  };
  return names[by];
}

/** What is wrong with a name typed for a list; undefined if it can be used. `id`: the list that is renamed. */
export function nameProblem({ lists }: WatchLists, name: string, id?: string): string | undefined {
  const typed = name.trim();
  if (typed === "") return vscode.l10n.t("Type a name.");
  if (typed.length > MAX_LIST_NAME) return vscode.l10n.t("Use at most {0} characters.", MAX_LIST_NAME);
  if (!isListName(typed)) return vscode.l10n.t("Use letters, digits and signs only.");
  const isTaken = lists.some(
    (list) => list.id !== id && listName(list).toLowerCase() === sanitizeText(typed).toLowerCase(),
  );
  // The name of the favourites in files is not translated.
  return isTaken || typed.toLowerCase() === "favourites"
    ? vscode.l10n.t("A watch list of this name already exists.")
    : undefined;
}
