import { readFileSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import type * as vscode from "vscode";
import { Disposable, EventEmitter, HollowInputBox, HollowPick, person, shownMessages } from "./person.ts";
import { tabGroups } from "./tabs.ts";

export { Disposable, EventEmitter, inputBoxes, person, shownMessages, typed } from "./person.ts";
export { TabInputWebview } from "./tabs.ts";

// The part of the editor's API that src/ui needs in tests: records all calls, and shows nothing.

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
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
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
export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: { iconPath: "back" } };
export const StatusBarAlignment = { Left: 1, Right: 2 };

export const l10n = {
  t: (sentence: string, ...given: readonly unknown[]): string =>
    sentence.replaceAll(/\{(\d)\}/g, (_, index: string) => String(given[Number(index)])),
};

export const env = { language: "en", appName: "Fake Editor", uriScheme: "fake" };

/** The user's own settings; a missing setting has the manifest's default. */
export const userSettings = new Map<string, unknown>();

const configurationChange = new EventEmitter<vscode.ConfigurationChangeEvent>();

/** Webview panels, the newest last. */
export const panels: HollowPanel[] = [];

interface StatusItem {
  text: string;
  tooltip: MarkdownString | undefined;
  command: string | vscode.Command | undefined;
  isShown: boolean;
}

/** The registrations of an extension in one window of the editor. */
export class WindowParts {
  readonly commands = new Map<string, (...given: unknown[]) => unknown>();
  readonly statusItems: StatusItem[] = [];
  /** By id of the view. */
  readonly trees = new Map<string, HollowTree>();
  /** The tools for language models. */
  readonly tools = new Map<string, vscode.LanguageModelTool<unknown>>();
  /** The documents of accounts. */
  fileSystem: vscode.FileSystemProvider | undefined;
  uriHandler: vscode.UriHandler | undefined;
  /** Tells which MCP servers there are. */
  mcpServers: vscode.McpServerDefinitionProvider | undefined;
}

let inFront = new WindowParts();

/** Directs the extension's registrations to this window from now on. */
export function bringToFront(parts: WindowParts): void {
  inFront = parts;
}

const nothing = (): undefined => undefined;

const settingDefaults = readDefaults();

export const workspace = {
  getConfiguration: () => ({
    inspect: (key: string) => ({
      globalValue: userSettings.get(key),
      defaultValue: settingDefaults.get(key),
    }),
    get: (key: string, fallback: unknown) => userSettings.get(key) ?? settingDefaults.get(key) ?? fallback,
    update: async (key: string, value: unknown): Promise<void> => {
      // The editor writes its file first.
      await Promise.resolve();
      changeSetting(key, value);
    },
  }),
  fs: {
    // Uses the page's source, so that no test needs a build.
    readFile: ({ fsPath }: FileUri): Promise<Uint8Array> =>
      readFile(fsPath.replace(join("dist", "webview"), join("src", "webview"))),
    stat: ({ fsPath }: FileUri) => stat(fsPath),
    writeFile: ({ fsPath }: FileUri, bytes: Uint8Array) => writeFile(fsPath, bytes),
  },
  registerFileSystemProvider: (_scheme: string, provider: vscode.FileSystemProvider) => {
    inFront.fileSystem = provider;
    return new Disposable(nothing);
  },
  onDidChangeConfiguration: configurationChange.event,
};

/** The user or the extension changes a setting while it runs; undefined removes it. */
export function changeSetting(key: string, value: unknown): void {
  if (value === undefined) userSettings.delete(key);
  else userSettings.set(key, value);
  configurationChange.fire({ affectsConfiguration: (section) => key.startsWith(section) });
}

/** The text of a button, which is a text or an item with a title. */
function titleOf(button: unknown): unknown {
  return typeof button === "object" && button !== null && "title" in button ? button.title : button;
}

const show =
  (how: string) =>
  (text: string, ...more: readonly unknown[]): Promise<unknown> => {
    shownMessages.push({ how, text, more: JSON.stringify(more) });
    const titles = more.map(titleOf).filter((each) => typeof each === "string");
    const chosen = person.choose(titles);
    return Promise.resolve(chosen === undefined ? undefined : more.find((each) => titleOf(each) === chosen));
  };

interface FileUri {
  readonly fsPath: string;
}

export const Uri = {
  from: ({ path }: { readonly path: string }): { readonly path: string } => ({ path }),
  file: (fsPath: string): FileUri => ({ fsPath }),
  joinPath: ({ fsPath }: FileUri, ...path: readonly string[]): FileUri => ({ fsPath: join(fsPath, ...path) }),
};

export const FileType = { File: 1 };
export const FileChangeType = { Changed: 1 };
export const FileSystemError = { FileNotFound: Error, NoPermissions: Error };

export const ConfigurationTarget = { Global: 1 };

export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };

export const ViewColumn = { Active: -1, Beside: -2 };

export const window = {
  tabGroups,
  state: { focused: true, active: true },
  onDidChangeWindowState: new EventEmitter<vscode.WindowState>().event,
  showInformationMessage: show("information"),
  showWarningMessage: show("warning"),
  showErrorMessage: show("error"),
  showOpenDialog: () => Promise.resolve(person.file === undefined ? undefined : [Uri.file(person.file)]),
  showSaveDialog: () => Promise.resolve(person.file === undefined ? undefined : Uri.file(person.file)),
  setStatusBarMessage: (text: string): Disposable => {
    void show("status bar")(text);
    return new Disposable(nothing);
  },
  createInputBox: () => new HollowInputBox(),
  createQuickPick: () => new HollowPick(),
  createWebviewPanel: (): HollowPanel => {
    const panel = new HollowPanel();
    panels.push(panel);
    return panel;
  },
  registerWebviewPanelSerializer: () => new Disposable(nothing),
  showTextDocument: ({ path }: { readonly path: string }) => show("document")(path),
  registerUriHandler: (handler: vscode.UriHandler) => {
    inFront.uriHandler = handler;
    return new Disposable(nothing);
  },
  withProgress: (_options: unknown, task: () => unknown) => task(),
  createOutputChannel: () => {
    const [debug, info, warn, error] = [show("log"), show("log"), show("log"), show("log")];
    return { debug, info, warn, error, show: nothing, dispose: nothing };
  },
  createStatusBarItem: () => {
    const item: StatusItem = { text: "", tooltip: undefined, command: undefined, isShown: false };
    inFront.statusItems.push(item);
    const hide = (): void => void (item.isShown = false);
    return Object.assign(item, { show: () => void (item.isShown = true), hide, dispose: hide });
  },
  registerFileDecorationProvider: (): Disposable => new Disposable(() => undefined),
  createTreeView: (id: string, { treeDataProvider }: vscode.TreeViewOptions<unknown>) => {
    const tree = Object.assign(new HollowTree(), { treeDataProvider });
    inFront.trees.set(id, tree);
    return tree;
  },
};

export const commands = {
  executeCommand: (id: string, ...given: readonly unknown[]): Promise<unknown> => {
    if (id !== "list.toggleSelection") return show("command")(id, ...given);
    for (const tree of inFront.trees.values()) tree.toggleFocused();
    return Promise.resolve(undefined);
  },
  registerCommand: (id: string, run: (...given: unknown[]) => unknown) => {
    const { commands: registered } = inFront;
    registered.set(id, run);
    return new Disposable(() => registered.delete(id));
  },
};

export const lm = {
  registerTool: (name: string, tool: vscode.LanguageModelTool<unknown>) => {
    const { tools } = inFront;
    tools.set(name, tool);
    return new Disposable(() => tools.delete(name));
  },
  registerMcpServerDefinitionProvider: (_id: string, provider: vscode.McpServerDefinitionProvider) => {
    const parts = inFront;
    parts.mcpServers = provider;
    return new Disposable(() => (parts.mcpServers = undefined));
  },
};

export class McpStdioServerDefinition {
  readonly given: readonly unknown[];

  constructor(...given: readonly unknown[]) {
    this.given = given;
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: unknown[];

  constructor(content: unknown[]) {
    this.content = content;
  }
}

/** A tree view. Hidden until the test shows it, so that nothing is read for it. */
export class HollowTree {
  visible = false;
  title: string | undefined;
  description: string | undefined;
  message: string | undefined;
  badge: unknown;
  readonly #visibility = new EventEmitter<{ visible: boolean }>();
  readonly onDidChangeVisibility = this.#visibility.event;
  readonly #selected = new EventEmitter<{ selection: unknown[] }>();
  readonly onDidChangeSelection = this.#selected.event;
  selection: unknown[] = [];
  readonly #checked = new EventEmitter<{ items: unknown[] }>();
  readonly onDidChangeCheckboxState = this.#checked.event;

  /** Clicks checkboxes: rows, each with its new state. */
  check(...items: unknown[]): void {
    this.#checked.fire({ items });
  }

  /** The row with the keyboard's focus, if the tree has it. */
  focused: unknown;

  /** What the editor's command `list.toggleSelection` does. */
  toggleFocused(): void {
    if (this.focused === undefined) return;
    const isSelected = this.selection.includes(this.focused);
    this.selection = isSelected ? this.selection.filter((row) => row !== this.focused) : [this.focused];
    this.#selected.fire({ selection: this.selection });
  }

  /** The user selects a row, or the extension does. */
  select(row: unknown): void {
    this.selection = [row];
    this.#selected.fire({ selection: this.selection });
  }

  reveal(row: unknown): Promise<void> {
    this.select(row);
    return Promise.resolve();
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    this.#visibility.fire({ visible });
  }

  dispose(): void {}
}

/** A webview panel whose page is the test. Hidden until the test shows it, so that it causes no polls. */
export class HollowPanel {
  visible = false;
  /** Whether it has the focus. */
  active = false;
  /** Whether the editor reaches the page with a message. */
  isReached = true;
  /** Resolves when the page's text is set. */
  readonly page: Promise<string>;
  iconPath: unknown;
  readonly #received = new EventEmitter<unknown>();
  readonly #posted = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  #showPage: (html: string) => void = () => undefined;
  readonly #shown = new EventEmitter<void>();
  readonly onDidChangeViewState = this.#shown.event;
  readonly onDidDispose = this.#disposed.event;
  /** Messages to the page. */
  readonly onDidPost = this.#posted.event;
  readonly webview = {
    options: {},
    cspSource: "self",
    asWebviewUri: (uri: FileUri): string => uri.fsPath,
    onDidReceiveMessage: this.#received.event,
    postMessage: (message: unknown): Promise<boolean> => {
      this.#posted.fire(message);
      return Promise.resolve(this.isReached);
    },
    show: (html: string): void => this.#showPage(html),
    set html(html: string) {
      this.show(html);
    },
  };

  constructor() {
    this.page = new Promise((resolve) => (this.#showPage = resolve));
  }

  /** How often it was given the focus. */
  timesFocused = 0;

  reveal(_column?: unknown, preserveFocus = false): void {
    if (!preserveFocus) this.timesFocused += 1;
  }

  /** Shows or hides the panel, as the user does by choosing a tab. */
  setVisible(visible: boolean): void {
    this.visible = this.active = visible;
    this.#shown.fire();
  }

  /** Sends a message as the page would. */
  receive(message: unknown): void {
    this.#received.fire(message);
  }

  dispose(): void {
    this.#disposed.fire();
  }
}

/** A state or a store of secrets as the editor gives to an extension, for this process. */
export class HollowStore {
  readonly #stored = new Map<string, unknown>();
  readonly onDidChange = new EventEmitter<unknown>().event;

  keys(): readonly string[] {
    return [...this.#stored.keys()];
  }

  setKeysForSync(): void {}

  get<T>(key: string, usual?: T): T | undefined {
    return (this.#stored.get(key) as T | undefined) ?? usual;
  }

  update(key: string, value: unknown): Promise<void> {
    this.#stored.set(key, value);
    return Promise.resolve();
  }

  readonly store = this.update.bind(this);

  delete(key: string): Promise<void> {
    this.#stored.delete(key);
    return Promise.resolve();
  }
}

function readDefaults(): ReadonlyMap<string, unknown> {
  const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    contributes: { configuration: { properties: Record<string, { default: unknown }> }[] };
  };
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  return new Map(settings.map(([key, setting]) => [key, setting.default]));
}
