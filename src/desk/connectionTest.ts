import type { ExchangeClient } from "../exchange/client.ts";
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
  | { readonly check: ConnectionCheck; readonly ok: false; readonly error: unknown };

export type ConnectionCheck = "serverTime" | "clockOffset" | "ticker" | "wallet";

export const connectionChecks: readonly ConnectionCheck[] = ["serverTime", "clockOffset", "ticker", "wallet"];

/** Tries all endpoints except placing an order, one after the other, and reports each result at once. */
export async function testConnection(
  client: ExchangeClient,
  timers: Pick<Timers, "now">,
  report: (result: ConnectionResult) => void,
): Promise<void> {
  const attempt = async (
    check: ConnectionCheck,
    task: (start: number) => Promise<ConnectionResult>,
  ): Promise<void> => {
    try {
      report(await task(timers.now()));
    } catch (error) {
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
  await attempt("ticker", async (start) => {
    const { tickers, unreadable } = await client.tickers();
    return { check: "ticker", ok: true, pairs: tickers.size, unreadable, tookMs: took(start) };
  });
  await attempt("wallet", async (start) => {
    const wallet = await client.wallet();
    return { check: "wallet", ok: true, assets: wallet.size, tookMs: took(start) };
  });
}
