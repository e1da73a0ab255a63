import * as vscode from "vscode";
import { Desk } from "./desk/desk.ts";
import type { SendOutcome } from "./desk/notifications/channel.ts";
import type { Firing } from "./desk/notifications/firing.ts";
import { createTransport } from "./http/transport.ts";
import { portsOf, practiceOf, userAgentOf } from "./ports.ts";
import { AlertsView } from "./ui/alerts/alertsView.ts";
import { announce } from "./ui/alerts/announcement.ts";
import { showAssistants } from "./ui/assistant/assistants.ts";
import { Charts } from "./ui/chart/charts.ts";
import { bindEditor } from "./ui/editorBindings.ts";
import { ActivePair } from "./ui/activePair.ts";
import { followFirstLook } from "./ui/firstLook.ts";
import { Markets } from "./ui/markets/markets.ts";
import {
  type OutsideParts,
  outsideChannels,
  registerAlertChannels,
} from "./ui/notifications/alertChannels.ts";
import { fillText, messageOf } from "./ui/notifications/messageText.ts";
import { WebhookStore } from "./ui/notifications/webhookStore.ts";
import { FillMessages } from "./ui/orders/fillMessages.ts";
import { showOrders } from "./ui/orders/orders.ts";
import { OrdersView } from "./ui/orders/ordersView.ts";
import { showPortfolio } from "./ui/portfolio/portfolioPage.ts";
import { SelectedLine } from "./ui/selectedLine.ts";
import { announcedFills } from "./ui/settings.ts";
import { accountText } from "./ui/text/accountText.ts";
import { shownAmounts } from "./ui/text/amountText.ts";
import { Ticket } from "./ui/ticket/ticket.ts";
import { CredentialStore } from "./ui/venue/credentialStore.ts";
import { registerVenueCommands } from "./ui/venue/venueCommands.ts";
import { WindowAccount } from "./ui/venue/windowAccount.ts";
import { followWalkthrough } from "./ui/walkthrough.ts";
import { showWallet } from "./ui/wallet/wallet.ts";

/** Builds the desk and its user interface. Everything is registered with the editor when this returns. */
export function start(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Bidside", { log: true });
  const store = new CredentialStore(context.secrets);
  const practice = practiceOf(context);
  const outside: OutsideParts = {
    transport: createTransport(),
    userAgent: userAgentOf(context),
    webhooks: new WebhookStore(context.secrets),
  };
  const desk: Desk = new Desk({
    ...portsOf(context, store, practice, () => desk.accounts, log),
    channels: [
      { id: "toast", isOn: () => true, send: toast },
      ...outsideChannels(outside, (firing) => messageOf(firing, desk)),
    ],
  });
  async function toast(firing: Firing): Promise<SendOutcome> {
    if (firing.kind === "alert") announce(firing.alert, desk, ticket);
    else if (firing.change) fills.add(firing.change);
    // Another window read these fills, and was closed before it announced them.
    else if (announcedFills() === "on") void vscode.window.showInformationMessage(fillText(firing));
    return { kind: "sent" };
  }
  const windowAccount = new WindowAccount(desk, context.workspaceState);
  const activePair = new ActivePair(desk.tickers);
  const markets = new Markets(desk, activePair);
  const ticket = new Ticket(context, desk, { activePair, symbols: () => markets.symbols });
  const ordersView = new OrdersView(desk);
  const selectedLine = new SelectedLine();
  const fills = new FillMessages({
    timers: desk.timers,
    amounts: shownAmounts,
    which: announcedFills,
    reveal: (name) => void ordersView.reveal(name),
    isInView: (name) => ticket.isShowing(name),
    accountText: (name) => accountText(name, desk.accounts),
  });
  const charts = new Charts(context, { desk, activePair, markets, ticket, selectedLine });
  context.subscriptions.push(
    log,
    desk,
    practice,
    markets,
    ticket,
    showWallet(desk, selectedLine),
    showPortfolio(context, desk),
    ordersView,
    fills,
    showOrders(desk, ordersView, { ticket, selectedLine }),
    new AlertsView(desk, markets, { activePair, selectedLine }),
    registerAlertChannels(outside, {
      now: desk.timers.now,
      notifications: desk.notifications,
    }),
    charts,
    showAssistants(context, desk, ticket),
    windowAccount,
    registerVenueCommands(context, { desk, store, practice, windowAccount }),
    bindEditor(desk, store, log),
    followWalkthrough(context.globalState, desk),
    followFirstLook(context.globalState, { tickers: desk.tickers, markets, charts, ticket }),
  );
  windowAccount.begin();
}
