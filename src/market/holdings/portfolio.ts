import { totalOf, unreadableAssets, type Wallet } from "../balance.ts";
import { Decimal, priceText } from "../numbers/decimal.ts";
import type { Ticker } from "../ticker.ts";
import { Conversions } from "./conversions.ts";
import type { HeldElsewhere } from "./heldElsewhere.ts";

/** An amount of one asset and its value in the portfolio's quote asset. All values are exact; only the display rounds. */
export interface ValuedAmount {
  readonly asset: string;
  /** Of a balance: available plus reserved. */
  readonly amount: Decimal;
  /**
   * The pair with the quote asset, else the first one on the way to it; undefined for the quote asset itself, and for an
   * asset that no such pair trades.
   */
  readonly ticker: Ticker | undefined;
  /** The assets through which the value was found, this one and the quote asset included; empty without a value. */
  readonly path: readonly string[];
  /** One unit at the last prices of the pairs on the path; undefined without one. */
  readonly price: Decimal | undefined;
  /** `amount` at the last prices of the pairs on the path; undefined without one. */
  readonly value: Decimal | undefined;
  /**
   * Share of the total, 0 to 1, truncated after 40 places; undefined without a value, or if the total is zero or a
   * balance is unreadable.
   */
  readonly share: Decimal | undefined;
  /** How much the value of this amount changed in the last 24 hours; undefined if the exchange does not report it. */
  readonly gained: Decimal | undefined;
  /** The change of its price in the quote asset in 24 hours; for display only. */
  readonly percentChange: number | undefined;
}

/** The balance of one asset in the account. */
export interface Holding extends ValuedAmount {
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/** A holding that the user entered. It has nothing available: it is in the totals, and nothing trades it. */
export interface HoldingElsewhere extends ValuedAmount {
  readonly entry: HeldElsewhere;
}

export interface Portfolio {
  readonly quote: string;
  /** The balances of the account: the most valuable first, those without a value last; without empty ones. */
  readonly holdings: readonly Holding[];
  /** What the user entered, in the same order. */
  readonly elsewhere: readonly HoldingElsewhere[];
  /** Assets with unreadable balances. Their value is unknown, so no total, share or gain includes them. */
  readonly unreadable: readonly string[];
  /** The sum of all known values, including amounts reserved by open orders and those elsewhere. */
  readonly total: Decimal;
  /** The part of the total reserved by open orders. */
  readonly reserved: Decimal;
  /**
   * The sum of the gains, and its percentage of the total 24 hours ago; undefined if the gain of a valued asset is
   * unknown, or if a balance is unreadable.
   */
  readonly gained: Decimal | undefined;
  readonly gainedPercent: Decimal | undefined;
}

const ZERO = new Decimal("0");
const ONE = new Decimal("1");
const HUNDRED = new Decimal("100");

/**
 * The value of a wallet and of holdings elsewhere in `quote` at the last prices, through other pairs if an asset has none
 * with it. Linear in the tickers.
 */
export function portfolioOf(
  wallet: Wallet,
  tickers: Iterable<Ticker>,
  quote: string,
  entries: readonly HeldElsewhere[] = [],
): Portfolio {
  const market = [...tickers];
  const names = new Set([...wallet.keys(), ...entries.map(({ asset }) => asset)]);
  const pairs = new Map<string, Ticker>();
  for (const ticker of market) {
    if (ticker.pair.quote === quote && names.has(ticker.pair.base)) pairs.set(ticker.pair.base, ticker);
  }
  const conversions = new Conversions(market, quote);
  const worthIn = (asset: string): Worth => worthOf(asset, quote, pairs.get(asset), conversions);
  const balances: Unshared<Holding>[] = [];
  let reservedValue = ZERO;
  for (const [asset, balance] of wallet) {
    if (balance === "unreadable") continue;
    const { available, reserved } = balance;
    const amount = totalOf(balance);
    if (amount.eq(ZERO)) continue;
    const worth = worthIn(asset);
    if (worth.convert) reservedValue = reservedValue.plus(worth.convert(reserved));
    balances.push({ ...valued(asset, amount, worth), available, reserved });
  }
  const entered = entries.map((entry) => ({
    ...valued(entry.asset, entry.quantity, worthIn(entry.asset)),
    entry,
  }));
  const known = [...balances, ...entered].filter(({ value }) => value !== undefined);
  const total = sum(known.map(({ value }) => value ?? ZERO));
  const unreadable = unreadableAssets(wallet);
  const isWhole = unreadable.length === 0;
  const gained =
    isWhole && known.every((each) => each.gained !== undefined)
      ? sum(known.map((each) => each.gained ?? ZERO))
      : undefined;
  const before = gained && total.minus(gained);
  const shared = <Each extends Unshared<ValuedAmount>>(each: Each) => ({
    ...each,
    share: isWhole && each.value && total.gt(ZERO) ? each.value.div(total) : undefined,
  });
  return {
    quote,
    holdings: balances.map(shared).sort(byValue),
    elsewhere: entered.map(shared).sort(byValue),
    unreadable,
    total,
    reserved: reservedValue,
    gained,
    gainedPercent: gained && before?.gt(ZERO) ? gained.times(HUNDRED).div(before) : undefined,
  };
}

/** The assets that the total leaves out: their balance is unreadable, or they have no price. Empty without a market. */
export function assetsWithoutValue({ unreadable, holdings, elsewhere, quote }: Portfolio): readonly string[] {
  const unpriced = quote === "" ? [] : [...holdings, ...elsewhere].filter(({ value }) => !value);
  return [...new Set([...unreadable, ...unpriced.map(({ asset }) => asset)])];
}

type Unshared<Each> = Omit<Each, "share">;

function valued(asset: string, amount: Decimal, worth: Worth): Unshared<ValuedAmount> {
  const value = worth.convert?.(amount);
  const gained = value && worth.gain(value);
  const { ticker, path, percentChange } = worth;
  return { asset, amount, ticker, path, price: worth.convert?.(ONE), value, gained, percentChange };
}

const same = (amount: Decimal): Decimal => amount;

interface Worth extends Pick<ValuedAmount, "ticker" | "path" | "percentChange"> {
  readonly convert: ((amount: Decimal) => Decimal) | undefined;
  /** The gain included in a value. */
  readonly gain: (value: Decimal) => Decimal | undefined;
}

/** How an asset is valued: by `direct`, its pair with the quote asset, if that has a price, else through others. */
function worthOf(asset: string, quote: string, direct: Ticker | undefined, conversions: Conversions): Worth {
  if (asset === quote) {
    return { ticker: undefined, path: [asset], percentChange: undefined, convert: same, gain: () => ZERO };
  }
  if (direct?.last !== undefined) {
    const { last, percentChange } = direct;
    const price = priceText(last);
    return {
      ticker: direct,
      path: [asset, quote],
      percentChange,
      convert: (amount) => amount.times(price),
      gain: (value) => gainOf(value, percentChange),
    };
  }
  const way = quote === "" ? undefined : conversions.of(asset);
  const growth = way?.growth;
  return {
    ticker: direct ?? way?.first,
    path: way?.path ?? [],
    percentChange: growth && Number(growth.minus("1").times(HUNDRED).toFixed(4)),
    convert: way?.convert,
    gain: (value) => growth && value.minus(value.div(growth)),
  };
}

/**
 * The gain included in a value that changed by `percent`. Undefined for a change of -100 % or less, from which the
 * previous value cannot be derived.
 */
function gainOf(value: Decimal, percent: number | undefined): Decimal | undefined {
  if (percent === undefined || percent <= -100) return undefined;
  const change = new Decimal(String(percent));
  return value.times(change).div(change.plus(HUNDRED));
}

function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), ZERO);
}

function byValue(a: ValuedAmount, b: ValuedAmount): number {
  if (a.value && b.value && !a.value.eq(b.value)) return b.value.cmp(a.value);
  if ((a.value === undefined) !== (b.value === undefined)) return a.value ? -1 : 1;
  return a.asset < b.asset ? -1 : 1;
}
