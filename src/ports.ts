import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import type { DeskPorts } from "./desk/deskPorts.ts";
import { monotonicTimers, systemTimers } from "./desk/time/timers.ts";
import { thisComputer } from "./files/computer.ts";
import { recordsPlace } from "./ui/recordsPlace.ts";
import { windowsOf } from "./ui/openWindows.ts";
import { historyMaximumBytes, liveMarketsAreOn, orderLimits, refreshIntervalMs } from "./ui/settings.ts";
import { late as everythingLate } from "./late.ts";
import type { CredentialStore } from "./ui/venue/credentialStore.ts";
import { PracticeVenue } from "./ui/venue/practiceVenue.ts";

type Late = typeof everythingLate;

/** Everything, as a function: to be removed. */
export function late(): Promise<Late> {
  return Promise.resolve(everythingLate);
}

/** The practice exchange, which keeps its account in the extension's storage. Its code is loaded when it is opened. */
export function practiceOf(context: vscode.ExtensionContext): PracticeVenue {
  const directory = join(context.globalStorageUri.fsPath, "practice");
  return new PracticeVenue({
    start: async () => {
      const { openAppendLog, openPractice } = await late();
      const openLog = (file: string) => openAppendLog({ path: file, sync: false });
      return await openPractice({ directory, now: systemTimers.now, timers: monotonicTimers, openLog });
    },
    readProfile: async (draft) => (await late()).readProfile(draft),
  });
}

/** The desk's ports on the editor, its settings and this computer. */
export function portsOf(
  context: vscode.ExtensionContext,
  store: CredentialStore,
  practice: PracticeVenue,
  log: vscode.LogOutputChannel,
): Omit<DeskPorts, "loadAnnounce"> {
  const { version } = context.extension.packageJSON as { readonly version: string };
  const userAgent = `Bidside/${version}`;
  return {
    timers: systemTimers,
    random: Math.random,
    newId: randomUUID,
    computer: thisComputer,
    ...recordsPlace(context, log),
    late,
    openVenue: { practice: () => practice.open(), live: async () => (await late()).openLive(store) },
    createClient: async (options) => (await late()).createClient({ ...options, userAgent }),
    stream: {
      load: async () => {
        const { openWebSocket } = await late();
        return (url, events) => openWebSocket(url, events, { "User-Agent": userAgent });
      },
      isOn: liveMarketsAreOn,
    },
    openWindows: windowsOf(context, late),
    window: vscode.window.state,
    isInFront: () => vscode.window.state.focused,
    settings: { limits: orderLimits, refreshInterval: refreshIntervalMs, historyMaximumBytes },
    ask: {
      confirmBeyond: async (...question) => (await late()).confirmBeyond(...question),
      confirm: async (...question) => (await late()).confirmOrder(...question),
    },
    confirmCancel: async (question) => (await late()).confirmCancel(question),
    sayClientIdsIgnored: async (venue) => {
      log.warn(`${venue.name} ignores client order ids: it gets no more of them`);
      await (await late()).sayClientIdsIgnored(venue);
    },
    sayOrdersLeftOut: async (venue) => {
      log.warn(`${venue.name} reports more orders than the journal takes: some are left out`);
      await (await late()).sayOrdersLeftOut(venue);
    },
    log,
  };
}
