import { Decimal } from "./numbers/decimal.ts";

/** An account's balance of one asset: available, and reserved for open orders. */
export interface Balance {
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/**
 * Balances by asset name, upper case. "unreadable" marks an asset whose balance could not be read from the answer:
 * unknown, never zero.
 */
export type Wallet = ReadonlyMap<string, Balance | "unreadable">;

const NOTHING = new Decimal("0");

/**
 * The available balance of an asset: zero if the wallet does not list the asset, undefined if its balance is
 * unreadable.
 */
export function freeOf(wallet: Wallet, asset: string): Decimal | undefined {
  const balance = wallet.get(asset);
  if (balance === "unreadable") return undefined;
  return balance?.available ?? NOTHING;
}

/** All that the account has of an asset: what an open order reserves is not lost. */
export function totalOf({ available, reserved }: Balance): Decimal {
  return available.plus(reserved);
}

/** The balance of an asset; undefined if the wallet does not list the asset or its balance is unreadable. */
export function knownBalance(wallet: Wallet | undefined, asset: string): Balance | undefined {
  const balance = wallet?.get(asset);
  return balance === "unreadable" ? undefined : balance;
}

/** Names of the assets whose balances cannot be read. */
export function unreadableAssets(wallet: Wallet): string[] {
  return [...wallet].filter(([, balance]) => balance === "unreadable").map(([asset]) => asset);
}
