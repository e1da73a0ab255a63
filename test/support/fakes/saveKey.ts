import type { SaveKey } from "../../../src/ui/venue/keyOwner.ts";

/** Stores every key without a question. */
export const saveEveryKey: SaveKey = async (_, __, save) => {
  await save();
  return true;
};
