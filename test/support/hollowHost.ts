import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import type * as vscode from "vscode";
import { Disposable, EventEmitter, type MarkdownString, userSettings } from "./hollowEditor.ts";

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

export {
  Disposable,
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  env,
  l10n,
  userSettings,
} from "./hollowEditor.ts";

export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ViewColumn = { Active: -1 };

export class Uri {
  readonly fsPath: string;

  static file(path: string): Uri {
    return new Uri(path);
  }

  static joinPath(base: Uri, ...parts: readonly string[]): Uri {
    return new Uri(join(base.fsPath, ...parts));
  }

  constructor(fsPath: string) {
    this.fsPath = fsPath;
  }

  toString(): string {
    return `file://${this.fsPath}`;
  }
}

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
  fs: { readFile: ({ fsPath }: Uri) => readFile(fsPath) },
};

interface StatusItem {
  text: string;
  tooltip: MarkdownString | undefined;
  command: string | undefined;
}

/** A webview's page: what it was told, and how to speak for it. */
interface Page {
  readonly told: unknown[];
  readonly says: EventEmitter<unknown>;
}

/** What one window of the editor was given by the extension, and what it was told. */
export class WindowParts {
  readonly statusItems: StatusItem[] = [];
  readonly commands = new Map<string, (...given: unknown[]) => unknown>();
  readonly pages: Page[] = [];
  /** Every line of the log, and every message. */
  readonly said: string[] = [];
  /** What the next input boxes are answered with. */
  readonly typed: string[] = [];
}

let inFront = new WindowParts();

/** Brings a window to the front: what the extension makes, shows and asks from now on is this one's. */
export function bringToFront(parts: WindowParts): void {
  inFront = parts;
}

const never = new EventEmitter<never>().event;

/** Told; a question is answered with its first choice. */
export function say(text: string, ...rest: unknown[]): Promise<unknown> {
  inFront.said.push(text);
  const [options, choice] = rest;
  const isModal = typeof options === "object" && options !== null && "modal" in options;
  return Promise.resolve(isModal ? choice : undefined);
}

export const window = {
  state: { focused: true, active: true },
  onDidChangeWindowState: new EventEmitter<vscode.WindowState>().event,
  showInformationMessage: say,
  showWarningMessage: say,
  showErrorMessage: say,
  showInputBox: () => Promise.resolve(inFront.typed.shift()),
  withProgress: (_options: unknown, task: () => unknown) => task(),
  registerWebviewPanelSerializer: () => new Disposable(() => undefined),
  createTreeView: () => ({
    visible: false,
    onDidChangeVisibility: never,
    onDidChangeCheckboxState: never,
    dispose: () => undefined,
  }),
  createStatusBarItem: () => {
    const item = { text: "", tooltip: undefined, command: undefined };
    inFront.statusItems.push(item);
    const nothing = (): undefined => undefined;
    return Object.assign(item, { show: nothing, hide: nothing, dispose: nothing });
  },
  createOutputChannel: () => {
    const { said } = inFront;
    const log = (line: string): void => void said.push(line);
    return { debug: log, info: log, warn: log, error: log, show: () => undefined, dispose: () => undefined };
  },
  createWebviewPanel: () => {
    const page: Page = { told: [], says: new EventEmitter<unknown>() };
    inFront.pages.push(page);
    return {
      visible: true,
      webview: {
        cspSource: "hollow:",
        asWebviewUri: (uri: Uri) => uri,
        onDidReceiveMessage: page.says.event,
        postMessage: (message: unknown) => Promise.resolve(page.told.push(message) > 0),
      },
      onDidChangeViewState: never,
      onDidDispose: never,
      reveal: () => undefined,
      dispose: () => undefined,
    };
  },
};

export const commands = {
  registerCommand: (id: string, run: (...given: unknown[]) => unknown) => {
    const { commands: registered } = inFront;
    registered.set(id, run);
    return new Disposable(() => registered.delete(id));
  },
  executeCommand: () => Promise.resolve(undefined),
};

function readDefaults(): ReadonlyMap<string, unknown> {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    contributes: { configuration: { properties: Record<string, { default: unknown }> }[] };
  };
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  return new Map(settings.map(([key, setting]) => [key, setting.default]));
}
