import * as vscode from "vscode";
import type { ToolName } from "../../assistant/access.ts";
import type { Assistant } from "../../assistant/assistant.ts";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { onDidChangeSettings } from "../settings.ts";
import { registerIfOffered } from "./optionalApi.ts";

/** Registers with the editor exactly the tools that the user's access level allows. */
export function registerTools(assistant: Assistant, log: Desk["log"]): Disposable {
  const registered = new Map<ToolName, vscode.Disposable>();
  const unregisterExcept = (names: readonly ToolName[]): void => {
    for (const [name, registration] of registered) {
      if (names.includes(name)) continue;
      registration.dispose();
      registered.delete(name);
    }
  };
  const follow = (): void => {
    unregisterExcept(assistant.tools);
    for (const name of assistant.tools)
      if (!registered.has(name)) registered.set(name, registerTool(name, assistant, log));
  };
  follow();
  return new Disposable(onDidChangeSettings([settingKeys.assistantAccess], follow), () =>
    unregisterExcept([]),
  );
}

function registerTool(name: ToolName, assistant: Assistant, log: Desk["log"]): vscode.Disposable {
  const tool: vscode.LanguageModelTool<unknown> = {
    prepareInvocation: () => ({ invocationMessage: invocationText(name) }),
    invoke: async ({ input }) => {
      const { text } = await assistant.call(name, input);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
  return registerIfOffered(
    () => vscode.lm.registerTool(name, tool),
    () => log.debug(`Assistants: this editor does not offer the tool ${name}`),
  );
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
