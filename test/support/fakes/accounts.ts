import { randomBytes } from "node:crypto";
import { AccountList } from "../../../src/desk/accounts/accountList.ts";
import type { StoredAccounts } from "../../../src/storage/accountFile.ts";

/** An account list in memory, by default without a live account. */
export function accountsOf(accounts: StoredAccounts["accounts"] = []): AccountList {
  let stored: StoredAccounts = { accounts };
  const file = { read: () => stored, write: (next: StoredAccounts) => void (stored = next) };
  const fail = (error: unknown): never => {
    throw error;
  };
  return new AccountList(file, () => randomBytes(8).toString("hex"), fail);
}
