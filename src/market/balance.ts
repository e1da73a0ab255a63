import type { Decimal } from "./decimal.ts";

/** What an account holds of one asset: free to spend, and bound in resting bids. */
export interface Balance {
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/** Balances by asset name, upper case. */
export type Wallet = ReadonlyMap<string, Balance>;
