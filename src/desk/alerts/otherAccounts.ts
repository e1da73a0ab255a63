import { isDeepStrictEqual } from "node:util";
import type { Account } from "../../market/account.ts";
import type { AccountList } from "../accounts/accountList.ts";
import { Disposable } from "../disposable.ts";
import type { CurrentVenue } from "../venue.ts";
import type { WindowGroup } from "../windows/windowGroup.ts";
import type { Alerts } from "./alerts.ts";

interface OtherAccountsOptions {
  readonly alerts: Alerts;
  readonly accounts: AccountList;
  readonly allWindows: WindowGroup;
  /** The account of this window. */
  readonly venue: CurrentVenue;
  /** Watches an account's market, without a key, until it is disposed of. */
  readonly watch: (account: Account) => { dispose(): void };
}

/**
 * Watches the markets of accounts that have waiting alerts and that no window shows. The window that leads all windows
 * does it.
 */
export class OtherAccounts extends Disposable {
  readonly #options: OtherAccountsOptions;
  readonly #watched = new Map<string, { readonly account: Account; readonly market: { dispose(): void } }>();

  constructor(options: OtherAccountsOptions) {
    super();
    this.#options = options;
    const { alerts, accounts, allWindows, venue } = options;
    const update = (): void => this.#watch(this.#wanted());
    this.register(
      alerts.onDidChange(update),
      accounts.onDidChange(update),
      allWindows.onDidChangeRole(update),
      allWindows.onDidChangeDemands(update),
      venue.onDidChange(update),
      () => this.#watch([]),
    );
    update();
  }

  #wanted(): readonly Account[] {
    const { alerts, accounts, allWindows, venue } = this.#options;
    if (allWindows.role !== "leader") return [];
    const shown = new Set([venue.account.id, ...allWindows.followers.map(({ demand }) => demand.shows)]);
    return [...alerts.waitingAccounts].flatMap((id) => (shown.has(id) ? [] : (accounts.get(id) ?? [])));
  }

  #watch(wanted: readonly Account[]): void {
    for (const [id, { account, market }] of this.#watched) {
      if (wanted.some((each) => isDeepStrictEqual(each, account))) continue;
      this.#watched.delete(id);
      market.dispose();
    }
    for (const account of wanted)
      if (!this.#watched.has(account.id))
        this.#watched.set(account.id, { account, market: this.#options.watch(account) });
  }
}
