import { join } from "node:path";
import { createMarket, DEFAULT_SEED } from "../../src/practice/market/market.ts";
import type { ValueSnapshot } from "../../src/market/holdings/valueSnapshot.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { ValueHistory } from "../../src/storage/valueHistory.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** In which nothing was recorded: the hours with the trades, and two days on which no window was open. */
const GAPS_MS = [
  { from: 16 * DAY_MS, to: 14 * DAY_MS },
  { from: 6 * HOUR_MS, to: 0 },
];

/** A holding elsewhere, as it is typed, and the days for which it has been recorded. */
export const coldWallet = [
  { asset: "BTC", quantity: "0.35", cost: "890,000", place: "cold wallet", days: 30 },
  { asset: "ETH", quantity: "4", cost: "395,000", place: "cold wallet", days: 9 },
] as const;

/** Records 30 days of hourly values until `now` (ms) of a practice account with the cold wallet, in a folder of records. */
export function recordValues(folder: string, now: number): void {
  const market = createMarket(DEFAULT_SEED);
  const history = new ValueHistory(join(folder, "values"));
  const priced = (asset: string, quantity: string, price: string): ValueSnapshot["balances"][number] => ({
    asset,
    quantity: new Decimal(quantity),
    price: new Decimal(price),
  });
  for (let at = now - 30 * DAY_MS; at < now; at += HOUR_MS) {
    const age = now - at;
    if (GAPS_MS.some(({ from, to }) => age <= from && age > to)) continue;
    history.add({
      at,
      account: "practice",
      quote: "THB",
      balances: [priced("THB", "1000000", "1")],
      elsewhere: coldWallet
        .filter(({ days }) => age <= days * DAY_MS)
        .map(({ asset, quantity }) =>
          priced(asset, quantity, String(market.quoteAt(`THB_${asset}`, at).last)),
        ),
    });
  }
}
