import type { Capabilities } from "../exchange/capabilities.ts";
import type { ExchangeClient } from "../exchange/client.ts";
import { saidNothing } from "../exchange/meaning.ts";
import type { Pair } from "../market/pair.ts";
import type { Ticker } from "../market/ticker.ts";
import type { Timers } from "./time/timers.ts";

/** One check's result; times in ms. */
export type ConnectionResult =
  | { readonly check: "serverTime"; readonly ok: true; readonly serverTime: number; readonly tookMs: number }
  /** Server clock minus local clock, with half the round trip taken off. */
  | { readonly check: "clockOffset"; readonly ok: true; readonly offsetMs: number }
  | {
      readonly check: "ticker";
      readonly ok: true;
      readonly pairs: number;
      readonly unreadable: number;
      readonly tookMs: number;
    }
  | { readonly check: "wallet"; readonly ok: true; readonly assets: number; readonly tookMs: number }
  | {
      readonly check: CapabilityCheck;
      readonly ok: true;
      /** How many entries were read. */
      readonly entries: number;
      /** The pair that was asked about, if the endpoint is about one. */
      readonly pair: Pair | undefined;
      readonly tookMs: number;
    }
  | FailedCheck;

interface FailedCheck {
  readonly check: ConnectionCheck;
  readonly ok: false;
  readonly error: unknown;
  /** Not tried, because an earlier check found that the exchange cannot be reached: `error` is that check's. */
  readonly isSkipped?: true;
}

/** The readable capabilities. Balances are the check of the wallet where they are offered. */
const capabilityChecks = [
  "symbols",
  "depth",
  "trades",
  "status",
  "openOrders",
  "orderInfo",
  "orderHistory",
  "feeCredits",
] as const;
export type CapabilityCheck = (typeof capabilityChecks)[number];

export type ConnectionCheck = "serverTime" | "clockOffset" | "ticker" | "wallet" | CapabilityCheck;

/** The checks of an exchange: the endpoints that each has, and then everything readable that it offers. */
export function checksOf({ capabilities }: Pick<ExchangeClient, "capabilities">): readonly ConnectionCheck[] {
  const offered = capabilityChecks.filter((check) => capabilities[check]);
  return ["serverTime", "clockOffset", "ticker", "wallet", ...offered];
}

/** An id that no order of the account has, or an old one: either way the exchange must answer. */
const ANY_ORDER = { orderId: "1", side: "buy" } as const;
const FEW = 5;

/**
 * Tries every endpoint that only reads, one after the other, and reports each result at once. Nothing that places or
 * cancels an order is sent. Endpoints about one pair are asked about the pair with the largest volume. Nothing more is
 * tried once the exchange cannot be reached: each further check would wait for the same failure.
 */
export async function testConnection(
  client: ExchangeClient,
  timers: Pick<Timers, "now">,
  report: (result: ConnectionResult) => void,
): Promise<void> {
  let unreached: Pick<FailedCheck, "error"> | undefined;
  const attempt = async (
    check: ConnectionCheck,
    task: (start: number) => Promise<ConnectionResult>,
  ): Promise<void> => {
    if (unreached) return report({ check, ok: false, isSkipped: true, ...unreached });
    try {
      report(await task(timers.now()));
    } catch (error) {
      if (saidNothing(error)) unreached = { error };
      report({ check, ok: false, error });
    }
  };
  const took = (start: number): number => timers.now() - start;

  await attempt("serverTime", async (start) => {
    const serverTime = await client.serverTime();
    return { check: "serverTime", ok: true, serverTime, tookMs: took(start) };
  });
  await attempt("clockOffset", async () => ({
    check: "clockOffset",
    ok: true,
    offsetMs: await client.measureClock(),
  }));
  let pair: Ticker | undefined;
  // A missing pair has the cause of the missing tickers.
  let noPair: unknown;
  await attempt("ticker", async (start) => {
    try {
      const { tickers, unreadable } = await client.tickers();
      pair = busiest(tickers.values());
      return { check: "ticker", ok: true, pairs: tickers.size, unreadable, tookMs: took(start) };
    } catch (error) {
      noPair = error;
      throw error;
    }
  });
  await attempt("wallet", async (start) => {
    const wallet = await client.wallet();
    return { check: "wallet", ok: true, assets: wallet.size, tookMs: took(start) };
  });
  for (const check of capabilityChecks.filter((each) => client.capabilities[each])) {
    await attempt(check, async (start) => {
      const entries = await readOf(check, client.capabilities, () => pair ?? rethrow(noPair));
      const isAboutPair = !WITHOUT_PAIR.has(check);
      return { check, ok: true, entries, pair: isAboutPair ? pair?.pair : undefined, tookMs: took(start) };
    });
  }
}

const WITHOUT_PAIR: ReadonlySet<CapabilityCheck> = new Set(["symbols", "status", "feeCredits"]);

/** Reads through one capability. Gives the number of entries. */
async function readOf(check: CapabilityCheck, offered: Capabilities, pair: () => Ticker): Promise<number> {
  switch (check) {
    case "symbols":
      return (await offered.symbols?.())?.listings.size ?? 0;
    case "depth": {
      const depth = await offered.depth?.(pair(), FEW);
      return depth ? depth.asks.length + depth.bids.length : 0;
    }
    case "trades":
      return (await offered.trades?.(pair(), FEW))?.trades.length ?? 0;
    case "status":
      return (await offered.status?.())?.length ?? 0;
    case "openOrders":
      return (await offered.openOrders?.(pair()))?.orders.length ?? 0;
    case "orderInfo":
      return (await offered.orderInfo?.({ ...pair(), ...ANY_ORDER })) ? 1 : 0;
    case "orderHistory":
      return (await offered.orderHistory?.(pair(), { limit: FEW }))?.orders.length ?? 0;
    case "feeCredits":
      return (await offered.feeCredits?.()) ? 1 : 0;
  }
}

function rethrow(error: unknown): never {
  throw error;
}

function busiest(tickers: Iterable<Ticker>): Ticker | undefined {
  let found: Ticker | undefined;
  for (const ticker of tickers) {
    if (!found || (ticker.quoteVolume ?? 0) > (found.quoteVolume ?? 0)) found = ticker;
  }
  return found;
}
