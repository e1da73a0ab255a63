import * as vscode from "vscode";
import { readLevel, type ToolName, toolsWithin } from "../../assistant/access.ts";
import type { CallResult } from "../../assistant/assistant.ts";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { assistantAccess, onDidChangeSettings } from "../settings.ts";
import { registerIfOffered } from "./optionalApi.ts";

/** Registers with the editor exactly the tools that the user's access level allows. */
export class AssistantTools extends Disposable {
  readonly #registered = new Map<ToolName, vscode.Disposable>();
  /** Runs a tool within the user's access level. Never rejects. */
  readonly call: (name: string, input: unknown) => Promise<CallResult>;

  readonly #log: Desk["log"];

  constructor(call: (name: string, input: unknown) => Promise<CallResult>, log: Desk["log"]) {
    super();
    this.call = call;
    this.#log = log;
    this.register(onDidChangeSettings([settingKeys.assistantAccess], () => this.#follow()));
    this.register(() => this.#unregisterExcept([]));
    this.#follow();
  }

  /** The tools that the user's access level allows. */
  tools(): readonly ToolName[] {
    return toolsWithin(readLevel(assistantAccess()));
  }

  #follow(): void {
    const names = this.tools();
    this.#unregisterExcept(names);
    for (const name of names)
      if (!this.#registered.has(name)) this.#registered.set(name, this.#register(name));
  }

  #unregisterExcept(names: readonly ToolName[]): void {
    for (const [name, registration] of this.#registered) {
      if (names.includes(name)) continue;
      registration.dispose();
      this.#registered.delete(name);
    }
  }

  #register(name: ToolName): vscode.Disposable {
    const tool: vscode.LanguageModelTool<unknown> = {
      prepareInvocation: () => ({ invocationMessage: invocationText(name) }),
      invoke: async ({ input }) => {
        const { text } = await this.call(name, input);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    };
    return registerIfOffered(
      () => vscode.lm.registerTool(name, tool),
      () => this.#log.debug(`Assistants: this editor does not offer the tool ${name}`),
    );
  }
}

/** What a tool reads or does, shown while it runs. */
function invocationText(name: ToolName): string {
  switch (name) {
    case "bidside_markets":
      return vscode.l10n.t("Reads pairs and prices");
    case "bidside_candles":
      return vscode.l10n.t("Reads the candles of a pair");
    case "bidside_book":
      return vscode.l10n.t("Reads the order book of a pair");
    case "bidside_alerts":
      return vscode.l10n.t("Reads your alerts; you are asked before one is added");
    case "bidside_account":
      return vscode.l10n.t("Reads your balances and results");
    case "bidside_orders":
      return vscode.l10n.t("Reads your orders and their outcomes");
    case "bidside_prepareOrder":
      return vscode.l10n.t("Fills in the order ticket; only you can submit and confirm the order");
  }
}
