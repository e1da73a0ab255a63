import * as vscode from "vscode";
import { contextKeys, stateKeys } from "../contributions.ts";
import type { Desk } from "../desk/desk.ts";
import { Disposable } from "../desk/disposable.ts";
import { onDidRunCommand } from "./commands.ts";

/** Commands that complete a walkthrough step, by its context key. */
const STEPS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [contextKeys.hasOpenedChart, new Set(["openChart", "previewChart"])],
  [contextKeys.hasMadeList, new Set(["newList", "star", "addToList"])],
  [contextKeys.hasSeenPortfolio, new Set(["openPortfolio", "addHolding"])],
  [contextKeys.hasAddedAlert, new Set(["addAlert"])],
]);
/** After opening the tab, the editor may take two seconds to load an extension's walkthrough. */
const LOAD_MS = 3000;

/**
 * Ticks the walkthrough steps that the user has completed, even before opening it. The editor ticks a step only when
 * its context key becomes true while the walkthrough is loaded, and never if the key was true before. So the keys of
 * completed steps become true only for a moment, and again whenever the walkthrough's tab has opened.
 */
export function followWalkthrough(
  state: vscode.Memento,
  { tickers, timers, venue, onDidConfirm }: Pick<Desk, "tickers" | "timers" | "venue" | "onDidConfirm">,
): Disposable {
  const done = new Set(state.get<readonly string[]>(stateKeys.walkthrough, []));
  let cancel: (() => void) | undefined;
  const tickAll = (): void => {
    if (tickers.state.tickers.size > 0) tick(contextKeys.hasSeenPrices);
    for (const key of done) tick(key);
  };
  const complete = (key: string): void => {
    if (done.has(key)) return;
    done.add(key);
    tick(key);
    void state.update(stateKeys.walkthrough, [...done]);
  };
  const noteLive = (): void => {
    if (venue.account.kind === "live") complete(contextKeys.hasGoneLive);
  };
  const tickSoon = (tabs: readonly vscode.Tab[]): void => {
    if (!tabs.some(mayBeWalkthrough)) return;
    cancel?.();
    cancel = timers.after(LOAD_MS, tickAll);
  };
  noteLive();
  const { tabGroups } = vscode.window;
  tickSoon(tabGroups.all.flatMap(({ tabs }) => tabs));
  return new Disposable(
    // A preview tab that the walkthrough replaces counts as changed.
    tabGroups.onDidChangeTabs(({ opened, changed }) => tickSoon([...opened, ...changed])),
    onDidRunCommand((name) => {
      for (const [key, names] of STEPS) if (names.has(name)) complete(key);
    }),
    onDidConfirm(() => complete(contextKeys.hasTraded)),
    venue.onDidChange(noteLive),
    () => cancel?.(),
  );
}

/** The editor does not describe the tab of a walkthrough to extensions, nor those of some other pages. */
function mayBeWalkthrough({ input }: vscode.Tab): boolean {
  return input === undefined;
}

function tick(key: string): void {
  const set = (value: boolean): Thenable<unknown> => vscode.commands.executeCommand("setContext", key, value);
  void set(true).then(() => set(false));
}
