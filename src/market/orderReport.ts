import { compareText } from "./compareText.ts";
import { amountDecimals } from "./numbers/amountDecimals.ts";
import { Decimal, plainText } from "./numbers/decimal.ts";
import type { Side } from "./order.ts";
import type { Pair } from "./pair.ts";

/** One match of an order, as a service tells it. */
export interface Fill {
  /** The service's id of the match, unique within its order. */
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Quote per one base. */
  readonly rate: Decimal;
  /** In base: what changed hands. */
  readonly quantity: Decimal;
  /** In quote, before the fee. With the fee of a buy, it is exactly what was paid; without that of a sell, what was received. */
  readonly value: Decimal;
  /** In quote. */
  readonly fee: Decimal;
  readonly isMaker?: boolean | undefined;
}

/** How far an order is. `open` rests, perhaps partly filled; every other state is an end. */
export type OrderStatus = "open" | "cancelled" | "rejected" | "partlyFilledCancelled" | "filled";

/**
 * What one answer of a service says of one order. A field that the answer does not tell is missing: a history tells
 * matches only, a row of open orders no match.
 */
export interface OrderReport {
  /** As text, because some ids are above 2^53. */
  readonly orderId: string;
  /** Ids that the same order had before or has now: some services give the rest of an order a new id. */
  readonly otherIds?: readonly string[] | undefined;
  readonly clientId?: string | undefined;
  /** The wire symbol. */
  readonly symbol: string;
  readonly pair: Pair;
  readonly side: Side;
  /** The limit: quote per one base. Missing in a history, whose rates are those of the matches. */
  readonly rate?: Decimal | undefined;
  readonly status?: OrderStatus | undefined;
  /** In base: what was ordered. For a buy an estimate, because a better rate yields more. */
  readonly quantity?: Decimal | undefined;
  /** In quote, with the fee: what a buy may spend. */
  readonly amount?: Decimal | undefined;
  /** In base: the part of `quantity` that was not filled. */
  readonly remaining?: Decimal | undefined;
  /** What left the account so far by the service's own count: quote with the fee of a buy, base of a sell. */
  readonly executed?: Decimal | undefined;
  readonly fills: readonly Fill[];
  /** Matches that the answer has, but whose figures cannot be read: no sum of the fills is complete then. */
  readonly unclearFills?: number | undefined;
  /** ms since the epoch, like all times. */
  readonly placedAt?: number | undefined;
  /** Without a `status`: the order ended, filled or not. */
  readonly closedAt?: number | undefined;
  /**
   * No list has the order any more, and no answer says why. This is inferred and proves no end: a list may lag, be capped
   * or not support the pair. A later report of the open order takes it back.
   */
  readonly goneAt?: number | undefined;
  /** The local time right before the request for this answer. */
  readonly askedAt: number;
}

/** Two things that a service said of one order and that cannot both be true. The first one counts. */
type Contradiction =
  | { readonly about: "fill"; readonly known: Fill; readonly reported: Fill }
  | { readonly about: "end"; readonly known: OrderStatus; readonly reported: OrderStatus }
  | { readonly about: "symbol" | "side" | "rate"; readonly known: string; readonly reported: string };

/** All that is known of an order from its reports. */
export interface KnownOrder extends OrderReport, OpenReports {
  /** Fills beyond what was ordered: shown as a contradiction, and in no sum. */
  readonly surplus: readonly Fill[];
  readonly contradictions: readonly Contradiction[];
}

/** What the reports of the open order say together. */
interface OpenReports {
  /** When the newest of them was asked for, ms. */
  readonly openAt?: number | undefined;
  /** The least amount that one of them tells: some lists tell what is left. Quote of a buy, base of a sell. */
  readonly leastOpen?: Decimal | undefined;
}

/** The sums of some fills, exact. */
export interface FillSums {
  /** In base. */
  readonly quantity: Decimal;
  /** In quote, before the fee. */
  readonly value: Decimal;
  /** In quote. */
  readonly fee: Decimal;
}

const ZERO = new Decimal("0");
/** The fee is less than this share of an order. */
const FEE_AT_MOST = new Decimal("0.01");
const NEARLY_ALL = new Decimal("0.99");

/** A status is only replaced by a higher one: matches are facts, so a fill counts more than a cancellation. */
const RANK: Readonly<Record<OrderStatus, number>> = {
  open: 0,
  cancelled: 1,
  rejected: 1,
  partlyFilledCancelled: 2,
  filled: 3,
};

/**
 * What is known of an order after one more report of it; undefined as `known` for the first one. The state only moves
 * forward, whatever the order of the reports: an end is never opened again, a fill never forgotten, a remaining
 * quantity never raised. So a report that was asked for before a newer event cannot undo that event. A fill counts
 * once, by its id, and only up to what was ordered. Reports of two orders must not be mixed: this throws.
 */
export function applyReport(known: KnownOrder | undefined, report: OrderReport & OpenReports): KnownOrder {
  if (!known) return applyReport({ ...report, fills: [], surplus: [], contradictions: [] }, report);
  if (known.orderId !== report.orderId)
    throw new RangeError(`A report of order ${report.orderId} does not tell of order ${known.orderId}.`);
  const ordered = {
    side: known.side,
    rate: known.rate ?? report.rate,
    quantity: larger(known.quantity, report.quantity),
    amount: larger(known.amount, report.amount),
  };
  const { counted, surplus } = countFills(ordered, known.fills, [...known.surplus, ...report.fills]);
  const open = openReportsOf(report);
  const merged = {
    ...known,
    ...ordered,
    clientId: known.clientId ?? report.clientId,
    otherIds: union(known.otherIds, report.otherIds),
    unclearFills: Math.max(known.unclearFills ?? 0, report.unclearFills ?? 0) || undefined,
    status: laterStatus(known.status, report.status),
    remaining: smaller(known.remaining, report.remaining),
    executed: larger(known.executed, report.executed),
    openAt: later(known.openAt, open.openAt),
    leastOpen: smaller(known.leastOpen, open.leastOpen),
    fills: counted,
    placedAt: earlier(known.placedAt, report.placedAt),
    closedAt: known.closedAt ?? report.closedAt,
    goneAt: later(known.goneAt, report.goneAt),
  };
  return {
    ...merged,
    status: statusWithFills(merged),
    askedAt: Math.max(known.askedAt, report.askedAt),
    surplus,
    contradictions: distinct([...known.contradictions, ...contradictionsOf(known, report)]),
  };
}

function openReportsOf(report: OrderReport & OpenReports): OpenReports {
  const isOpen = report.status === "open";
  return {
    openAt: report.openAt ?? (isOpen ? report.askedAt : undefined),
    leastOpen: report.leastOpen ?? (isOpen ? fullAmount(report) : undefined),
  };
}

/**
 * The part of a report that adds anything to what is known, with only its new fills; undefined if there is none.
 * `advance` gives the same result with this part as with the whole report, except for `askedAt`.
 */
export function newPartOf(known: KnownOrder | undefined, report: OrderReport): OrderReport | undefined {
  if (!known) return report;
  const reported = Map.groupBy(
    [
      ...known.fills,
      ...known.surplus,
      ...known.contradictions.flatMap((each) => (each.about === "fill" ? [each.reported] : [])),
    ],
    ({ id }) => id,
  );
  const fills = report.fills.filter((fill) => !reported.get(fill.id)?.some((each) => isSameFill(each, fill)));
  const after = applyReport(known, { ...report, fills: [] });
  const isNew =
    isUnlisted(known) !== isUnlisted(after) ||
    FIGURES.some((figure) => String(known[figure]) !== String(after[figure]));
  const isContradicted = after.contradictions.length > known.contradictions.length;
  return isNew || isContradicted || fills.length > 0 ? { ...report, fills } : undefined;
}

const FIGURES = [
  "clientId",
  "otherIds",
  "unclearFills",
  "status",
  "rate",
  "quantity",
  "amount",
  "remaining",
  "executed",
  "leastOpen",
  "placedAt",
  "closedAt",
] as const;

/** Whether the exchange told an end. A history may tell it without the kind of end. */
export function hasEnded({ status, closedAt }: Pick<OrderReport, "status" | "closedAt">): boolean {
  return closedAt !== undefined || isEnd(status);
}

/** Whether the kind of end is known. */
export function isEndKnown({ status }: Pick<OrderReport, "status">): boolean {
  return isEnd(status);
}

/** Whether no list has the order any more although no end is known: it may have ended, or may still be open. */
export function isUnlisted(order: Pick<KnownOrder, "status" | "closedAt" | "goneAt" | "openAt">): boolean {
  const { goneAt, openAt = Number.NEGATIVE_INFINITY } = order;
  return goneAt !== undefined && goneAt > openAt && !hasEnded(order);
}

/**
 * Whether the known fills are all that the order executed, as far as the exchange tells that. Fills that cannot be read
 * would not be clearer in another answer.
 */
export function hasAllFills(order: KnownOrder): boolean {
  const { status, fills, unclearFills } = order;
  if (unclearFills !== undefined) return true;
  if ((status === "filled" || status === "partlyFilledCancelled") && fills.length === 0) return false;
  const filled = filledAmount(order, fills);
  // A fee that credits paid is in no fill, so the fills of a filled buy may be less than its amount.
  const whole = status === "filled" ? fullAmount(order)?.times(NEARLY_ALL) : undefined;
  return !whole?.gt(filled) && filled.plus(dustOf(order)).gte(leastExecuted(order));
}

/** What left the account at least, by what the exchange tells beside the fills. */
function leastExecuted(order: OrderReport & OpenReports): Decimal {
  const { executed = ZERO, leastOpen, side, quantity, remaining } = order;
  const whole = fullAmount(order);
  const parts = [
    ...(whole && leastOpen ? [whole.minus(leastOpen)] : []),
    ...(side === "sell" && quantity && remaining ? [quantity.minus(remaining)] : []),
  ];
  // Some answers tell the amount of a buy with its fee, others without it.
  const beyondFee = parts.filter((part) => whole !== undefined && part.gt(whole.times(FEE_AT_MOST)));
  return [executed, ...beyondFee].reduce((most, part) => (part.gt(most) ? part : most));
}

export function sumFills(fills: readonly Fill[]): FillSums {
  const sum = (figure: (fill: Fill) => Decimal): Decimal =>
    fills.reduce((total, fill) => total.plus(figure(fill)), ZERO);
  return {
    quantity: sum(({ quantity }) => quantity),
    value: sum(({ value }) => value),
    fee: sum(({ fee }) => fee),
  };
}

/**
 * The average rate of some fills, weighted by their quantities, rounded half up to `places` (at most 39). Undefined
 * without a quantity. It is never beyond the rates of the fills, as a value by a truncated quantity may be.
 */
export function averageRate(fills: readonly Fill[], places: number): Decimal | undefined {
  const { quantity } = sumFills(fills);
  const weighted = fills.reduce((sum, fill) => sum.plus(fill.rate.times(fill.quantity)), ZERO);
  return quantity.gt(ZERO) ? weighted.div(quantity).round(places, Decimal.roundHalfUp) : undefined;
}

/**
 * The filled share of an order, 0 to 1, truncated at 4 places so that 1 means all. Undefined if nothing tells what was
 * ordered. A buy is measured by what it spent, because a better rate yields more than the ordered quantity.
 */
export function filledShare(order: KnownOrder): Decimal | undefined {
  const { quantity, amount, remaining, status, side } = order;
  const one = new Decimal("1");
  if (status === "filled") return one;
  const sums = sumFills(order.fills);
  const share = (part: Decimal, whole: Decimal | undefined): Decimal[] =>
    whole?.gt(ZERO) ? [part.div(whole)] : [];
  const whole = fullAmount(order);
  const shares = [
    ...(whole ? share(leastExecuted(order), whole) : []),
    ...(side === "buy" && amount ? share(sums.value.plus(sums.fee), amount) : share(sums.quantity, quantity)),
    ...(remaining && quantity ? share(quantity.minus(remaining), quantity) : []),
  ];
  const found = shares.reduce<Decimal | undefined>(larger, undefined);
  if (!found) return undefined;
  const capped = found.gt(one) ? one : found;
  return (capped.lt(ZERO) ? ZERO : capped).round(4, Decimal.roundDown);
}

/** The base of an open order that is not filled yet: the least that its reports and its fills allow. Undefined if unknown. */
export function openQuantity({ quantity, remaining, fills }: KnownOrder): Decimal | undefined {
  const left = quantity?.minus(sumFills(fills).quantity);
  return left?.gte(ZERO) ? smaller(remaining, left) : remaining;
}

type Ordered = Pick<OrderReport, "side" | "quantity" | "amount">;

/** The fills to count: those already counted stay, and each new one is added if it still fits. */
function countFills<T extends Fill>(
  ordered: Ordered,
  known: readonly T[],
  more: readonly T[],
): { readonly counted: readonly T[]; readonly surplus: readonly T[] } {
  const counted = [...known];
  const surplus: T[] = [];
  const seen = new Set(known.map(({ id }) => id));
  let sums = sumFills(known);
  for (const fill of more.toSorted(byTime)) {
    if (seen.has(fill.id)) continue;
    seen.add(fill.id);
    const next = {
      quantity: sums.quantity.plus(fill.quantity),
      value: sums.value.plus(fill.value),
      fee: sums.fee,
    };
    if (isBeyond(ordered, next)) {
      surplus.push(fill);
      continue;
    }
    counted.push(fill);
    sums = next;
  }
  return { counted: counted.toSorted(byTime), surplus };
}

/** A buy is bound by what it may spend, where that is known: its quantity is an estimate. */
function isBeyond({ side, quantity, amount }: Ordered, sums: FillSums): boolean {
  if (side === "buy" && amount) return sums.value.gt(amount);
  return side === "sell" && quantity !== undefined && sums.quantity.gt(quantity);
}

/** Whether the fills prove that nothing is left of the order. */
function isFullyFilled(order: Ordered, fills: readonly Fill[]): boolean {
  const whole = fullAmount(order);
  return whole !== undefined && whole.gt(ZERO) && filledAmount(order, fills).gte(whole);
}

/** What rounding may leave of an order that was filled: some units of both assets for each match, and for the rest. */
function dustOf({ side, rate, fills, pair }: OrderReport): Decimal {
  const unit =
    side === "sell"
      ? QUANTITY_UNIT
      : QUANTITY_UNIT.times(rate ?? ZERO).plus(`1e-${amountDecimals(pair.quote)}`);
  return unit.times(String(2 * (fills.length + 1)));
}

function isAllButDust(order: OrderReport): boolean {
  const { fills, unclearFills } = order;
  const whole = fullAmount(order);
  if (!whole || fills.length === 0 || unclearFills !== undefined) return false;
  const filled = filledAmount(order, fills);
  return filled.gte(whole.times(NEARLY_ALL)) && filled.plus(dustOf(order)).gte(whole);
}

/** What the fills took of what the order gives away. */
function filledAmount({ side }: Ordered, fills: readonly Fill[]): Decimal {
  const sums = sumFills(fills);
  return side === "buy" ? sums.value.plus(sums.fee) : sums.quantity;
}

/** What an order gives away if it is filled: quote of a buy, base of a sell. */
export function fullAmount({ side, quantity, amount }: Ordered): Decimal | undefined {
  return side === "buy" ? amount : quantity;
}

/**
 * The status with what the fills and the remaining quantity prove, whatever word the exchange uses. An order that is not
 * open any more, and whose fills leave only what rounding leaves, was filled.
 */
function statusWithFills(order: OrderReport & OpenReports): OrderStatus | undefined {
  const { status, fills, remaining, quantity, closedAt } = order;
  if (isFullyFilled(order, fills)) return "filled";
  if (!isEnd(status) && (closedAt !== undefined || isUnlisted(order)) && isAllButDust(order)) return "filled";
  const isPart =
    fills.length > 0 || (remaining && quantity && remaining.lt(quantity)) || leastExecuted(order).gt(ZERO);
  return isPart && isEnd(status) ? laterStatus(status, "partlyFilledCancelled") : status;
}

function isEnd(status: OrderStatus | undefined): status is Exclude<OrderStatus, "open"> {
  return status !== undefined && status !== "open";
}

function laterStatus(
  known: OrderStatus | undefined,
  reported: OrderStatus | undefined,
): OrderStatus | undefined {
  if (!known || !reported) return known ?? reported;
  return RANK[reported] > RANK[known] ? reported : known;
}

function contradictionsOf(known: KnownOrder, report: OrderReport): Contradiction[] {
  const found: Contradiction[] = [];
  const byId = new Map([...known.fills, ...known.surplus].map((fill) => [fill.id, fill]));
  for (const reported of report.fills) {
    const first = byId.get(reported.id);
    if (first && !isSameFill(first, reported)) found.push({ about: "fill", known: first, reported });
    else byId.set(reported.id, reported);
  }
  const { status: was } = known;
  const { status: is } = report;
  // An answer that still says "open" is only late.
  if (isEnd(was) && isEnd(is) && was !== is && !isMorePrecise(was, is))
    found.push({ about: "end", known: was, reported: is });
  if (was === "rejected" && report.fills.length > 0)
    found.push({ about: "end", known: was, reported: "partlyFilledCancelled" });
  const compare = (about: "symbol" | "side" | "rate", first?: string, reported?: string): void => {
    if (first !== undefined && reported !== undefined && first !== reported)
      found.push({ about, known: first, reported });
  };
  compare("symbol", known.symbol.toUpperCase(), report.symbol.toUpperCase());
  compare("side", known.side, report.side);
  compare("rate", known.rate && plainText(known.rate), report.rate && plainText(report.rate));
  return found;
}

/**
 * "Cancelled" may be a service's word for partly filled and cancelled, and a history without its last page makes a
 * filled order look like one that was partly filled.
 */
function isMorePrecise(one: OrderStatus, other: OrderStatus): boolean {
  const both = new Set([one, other]);
  return both.has("partlyFilledCancelled") && !both.has("rejected");
}

/** The least unit of a quantity. */
const QUANTITY_UNIT = new Decimal("1e-8");
/** The last of several matches may get what truncation took from the others, a unit for each. */
const SLACK = QUANTITY_UNIT.times("10");

/**
 * Some answers tell the time in seconds. Some tell the amount of a buy in base, some in quote, and some what a sell
 * brought to the last digit: rate and quantity tell the value but for that rounding.
 */
function isSameFill(one: Fill, other: Fill): boolean {
  return (
    Math.abs(one.at - other.at) < 1000 &&
    one.rate.eq(other.rate) &&
    one.quantity.minus(other.quantity).abs().lte(SLACK) &&
    one.fee.eq(other.fee)
  );
}

function distinct(contradictions: readonly Contradiction[]): readonly Contradiction[] {
  return [...new Map(contradictions.map((each) => [JSON.stringify(each), each])).values()];
}

function byTime(one: Fill, other: Fill): number {
  return one.at - other.at || compareText(one.id, other.id);
}

function larger(one: Decimal | undefined, other: Decimal | undefined): Decimal | undefined {
  if (!one || !other) return one ?? other;
  return other.gt(one) ? other : one;
}

function smaller(one: Decimal | undefined, other: Decimal | undefined): Decimal | undefined {
  if (!one || !other) return one ?? other;
  return other.lt(one) ? other : one;
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function union(one: readonly string[] = [], other: readonly string[] = []): readonly string[] | undefined {
  const all = [...new Set([...one, ...other])];
  return all.length > 0 ? all : undefined;
}
