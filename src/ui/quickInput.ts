import * as vscode from "vscode";
import { pagesHaveCaughtUp } from "./pages/pages.ts";
import { pauseRows, rowsSettled, rowReads } from "./paintPause.ts";

/**
 * Opens every pick and input box, so that none loses the focus to a page or list that had it before.
 *
 * When the command palette closes, the editor restores the previous focus. A webview is focused twice: at once, and 50
 * ms later by a message to the page unless something else has the focus by then (`_doFocus` in VS Code's
 * webviewElement.ts). A pick that opens between that message and its handling loses the focus and closes. An input box
 * that stays open is no better, because the next typed text, perhaps a secret, goes into the page.
 *
 * A list takes the focus back if the editor paints its rows just as a pick opens, because the editor notices the loss
 * of focus one task later.
 *
 * So a pick opens once that message was handled or can no longer be sent, and while no rows are painted. A pick that
 * follows another opens at once: the first stays open until then, so nothing restores the focus.
 */

/** Delay before the editor focuses a webview the second time. */
const REFOCUS_MS = 50;

/** More levels than any list has; beyond that, something else keeps the editor reading. */
const MAX_LEVELS = 10;

const openInputs = new Set<vscode.QuickInput>();

/** Opens a pick or input box as soon as neither a page nor a list can take its focus. */
export async function openInput(input: vscode.QuickInput): Promise<void> {
  if (openInputs.size === 0) await focusSettled();
  input.onDidHide(() => openInputs.delete(input));
  openInputs.add(input);
  pauseRows();
  input.show();
}

/** Closes an answered input after the one that follows it, if any, has opened. */
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
 * Resolves when the editor has handled its due timers and painted every list it is reading: a list is painted once a
 * round trip passes without another level being read.
 */
async function rowsPainted(levels = MAX_LEVELS): Promise<void> {
  const before = rowReads();
  // The first response may overtake the editor's timers; the second cannot.
  await editorRoundTrip();
  await editorRoundTrip();
  if (rowReads() !== before && levels > 0) await rowsPainted(levels - 1);
}

/** A round trip to the editor's main process, after all earlier requests. */
async function editorRoundTrip(): Promise<void> {
  await vscode.commands.executeCommand("setContext", "bidside.asked", true);
}

/** Lets the user pick one of `items`; undefined if cancelled. */
export async function choose<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: {
    readonly title: string;
    readonly placeHolder: string;
    /** Whether filtering includes descriptions. */
    readonly matchOnDescription?: boolean;
    /** The entry that is preselected, by default the first. */
    readonly active?: Item | undefined;
  },
): Promise<Item | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = options.title;
  pick.placeholder = options.placeHolder;
  pick.matchOnDescription = options.matchOnDescription ?? false;
  pick.items = items;
  if (options.active) pick.activeItems = [options.active];
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

/** Lets the user check any of `items`, of which the `picked` ones are checked at first; undefined if cancelled. */
export async function chooseMany<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  { title, placeHolder }: { readonly title: string; readonly placeHolder: string },
): Promise<readonly Item[] | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = title;
  pick.placeholder = placeHolder;
  pick.canSelectMany = true;
  pick.items = items;
  pick.selectedItems = items.filter(({ picked }) => picked);
  const chosen = await new Promise<readonly Item[] | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems));
    pick.onDidHide(() => resolve(undefined));
    void openInput(pick);
  });
  closeInput(pick);
  return chosen;
}

interface TypedChoice<Item> {
  readonly title: string;
  readonly placeHolder: string;
  readonly value: string;
  /** The entries for a text; an id names the same choice for every text. */
  readonly itemsFor: (text: string) => readonly Item[];
  /** Whether an entry can be chosen, instead of saying what is wrong with the text. */
  readonly isAnswer: (item: Item) => boolean;
  /** The text that an entry types instead; undefined if it types none. */
  readonly typedBy: (item: Item) => string | undefined;
}

/** Lets the user pick one of the entries that follow the typed text; undefined if cancelled. */
export async function chooseTyped<Item extends vscode.QuickPickItem & { readonly id: string }>({
  title,
  placeHolder,
  value,
  itemsFor,
  isAnswer,
  typedBy,
}: TypedChoice<Item>): Promise<Item | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = title;
  pick.placeholder = placeHolder;
  pick.value = value;
  // Keeps what was typed after a click elsewhere.
  pick.ignoreFocusOut = true;
  const show = (): void => {
    pick.items = itemsFor(pick.value).map((item) => ({ ...item, alwaysShow: true }));
  };
  show();
  const chosen = await new Promise<Item | undefined>((resolve) => {
    pick.onDidChangeValue(show);
    pick.onDidAccept(() => {
      // The editor may still show the entries of an earlier text, so the choice is read for the text itself.
      const items = itemsFor(pick.value);
      const [selected] = pick.selectedItems;
      const item = items.find(({ id }) => id === selected?.id) ?? items[0];
      if (item && isAnswer(item)) return resolve(item);
      const text = item && typedBy(item);
      if (text === undefined) return;
      pick.value = text;
      show();
    });
    pick.onDidHide(() => resolve(undefined));
    void openInput(pick);
  });
  closeInput(pick);
  return chosen;
}

interface TextPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeHolder?: string;
  readonly password?: boolean;
  /** Validates a text; undefined if it is accepted. */
  readonly problem: (text: string) => string | undefined;
  /** What an accepted text was understood as, if it does not say so itself. */
  readonly understood?: (text: string) => string | undefined;
}

/** A step of several: its number, from 1, and the total. All but the first have a Back button. */
export interface Step {
  readonly number: number;
  readonly of: number;
}

/** The result if the user goes back one step. */
export const back = Symbol("back");

/** Prompts for a valid text; undefined if cancelled. */
export async function ask(question: TextPrompt): Promise<string | undefined> {
  const answer = await askStep(question);
  return answer === back ? undefined : answer;
}

/** Shows the step number, with a Back button if there is an earlier step. */
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

/** Prompts for a valid text as one of several steps. */
export async function askStep(
  { title, prompt, value, placeHolder, password, problem, understood }: TextPrompt,
  step?: Step,
): Promise<string | typeof back | undefined> {
  const box = vscode.window.createInputBox();
  box.title = title;
  box.prompt = prompt;
  box.value = value ?? "";
  box.placeholder = placeHolder;
  box.password = password ?? false;
  // Keeps what was typed after a click elsewhere.
  box.ignoreFocusOut = true;
  const isWrong = (): boolean => {
    const found = problem(box.value);
    const note = found === undefined ? understood?.(box.value) : undefined;
    const { Info } = vscode.InputBoxValidationSeverity;
    box.validationMessage = note === undefined ? found : { message: note, severity: Info };
    return found !== undefined;
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
