import * as vscode from "vscode";
import { commandIds, viewIds } from "../contributions.ts";
import { symbolOf } from "./markets/marketRows.ts";
import { explain } from "./text/errorText.ts";
import type { Desk } from "../desk/desk.ts";
import type { BidForm } from "./ticket/bidForm.ts";
import type { CredentialStore } from "./venue/credentialStore.ts";
import type { PracticeVenue } from "./venue/practiceVenue.ts";

export interface CommandParts {
  readonly desk: Desk;
  readonly store: CredentialStore;
  readonly bidForm: BidForm;
  readonly practice: PracticeVenue;
  readonly memento: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

/** Registers every contributed command. Parts that only one command needs are loaded at its first call. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { desk, store, bidForm, practice, memento, log } = parts;
  const { venue, tickers, balances, shared, orders, timers } = desk;
  const commands: Record<keyof typeof commandIds, (...given: unknown[]) => unknown> = {
    placeBid: (row) => {
      const symbol = symbolOf(row);
      return bidForm.open(symbol === undefined ? {} : { symbol });
    },
    refresh: () =>
      vscode.window.withProgress({ location: { viewId: viewIds.markets } }, () => desk.refresh()),
    setUpLive: async (step) =>
      (await import("./venue/setUpLive.ts")).setUpLive(
        { timers, log, store, memento, createClient: (opening) => desk.createClient(opening) },
        step,
      ),
    setCredentials: async () =>
      (await import("./venue/credentialsPrompt.ts")).setCredentials(venue.venue, store),
    removeCredentials: async () =>
      (await import("./venue/credentialsPrompt.ts")).removeCredentials(venue.venue, store),
    testConnection: async () => {
      if (venue.venue) {
        const { showConnectionTest } = await import("./venue/connectionPick.ts");
        return await showConnectionTest(venue.venue, timers, log);
      }
      const { state } = venue;
      if (state.kind !== "unusable") return undefined;
      const { sentence, action } = explain(state.error, vscode.l10n.t("The exchange"));
      const chosen = await vscode.window.showErrorMessage(sentence, action.title);
      if (chosen === action.title)
        await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
      return undefined;
    },
    switchVenue: async () => (await import("./venue/venuePick.ts")).switchVenue(),
    showBalance: async () => (await import("./wallet/balancePick.ts")).showBalance(balances, tickers, venue),
    resetPractice: async () => {
      const { resetPractice } = await import("./venue/resetPractice.ts");
      return await resetPractice({ venue, orders, practice, balance: shared.balance, log });
    },
    showLog: () => log.show(),
  };
  const names = Object.keys(commandIds) as (keyof typeof commandIds)[];
  return vscode.Disposable.from(
    ...names.map((name) => vscode.commands.registerCommand(commandIds[name], commands[name])),
  );
}
