import * as vscode from "vscode";
import {
  addPair,
  createList,
  deleteList,
  hasPair,
  placeList,
  removePair,
  renameList,
} from "../../desk/watchLists/edits.ts";
import { ALL_PAIRS, MAX_LISTS, type WatchList, type WatchLists } from "../../desk/watchLists/watchLists.ts";
import type { WatchListsStore } from "../../desk/watchLists/watchListsStore.ts";
import { commandLink, run } from "../commands.ts";
import { ask, choose, chooseMany } from "../quickInput.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { listName, nameProblem } from "./listNames.ts";

interface ListEntry extends vscode.QuickPickItem {
  readonly id?: string;
  readonly action?: vscode.Command;
}

/** Lets the user pick the list for Markets, or all pairs; undefined if cancelled or if another command runs instead. */
export async function pickList({ state }: WatchListsStore): Promise<string | undefined> {
  const entries: ListEntry[] = [
    { id: ALL_PAIRS, label: listName(undefined) },
    ...state.lists.map((list) => ({ id: list.id, label: listName(list), description: sizeText(list) })),
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    actionEntry("add", commandLink("newList", vscode.l10n.t("New Watch List…"))),
    actionEntry("edit", commandLink("manageLists", vscode.l10n.t("Manage Watch Lists…"))),
  ];
  const chosen = await choose(entries, {
    title: vscode.l10n.t("Switch Watch List"),
    placeHolder: vscode.l10n.t("Choose what Markets shows"),
    active: entries.find(({ id }) => id === state.active),
  });
  if (chosen?.action) await run(chosen.action);
  return chosen?.id;
}

function actionEntry(icon: string, action: vscode.Command): ListEntry {
  return { label: `$(${icon}) ${action.title}`, action };
}

function sizeText({ pairs }: WatchList): string {
  return pairs.length === 1 ? vscode.l10n.t("1 pair") : vscode.l10n.t("{0} pairs", pairs.length);
}

/** Asks for a name, creates a list and shows it in Markets. Returns its id; undefined if cancelled. */
export async function newList(lists: WatchListsStore, newId: () => string): Promise<string | undefined> {
  if (lists.state.lists.length >= MAX_LISTS) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("You have reached the limit of {0} watch lists. Delete one first.", MAX_LISTS),
    );
    return undefined;
  }
  const name = await askName(lists, vscode.l10n.t("New Watch List"));
  if (name === undefined) return undefined;
  const id = newId();
  await lists.change((before) => createList(before, { id, name }));
  return id;
}

async function askName(
  lists: WatchListsStore,
  title: string,
  renamed?: WatchList,
): Promise<string | undefined> {
  const name = await ask({
    title,
    prompt: vscode.l10n.t("Name of the watch list"),
    value: renamed?.name ?? "",
    problem: (text) => nameProblem(lists.state, text, renamed?.id),
  });
  return name?.trim();
}

/** Lets the user check the lists that contain a pair. */
export async function pickListsOf(
  lists: WatchListsStore,
  newId: () => string,
  key: string,
  name: string,
): Promise<void> {
  const create = { id: undefined, label: `$(add) ${vscode.l10n.t("New Watch List…")}`, picked: false };
  const entries = [
    ...lists.state.lists.map((list) => ({
      id: list.id,
      label: listName(list),
      description: sizeText(list),
      picked: hasPair(list, key),
    })),
    create,
  ];
  const chosen = await chooseMany(entries, {
    title: vscode.l10n.t("Watch Lists of {0}", name),
    placeHolder: vscode.l10n.t("Check the lists that contain {0}", name),
  });
  if (!chosen) return;
  const created = chosen.includes(create) ? await newList(lists, newId) : undefined;
  const wanted = new Set([...chosen.map(({ id }) => id), created]);
  // Only what the user changed, because another window may have changed the rest meanwhile.
  const changed = entries.filter((entry) => entry.picked !== chosen.includes(entry));
  const ids = [...changed.map(({ id }) => id), created].filter((id) => id !== undefined);
  await lists.change((before) =>
    ids.reduce((all: WatchLists, id) => (wanted.has(id) ? addPair : removePair)(all, id, key), before),
  );
  const full = lists.state.lists.filter(
    (list) => ids.includes(list.id) && wanted.has(list.id) && !hasPair(list, key),
  );
  if (full.length > 0)
    void vscode.window.showInformationMessage(
      vscode.l10n.t("{0} is full. Remove a pair first.", full.map(listName).join(", ")),
    );
}

type ListAction = "rename" | "up" | "down" | "delete";

/** Lets the user rename, move or delete a list. */
export async function manageLists(lists: WatchListsStore): Promise<void> {
  const [, ...own] = lists.state.lists;
  if (own.length === 0)
    return void vscode.window.showInformationMessage(
      vscode.l10n.t(
        "You have no watch lists other than the favourites yet. Create one with New Watch List….",
      ),
    );
  const chosen = await choose(
    own.map((list) => ({ id: list.id, label: listName(list), description: sizeText(list) })),
    {
      title: vscode.l10n.t("Manage Watch Lists"),
      placeHolder: vscode.l10n.t("Choose the watch list to rename, move or delete"),
    },
  );
  if (chosen) await manageList(lists, chosen.id);
}

/** Moving keeps the choice open, for the next step. */
async function manageList(lists: WatchListsStore, id: string, last?: ListAction): Promise<void> {
  const place = lists.state.lists.findIndex((list) => list.id === id);
  const list = lists.state.lists[place];
  if (!list) return;
  const entries: (vscode.QuickPickItem & { readonly action: ListAction })[] = [
    { action: "rename", label: `$(edit) ${vscode.l10n.t("Rename…")}` },
    { action: "up", label: `$(arrow-up) ${vscode.l10n.t("Move Up")}` },
    { action: "down", label: `$(arrow-down) ${vscode.l10n.t("Move Down")}` },
    { action: "delete", label: `$(trash) ${vscode.l10n.t("Delete…")}` },
  ];
  const offered = entries.filter(
    ({ action }) =>
      (action !== "up" || place > 1) && (action !== "down" || place < lists.state.lists.length - 1),
  );
  const chosen = await choose(offered, {
    title: listName(list),
    placeHolder: vscode.l10n.t("Place {0} of {1}", place, lists.state.lists.length - 1),
    active: offered.find(({ action }) => action === last),
  });
  if (!chosen) return;
  switch (chosen.action) {
    case "rename": {
      const name = await askName(lists, vscode.l10n.t("Rename Watch List"), list);
      if (name !== undefined) await lists.change((before) => renameList(before, id, name));
      return;
    }
    case "delete":
      return await confirmDelete(lists, list);
    default: {
      const next = place + (chosen.action === "up" ? -1 : 1);
      await lists.change((before) => placeList(before, id, next));
      await manageList(lists, id, chosen.action);
    }
  }
}

async function confirmDelete(lists: WatchListsStore, list: WatchList): Promise<void> {
  const name = listName(list);
  const button = vscode.l10n.t("Delete Watch List");
  const question = vscode.l10n.t("Delete the watch list {0}?", name);
  const detail = vscode.l10n.t("It has {0}. Other lists and the pins stay as they are.", sizeText(list));
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, button);
  if (answer !== button) return;
  await lists.change((before) => deleteList(before, list.id));
  showStatusMessage(vscode.l10n.t("The watch list {0} was deleted.", name));
}
