import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import type { AccountList } from "./desk/accounts/accountList.ts";
import type { DeskPorts } from "./desk/deskPorts.ts";
import { monotonicTimers, systemTimers } from "./time/timers.ts";
import { createClient } from "./exchange/client.ts";
import { withPauses } from "./exchange/stream/pauses.ts";
import { openWebSocket } from "./exchange/stream/socket.ts";
import { thisSystem } from "./files/operatingSystem.ts";
import { openPractice } from "./practice/embedded.ts";
import { openAppendLog } from "./storage/appendLog.ts";
import { storedWatchLists } from "./ui/markets/storedWatchLists.ts";
import { windowsOf } from "./ui/openWindows.ts";
import { confirmCancel } from "./ui/orders/cancelQuestion.ts";
import { warnOrdersOmitted } from "./ui/orders/omittedOrdersNotice.ts";
import { recordsFolder } from "./ui/recordsFolder.ts";
import {
  historyMaximumBytes,
  liveMarketsAreOn,
  orderLimits,
  refreshIntervalMs,
  valuesIn,
} from "./ui/settings.ts";
import { notifyClientIdsIgnored } from "./ui/ticket/clientIdNotice.ts";
import { confirmBeyond, confirmOrder } from "./ui/ticket/confirmation.ts";
import type { CredentialStore } from "./ui/venue/credentialStore.ts";
import { openLive } from "./ui/venue/liveVenue.ts";
import { PracticeVenue } from "./ui/venue/practiceVenue.ts";

const openLog = (path: string) => openAppendLog({ path, sync: false });

/** The practice exchange, whose account is kept in the extension's storage. */
export function practiceOf(context: vscode.ExtensionContext): PracticeVenue {
  const directory = join(context.globalStorageUri.fsPath, "practice");
  return new PracticeVenue(() =>
    openPractice({ directory, now: systemTimers.now, timers: monotonicTimers, openLog }),
  );
}

/** How requests name this extension. */
export function userAgentOf(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { readonly version: string };
  return `Bidside/${version}`;
}

/** Connects the desk's ports to the editor, its settings and this computer. */
export function portsOf(
  context: vscode.ExtensionContext,
  store: CredentialStore,
  practice: PracticeVenue,
  accounts: () => AccountList,
  log: vscode.LogOutputChannel,
): Omit<DeskPorts, "channels"> {
  const userAgent = userAgentOf(context);
  return {
    timers: systemTimers,
    monotonicNow: monotonicTimers.now,
    random: Math.random,
    newId: randomUUID,
    os: thisSystem,
    storage: recordsFolder(context, log),
    watchLists: storedWatchLists(context.globalState),
    openVenue: async (account) =>
      account.kind === "practice" ? await practice.open() : openLive(store, accounts(), account),
    createClient: (options) => createClient({ ...options, userAgent }),
    stream: {
      open: withPauses(
        (url, events) => openWebSocket(url, events, { "User-Agent": userAgent }),
        systemTimers.now,
      ),
      isOn: liveMarketsAreOn,
    },
    openWindows: windowsOf(context),
    window: vscode.window.state,
    isInFront: () => vscode.window.state.focused,
    settings: { limits: orderLimits, refreshInterval: refreshIntervalMs, valuesIn, historyMaximumBytes },
    ask: { confirmBeyond, confirm: confirmOrder },
    confirmCancel,
    sayClientIdsIgnored: (venue) => {
      log.warn(`${venue.name} ignores client order ids: it gets no more of them`);
      void notifyClientIdsIgnored(venue);
    },
    sayOrdersLeftOut: (venue) => {
      log.warn(`${venue.name} reports more orders than the journal takes: some are left out`);
      void warnOrdersOmitted(venue);
    },
    log,
  };
}
