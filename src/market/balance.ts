import { Decimal } from "./numbers/decimal.ts";

/** Balance of one asset: available, and reserved for open orders. */
export interface Balance {
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/** Balances by upper-case asset name. "unreadable" marks a balance that could not be read: unknown, never zero. */
export type Wallet = ReadonlyMap<string, Balance | "unreadable">;

const NOTHING = new Decimal("0");

/** The available balance of an asset: zero if the wallet does not list it, undefined if it is unreadable. */
export function freeOf(wallet: Wallet, asset: string): Decimal | undefined {
  const balance = wallet.get(asset);
  if (balance === "unreadable") return undefined;
  return balance?.available ?? NOTHING;
}

/** Available plus reserved. */
export function totalOf({ available, reserved }: Balance): Decimal {
  return available.plus(reserved);
}

/** The balance of an asset; undefined if it is not listed or unreadable. */
export function knownBalance(wallet: Wallet | undefined, asset: string): Balance | undefined {
  const balance = wallet?.get(asset);
  return balance === "unreadable" ? undefined : balance;
}

export function unreadableAssets(wallet: Wallet): string[] {
  return [...wallet].filter(([, balance]) => balance === "unreadable").map(([asset]) => asset);
}
