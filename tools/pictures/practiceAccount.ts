import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonNumber } from "../../src/practice/json.ts";
import { Exchange } from "../../src/practice/account/exchange.ts";
import { MATCH_STEP_MS } from "../../src/practice/account/matching.ts";
import type { OrderKind } from "../../src/practice/account/rules.ts";
import { createMarket, DEFAULT_SEED, type Quote } from "../../src/practice/market/market.ts";
import { openAppendLog } from "../../src/storage/appendLog.ts";

const MINUTE_MS = 60_000;
/** Amount of the bid, so large that each fill is a tenth of it. */
const LARGE = "500000";
/** Number of fills of the bid. */
const FILLS = 5;

/** The pair of chart and ticket. */
export const PAIR = "THB_BTC";

/**
 * Returns the ledger of a practice account that traded in the hours before `now` (ms). It holds three assets, and has a
 * partially filled bid and an open ask above the market. The practice exchange itself fills the orders, so the fills
 * match its charts.
 */
export function ledgerOf(now: number): string {
  const market = createMarket(DEFAULT_SEED);
  const folder = mkdtempSync(join(tmpdir(), "bidside-ledger-"));
  const path = join(folder, "ledger.log");
  const log = openAppendLog({ path, sync: false });
  try {
    const exchange = new Exchange(market, log);
    const quotes = (symbol: string, from: number, to: number): Timed[] =>
      times(now - from * MINUTE_MS, now - to * MINUTE_MS).map((at) => ({
        at,
        ...market.quoteAt(symbol, at),
      }));
    const place = (kind: OrderKind, symbol: string, amount: string, rate: number, at: number): void => {
      exchange.match(at);
      const [amt, rat] = [amount, String(rate)].map((text) => new JsonNumber(text));
      const placed = exchange.place(kind, { sym: symbol, amt, rat, typ: "limit" }, at);
      if ("code" in placed) throw new Error(placed.message);
    };
    /** Buys at the lowest ask between `from` and `to` minutes before now. */
    const buy = (symbol: string, amount: string, from: number, to: number): void => {
      const { at, ask } = cheapest(quotes(symbol, from, to))[0];
      place("bid", symbol, amount, Number((ask * 1.003).toFixed(2)), at);
    };
    buy("THB_SOL", "80000", 300, 240);
    buy("THB_ETH", "60000", 240, 180);
    const since = quotes(PAIR, 110, 0);
    const highest = Math.max(...since.map(({ bid }) => bid));
    const lowest = cheapest(since)[FILLS - 1]?.ask ?? 0;
    place("bid", PAIR, LARGE, lowest, now - 110 * MINUTE_MS);
    place("ask", PAIR, "0.025", Math.ceil(highest * 1.0003), now);
    return readFileSync(path, "utf8");
  } finally {
    log.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Timed extends Quote {
  /** Ms since the epoch. */
  readonly at: number;
}

/** Times between `from` and `to` (ms) at which the practice exchange matches resting orders. */
function times(from: number, to: number): number[] {
  const first = Math.ceil(from / MATCH_STEP_MS);
  const count = Math.floor(to / MATCH_STEP_MS) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * MATCH_STEP_MS);
}

/** Sorts quotes by ask, lowest first. */
function cheapest(quotes: readonly Timed[]): [Timed, ...Timed[]] {
  const [first, ...rest] = quotes.toSorted((a, b) => a.ask - b.ask);
  if (!first) throw new Error("No quotes.");
  return [first, ...rest];
}
