import * as vscode from "vscode";
import { back, closeInput, openInput, showStep, type Step } from "../quickInput.ts";

/** What a person can do after a discovery that did not find what it looked for. */
export interface DiscoveryChoice<Id extends string> {
  readonly id: Id;
  readonly label: string;
}

export interface DiscoveryPick<Part extends string, Result, Id extends string> {
  readonly title: string;
  readonly step: Step;
  /** The parts that are looked for, each with its name, in their order. */
  readonly parts: ReadonlyMap<Part, string>;
  readonly run: (onPart: (part: Part, isFound: boolean) => void) => Promise<Result>;
  /** The problem of a result and the choices; undefined if the discovery may go on. */
  readonly problemOf: (
    result: Result,
  ) => { readonly text: string; readonly choices: readonly DiscoveryChoice<Id>[] } | undefined;
  /** The person left. */
  readonly onLeave: () => void;
}

interface Entry<Id> extends vscode.QuickPickItem {
  readonly id?: Id;
}

/**
 * Shows the parts of a discovery while they are found. Gives its result if it needs no decision, else the person's choice;
 * undefined if the person left.
 */
export async function showDiscovery<Part extends string, Result, Id extends string>(
  options: DiscoveryPick<Part, Result, Id>,
): Promise<{ readonly result: Result } | { readonly id: Id } | typeof back | undefined> {
  const { title, step, parts, run, problemOf, onLeave } = options;
  const found = new Map<Part, boolean>();
  const pick = vscode.window.createQuickPick<Entry<Id>>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t("Bidside only reads. It places no order and changes nothing.");
  pick.ignoreFocusOut = true;
  pick.busy = true;
  const rows = (): Entry<Id>[] =>
    Array.from(parts, ([part, name]) => ({ label: `$(${iconOf(found.get(part))}) ${name}` }));
  pick.items = rows();
  let isOpen = true;
  const answered = new Promise<{ readonly id: Id } | typeof back | undefined>((resolve) => {
    showStep(pick, step, () => resolve(back));
    pick.onDidAccept(() => {
      const id = pick.selectedItems[0]?.id;
      if (id !== undefined) resolve({ id });
    });
    pick.onDidHide(() => {
      isOpen = false;
      resolve(undefined);
    });
  });
  void openInput(pick);
  const discovered = run((part, isFound) => {
    found.set(part, isFound);
    if (isOpen) pick.items = rows();
  }).then((result) => {
    const problem = problemOf(result);
    if (!problem) return { result };
    if (!isOpen) return undefined;
    pick.busy = false;
    // For screen readers. On screen a long text is cut off here, so it is in rows too.
    pick.placeholder = problem.text;
    const choices = problem.choices.map(({ id, label }): Entry<Id> => ({ label, alwaysShow: true, id }));
    const separator = { label: "", kind: vscode.QuickPickItemKind.Separator };
    pick.items = [...problemRows(problem.text), separator, ...choices];
    pick.activeItems = choices.slice(0, 1);
    return undefined;
  });
  const done = discovered.then(async (result) => result ?? (await answered));
  const answer = await Promise.race([answered, done]);
  if (typeof answer !== "object" || !("result" in answer)) onLeave();
  closeInput(pick);
  return answer;
}

/** In characters: a row is cut off at the width of the pick, which is at most 600 pixels. */
const ROW_LENGTH = 70;

/** A text as rows that are not cut off, and that cannot be chosen. */
function problemRows(text: string): vscode.QuickPickItem[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length === 0 || longer.length > ROW_LENGTH) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line, index) => ({
    label: `$(${index === 0 ? "warning" : "blank"}) ${line}`,
    alwaysShow: true,
  }));
}

function iconOf(isFound: boolean | undefined): string {
  if (isFound === undefined) return "loading~spin";
  return isFound ? "pass" : "circle-slash";
}
