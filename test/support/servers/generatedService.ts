import fc from "fast-check";
import { Ratio } from "../ratio.ts";

/** How one service writes what happened, and in which order of steps it computes it. */
interface ServiceForm {
  readonly generation: "A" | "B" | "C";
  readonly isBare: boolean;
  readonly quote: (typeof QUOTES)[number];
  readonly base: string;
  readonly symbolOrder: "quoteFirst" | "baseFirst";
  readonly symbolCase: "upper" | "lower";
  /** Share of the value; negative for a rebate. */
  readonly feeShare: string;
  readonly feePlaces: "ofQuote" | "two" | "all";
  readonly rounding: "down" | "half" | "up";
  /** Unit of the amounts of a buy's matches. */
  readonly amountOfBuys: "base" | "quote";
  readonly isUnitStated: boolean;
  /** Whether a match is of a quantity, or of what the buyer spends. */
  readonly matches: "quantity" | "spending";
  readonly basePlaces: number;
  readonly time: "s" | "ms" | "us" | "ns" | "fraction" | "iso" | "isoOffset" | "isoLocal";
  readonly isTimeText: boolean;
  readonly ids: "number" | "text" | "long" | "longText" | "uuid";
  readonly numbers: "text" | "padded" | "number" | "exponent";
  readonly sides: readonly [buy: string, sell: string];
  readonly pages: "cursor" | "number";
  readonly pageSize: number;
}

/** The service limits requests, or is down, from one of its signed responses on. */
interface Pause {
  /** Index of the response. */
  readonly at: number;
  readonly status: 429 | 418 | 503;
  readonly seconds: number;
  readonly isDate: boolean;
}

/** A pair with offers on either side, or none; `last` is missing before the first trade. */
interface ListedPair {
  readonly last: Offer;
  readonly bid: Offer;
  readonly ask: Offer;
}

/** What stands for a price. */
type Offer = "price" | "missing" | "null" | "zero" | "zeroText";

interface OrderPlan {
  readonly side: "buy" | "sell";
  readonly isOwn: boolean;
  readonly isComplete: boolean;
  /** About what each match is worth, in the quote's last decimal or hundredths. */
  readonly sizes: readonly number[];
  /** Dust that truncation left of a complete buy, in units of the quote asset. */
  readonly dust: number;
  /** Change of the price before it, in percent. */
  readonly move: number;
  readonly gapMs: number;
}

export interface Plan {
  readonly form: ServiceForm;
  readonly price: string;
  readonly orders: readonly OrderPlan[];
  readonly pause: Pause | undefined;
  readonly listed: readonly ListedPair[];
}

/** A match as it happened. */
export interface TrueFill {
  readonly id: string;
  /** ms, as far as the service states it. */
  readonly at: number;
  readonly rate: Ratio;
  readonly quantity: Ratio;
  readonly value: Ratio;
  readonly fee: Ratio;
}

/** An order as it happened. */
export interface TrueOrder {
  readonly id: string;
  readonly side: "buy" | "sell";
  readonly isOwn: boolean;
  readonly isComplete: boolean;
  readonly rate: Ratio;
  /** Quote to spend, fee included, or base to sell. */
  readonly ordered: Ratio;
  readonly executed: Ratio;
  readonly fills: readonly TrueFill[];
}

const QUOTES = [
  { name: "THB", places: 2 },
  { name: "JPY", places: 0 },
  { name: "BTC", places: 8 },
] as const;
/** With a value-added tax, and a rebate. */
const FEE_SHARES = ["0.0025", "0.002", "0.001", "0.0015", "0.0005", "0", "0.002675", "0.003", "-0.0001"];
const START = 1_700_000_000_000;
const PRICE_PLACES = 8;

const forms: fc.Arbitrary<ServiceForm> = fc
  .record({
    generation: fc.constantFrom("A", "B", "C"),
    isBare: fc.boolean(),
    quote: fc.constantFrom(...QUOTES),
    base: fc.constantFrom("ETH", "DOGE", "USDT"),
    symbolOrder: fc.constantFrom("quoteFirst", "baseFirst"),
    symbolCase: fc.constantFrom("upper", "lower"),
    feeShare: fc.constantFrom(...FEE_SHARES),
    feePlaces: fc.constantFrom("ofQuote", "two", "all"),
    rounding: fc.constantFrom("down", "half", "up"),
    amountOfBuys: fc.constantFrom("base", "quote"),
    isUnitStated: fc.boolean(),
    matches: fc.constantFrom("quantity", "spending"),
    basePlaces: fc.constantFrom(8, 6, 2, 0),
    time: fc.constantFrom("s", "ms", "us", "ns", "fraction", "iso", "isoOffset", "isoLocal"),
    isTimeText: fc.boolean(),
    ids: fc.constantFrom("number", "text", "long", "longText", "uuid"),
    numbers: fc.constantFrom("text", "padded", "number", "exponent"),
    sides: fc.constantFrom<ServiceForm["sides"]>(["buy", "sell"], ["BUY", "SELL"], ["bid", "ask"]),
    pages: fc.constantFrom("cursor", "number"),
    pageSize: fc.integer({ min: 2, max: 9 }),
  } as const)
  // Without an envelope there is no place for the next page.
  .map((form) => (form.isBare ? { ...form, pageSize: 1000 } : form));

const offers = fc.constantFrom<Offer>("price", "price", "price", "missing", "null", "zero", "zeroText");

/** Services of the family, what happened at each, and what each does between two answers. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  form: forms,
  price: fc.constantFrom("0.0123", "0.5", "1", "1.0005", "33.05", "1000", "2500000"),
  orders: fc.array(
    fc.record({
      side: fc.constantFrom("buy", "buy", "sell"),
      isOwn: fc.boolean(),
      isComplete: fc.boolean(),
      sizes: fc.array(fc.integer({ min: 1000, max: 900_000_000 }), { minLength: 1, maxLength: 3 }),
      dust: fc.integer({ min: 0, max: 2 }),
      move: fc.integer({ min: -9, max: 9 }),
      gapMs: fc.integer({ min: 1000, max: 10_000_000 }),
    } as const),
    { minLength: 1, maxLength: 7 },
  ),
  pause: fc.option(
    fc.record({
      at: fc.integer({ min: 0, max: 2 }),
      status: fc.constantFrom(429, 418, 503),
      seconds: fc.integer({ min: 1, max: 300 }),
      isDate: fc.boolean(),
    } as const),
    { nil: undefined },
  ),
  listed: fc.array(fc.record({ last: offers, bid: offers, ask: offers }), { minLength: 1, maxLength: 4 }),
});

/** What happened at the service, oldest first. Orders whose amounts are below the smallest unit are left out. */
export function ordersOf({ form, price, orders }: Plan): readonly TrueOrder[] {
  let [at, serial] = [START, 0];
  const nextId = (): string => idOf(form, (serial += 1));
  return orders.flatMap((plan): TrueOrder[] => {
    at += plan.gapMs;
    const percent = Ratio.of(String(100 + plan.move)).over(Ratio.of("100"));
    const rate = Ratio.of(price).times(percent).rounded(PRICE_PLACES, "down");
    const id = nextId();
    const fills = plan.sizes.flatMap((size, index): TrueFill[] => {
      const figures = matchOf(form, plan.side, size, rate);
      return figures ? [{ id: nextId(), at: shownTime(form, at + index * 1000), rate, ...figures }] : [];
    });
    if (fills.length === 0) return [];
    at += fills.length * 1000;
    const { side, isOwn, isComplete } = plan;
    const executed = sumOf(
      fills.map(({ quantity, value, fee }) => (side === "sell" ? quantity : value.plus(fee))),
    );
    const unit = unitOf(side === "sell" ? form.basePlaces : form.quote.places);
    const left = Ratio.of(String(plan.dust)).times(unit);
    const whole = executed.rounded(side === "sell" ? form.basePlaces : form.quote.places, "up");
    const rest = side === "sell" ? unit.times(Ratio.of("5")) : whole.plus(unit);
    const ordered = isComplete ? (side === "sell" ? executed : whole.plus(left)) : whole.plus(rest);
    return [{ id, side, isOwn, isComplete, rate, ordered, executed, fills }];
  });
}

function matchOf(
  form: ServiceForm,
  side: "buy" | "sell",
  size: number,
  rate: Ratio,
): Pick<TrueFill, "quantity" | "value" | "fee"> | undefined {
  const { quote, matches, amountOfBuys, basePlaces, rounding } = form;
  const isInQuote = side === "buy" && amountOfBuys === "quote";
  const about = Ratio.of(String(size)).times(unitOf(Math.max(2, quote.places)));
  if (isInQuote && matches === "spending") {
    const spent = about.rounded(quote.places, "up");
    const fee = feeOf(form, spent);
    const value = spent.minus(fee);
    const quantity = value.over(rate).rounded(8, "down");
    return quantity.equals(Ratio.zero) ? undefined : { quantity, value, fee };
  }
  const quantity = about.over(rate).rounded(basePlaces, "up");
  const exact = quantity.times(rate);
  const value = isInQuote ? exact.rounded(quote.places, rounding) : exact;
  return value.equals(Ratio.zero) ? undefined : { quantity, value, fee: feeOf(form, value) };
}

function feeOf({ feeShare, feePlaces, quote, rounding }: ServiceForm, value: Ratio): Ratio {
  const places = { ofQuote: quote.places, two: Math.min(2, quote.places), all: 8 }[feePlaces];
  return value.times(Ratio.of(feeShare)).rounded(places, rounding);
}

function unitOf(places: number): Ratio {
  return new Ratio(1n, 10n ** BigInt(places));
}

function sumOf(parts: readonly Ratio[]): Ratio {
  return parts.reduce((sum, part) => sum.plus(part), Ratio.zero);
}

function idOf({ ids }: ServiceForm, serial: number): string {
  const number = String(serial);
  if (ids === "number" || ids === "text") return String(280_000 + serial);
  if (ids !== "uuid") return `9${number.padStart(18, "0")}`;
  // Ids that do not count up.
  const scattered = ((serial * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0");
  return `${scattered}-0000-4000-8000-${number.padStart(12, "0")}`;
}

function shownTime({ time }: ServiceForm, at: number): number {
  return time === "s" ? Math.floor(at / 1000) * 1000 : at;
}

/** A page of the order history, newest match first; `position` is the cursor or the page number. */
export function historyAnswer(plan: Plan, orders: readonly TrueOrder[], position: number): string {
  const { form } = plan;
  const rows = orders
    .flatMap((order) => order.fills.map((fill) => ({ order, fill })))
    .toReversed()
    .map(({ order, fill }) => ({
      ...matchRow(form, order.side, fill, "ts"),
      order_id: writtenId(form, order.id),
      side: form.sides[order.side === "buy" ? 0 : 1],
      type: "limit",
      order_closed_at: order.isComplete ? writtenTime(form, fill.at) : null,
    }));
  const from = position * form.pageSize;
  const page = rows.slice(from, from + form.pageSize);
  const hasNext = rows.length > from + form.pageSize;
  const pagination =
    form.pages === "cursor"
      ? { cursor: hasNext ? `c${position + 1}` : "", has_next: hasNext }
      : { page: position + 1, last: 99, next: hasNext ? position + 2 : null };
  return wrapped(form, page, { pagination });
}

/** The details of one order. */
export function infoAnswer(plan: Plan, order: TrueOrder): string {
  const { form } = plan;
  const { id, side, ordered, executed, fills, isComplete, rate } = order;
  const remaining = isComplete ? Ratio.zero : ordered.minus(executed);
  return wrapped(form, {
    id: writtenId(form, id),
    first: writtenId(form, id),
    parent: "0",
    last: writtenId(form, id),
    client_id: "",
    side: form.sides[side === "buy" ? 0 : 1],
    amount: written(form, ordered),
    rate: written(form, rate),
    filled: written(form, executed),
    total: written(form, ordered),
    status: isComplete ? "filled" : "unfilled",
    partial_filled: !isComplete,
    remaining: written(form, remaining),
    history: fills.map((fill) => ({
      ...matchRow(form, side, fill, "timestamp"),
      id: writtenId(form, id),
    })),
  });
}

function matchRow(form: ServiceForm, side: "buy" | "sell", fill: TrueFill, time: "ts" | "timestamp"): object {
  const { id, at, rate, quantity, value, fee } = fill;
  const isInQuote = side === "buy" && form.amountOfBuys === "quote";
  return {
    txn_id: writtenId(form, id),
    amount: written(form, isInQuote ? value.plus(fee) : quantity),
    rate: written(form, rate),
    fee: written(form, fee),
    credit: written(form, Ratio.zero),
    [time]: writtenTime(form, at),
  };
}

function written({ numbers }: ServiceForm, figure: Ratio): unknown {
  const text = figure.text();
  if (numbers === "text") return text;
  if (numbers === "padded") return text.includes(".") ? `${text}00` : `${text}.00`;
  return JSON.rawJSON(numbers === "number" ? text : withExponent(text));
}

/** `0.00001044` as `1044e-8`. */
function withExponent(text: string): string {
  const [whole = "", decimals = ""] = text.split(".");
  const digits = `${whole}${decimals}`.replace(/^(-?)0+(?=\d)/, "$1");
  return `${digits}e-${String(decimals.length).padStart(2, "0")}`;
}

function writtenId({ ids }: ServiceForm, id: string): unknown {
  return ids === "number" || ids === "long" ? JSON.rawJSON(id) : id;
}

function writtenTime({ time, isTimeText }: ServiceForm, at: number): unknown {
  const iso = new Date(at).toISOString();
  if (time === "iso") return iso;
  if (time === "isoOffset") return new Date(at + 7 * 3_600_000).toISOString().replace("Z", "+07:00");
  if (time === "isoLocal") return iso.replace("Z", "");
  const text = {
    s: String(Math.floor(at / 1000)),
    ms: String(at),
    us: `${at}000`,
    ns: `${at}000000`,
    fraction: `${Math.floor(at / 1000)}.${String(at % 1000).padStart(3, "0")}`,
  }[time];
  return isTimeText ? text : JSON.rawJSON(text);
}

/** Content in the service's envelope. */
function wrapped({ generation, isBare }: ServiceForm, content: unknown, beside: object = {}): string {
  if (isBare) return JSON.stringify(content);
  return JSON.stringify(
    generation === "C"
      ? { code: "0", message: "success", data: content, ...beside }
      : { error: 0, result: content, ...beside },
  );
}

/** Bases of the listed pairs; the last one always has a price. */
const LISTED = ["ETH", "DOGE", "USDT", "SOL"] as const;
const PRICED = "XRP";

/** Keys of the listed pairs, in their order. */
export function listedPairs({ form: { quote }, listed }: Plan): readonly string[] {
  return [...LISTED.slice(0, listed.length), PRICED].map((base) => `${quote.name}_${base}`);
}

/** The tickers: the oldest generation as an object, the others as a list. */
export function tickersAnswer({ form, price, listed }: Plan): string {
  const full: ListedPair = { last: "price", bid: "price", ask: "price" };
  const entries = [...listed, full].map(({ last, bid, ask }, index) => {
    const base = LISTED.slice(0, listed.length)[index] ?? PRICED;
    const both = form.symbolOrder === "quoteFirst" ? [form.quote.name, base] : [base, form.quote.name];
    const symbol = both.join("_");
    return [
      form.symbolCase === "lower" ? symbol.toLowerCase() : symbol,
      {
        ...offerOf(form, "last", last, price),
        ...offerOf(form, form.generation === "A" ? "highestBid" : "highest_bid", bid, price),
        ...offerOf(form, form.generation === "A" ? "lowestAsk" : "lowest_ask", ask, price),
      },
    ] as const;
  });
  return wrapped(
    form,
    form.generation === "A"
      ? Object.fromEntries(entries)
      : entries.map(([symbol, entry]) => ({ symbol, ...entry })),
  );
}

function offerOf(form: ServiceForm, name: string, offer: Offer, price: string): object {
  if (offer === "missing") return {};
  return { [name]: { price: written(form, Ratio.of(price)), null: null, zero: 0, zeroText: "0" }[offer] };
}
