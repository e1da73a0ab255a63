import * as vscode from "vscode";
import { Desk } from "./desk/desk.ts";
import { portsOf, practiceOf } from "./ports.ts";
import { AlertsView } from "./ui/alerts/alertsView.ts";
import { showAssistants } from "./ui/assistant/assistants.ts";
import { Charts } from "./ui/chart/charts.ts";
import { bindEditor } from "./ui/editorBindings.ts";
import { Markets } from "./ui/markets/markets.ts";
import { showOrders } from "./ui/orders/orders.ts";
import { venueSetting } from "./ui/settings.ts";
import { Ticket } from "./ui/ticket/ticket.ts";
import { CredentialStore } from "./ui/venue/credentialStore.ts";
import { registerVenueCommands } from "./ui/venue/venueCommands.ts";
import { showWallet } from "./ui/wallet/wallet.ts";

/** Builds the desk, and shows it in the editor. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Bidside", { log: true });
  const store = new CredentialStore(context.secrets);
  const practice = practiceOf(context);
  const desk: Desk = new Desk({
    ...portsOf(context, store, practice, log),
    loadAnnounce: async () => {
      const { announce } = await import("./ui/alerts/announcement.ts");
      return (alert) => announce(alert, desk, ticket);
    },
  });
  const ticket = new Ticket(context, desk);
  const markets = new Markets(context, desk);
  context.subscriptions.push(
    log,
    desk,
    practice,
    ticket,
    markets,
    showWallet(desk),
    showOrders(desk, ticket, markets),
    new AlertsView(desk, markets),
    new Charts(context, desk, markets, ticket),
    showAssistants(context, desk, ticket),
    registerVenueCommands(context, desk, store, practice),
    bindEditor(desk, store, log),
  );
  void desk.venue.select(venueSetting());
}
