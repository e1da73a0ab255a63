import * as vscode from "vscode";
import { Desk } from "./desk/desk.ts";
import { mainQuote } from "./market/ticker.ts";
import { portsOf, practiceOf } from "./ports.ts";
import { AlertsView } from "./ui/alerts/alertsView.ts";
import { Charts } from "./ui/chart/charts.ts";
import { registerCommands } from "./ui/commands.ts";
import { followWindow } from "./ui/editorBindings.ts";
import { Watching } from "./ui/markets/markets.ts";
import { showOrders } from "./ui/orders/orders.ts";
import { venueSetting } from "./ui/settings.ts";
import { BidForm } from "./ui/ticket/bidForm.ts";
import { CredentialStore } from "./ui/venue/credentialStore.ts";
import { BalanceItem } from "./ui/wallet/balanceItem.ts";

/** Builds the desk, and shows it in the editor. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, globalState: memento } = context;
  const log = vscode.window.createOutputChannel("Bidside", { log: true });
  const store = new CredentialStore(context.secrets);
  const practice = practiceOf(context);
  const desk: Desk = new Desk({
    ...portsOf(context, { store, practice, log }),
    loadAnnounce: async () => {
      const { announce } = await import("./ui/alerts/announcement.ts");
      return (alert) => announce(alert, { desk, bidForm, log });
    },
  });
  const bidForm = new BidForm({ desk, extensionUri, log });
  const watching = new Watching(memento, desk);
  const { markets, pickPair, rowMeant } = watching;
  const balanceItem = new BalanceItem(desk.balances, desk.venue, desk.orders, () =>
    mainQuote(desk.tickers.state.tickers.values()),
  );
  const parts = [log, desk, practice, watching, balanceItem, bidForm];
  context.subscriptions.push(
    ...parts,
    new AlertsView({ desk, pickPair, log }),
    new Charts({ desk, extensionUri, bidForm, pickPair, rowMeant, log }),
    showOrders({ desk, bidForm, log }),
    registerCommands({ desk, store, bidForm, practice, memento, log }),
    followWindow({ desk, balanceItem, markets, store, log }),
  );
  void desk.venue.select(venueSetting());
}
