import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { registerCommands } from "../commands.ts";
import { save, shownAmounts } from "../settings.ts";
import { BalanceItem } from "./balanceItem.ts";
import type { showBalance } from "./balancePick.ts";
import type { enterCost } from "./costPrompt.ts";
import { type LateWalletView, WalletView } from "./walletView.ts";

/** What the wallet needs at its first use. */
interface LateWallet extends LateWalletView {
  readonly enterCost: typeof enterCost;
  readonly showBalance: typeof showBalance;
}

const hideAmounts = (hidden: boolean): Promise<void> => save(settingKeys.hideAmounts, hidden);

/** The Wallet view, the balance in the status bar, and their commands. */
export function showWallet(desk: Desk, late: () => Promise<LateWallet>): vscode.Disposable {
  return vscode.Disposable.from(
    new WalletView(desk, late),
    new BalanceItem(desk),
    registerCommands({
      showBalance: async () => (await late()).showBalance(desk),
      enterCost: async (row) => (await late()).enterCost(desk, row),
      togglePrivacy: () => hideAmounts(!shownAmounts().areHidden),
      // A double click must not hide the amounts again.
      showAmounts: () => hideAmounts(false),
    }),
  );
}
