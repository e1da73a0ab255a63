import * as vscode from "vscode";
import { pagesHaveCaughtUp } from "./pages/pages.ts";
import { pauseRows, rowsSettled, rowReads } from "./paintPause.ts";

/**
 * Every pick and input box opens here, so that none loses the focus to a page or a list that was focused before it.
 *
 * When the command palette closes, the editor gives the focus back to the part that had it. A webview gets the focus
 * twice: at once, and again by a message to the page, which the editor sends 50 ms later if nothing else has the
 * focus by then (`_doFocus` of VS Code's webviewElement.ts). A pick that opens after the message was sent and before
 * the page has handled it loses the focus to the page, and a pick without focus closes. An input box that stays open
 * is no better: the next typed text, perhaps a secret, goes into the page.
 *
 * A list that had the focus takes it back if the editor has painted its rows in the moment in which a pick opens: the
 * editor notes the loss of the focus a task later.
 *
 * So a pick opens when that message was handled, or cannot be sent any more, and while nothing paints a row. A pick that
 * follows another one opens at once: the first stays open until then, so nothing gives the focus back.
 */

/** The editor's wait before it gives a webview the focus for the second time. */
const REFOCUS_MS = 50;

/** More levels than any list has: something else makes the editor read, and a person does not wait for that. */
const MAX_LEVELS = 10;

const openInputs = new Set<vscode.QuickInput>();

/** Opens a pick or an input box as soon as no page and no list can take the focus from it. */
export async function openInput(input: vscode.QuickInput): Promise<void> {
  if (openInputs.size === 0) await focusSettled();
  input.onDidHide(() => openInputs.delete(input));
  openInputs.add(input);
  pauseRows();
  input.show();
}

/** Closes an answered pick or input box after the one that follows at once has opened. */
export function closeInput(input: vscode.QuickInput): void {
  setImmediate(() => {
    openInputs.delete(input);
    input.dispose();
  });
}

async function focusSettled(): Promise<void> {
  await Promise.all([new Promise((done) => setTimeout(done, REFOCUS_MS)), rowsSettled()]);
  await rowsPainted();
  await pagesHaveCaughtUp();
}

/**
 * Resolves when the editor has handled its timers that are due, and has painted every list that it reads: the next level of a list
 * is read before the second answer, and a list is painted once no level was read.
 */
async function rowsPainted(levels = MAX_LEVELS): Promise<void> {
  const before = rowReads();
  // The first answer may be faster than the editor's timers. The second one cannot: it is asked for after the first.
  await editorRoundTrip();
  await editorRoundTrip();
  if (rowReads() !== before && levels > 0) await rowsPainted(levels - 1);
}

/** Waits for an answer of the editor's own process, after all earlier requests. */
async function editorRoundTrip(): Promise<void> {
  await vscode.commands.executeCommand("setContext", "bidside.asked", true);
}

/** Lets a person choose one of `items`; undefined if the person cancelled. */
export async function choose<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: {
    readonly title: string;
    readonly placeHolder: string;
    /** Whether the search also looks in descriptions. */
    readonly matchOnDescription?: boolean;
  },
): Promise<Item | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = options.title;
  pick.placeholder = options.placeHolder;
  pick.matchOnDescription = options.matchOnDescription ?? false;
  pick.items = items;
  const chosen = await new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item) resolve(item);
    });
    pick.onDidHide(() => resolve(undefined));
    void openInput(pick);
  });
  closeInput(pick);
  return chosen;
}

export interface TextPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeHolder?: string;
  readonly password?: boolean;
  /** What is wrong with a text; undefined if it is accepted. */
  readonly problem: (text: string) => string | undefined;
}

/** One of several steps: its number, from 1, and the number of steps. Every step but the first has a Back button. */
export interface Step {
  readonly number: number;
  readonly of: number;
}

/** The answer of a person who goes back one step. */
export const back = Symbol("back");

/** Asks for a text without problems; undefined if the person cancelled. */
export async function ask(question: TextPrompt): Promise<string | undefined> {
  const answer = await askStep(question);
  return answer === back ? undefined : answer;
}

/** Shows the step's number, with a Back button if there is an earlier step. */
export function showStep(
  input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
  { number, of }: Step,
  goBack: () => void,
): void {
  input.step = number;
  input.totalSteps = of;
  if (number === 1) return;
  input.buttons = [vscode.QuickInputButtons.Back];
  input.onDidTriggerButton(goBack);
}

/** The same, as one of several steps. */
export async function askStep(
  { title, prompt, value, placeHolder, password, problem }: TextPrompt,
  step?: Step,
): Promise<string | typeof back | undefined> {
  const box = vscode.window.createInputBox();
  box.title = title;
  box.prompt = prompt;
  box.value = value ?? "";
  box.placeholder = placeHolder;
  box.password = password ?? false;
  // A click elsewhere keeps what was typed.
  box.ignoreFocusOut = true;
  const isWrong = (): boolean => {
    box.validationMessage = problem(box.value);
    return box.validationMessage !== undefined;
  };
  const typed = await new Promise<string | typeof back | undefined>((resolve) => {
    if (step) showStep(box, step, () => resolve(back));
    box.onDidChangeValue(isWrong);
    box.onDidAccept(() => {
      if (!isWrong()) resolve(box.value);
    });
    box.onDidHide(() => resolve(undefined));
    void openInput(box);
  });
  closeInput(box);
  return typed;
}
