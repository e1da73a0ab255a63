import { randomBytes } from "node:crypto";
import { AccountList } from "../../../src/desk/accounts/accountList.ts";
import { AccountFiles, type StoredAccount } from "../../../src/storage/accountFiles.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

/** The account list of a new computer, by default without a live account. */
export function accountsOf(accounts: readonly StoredAccount[] = []): AccountList {
  const fail = (error: unknown): never => {
    throw error;
  };
  const files = new AccountFiles(temporaryFolder());
  for (const account of accounts) files.put(account);
  return new AccountList(files, () => randomBytes(8).toString("hex"), fail);
}
