import type { AccountList } from "../../desk/accounts/accountList.ts";
import type { VenueOpening } from "../../desk/venue.ts";
import { readProfile } from "../../exchange/profile.ts";
import type { Account } from "../../market/account.ts";
import { ProfileError } from "../text/profileError.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { profileOf } from "./profileOf.ts";

/** The exchange of a live account, with its key. */
export function openLive(
  store: CredentialStore,
  accounts: Pick<AccountList, "live">,
  account: Account,
): VenueOpening {
  const profile = readProfile(profileOf(accounts, account));
  if (Array.isArray(profile)) throw new ProfileError(profile);
  const { host, origin } = profile.baseUrl;
  const isNamed = account.label !== host;
  return {
    name: isNamed ? `${account.label} · ${host}` : host,
    label: isNamed || accounts.live.length > 1 ? account.label : undefined,
    profile,
    credentials: () => store.read({ account: account.id, origin }),
    addressMayChange: false,
  };
}
