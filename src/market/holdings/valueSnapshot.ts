import { Decimal } from "../numbers/decimal.ts";
import type { Pair } from "../pair.ts";
import type { Trade } from "./cost.ts";
import type { ValuedAmount } from "./portfolio.ts";

/** An amount of an asset and its price in the quote asset of its snapshot. */
interface PricedAmount {
  readonly asset: string;
  readonly quantity: Decimal;
  readonly price: Decimal;
}

/** What an account and the holdings elsewhere were worth at a moment. What had no value is left out. */
export interface ValueSnapshot {
  /** ms since the epoch. */
  readonly at: number;
  /** Id of the account. */
  readonly account: string;
  /** The asset of all prices. */
  readonly quote: string;
  /** The balances of the account, each asset once. */
  readonly balances: readonly PricedAmount[];
  /** The holdings that the user entered, added up by asset. */
  readonly elsewhere: readonly PricedAmount[];
}

/** How much of an asset a trade added, or took if negative. */
export interface TradedAmount {
  /** ms since the epoch. */
  readonly at: number;
  readonly asset: string;
  readonly quantity: Decimal;
}

/** How the value changed from one snapshot to a later one: exactly `result` + `transferred`. */
export interface ValueChange {
  /** In the quote asset: by prices and trades, fees included. */
  readonly result: Decimal;
  /**
   * In the quote asset: deposits, withdrawals and changed entries. They are every change of a quantity that no trade
   * explains, at the price of the later snapshot.
   */
  readonly transferred: Decimal;
}

const ZERO = new Decimal("0");
const ONE = new Decimal("1");

/** The amounts that have a price, each asset once. */
export function pricedAmounts(
  amounts: readonly Pick<ValuedAmount, "asset" | "amount" | "price">[],
): readonly PricedAmount[] {
  const byAsset = new Map<string, PricedAmount>();
  for (const { asset, amount, price } of amounts) {
    if (!price) continue;
    const quantity = amount.plus(byAsset.get(asset)?.quantity ?? ZERO);
    byAsset.set(asset, { asset, quantity, price });
  }
  return [...byAsset.values()];
}

/** What trades of a pair added and took after `from` (ms), by moment. */
export function tradedAmounts(
  { base, quote }: Pair,
  trades: readonly Trade[],
  from: number,
): readonly TradedAmount[] {
  return trades
    .filter(({ at }) => at > from)
    .flatMap(({ at, side, quantity, value, fee }) =>
      side === "buy"
        ? [
            { at, asset: base, quantity },
            { at, asset: quote, quantity: ZERO.minus(value).minus(fee) },
          ]
        : [
            { at, asset: base, quantity: ZERO.minus(quantity) },
            { at, asset: quote, quantity: value.minus(fee) },
          ],
    );
}

/**
 * The snapshot in another quote asset, by the price of that asset in the snapshot itself; undefined if it has none.
 * Prices are quotients, cut after 40 places.
 */
export function snapshotIn(snapshot: ValueSnapshot, quote: string): ValueSnapshot | undefined {
  if (snapshot.quote === quote) return snapshot;
  const { balances, elsewhere } = snapshot;
  const rate = [...balances, ...elsewhere].find(
    ({ asset, price }) => asset === quote && price.gt(ZERO),
  )?.price;
  if (!rate) return undefined;
  const inQuote = (amounts: readonly PricedAmount[]): readonly PricedAmount[] =>
    amounts.map((each) => ({ ...each, price: each.asset === quote ? ONE : each.price.div(rate) }));
  return { ...snapshot, quote, balances: inQuote(balances), elsewhere: inQuote(elsewhere) };
}

/** The exact value in the quote asset. */
export function valueOf(amounts: readonly PricedAmount[]): Decimal {
  return amounts.reduce((sum, { quantity, price }) => sum.plus(quantity.times(price)), ZERO);
}

/** A page adds up thousands of snapshots again and again. */
const totals = new WeakMap<ValueSnapshot, Decimal>();

/** The exact value of an account and of everything elsewhere. */
export function totalValue(snapshot: ValueSnapshot): Decimal {
  let total = totals.get(snapshot);
  if (!total) {
    total = valueOf(snapshot.balances).plus(valueOf(snapshot.elsewhere));
    totals.set(snapshot, total);
  }
  return total;
}

/**
 * What happened between two snapshots of one account in the same quote asset. `trades` are those of the account, of any
 * time. An asset that has lost its price counts as transferred at its previous one.
 */
export function changeBetween(
  before: ValueSnapshot,
  after: ValueSnapshot,
  trades: readonly TradedAmount[],
): ValueChange {
  const gained = totalValue(after).minus(totalValue(before));
  const traded = trades.filter(({ at }) => before.at < at && at <= after.at);
  // Most hours: nothing to explain, in a record that may have thousands.
  if (traded.length === 0 && haveSameQuantities(before, after)) return { transferred: ZERO, result: gained };
  const unexplained = quantities(after);
  for (const [asset, quantity] of quantities(before)) add(unexplained, asset, ZERO.minus(quantity));
  for (const { asset, quantity } of traded) add(unexplained, asset, ZERO.minus(quantity));
  const prices = new Map(
    [before, after].flatMap(({ balances, elsewhere }) =>
      [...balances, ...elsewhere].map(({ asset, price }) => [asset, price]),
    ),
  );
  let transferred = ZERO;
  for (const [asset, quantity] of unexplained)
    transferred = transferred.plus(quantity.times(prices.get(asset) ?? ZERO));
  return { transferred, result: gained.minus(transferred) };
}

/** Of the same assets in the same order; false if in doubt. */
function haveSameQuantities(one: ValueSnapshot, other: ValueSnapshot): boolean {
  return (["balances", "elsewhere"] as const).every(
    (place) =>
      one[place].length === other[place].length &&
      one[place].every(({ asset, quantity }, index) => {
        const same = other[place][index];
        return same?.asset === asset && same.quantity.eq(quantity);
      }),
  );
}

/** The sum of the changes from each snapshot to the next. Nothing is attributed to a part of a gap between two. */
export function changeOver(
  snapshots: readonly ValueSnapshot[],
  trades: readonly TradedAmount[],
): ValueChange {
  let sum: ValueChange = { result: ZERO, transferred: ZERO };
  for (const [index, after] of snapshots.entries()) {
    const before = snapshots[index - 1];
    if (!before) continue;
    const { result, transferred } = changeBetween(before, after, trades);
    sum = { result: sum.result.plus(result), transferred: sum.transferred.plus(transferred) };
  }
  return sum;
}

function quantities({ balances, elsewhere }: ValueSnapshot): Map<string, Decimal> {
  const found = new Map<string, Decimal>();
  for (const { asset, quantity } of [...balances, ...elsewhere]) add(found, asset, quantity);
  return found;
}

function add(sums: Map<string, Decimal>, asset: string, quantity: Decimal): void {
  sums.set(asset, (sums.get(asset) ?? ZERO).plus(quantity));
}
