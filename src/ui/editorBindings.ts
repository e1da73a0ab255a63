import * as vscode from "vscode";
import { contextKeys, settingKeys } from "../contributions.ts";
import type { Desk } from "../desk/desk.ts";
import { errorLine } from "../desk/errorLine.ts";
import { reportOnChange } from "../desk/reportOnChange.ts";
import { Disposable } from "../desk/disposable.ts";
import { registerCommands } from "./commands.ts";
import { onDidChangeSettings, profileKeys, refreshIntervalMs, accountSetting } from "./settings.ts";
import type { CredentialStore } from "./venue/credentialStore.ts";
import type { WindowAccount } from "./venue/windowAccount.ts";

/**
 * Live profile settings are written one by one, in this or another window. The exchange is reopened this many ms after
 * the last one.
 */
const DEBOUNCE_MS = 1000;

/** Applies changes of focus, settings and keys to the desk, and logs the desk's events. */
export function bindEditor(
  desk: Desk,
  store: CredentialStore,
  { log, windowAccount }: { readonly log: vscode.LogOutputChannel; readonly windowAccount: WindowAccount },
): Disposable {
  const { venue, tickers, balances, windows } = desk;
  const logProblem = (name: string): ((problem: unknown) => void) =>
    reportOnChange((problem) => {
      if (problem === undefined) log.info(`${name}: read again`);
      else log.warn(`${name}: ${errorLine(problem)}`);
    });
  const [logTickerProblem, logWalletProblem] = [logProblem("Ticker"), logProblem("Wallet")];
  let unreadable = 0;
  const noteKind = (): void =>
    void vscode.commands.executeCommand("setContext", contextKeys.isLive, venue.account.kind === "live");
  noteKind();
  let cancelOpening: (() => void) | undefined;
  return new Disposable(
    venue.onDidChange(noteKind),
    venue.onDidChange((state) => {
      if (state.kind === "unusable")
        log.warn(`The ${state.account.kind} exchange cannot be used: ${errorLine(state.error)}`);
      if (state.kind === "ready")
        log.info(`The exchange is ${state.venue.name} at ${state.venue.profile.baseUrl.origin}`);
    }),
    tickers.onDidChangePaced(({ state: { problem, unreadable: left } }) => {
      if (!windows.reads("market")) return;
      logTickerProblem(problem);
      if (left !== unreadable) log.warn(`Ticker: ${left} pairs could not be read and were left out`);
      unreadable = left;
    }),
    balances.onDidChange(({ problem }) => {
      if (windows.reads("balance")) logWalletProblem(problem);
    }),
    windows.onDidChangeRole((role) => log.debug(`Role of this window: ${role}`)),
    registerCommands({ showLog: () => log.show() }),
    vscode.window.onDidChangeWindowState((state) => desk.windowChanged(state)),
    store.onDidChange(() => venue.changeKey()),
    onDidChangeSettings([settingKeys.refreshSeconds], () =>
      windows.setDemand({ intervalMs: refreshIntervalMs() }),
    ),
    onDidChangeSettings([settingKeys.liveMarkets], () => {
      desk.stream?.update();
      desk.bookStream?.update();
    }),
    onDidChangeSettings([settingKeys.venue], () => windowAccount.followSettings()),
    onDidChangeSettings(profileKeys, () => {
      if (accountSetting().kind !== "live") return;
      cancelOpening?.();
      cancelOpening = desk.timers.after(DEBOUNCE_MS, () => {
        if (accountSetting().kind === "live") windowAccount.followSettings();
      });
    }),
    () => cancelOpening?.(),
  );
}
