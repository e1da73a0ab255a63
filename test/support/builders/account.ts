import { createHash } from "node:crypto";
import { join } from "node:path";
import { AccountFile, type StoredAccounts } from "../../../src/storage/accountFile.ts";

type StoredAccount = StoredAccounts["accounts"][number];

/** The id of the test account at an address, the same for all addresses of an origin. */
export function accountIdAt(baseUrl: string): string {
  return createHash("sha256").update(new URL(baseUrl).origin).digest("hex").slice(0, 16);
}

/** A live account, named by its host, as it was set up earlier. */
export function accountAt(baseUrl: string, profile: StoredAccount["profile"] = {}): StoredAccount {
  return { id: accountIdAt(baseUrl), label: new URL(baseUrl).host, profile: { baseUrl, ...profile } };
}

const fileIn = (records: string): AccountFile => new AccountFile(join(records, "accounts.json"));

/** The id of the account that was chosen last. */
export function chosenAccount(records: string): string | undefined {
  return fileIn(records).read().last;
}

/** Writes the accounts into a folder of records; windows open with the last one. */
export function writeAccounts(records: string, accounts: readonly StoredAccount[]): void {
  const last = accounts.at(-1)?.id;
  fileIn(records).write({ accounts, ...(last !== undefined && { last }) });
}
