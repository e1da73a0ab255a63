import * as vscode from "vscode";
import { contextKeys, stateKeys } from "../contributions.ts";
import { onDidRunCommand } from "./commands.ts";

/** Commands that complete a walkthrough step, by its context key. */
const STEPS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [contextKeys.hasOpenedChart, new Set(["openChart", "glanceAtChart"])],
  [contextKeys.hasOpenedTicket, new Set(["placeBid", "openTicket", "placeAsk", "sellAsset"])],
  [contextKeys.hasAddedAlert, new Set(["addAlert"])],
]);

/**
 * Remembers completed walkthrough steps. The editor completes a step only for events after it loaded the walkthrough; a
 * context key also works later.
 */
export function followWalkthrough(state: vscode.Memento): vscode.Disposable {
  const done = new Set(state.get<readonly string[]>(stateKeys.walkthrough, []));
  for (const key of STEPS.keys()) if (done.has(key)) tick(key);
  return onDidRunCommand((name) => {
    for (const [key, names] of STEPS) {
      if (done.has(key) || !names.has(name)) continue;
      done.add(key);
      tick(key);
      void state.update(stateKeys.walkthrough, [...done]);
    }
  });
}

function tick(key: string): void {
  void vscode.commands.executeCommand("setContext", key, true);
}
