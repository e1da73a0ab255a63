import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { AccessLevel } from "../../../src/assistant/access.ts";
import { settingKeys } from "../../../src/contributions.ts";
import type { Desk } from "../../../src/desk/desk.ts";
import { monotonicTimers } from "../../../src/time/timers.ts";
import { type CallOutcome, callWindow } from "../../../src/hub/caller.ts";
import { defaultRules } from "../../../src/market/order.ts";
import type { ToTicket } from "../../../src/protocol/ticket.ts";
import type { ActivePair } from "../../../src/ui/activePair.ts";
import { TicketDraft } from "../../../src/webview/ticket/draft.ts";
import { root } from "../../../tools/paths.ts";
import { unsyncedSystem } from "../fakes/operatingSystem.ts";
import { FakeTimers, settle } from "../fakes/timers.ts";
import {
  bringToFront,
  type HollowPanel,
  loadUi,
  panels,
  userSettings,
  window,
  WindowParts,
} from "../fakes/vscode.ts";
import { ticketWindow } from "../fakes/ticketWindow.ts";
import { waitFor } from "../waitFor.ts";
import { editorConfirmations } from "./editorConfirmations.ts";
import { close, openTestDesk, readAll, type TestDeskOptions, unattended } from "./testDesk.ts";

const { Ticket } = await loadUi(() => import("../../../src/ui/ticket/ticket.ts"));
const { showAssistants } = await loadUi(() => import("../../../src/ui/assistant/assistants.ts"));
const { windowsFolder } = await loadUi(() => import("../../../src/ui/openWindows.ts"));
const dialogs = await editorConfirmations();

/** A modal dialog waiting for the user. */
export interface OpenDialog {
  readonly title: string;
  readonly detail: string;
  readonly askedAt: number;
  answer(isYes: boolean): void;
}

/** The order ticket's page: its draft is the shipped one, and the test acts as its user. */
class TicketPage {
  readonly draft: TicketDraft;
  readonly #panel: HollowPanel;

  constructor(panel: HollowPanel) {
    this.#panel = panel;
    let made = 0;
    this.draft = new TicketDraft(
      {
        newId: () => `4f2c8d1e-0b6a-4c35-9d07-${String((made += 1)).padStart(12, "0")}`,
        rules: () => defaultRules,
        quoteOf: () => "THB",
      },
      undefined,
    );
    panel.onDidPost((message) => this.#receive(message as ToTicket));
  }

  /** The user changes the draft. */
  edit(change: (draft: TicketDraft) => void): void {
    const before = JSON.stringify(this.draft.message);
    change(this.draft);
    if (JSON.stringify(this.draft.message) !== before)
      this.#panel.receive({ type: "edited", draft: this.draft.message });
  }

  /** The user chooses a pair, or the page follows the active one. */
  choose(symbol: string): void {
    this.edit((draft) => draft.choosePair(symbol));
    this.#panel.receive({ type: "select", symbol });
  }

  /** The page was reloaded. */
  ready(): void {
    this.#panel.receive({ type: "ready", symbol: this.draft.message.symbol });
  }

  submit(): void {
    const draft = this.draft.submit();
    this.#panel.receive({ type: "submit", draft });
  }

  #receive(message: ToTicket): void {
    if (message.type === "market") this.edit((draft) => draft.moveTo(message.exchange.key));
    if (message.type === "fill") this.edit((draft) => draft.fillIn(message.fill));
    if (message.type === "follow") this.choose(message.symbol);
    if (message.type === "withdraw") this.edit((draft) => draft.withdraw());
    if (message.type === "outcome") {
      const { ended, done } = message;
      if (ended !== undefined) this.edit((draft) => draft.end(ended, done));
    }
  }
}

/** One window with the shipped ticket, tools, links and IPC server. Only the editor and the page's drawing are fakes. */
export class AssistedWindow {
  readonly desk: Desk;
  readonly timers: FakeTimers;
  readonly activePair: ActivePair;
  /** Open dialogs of all windows of this computer, oldest first. */
  readonly dialogs: OpenDialog[];
  /** Messages without buttons, oldest first. */
  readonly messages: string[];
  page: TicketPage | undefined;
  /** How often the editor opened a ticket. */
  opened = 0;
  #panel: HollowPanel | undefined;
  readonly #parts: WindowParts;
  readonly #owned: vscode.Disposable;
  readonly #folder: string;
  readonly #directory: string;
  /** Releases what the first window shares with all others. */
  readonly #end: (() => void) | undefined;

  private constructor(desk: Desk, timers: FakeTimers, folder: string, beside?: AssistedWindow) {
    this.desk = desk;
    this.timers = timers;
    this.dialogs = beside?.dialogs ?? [];
    this.messages = beside?.messages ?? [];
    this.#folder = folder;
    this.#parts = new WindowParts();
    bringToFront(this.#parts);
    const context = {
      extensionUri: { fsPath: root },
      globalStorageUri: { fsPath: folder },
      extension: { packageJSON: { version: "0.0.0" } },
    } as unknown as vscode.ExtensionContext;
    const window = ticketWindow(desk);
    this.activePair = window.activePair;
    const ticket = new Ticket(context, desk, window);
    const assistants = showAssistants(context, desk, ticket);
    this.#owned = { dispose: () => [assistants, ticket].forEach((each) => each.dispose()) };
    this.#directory = windowsFolder(context);
    this.#end = beside ? undefined : this.#captureDialogs();
  }

  static async open(level: AccessLevel, options: TestDeskOptions = {}): Promise<AssistedWindow> {
    panels.length = 0;
    userSettings.clear();
    userSettings.set(settingKeys.assistantAccess, level);
    const folder = mkdtempSync(join(tmpdir(), "assisted-"));
    return await AssistedWindow.#open(folder, new FakeTimers(), options);
  }

  /**
   * Opens another window of the same computer, with the same storage, settings, clock and user. It must close before the
   * first window. A ticket that opens belongs to the window that settles next.
   */
  async openBeside(options: TestDeskOptions = {}): Promise<AssistedWindow> {
    return await AssistedWindow.#open(this.#folder, this.timers, options, this);
  }

  static async #open(
    folder: string,
    timers: FakeTimers,
    options: TestDeskOptions,
    beside?: AssistedWindow,
  ): Promise<AssistedWindow> {
    const desk = await openTestDesk({
      storage: folder,
      timers,
      window: unattended,
      os: unsyncedSystem,
      ask: dialogs,
      ...options,
    });
    const opened = new AssistedWindow(desk, timers, folder, beside);
    await readAll(desk);
    return opened;
  }

  /** The tools registered with the editor. */
  get tools(): readonly string[] {
    return [...this.#parts.tools.keys()];
  }

  /** The folder through which servers find the window. */
  get directory(): string {
    return this.#directory;
  }

  /** Requests the MCP server definitions. */
  get mcpServers(): vscode.McpServerDefinitionProvider {
    return this.#parts.mcpServers ?? assert.fail("no servers");
  }

  /** The confirmation that the editor shows before a tool runs. */
  async invocationMessage(name: string): Promise<unknown> {
    const token = {} as vscode.CancellationToken;
    const prepared = await this.#parts.tools.get(name)?.prepareInvocation?.({ input: {} }, token);
    return prepared?.invocationMessage;
  }

  /** Calls a tool as the editor does. Undefined if it is not registered. */
  async invoke(name: string, input: unknown): Promise<string | undefined> {
    const tool = this.#parts.tools.get(name);
    if (!tool) return undefined;
    const token = {} as vscode.CancellationToken;
    const result = await tool.invoke({ input, toolInvocationToken: undefined }, token);
    return ((result?.content ?? []) as { readonly value: string }[]).map(({ value }) => value).join("");
  }

  /** Calls a tool as an MCP server does, over the window's socket. */
  async callOverSocket(tool: string, input: string): Promise<CallOutcome> {
    return await callWindow({ directory: this.#directory, timers: monotonicTimers }, { tool, input });
  }

  /** Waits until servers can call the window. */
  async answersServers(): Promise<void> {
    await waitFor(
      "the window's server",
      async () => (await this.callOverSocket("tools", "{}")) !== "noWindow",
    );
  }

  async openLink(path: string, query: string): Promise<void> {
    await this.#parts.uriHandler?.handleUri({ path, query } as vscode.Uri);
  }

  async command(id: string, ...given: unknown[]): Promise<void> {
    await this.#parts.commands.get(id)?.(...given);
  }

  /** Runs everything pending, and loads the page of a new ticket. */
  async settle(ms = 0): Promise<void> {
    await this.timers.advance(ms);
    for (let panel = panels.shift(); panel; panel = panels.shift()) {
      this.opened += 1;
      this.#panel = panel;
      const page = (this.page = new TicketPage(panel));
      panel.onDidDispose(() => {
        if (this.page === page) this.page = undefined;
      });
      panel.visible = true;
      await panel.page;
      panel.receive({ type: "ready", symbol: "" });
      await settle();
    }
  }

  /** The user closes the ticket. */
  closeTicket(): void {
    this.#panel?.dispose();
    this.#panel = undefined;
  }

  async close(): Promise<void> {
    for (const { answer } of this.dialogs.splice(0)) answer(false);
    await settle();
    this.#owned.dispose();
    await close(this.desk);
    if (!this.#end) return;
    this.#end();
    userSettings.clear();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #captureDialogs(): () => void {
    const { showInformationMessage, showWarningMessage } = window;
    const ask = (title: string, options?: { modal?: boolean; detail?: string }, ...buttons: string[]) => {
      if (options?.modal !== true) {
        this.messages.push(title);
        return Promise.resolve(undefined);
      }
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const dialog: OpenDialog = {
        title,
        detail: options.detail ?? "",
        askedAt: this.timers.now(),
        answer: (isYes) => {
          const at = this.dialogs.indexOf(dialog);
          if (at !== -1) this.dialogs.splice(at, 1);
          resolve(isYes ? (buttons[0] ?? assert.fail("no button")) : undefined);
        },
      };
      this.dialogs.push(dialog);
      return promise;
    };
    Object.assign(window, { showInformationMessage: ask, showWarningMessage: ask });
    return () => void Object.assign(window, { showInformationMessage, showWarningMessage });
  }
}
