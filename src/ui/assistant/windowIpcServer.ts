import * as vscode from "vscode";
import type { Assistant, CallResult } from "../../assistant/assistant.ts";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { monotonicTimers } from "../../time/timers.ts";
import { type Call, LIST_TOOLS } from "../../hub/calls.ts";
import { IpcServer } from "../../hub/ipcServer.ts";
import { windowsFolder } from "../openWindows.ts";
import { assistantAccess, onDidChangeSettings } from "../settings.ts";

/** Lets MCP servers call this window, unless assistant access is off. */
export class WindowIpcServer extends Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #desk: Desk;
  readonly #assistant: Assistant;
  #server: Promise<IpcServer | undefined> | undefined;
  #isDisposed = false;

  constructor(context: vscode.ExtensionContext, desk: Desk, assistant: Assistant) {
    super();
    this.#context = context;
    this.#desk = desk;
    this.#assistant = assistant;
    this.register(
      onDidChangeSettings([settingKeys.assistantAccess], () => this.#follow()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.#server?.then((server) => server?.cameToFront());
      }),
      () => {
        this.#isDisposed = true;
        this.#close();
      },
    );
    // Deferred, to keep startup fast.
    void desk.allWindows.settled().then(() => this.#follow());
  }

  #follow(): void {
    if (assistantAccess() === "off") this.#close();
    else if (!this.#isDisposed) this.#server ??= this.#open();
  }

  #close(): void {
    const server = this.#server;
    this.#server = undefined;
    void server?.then((opened) => opened?.dispose());
  }

  async #open(): Promise<IpcServer | undefined> {
    const warn = (what: string): void => this.#desk.log.warn(`Assistants: ${what}`);
    try {
      return await IpcServer.open({
        directory: windowsFolder(this.#context),
        timers: monotonicTimers,
        isInFront: vscode.window.state.focused,
        answer: (call) => this.#answer(call),
        warn,
      });
    } catch (error) {
      warn(errorLine(error));
      return undefined;
    }
  }

  async #answer({ tool, input }: Call): Promise<CallResult> {
    if (tool === LIST_TOOLS) return { text: JSON.stringify(this.#assistant.tools), isError: false };
    let read: unknown;
    try {
      read = JSON.parse(input);
    } catch {
      return { text: '{"problem":"The input is no JSON."}', isError: true };
    }
    return await this.#assistant.call(tool, read);
  }
}
