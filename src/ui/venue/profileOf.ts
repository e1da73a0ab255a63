import type { AccountList } from "../../desk/accounts/accountList.ts";
import type { ProfileDraft } from "../../exchange/profile.ts";
import type { Secret } from "../../exchange/signing/credentials.ts";
import type { Account } from "../../market/account.ts";
import { profileSetting } from "../settings.ts";

/** The account that is set up, if it is not that of the settings. */
export interface AccountTarget {
  readonly id: string;
  /** The profile so far; its address is empty for a new account. */
  readonly draft: Required<ProfileDraft>;
  /** Whether another account uses this key at the same origin; the user was then told. */
  readonly twinOf?: (origin: string, apiKey: Secret) => Promise<boolean>;
  readonly use: (draft: Required<ProfileDraft>) => void;
}

/** The profile of a live account, unvalidated. One that is not in the list is that of the settings. */
export function profileOf(
  { live }: Pick<AccountList, "live">,
  { id }: Pick<Account, "id">,
): Required<ProfileDraft> {
  const setting = profileSetting();
  const stored = live.find((each) => each.id === id)?.profile as Partial<ProfileDraft> | undefined;
  if (!stored) return setting;
  return {
    baseUrl: text(stored.baseUrl, ""),
    headerPrefix: text(stored.headerPrefix, ""),
    paths: { ...stored.paths },
    walletMethod: text(stored.walletMethod, "auto"),
    symbolOrder: text(stored.symbolOrder, "quoteFirst"),
    historyPath: text(stored.historyPath, ""),
    features: stored.features ?? {},
  };
}

function text(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
