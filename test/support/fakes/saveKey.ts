import type { SaveKey } from "../../../src/ui/venue/keyOwner.ts";

/** Stores every key without a question. */
export const saveEveryKey: SaveKey = async (account, _, save) => {
  await save(account);
  return account;
};
