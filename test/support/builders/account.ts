import { createHash } from "node:crypto";
import { join } from "node:path";
import { AccountFiles, type StoredAccount } from "../../../src/storage/accountFiles.ts";

/** The id of the test account at an address, the same for all addresses of an origin. */
export function accountIdAt(baseUrl: string): string {
  return createHash("sha256").update(new URL(baseUrl).origin).digest("hex").slice(0, 16);
}

/** A live account, named by its host, as it was set up earlier. */
export function accountAt(baseUrl: string, profile: StoredAccount["profile"] = {}): StoredAccount {
  return { id: accountIdAt(baseUrl), label: new URL(baseUrl).host, profile: { baseUrl, ...profile } };
}

const filesIn = (records: string): AccountFiles => new AccountFiles(join(records, "accounts"));

/** The id of the account that was chosen last. */
export function chosenAccount(records: string): string | undefined {
  return filesIn(records).recent[0];
}

/** Writes the accounts into a folder of records; windows open with the last one. */
export function writeAccounts(records: string, accounts: readonly StoredAccount[]): void {
  const files = filesIn(records);
  for (const account of accounts) {
    files.put(account);
    files.choose(account.id);
  }
}
