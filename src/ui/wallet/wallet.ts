import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { registerCommands } from "../commands.ts";
import { amountsAreHidden, save, statusBarIsHidden } from "../settings.ts";
import type { SelectedLine } from "../selectedLine.ts";
import { showBalanceItem } from "./balanceItem.ts";
import { showBalance } from "./balancePick.ts";
import { enterCost } from "./costPrompt.ts";
import { addHolding, editHolding } from "./elsewherePrompt.ts";
import { askHiddenBelow } from "./smallBalances.ts";
import { chooseValueAsset } from "./valueAsset.ts";
import { showWalletView } from "./walletView.ts";

/** Showing amounts also brings back the status bar's items, which are never hidden without the amounts. */
async function hideAmounts(hidden: boolean): Promise<void> {
  if (!hidden && statusBarIsHidden()) await save(settingKeys.hideStatusBar, undefined);
  await save(settingKeys.hideAmounts, hidden);
}

/** The Wallet view, the balance in the status bar, and their commands. */
export function showWallet(desk: Desk, selectedLine: SelectedLine): Disposable {
  return new Disposable(
    showWalletView(desk, selectedLine),
    showBalanceItem(desk),
    registerCommands({
      showBalance: () => showBalance(desk),
      enterCost: (row) => enterCost(desk, row),
      addHolding: () => addHolding(desk),
      editHolding: (row) => editHolding(desk, row),
      togglePrivacy: () => hideAmounts(!amountsAreHidden()),
      toggleHidden: () => save(settingKeys.hideStatusBar, statusBarIsHidden() ? undefined : true),
      // Not a toggle, because a double click must not hide them again.
      showAmounts: () => hideAmounts(false),
      showValuesIn: () => chooseValueAsset(desk),
      hideSmallBalances: () => askHiddenBelow(desk),
    }),
  );
}
