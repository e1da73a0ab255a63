import * as vscode from "vscode";
import { back, closeInput, openInput, showStep, type Step } from "../quickInput.ts";

/** An action after an unsuccessful discovery. */
export interface DiscoveryChoice {
  readonly id: string;
  readonly label: string;
}

interface DiscoveryPick<Part extends string, Result> {
  readonly title: string;
  readonly step: Step;
  /** The parts to detect with their names, in display order. */
  readonly parts: ReadonlyMap<Part, string>;
  /** `mayContinue` turns false when the user leaves the pick. */
  readonly run: (
    onPart: (part: Part, isFound: boolean) => void,
    mayContinue: () => boolean,
  ) => Promise<Result>;
  /** The problem of a result and the choices; undefined if the setup may continue. */
  readonly problemOf: (
    result: Result,
  ) => { readonly text: string; readonly choices: readonly DiscoveryChoice[] } | undefined;
}

interface Entry extends vscode.QuickPickItem {
  readonly id?: string;
}

/**
 * Shows a discovery's progress. Returns its result if no decision is needed, else the user's choice; undefined if the
 * user cancelled.
 */
export async function showDiscovery<Part extends string, Result>(
  options: DiscoveryPick<Part, Result>,
): Promise<{ readonly result: Result } | { readonly id: string } | typeof back | undefined> {
  const { title, step, parts, run, problemOf } = options;
  const found = new Map<Part, boolean>();
  const pick = vscode.window.createQuickPick<Entry>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t("Bidside only reads data. It places no orders and changes nothing.");
  pick.ignoreFocusOut = true;
  pick.busy = true;
  const rows = (): Entry[] =>
    Array.from(parts, ([part, name]) => ({ label: `$(${iconOf(found.get(part))}) ${name}` }));
  pick.items = rows();
  let [isOpen, hasLeft] = [true, false];
  const answered = new Promise<{ readonly id: string } | typeof back | undefined>((resolve) => {
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
  const onPart = (part: Part, isFound: boolean): void => {
    found.set(part, isFound);
    if (isOpen) pick.items = rows();
  };
  const discovered = run(onPart, () => !hasLeft).then((result) => {
    const problem = problemOf(result);
    if (!problem) return { result };
    if (!isOpen) return undefined;
    pick.busy = false;
    // For screen readers. Long text is truncated here on screen, so rows repeat it.
    pick.placeholder = problem.text;
    const choices = problem.choices.map(({ id, label }): Entry => ({ label, alwaysShow: true, id }));
    const separator = { label: "", kind: vscode.QuickPickItemKind.Separator };
    pick.items = [...problemRows(problem.text), separator, ...choices];
    pick.activeItems = choices.slice(0, 1);
    return undefined;
  });
  const done = discovered.then(async (result) => result ?? (await answered));
  const answer = await Promise.race([answered, done]);
  hasLeft = typeof answer !== "object" || !("result" in answer);
  closeInput(pick);
  return answer;
}

/** In characters. Rows are truncated at the pick's width, at most 600 px. */
const ROW_LENGTH = 70;

/** Wraps a text into rows that cannot be picked. */
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
