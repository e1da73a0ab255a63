import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { registerCommands } from "../commands.ts";
import { save, shownAmounts } from "../settings.ts";
import { BalanceItem } from "./balanceItem.ts";
import { WalletView } from "./walletView.ts";

const togglePrivacy = (): Promise<void> => save(settingKeys.hideAmounts, !shownAmounts().areHidden);

/** The Wallet view, the balance in the status bar, and their commands. */
export function showWallet(desk: Desk): vscode.Disposable {
  return vscode.Disposable.from(
    new WalletView(desk),
    new BalanceItem(desk),
    registerCommands({
      showBalance: async () => (await import("./balancePick.ts")).showBalance(desk),
      enterCost: async (row) => (await import("./costPrompt.ts")).enterCost(desk, row),
      togglePrivacy,
      showAmounts: togglePrivacy,
    }),
  );
}
