import type { AccountList } from "../../desk/accounts/accountList.ts";
import { draftOf, type ProfileDraft } from "../../exchange/profile.ts";
import type { Account } from "../../market/account.ts";

/** The profile of a live account, unvalidated; without an address if the account was removed. */
export function profileOf({ live }: Pick<AccountList, "live">, { id }: Account): Required<ProfileDraft> {
  return draftOf(live.find((each) => each.id === id)?.profile ?? {});
}
