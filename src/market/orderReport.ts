import { compareText } from "./compareText.ts";
import { amountDecimals } from "./numbers/amountDecimals.ts";
import { Decimal, plainText } from "./numbers/decimal.ts";
import type { Side } from "./order.ts";
import type { Pair } from "./pair.ts";

/** One fill of an order, as reported by an exchange. */
export interface Fill {
  /** The exchange's fill id, unique within the order. */
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Quote per one base. */
  readonly rate: Decimal;
  /** In base. */
  readonly quantity: Decimal;
  /** Computed from the value, because the exchange reports only that: it may differ by what the exchange rounded. */
  readonly isQuantityAbout?: true | undefined;
  /** In quote, before the fee: a buy paid exactly `value` plus `fee`, a sell received `value` minus `fee`. */
  readonly value: Decimal;
  /** In quote; negative for a rebate. */
  readonly fee: Decimal;
  readonly isMaker?: boolean | undefined;
}

/** Status of an order. `open` rests in the book, possibly partly filled; all others are final. */
export type OrderStatus = "open" | "cancelled" | "rejected" | "partlyFilledCancelled" | "filled";

/** Where a report was read. `push`: an event of the private stream. */
export type ReportSource = "list" | "info" | "history" | "push";

/**
 * What one response reports about one order. Unreported fields are missing: a history has only fills, a list of open
 * orders has none.
 */
export interface OrderReport {
  readonly source: ReportSource;
  /** As text, because some ids exceed 2^53. */
  readonly orderId: string;
  /** Other ids of the same order, earlier or later: some exchanges give the remainder of an order a new id. */
  readonly otherIds?: readonly string[] | undefined;
  /** The one of `otherIds` that the exchange continued the order under. */
  readonly laterId?: string | undefined;
  readonly clientId?: string | undefined;
  /** The pair's key (`pairKey`). */
  readonly symbol: string;
  readonly pair: Pair;
  readonly side: Side;
  /** Limit price, quote per base. Missing in a history, whose rates are those of fills. */
  readonly rate?: Decimal | undefined;
  readonly status?: OrderStatus | undefined;
  /** Price at which a stop order enters the book; it waits until then. `none` once it is in the book, or never waits. */
  readonly trigger?: Decimal | "unknown" | "none" | undefined;
  /** Ordered quantity in base. An estimate for a buy, because a better price yields more. */
  readonly quantity?: Decimal | undefined;
  /** In quote, fee included: the most a buy may spend. */
  readonly amount?: Decimal | undefined;
  /** Unfilled part of `quantity`, in base. */
  readonly remaining?: Decimal | undefined;
  /** Amount spent so far as counted by the exchange: quote with the fee for a buy, base for a sell. */
  readonly executed?: Decimal | undefined;
  readonly fills: readonly Fill[];
  /** Number of fills in the response with unreadable figures: no sum of the fills is complete then. */
  readonly unclearFills?: number | undefined;
  /** ms since the epoch, like all times. */
  readonly placedAt?: number | undefined;
  /** Without a `status`, the order ended, filled or not. */
  readonly closedAt?: number | undefined;
  /**
   * The order is no longer listed and nothing explains why. Inferred, and no proof that it ended: a list may lag, be
   * capped or not support the pair. A later report of the open order revokes it.
   */
  readonly goneAt?: number | undefined;
  /** Local time right before the request. */
  readonly askedAt: number;
}

/** Two reports of one order that cannot both be true. The first one counts. */
type Contradiction =
  | { readonly about: "fill"; readonly known: Fill; readonly reported: Fill }
  | { readonly about: "end"; readonly known: OrderStatus; readonly reported: OrderStatus }
  | { readonly about: "symbol" | "side" | "rate"; readonly known: string; readonly reported: string };

/** Everything known about an order from its reports. */
export interface KnownOrder extends OrderReport, OpenReports {
  /** Fills beyond the ordered amount: shown as a contradiction and left out of all sums. */
  readonly surplus: readonly Fill[];
  readonly contradictions: readonly Contradiction[];
}

/** A summary of the reports that show the order as open. */
interface OpenReports {
  /** When the newest of them was requested, ms. */
  readonly openAt?: number | undefined;
  /** The smallest full amount among them: some lists report only what is left. Quote for a buy, base for a sell. */
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
/** Upper bound of the fee, as a share of the order. */
const FEE_AT_MOST = new Decimal("0.01");
const NEARLY_ALL = new Decimal("0.99");

/** A status is only replaced by one of higher rank: fills are facts and outrank a cancellation. */
const RANK: Readonly<Record<OrderStatus, number>> = {
  open: 0,
  cancelled: 1,
  rejected: 1,
  partlyFilledCancelled: 2,
  filled: 3,
};

/**
 * Merges a report into what is known of its order; `known` is undefined for the first one. State only moves forward,
 * whatever the order of the reports, so a stale response cannot undo a newer event: an ended order never reopens, no
 * fill is forgotten and the remaining quantity never grows. Each fill counts once, by id, and only up to the ordered
 * amount. Throws RangeError for a report of another order.
 */
export function applyReport(known: KnownOrder | undefined, report: OrderReport & OpenReports): KnownOrder {
  if (!known) return applyReport({ ...report, fills: [], surplus: [], contradictions: [] }, report);
  if (known.orderId !== report.orderId)
    throw new RangeError(`A report of order ${report.orderId} cannot update order ${known.orderId}.`);
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
    laterId: report.laterId ?? known.laterId,
    unclearFills: Math.max(known.unclearFills ?? 0, report.unclearFills ?? 0) || undefined,
    status: laterStatus(known.status, report.status),
    trigger: report.askedAt < known.askedAt ? known.trigger : waitingFor(report.trigger ?? known.trigger),
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

/** No trigger and a passed one are the same. */
function waitingFor(trigger: OrderReport["trigger"]): OrderReport["trigger"] {
  return trigger === "none" ? undefined : trigger;
}

function openReportsOf(report: OrderReport & OpenReports): OpenReports {
  const isOpen = report.status === "open";
  return {
    openAt: report.openAt ?? (isOpen ? report.askedAt : undefined),
    leastOpen: report.leastOpen ?? (isOpen ? fullAmount(report) : undefined),
  };
}

/**
 * The part of a report that adds to what is known, with only its new fills; undefined if nothing does. Applying it
 * gives the same result as applying the whole report, except for `askedAt`.
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
  "laterId",
  "unclearFills",
  "status",
  "trigger",
  "rate",
  "quantity",
  "amount",
  "remaining",
  "executed",
  "leastOpen",
  "placedAt",
  "closedAt",
] as const;

/** Whether the exchange reported that the order ended. A history may not say how. */
export function hasEnded({ status, closedAt }: Pick<OrderReport, "status" | "closedAt">): boolean {
  return closedAt !== undefined || isEnd(status);
}

/** Whether it is known how the order ended. */
export function isEndKnown({ status }: Pick<OrderReport, "status">): boolean {
  return isEnd(status);
}

/** Whether the order is no longer listed without a known end: it may have ended or still be open. */
export function isUnlisted(order: Pick<KnownOrder, "status" | "closedAt" | "goneAt" | "openAt">): boolean {
  const { goneAt, openAt = Number.NEGATIVE_INFINITY } = order;
  return goneAt !== undefined && goneAt > openAt && !hasEnded(order);
}

/**
 * Whether all fills are known, as far as the exchange reports them. Fills with unreadable figures count as known,
 * because another response would be no clearer.
 */
export function hasAllFills(order: KnownOrder): boolean {
  const { status, fills, unclearFills } = order;
  if (unclearFills !== undefined) return true;
  if ((status === "filled" || status === "partlyFilledCancelled") && fills.length === 0) return false;
  const filled = filledAmount(order, fills);
  // A fee paid with credits appears in no fill, so the fills of a filled buy may sum to less than its amount.
  const whole = status === "filled" ? fullAmount(order)?.times(NEARLY_ALL) : undefined;
  return !whole?.gt(filled) && filled.plus(dustOf(order)).gte(leastExecuted(order));
}

/** Lower bound of the executed amount, from everything the exchange reports besides fills. */
function leastExecuted(order: OrderReport & OpenReports): Decimal {
  const { executed = ZERO, leastOpen, side, quantity, remaining } = order;
  const whole = fullAmount(order);
  const parts = [
    ...(whole && leastOpen ? [whole.minus(leastOpen)] : []),
    ...(side === "sell" && quantity && remaining ? [quantity.minus(remaining)] : []),
  ];
  // Some responses include the fee in the amount of a buy, others do not.
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
 * Average rate of fills weighted by quantity, rounded half up to `places` (at most 39); undefined without a quantity.
 * Never outside the rates of the fills, which value divided by a truncated quantity could be.
 */
export function averageRate(fills: readonly Fill[], places: number): Decimal | undefined {
  const { quantity } = sumFills(fills);
  const weighted = fills.reduce((sum, fill) => sum.plus(fill.rate.times(fill.quantity)), ZERO);
  return quantity.gt(ZERO) ? weighted.div(quantity).round(places, Decimal.roundHalfUp) : undefined;
}

/**
 * Filled share, 0 to 1, truncated to 4 places so that 1 means all; undefined if the ordered amount is unknown. A buy is
 * measured by what it spent, because a better price yields more than the ordered quantity.
 */
export function filledShare(order: KnownOrder): Decimal | undefined {
  const { quantity, remaining, status, side } = order;
  const one = new Decimal("1");
  if (status === "filled") return one;
  const sums = sumFills(order.fills);
  const share = (part: Decimal, whole: Decimal | undefined): Decimal[] =>
    whole?.gt(ZERO) ? [part.div(whole)] : [];
  const whole = fullAmount(order);
  const shares = [
    ...(whole ? share(leastExecuted(order), whole) : []),
    ...(whole ? share(spentBy(side, sums), whole) : share(sums.quantity, quantity)),
    ...(remaining && quantity ? share(quantity.minus(remaining), quantity) : []),
  ];
  const found = shares.reduce<Decimal | undefined>(larger, undefined);
  if (!found) return undefined;
  const capped = found.gt(one) ? one : found;
  return (capped.lt(ZERO) ? ZERO : capped).round(4, Decimal.roundDown);
}

/**
 * Unfilled quantity of an open order in base: the minimum according to reports and fills. Undefined if unknown.
 */
export function openQuantity({ quantity, remaining, fills }: KnownOrder): Decimal | undefined {
  const left = quantity?.minus(sumFills(fills).quantity);
  return left?.gte(ZERO) ? smaller(remaining, left) : remaining;
}

type Ordered = Pick<OrderReport, "side" | "quantity" | "amount">;

/**
 * Splits fills into those that count and the surplus. Fills already counted stay counted; new ones count while they
 * fit.
 */
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
      fee: sums.fee.plus(fill.fee),
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

/** A buy is limited by what it may spend, if known: its quantity is an estimate. */
function isBeyond({ side, quantity, amount }: Ordered, sums: FillSums): boolean {
  // A rebate pays for a part of the value.
  if (side === "buy" && amount)
    return (sums.fee.lt(ZERO) ? sums.value.plus(sums.fee) : sums.value).gt(amount);
  return side === "sell" && quantity !== undefined && sums.quantity.gt(quantity);
}

/** Whether the fills prove that the order is complete. */
function isFullyFilled(order: Ordered, fills: readonly Fill[]): boolean {
  const whole = fullAmount(order);
  return whole !== undefined && whole.gt(ZERO) && filledAmount(order, fills).gte(whole);
}

/** What rounding may leave of a filled order: a few units of both assets per fill, and for the remainder. */
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

function filledAmount({ side }: Ordered, fills: readonly Fill[]): Decimal {
  return spentBy(side, sumFills(fills));
}

/** What fills spent: quote with the fee for a buy, base for a sell. */
export function spentBy(side: Side, { quantity, value, fee }: FillSums): Decimal {
  return side === "buy" ? value.plus(fee) : quantity;
}

/** The amount spent if the order fills completely: quote for a buy, base for a sell. */
export function fullAmount({ side, quantity, amount }: Ordered): Decimal | undefined {
  return side === "buy" ? amount : quantity;
}

/** The inverse of `fullAmount`: the fields of a report that state the ordered amount. */
export function orderedAs<Amount extends Decimal | undefined>(
  side: Side,
  ordered: Amount,
): { readonly amount: Amount } | { readonly quantity: Amount } {
  return side === "buy" ? { amount: ordered } : { quantity: ordered };
}

/**
 * Corrects the status by what fills and remaining quantity prove, whatever the exchange calls it. An order that is no
 * longer open and whose fills leave only rounding dust was filled.
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
  // A response that still says "open" is only late, not a contradiction.
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
 * Whether two reported ends differ only in precision: an exchange may say "cancelled" for partly filled and cancelled,
 * and without its last page a history makes a filled order look partly filled.
 */
function isMorePrecise(one: OrderStatus, other: OrderStatus): boolean {
  const both = new Set([one, other]);
  return both.has("partlyFilledCancelled") && !both.has("rejected");
}

/** Smallest unit of a quantity. */
const QUANTITY_UNIT = new Decimal("1e-8");
/** The last of several fills may include what truncation took from the others, one unit each. */
const SLACK = QUANTITY_UNIT.times("10");

/**
 * Compares with tolerance: some responses have times in seconds, the amount of a buy in base or in quote, or the exact
 * proceeds of a sell. Rate and quantity determine the value up to that rounding.
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
