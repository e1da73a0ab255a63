import * as path from "node:path";
import * as vscode from "vscode";
import { BalanceFeed } from "./desk/feeds/balanceFeed.ts";
import { TickerFeed } from "./desk/feeds/tickerFeed.ts";
import { systemTimers } from "./desk/time/timers.ts";
import { WakeDetector } from "./desk/time/wakeDetector.ts";
import { CurrentVenue, type VenueOpening } from "./desk/venue.ts";
import { Presence } from "./desk/windows/presence.ts";
import { SharedDesk } from "./desk/windows/sharedDesk.ts";
import { RateLimits } from "./exchange/rateLimits.ts";
import { mainQuote } from "./market/ticker.ts";
import { AlertsView } from "./ui/alerts/alertsView.ts";
import { Charts } from "./ui/chart/charts.ts";
import { registerCommands } from "./ui/commands.ts";
import { followWindow } from "./ui/editorBindings.ts";
import { createLog } from "./ui/log.ts";
import { Watching } from "./ui/markets/markets.ts";
import { createWindows } from "./ui/openWindows.ts";
import { createOrders, showOrders } from "./ui/orders/orders.ts";
import { refreshIntervalMs, venueSetting } from "./ui/settings.ts";
import { BidForm } from "./ui/ticket/bidForm.ts";
import { CredentialStore } from "./ui/venue/credentialStore.ts";
import { openLive } from "./ui/venue/liveVenue.ts";
import { PracticeVenue } from "./ui/venue/practiceVenue.ts";
import { BalanceItem } from "./ui/wallet/balanceItem.ts";

const BALANCE_INTERVAL_MS = 30_000;

/** Composition root: builds the parts, wires them, disposes of them. */
export function activate(context: vscode.ExtensionContext): void {
  const [timers, random] = [new WakeDetector(systemTimers), Math.random];
  const { now } = timers;
  const [log, blocks] = [createLog(), new RateLimits()];
  const { extensionUri } = context;
  const storage = context.globalStorageUri.fsPath;
  const store = new CredentialStore(context.secrets);
  const practice = new PracticeVenue(async () => {
    const { openPractice } = await import("./practice/embedded.ts");
    const { openAppendLog } = await import("./storage/appendLog.ts");
    const openLog = (file: string) => openAppendLog({ path: file, sync: false });
    return await openPractice({ directory: path.join(storage, "practice"), now, openLog });
  });
  const createClient = async ({ profile, credentials }: VenueOpening) => {
    const { createClient: create } = await import("./exchange/client.ts");
    return create({ profile, credentials, now, log, blocks });
  };
  const open = { practice: () => practice.open(), live: () => openLive(store) };
  const venue = new CurrentVenue({ open, createClient });
  const windows = createWindows(context, now, log);
  const presence = new Presence(timers, vscode.window.state.active);
  const noteInput = (): void => presence.noteInput();
  const reading = (subject: "market" | "balance") => {
    return { venue, timers, random, begin: () => windows.beginRead(subject) };
  };
  const tickers = new TickerFeed({ ...reading("market"), intervalMs: refreshIntervalMs() });
  const balances = new BalanceFeed({ ...reading("balance"), intervalMs: BALANCE_INTERVAL_MS });
  const shared = new SharedDesk({ windows, venue, tickers, balances, timers });
  const desk = { venue, tickers, balances, shared };
  const { orders, folder } = createOrders(context, now, log);
  const { globalState: memento } = context;
  const watching = new Watching(memento, { venue, tickers, balances, timers });
  const balanceItem = new BalanceItem(balances, venue, orders, () =>
    mainQuote(tickers.state.tickers.values()),
  );
  const form = { extensionUri, venue, tickers, balances, shared, orders, timers, noteInput, log };
  const bidForm = new BidForm(form);
  const { markets, pickPair, rowMeant } = watching;
  const shown = { windows, venue, tickers, bidForm, timers, noteInput, log, pickPair, rowMeant };
  const alerts = new AlertsView({ ...shown, folder: path.join(storage, "alerts") });
  const charts = new Charts({ ...shown, extensionUri, historyFolder: path.join(storage, "history") });
  const feeds = [shared, tickers, balances.poll];
  const parts = [log, timers, presence, practice, ...feeds, watching, balanceItem, bidForm, alerts, charts];
  context.subscriptions.push(
    ...parts,
    showOrders({ ...desk, orders, bidForm, folder, timers, random, log }),
    registerCommands({ ...desk, store, bidForm, orders, practice, timers, log, memento, createClient }),
    followWindow({ ...desk, presence, balanceItem, markets, store, log }),
  );
  void venue.select(venueSetting());
}
