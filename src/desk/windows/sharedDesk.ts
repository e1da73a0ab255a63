import { SharedBalance, type SharedBalanceOptions } from "./sharedBalance.ts";
import { SharedMarket, type SharedMarketOptions } from "./sharedMarket.ts";
import type { Windows } from "./windows.ts";

/** What the windows of this computer share: one market and one balance, requested by one of them. */
export class SharedDesk {
  readonly windows: Windows;
  readonly market: SharedMarket;
  readonly balance: SharedBalance;

  constructor(options: SharedMarketOptions & SharedBalanceOptions) {
    this.windows = options.windows;
    this.market = new SharedMarket(options);
    this.balance = new SharedBalance(options);
  }

  dispose(): void {
    this.market.dispose();
    this.balance.dispose();
    this.windows.dispose();
  }
}
