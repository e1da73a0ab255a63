import { unreadableAssets, type Wallet } from "./balance.ts";
import { Decimal, priceText } from "./decimal.ts";
import type { Ticker } from "./ticker.ts";

/** What is held of one asset, and what it is worth in the portfolio's quote asset. All exact; rounding is for the display. */
export interface Holding {
  readonly asset: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
  /** Available and reserved. */
  readonly amount: Decimal;
  /** The pair it is valued by; undefined for the quote asset itself, and for one that is in no pair with it. */
  readonly ticker: Ticker | undefined;
  /** `amount` × last; undefined where there is no pair. */
  readonly value: Decimal | undefined;
  /** Of the total, 0 to 1, cut off after 40 places; undefined without a value, or when all is worth nothing or a balance is unreadable. */
  readonly share: Decimal | undefined;
  /** What the last 24 hours added to the value of the same amount; undefined where the service does not tell. */
  readonly gained: Decimal | undefined;
}

export interface Portfolio {
  readonly quote: string;
  /** The most valuable first, those without a value last; empty balances are left out. */
  readonly holdings: readonly Holding[];
  /** Assets whose balances cannot be read: they may be worth anything, so no total, share or gain counts them. */
  readonly unreadable: readonly string[];
  /** The sum of all values that are known. */
  readonly total: Decimal;
  /** The sum of what was gained, and its percentage of the total 24 hours ago; undefined when one of the valued assets does not tell, or a balance is unreadable. */
  readonly gained: Decimal | undefined;
  readonly gainedPercent: Decimal | undefined;
}

const ZERO = new Decimal("0");
const HUNDRED = new Decimal("100");

/** What a wallet is worth in `quote` at the last prices. Linear in the tickers. */
export function portfolioOf(wallet: Wallet, tickers: Iterable<Ticker>, quote: string): Portfolio {
  const pairs = new Map<string, Ticker>();
  for (const ticker of tickers) {
    if (ticker.pair.quote === quote && wallet.has(ticker.pair.base)) pairs.set(ticker.pair.base, ticker);
  }
  const held: Omit<Holding, "share">[] = [];
  for (const [asset, balance] of wallet) {
    if (balance === "unreadable") continue;
    const { available, reserved } = balance;
    const amount = available.plus(reserved);
    if (amount.eq(ZERO)) continue;
    const ticker = asset === quote ? undefined : pairs.get(asset);
    const value = asset === quote ? amount : ticker && amount.times(priceText(ticker.last));
    const gained = asset === quote ? ZERO : value && gainOf(value, ticker?.percentChange);
    held.push({ asset, available, reserved, amount, ticker, value, gained });
  }
  const valued = held.filter(({ value }) => value !== undefined);
  const total = sum(valued.map(({ value }) => value ?? ZERO));
  const unreadable = unreadableAssets(wallet);
  const isWhole = unreadable.length === 0;
  const gained =
    isWhole && valued.every((holding) => holding.gained !== undefined)
      ? sum(valued.map((holding) => holding.gained ?? ZERO))
      : undefined;
  const before = gained && total.minus(gained);
  return {
    quote,
    holdings: held
      .map((holding) => ({
        ...holding,
        share: isWhole && holding.value && total.gt(ZERO) ? holding.value.div(total) : undefined,
      }))
      .sort(byValue),
    unreadable,
    total,
    gained,
    gainedPercent: gained && before?.gt(ZERO) ? gained.times(HUNDRED).div(before) : undefined,
  };
}

/** Of a value that changed by `percent` to what it is now; a change of -100 % or less tells nothing of before. */
function gainOf(value: Decimal, percent: number | undefined): Decimal | undefined {
  if (percent === undefined || percent <= -100) return undefined;
  const change = new Decimal(String(percent));
  return value.times(change).div(change.plus(HUNDRED));
}

function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), ZERO);
}

function byValue(a: Holding, b: Holding): number {
  if (a.value && b.value && !a.value.eq(b.value)) return b.value.cmp(a.value);
  if ((a.value === undefined) !== (b.value === undefined)) return a.value ? -1 : 1;
  return a.asset < b.asset ? -1 : 1;
}
