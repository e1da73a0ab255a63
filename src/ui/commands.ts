import * as vscode from "vscode";
import { commandIds, viewIds } from "../contributions.ts";
import type { BalanceFeed } from "../desk/balanceFeed.ts";
import type { Orders } from "../desk/orders.ts";
import type { SharedDesk } from "../desk/sharedDesk.ts";
import type { TickerFeed } from "../desk/tickerFeed.ts";
import type { Timers } from "../desk/timers.ts";
import type { CurrentVenue, VenueOpening } from "../desk/venue.ts";
import type { ExchangeClient } from "../exchange/client.ts";
import type { BidForm } from "./bidForm.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { explain } from "./errorText.ts";
import { symbolOf } from "./marketRows.ts";
import type { PracticeVenue } from "./practiceVenue.ts";

export interface CommandParts {
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  readonly shared: SharedDesk;
  readonly store: CredentialStore;
  readonly bidForm: BidForm;
  readonly orders: Orders;
  readonly practice: PracticeVenue;
  readonly timers: Timers;
  readonly memento: vscode.Memento;
  readonly createClient: (opening: VenueOpening) => Promise<ExchangeClient>;
  readonly log: vscode.LogOutputChannel;
}

/** Registers every contributed command. Parts that only one command needs are loaded at its first call. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { venue, tickers, balances, shared, store, bidForm, orders, practice, timers, log } = parts;
  const commands: Record<keyof typeof commandIds, (...given: unknown[]) => unknown> = {
    placeBid: (row) => {
      const symbol = symbolOf(row);
      return bidForm.open(symbol === undefined ? {} : { symbol });
    },
    refresh: () =>
      vscode.window.withProgress({ location: { viewId: viewIds.markets } }, async () => {
        if (!venue.venue) return await venue.select(venue.id);
        shared.balance.refresh();
        await shared.market.refresh();
      }),
    setUpLive: async (step) => (await import("./setUpLive.ts")).setUpLive(parts, step),
    setCredentials: async () => (await import("./credentialsPrompt.ts")).setCredentials(venue.venue, store),
    removeCredentials: async () =>
      (await import("./credentialsPrompt.ts")).removeCredentials(venue.venue, store),
    testConnection: async () => {
      if (venue.venue) {
        const { showConnectionTest } = await import("./connectionPick.ts");
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
    switchVenue: async () => (await import("./venuePick.ts")).switchVenue(),
    showBalance: async () => (await import("./balancePick.ts")).showBalance(balances, tickers, venue),
    resetPractice: async () => {
      const { resetPractice } = await import("./resetPractice.ts");
      return await resetPractice({ venue, orders, practice, balance: shared.balance, log });
    },
    showLog: () => log.show(),
  };
  const names = Object.keys(commandIds) as (keyof typeof commandIds)[];
  return vscode.Disposable.from(
    ...names.map((name) => vscode.commands.registerCommand(commandIds[name], commands[name])),
  );
}
