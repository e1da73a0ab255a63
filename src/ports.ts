import { randomUUID } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import type { DeskPorts } from "./desk/deskPorts.ts";
import { monotonicTimers, systemTimers } from "./desk/time/timers.ts";
import { thisComputer } from "./files/computer.ts";
import { windowsOf } from "./ui/openWindows.ts";
import { historyMaximumBytes, liveMarketsAreOn, orderLimits, refreshIntervalMs } from "./ui/settings.ts";
import type { CredentialStore } from "./ui/venue/credentialStore.ts";
import { openLive } from "./ui/venue/liveVenue.ts";
import { PracticeVenue } from "./ui/venue/practiceVenue.ts";

/** The practice exchange, which keeps its account in the extension's storage. Its code is loaded when it is opened. */
export function practiceOf(context: vscode.ExtensionContext): PracticeVenue {
  const directory = path.join(context.globalStorageUri.fsPath, "practice");
  return new PracticeVenue(async () => {
    const { openPractice } = await import("./practice/embedded.ts");
    const { openAppendLog } = await import("./storage/appendLog.ts");
    const openLog = (file: string) => openAppendLog({ path: file, sync: false });
    return await openPractice({ directory, now: systemTimers.now, timers: monotonicTimers, openLog });
  });
}

/** The desk's ports on the editor, its settings and this computer. */
export function portsOf(
  context: vscode.ExtensionContext,
  store: CredentialStore,
  practice: PracticeVenue,
  log: vscode.LogOutputChannel,
): Omit<DeskPorts, "loadAnnounce"> {
  return {
    timers: systemTimers,
    random: Math.random,
    newId: randomUUID,
    computer: thisComputer,
    storage: context.globalStorageUri.fsPath,
    openVenue: { practice: () => practice.open(), live: () => openLive(store) },
    createClient: async (options) => (await import("./exchange/client.ts")).createClient(options),
    stream: {
      load: async () => (await import("./exchange/stream/socket.ts")).openWebSocket,
      isOn: liveMarketsAreOn,
    },
    openWindows: windowsOf(context),
    window: vscode.window.state,
    isInFront: () => vscode.window.state.focused,
    settings: { limits: orderLimits, refreshInterval: refreshIntervalMs, historyMaximumBytes },
    ask: {
      confirmBeyond: async (...question) =>
        (await import("./ui/ticket/confirmation.ts")).confirmBeyond(...question),
      confirm: async (...question) => (await import("./ui/ticket/confirmation.ts")).confirmOrder(...question),
    },
    confirmCancel: async (question) =>
      (await import("./ui/orders/cancelQuestion.ts")).confirmCancel(question),
    sayClientIdsIgnored: async (venue) => {
      log.warn(`${venue.name} ignores client order ids: it gets no more of them`);
      await (await import("./ui/ticket/clientIdNotice.ts")).sayClientIdsIgnored(venue);
    },
    log,
  };
}
