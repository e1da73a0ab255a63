import { totalOf, type Balance, type Wallet } from "../../market/balance.ts";
import { plainText } from "../../market/numbers/decimal.ts";
import type { LimitOrder } from "../../market/order.ts";
import { assetNameOf } from "../../market/pair.ts";
import type { Payload } from "./payload.ts";
import { isRecord } from "./exactJson.ts";
import { amountOf, timeOf } from "./fields.ts";

/** September 2001. */
const EARLIEST_MS = 1e12;

/**
 * Body of place-bid (api.md 4.1) and place-ask, which share their fields: `amt` is quote to buy and base to sell. Numbers
 * have exact digits and no exponent. Orders are serialized only here: these bytes are signed and sent.
 */
export function encodeOrder({ symbol, amount, rate, postOnly, clientId }: LimitOrder): Buffer {
  return Buffer.from(
    JSON.stringify({
      sym: symbol,
      amt: JSON.rawJSON(plainText(amount)),
      rat: JSON.rawJSON(plainText(rate)),
      typ: "limit",
      ...(postOnly && { post_only: true }),
      client_id: clientId,
    }),
  );
}

/** Server time in ms since the epoch, in any form of `timeOf` (api.md 2.2: seconds); undefined before September 2001. */
export function decodeServerTime({ content }: Payload): number | undefined {
  const serverMs = timeOf(content) ?? 0;
  return serverMs >= EARLIEST_MS ? serverMs : undefined;
}

/** A wallet, and the names of entries that could not be read. */
export interface WalletResponse {
  readonly wallet: Wallet;
  readonly unreadable: readonly string[];
}

/**
 * Balances by asset, in any form of the family: plain amounts or `{available, reserved}` keyed by asset, or the newest
 * generation's list of `{currency, available, reserved}`. An asset is unreadable if it occurs twice or its amounts are not
 * numbers of zero or more. A balance without a name, or with one that may be a key, is unreadable as `ENTRY-1`. `null` or
 * a missing result is an empty wallet. Undefined for any other shape, or if no entry could be read.
 */
export function decodeWallet({ content, enveloped, repeated }: Payload): WalletResponse | undefined {
  const wallet = new Map<string, Balance | "unreadable">();
  const unreadable: string[] = [];

  function add(asset: unknown, entry: unknown, key: string): void {
    const name = typeof asset === "string" ? assetNameOf(asset) : undefined;
    if (name === undefined) {
      unreadable.push(key);
      const balance = decodeBalance(entry);
      // The total is incomplete.
      if (balance && totalOf(balance).gt("0")) wallet.set(`ENTRY-${unreadable.length}`, "unreadable");
      return;
    }
    const isAmbiguous = wallet.has(name) || repeated?.has(key);
    const balance = isAmbiguous ? undefined : decodeBalance(entry);
    wallet.set(name, balance ?? "unreadable");
    if (!balance) unreadable.push(name);
  }

  if (isRecord(content)) for (const [asset, entry] of Object.entries(content)) add(asset, entry, asset);
  else if (enveloped && Array.isArray(content)) {
    for (const [index, entry] of content.entries()) {
      add(isRecord(entry) ? entry["currency"] : undefined, entry, String(index));
    }
  } else if (!enveloped || (content !== null && content !== undefined)) return undefined;
  const isAnyRead = [...wallet.values()].some((balance) => balance !== "unreadable");
  return isAnyRead || unreadable.length === 0 ? { wallet, unreadable } : undefined;
}

function decodeBalance(entry: unknown): Balance | undefined {
  const amounts = isRecord(entry) ? entry : { available: entry };
  const available = amountOf(amounts["available"]);
  const reserved = amountOf(amounts["reserved"] ?? "0");
  return available && reserved && { available, reserved };
}
