import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import type * as vscode from "vscode";

// The editor's API as far as src/ui needs it outside an editor: it keeps what it is told, and shows nothing.

let isHooked = false;

/** Imports a module of src/ui, which gets this module in place of `vscode`: `loadUi(() => import("…"))`. */
export async function loadUi<Module>(load: () => Promise<Module>): Promise<Module> {
  if (!isHooked) {
    registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier === "vscode" ? import.meta.url : specifier, context),
    });
  }
  isHooked = true;
  return await load();
}

export class Disposable {
  readonly #callOnDispose: () => unknown;

  static from(...parts: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  constructor(callOnDispose: () => unknown) {
    this.#callOnDispose = callOnDispose;
  }

  dispose(): void {
    this.#callOnDispose();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class MarkdownString {
  value = "";

  appendText(text: string): this {
    this.value += text;
    return this;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number | undefined;

  constructor(label: string, collapsibleState?: number) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export const l10n = {
  t: (sentence: string, ...given: readonly unknown[]): string =>
    sentence.replaceAll(/\{(\d)\}/g, (_, index: string) => String(given[Number(index)])),
};

export const env = { language: "en" };

/** The user's own settings; what is not here has the manifest's default. */
export const userSettings = new Map<string, unknown>();

/** Calls of window and commands, oldest first, for a test to look at and empty. */
export const said: { readonly how: string; readonly text: string }[] = [];

/** What the next input boxes are answered with. */
export const typed: string[] = [];

const settingDefaults = readDefaults();

export const workspace = {
  getConfiguration: () => ({
    inspect: (key: string) => ({
      globalValue: userSettings.get(key),
      defaultValue: settingDefaults.get(key),
    }),
    get: (key: string, fallback: unknown) => userSettings.get(key) ?? settingDefaults.get(key) ?? fallback,
  }),
  onDidChangeConfiguration: new EventEmitter<vscode.ConfigurationChangeEvent>().event,
};

const say =
  (how: string) =>
  (text: string): Promise<undefined> => {
    said.push({ how, text });
    return Promise.resolve(undefined);
  };

export const window = {
  state: { focused: true, active: true },
  onDidChangeWindowState: new EventEmitter<vscode.WindowState>().event,
  showInformationMessage: say("information"),
  showWarningMessage: say("warning"),
  showErrorMessage: say("error"),
  showInputBox: () => Promise.resolve(typed.shift()),
};

export const commands = { executeCommand: say("command") };

function readDefaults(): ReadonlyMap<string, unknown> {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    contributes: { configuration: { properties: Record<string, { default: unknown }> }[] };
  };
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  return new Map(settings.map(([key, setting]) => [key, setting.default]));
}
