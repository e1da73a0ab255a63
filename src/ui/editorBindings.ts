import * as vscode from "vscode";
import { contextKeys, settingKeys } from "../contributions.ts";
import type { Desk } from "../desk/desk.ts";
import { errorLine } from "../desk/errorLine.ts";
import { reportOnChange } from "../desk/reportOnChange.ts";
import { Disposable } from "../desk/disposable.ts";
import { registerCommands } from "./commands.ts";
import { onDidChangeSettings, refreshIntervalMs } from "./settings.ts";
import type { CredentialStore } from "./venue/credentialStore.ts";

/** Applies changes of focus, settings and keys to the desk, and logs the desk's events. */
export function bindEditor(desk: Desk, store: CredentialStore, log: vscode.LogOutputChannel): Disposable {
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
  );
}
