import { Decimal } from "./decimal.ts";

/** What an account holds of one asset: free to spend, and bound in resting bids. */
export interface Balance {
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/**
 * Balances by asset name, upper case. An asset whose balance the service gave in a way that cannot be read is
 * "unreadable": unknown, never zero.
 */
export type Wallet = ReadonlyMap<string, Balance | "unreadable">;

const NOTHING = new Decimal("0");

/** What is free of an asset: zero where the wallet does not list the asset, undefined where its balance cannot be read. */
export function freeOf(wallet: Wallet, asset: string): Decimal | undefined {
  const balance = wallet.get(asset);
  if (balance === "unreadable") return undefined;
  return balance?.available ?? NOTHING;
}

/** The balance of an asset; undefined where the wallet does not list the asset or its balance cannot be read. */
export function knownBalance(wallet: Wallet | undefined, asset: string): Balance | undefined {
  const balance = wallet?.get(asset);
  return balance === "unreadable" ? undefined : balance;
}

/** Names of the assets whose balances cannot be read. */
export function unreadableAssets(wallet: Wallet): string[] {
  return [...wallet].filter(([, balance]) => balance === "unreadable").map(([asset]) => asset);
}
