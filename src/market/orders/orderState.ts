import { compareText } from "../compareText.ts";
import { amountDecimals } from "../numbers/amountDecimals.ts";
import { Decimal } from "../numbers/decimal.ts";
import type { Side } from "../order.ts";
import { type Fill, spentBy, sumFills } from "../orderReport.ts";
import type { Pair } from "../pair.ts";
import {
  type FillStatement,
  inSequence,
  isPushed,
  isStatement,
  type Observation,
  type Statement,
} from "./observation.ts";

/**
 * What an order is, in one word. `docs/orders.md` has the table of precedence.
 *
 * - `sending`: waiting for the response.
 * - `unknown`: it may have been placed; nothing proves whether it was.
 * - `notSent`: provably no byte of it left this computer.
 * - `notPlaced`: the user says that it never reached the exchange.
 * - `accountReset`: the practice account was reset before its outcome was known.
 * - `accepted`: the exchange has it; whether it rests or was filled is not known.
 * - `open`: it rests in the book, possibly partly filled.
 * - `notListed`: it left the open orders and nothing explains why.
 * - `ended`: it ended, and it is not known how.
 */
export type OrderStatusName =
  | "sending"
  | "unknown"
  | "notSent"
  | "notPlaced"
  | "accountReset"
  | "accepted"
  | "open"
  | "notListed"
  | "ended"
  | "cancelled"
  | "rejected"
  | "partlyFilledCancelled"
  | "filled";

/**
 * Something that cannot all be true. Each kind counts once per order.
 *
 * - `listedAfterEnd`: open orders list it although it was reported as ended.
 * - `endsDisagree`: it was reported to have ended in two different ways.
 * - `fillsDisagree`: one fill was reported with different figures.
 * - `filledBeyondOrder`: the fills exceed the ordered amount.
 * - `ratesDisagree`: it was reported with another limit price.
 */
type Doubt = "listedAfterEnd" | "endsDisagree" | "fillsDisagree" | "filledBeyondOrder" | "ratesDisagree";

/** What is known of one order. It depends on nothing but the set of observations. */
export interface OrderState {
  readonly pair: Pair;
  readonly side: Side;
  readonly clientId: string | undefined;
  readonly status: OrderStatusName;
  /** False if only pushed events name the order: it is shown, and counts nowhere. */
  readonly isConfirmed: boolean;
  /** A requested cancellation that has not ended the order. `stillOpen`: it is listed long after the request. */
  readonly cancel: "cancelling" | "stillOpen" | undefined;
  /** All its exchange ids, in the order in which they were first seen. */
  readonly ids: readonly string[];
  /** The id to request and cancel it by: the one seen open last. */
  readonly currentId: string | undefined;
  /** Another id that it was continued under, according to a response: that may tell how it ended. */
  readonly continuedAs: string | undefined;
  readonly rate: Decimal | undefined;
  /** Price at which a stop order enters the book; undefined once it is there, and for an order that never waits. */
  readonly trigger: Decimal | "unknown" | undefined;
  /** Ordered, in what leaves the account: quote to buy, base to sell. Undefined unless the exchange or we state it. */
  readonly ordered: Decimal | undefined;
  /** A lower bound of `ordered`: the largest amount in a list, which may be a remainder. */
  readonly listedAmount: Decimal | undefined;
  /** Ordered quantity in base as far as it is known; an estimate for a buy. */
  readonly quantity: Decimal | undefined;
  /** What left the account for it: the counted fills, or more if the exchange states more. Same unit as `ordered`. */
  readonly filled: Decimal;
  /** At most this much of `ordered` is not filled; undefined if unknown. */
  readonly left: Decimal | undefined;
  /** The smallest unfilled quantity that the exchange states, in base; an estimate for a buy. */
  readonly remaining: Decimal | undefined;
  /** Each once, oldest first. */
  readonly fills: readonly Fill[];
  /** Fills beyond what was ordered. In no sum. */
  readonly surplus: readonly Fill[];
  readonly unclearFills: number;
  readonly placedAt: number | undefined;
  readonly doubts: readonly Doubt[];
  /** The end and all fills are known, so nothing more needs to be read. */
  readonly isComplete: boolean;
  /** All fills of what was filled are known. Unreadable ones count as known. */
  readonly hasAllFills: boolean;
}

/** Two lists this far apart show that an order did not just linger in them, ms. */
const SETTLING_MS = 2_000;
/** An order missing from complete lists for this long is called not listed, ms. */
const MISSING_MS = 60_000;
/** An exchange may take this long to cancel, ms. An order listed later was not cancelled. */
const CANCELLING_MS = 30_000;

const ZERO = new Decimal("0");
/** A list may or may not include the fee, at most this share of the order, in the amount of a buy. */
const FEE_AT_MOST = new Decimal("0.01");
/** A fee paid with credits is in no fill, so the fills of a filled buy may sum to less than its amount. */
const NEARLY_ALL = new Decimal("0.99");
/** Smallest unit of a quantity. */
const QUANTITY_UNIT = new Decimal("1e-8");
/** The last of several fills may include what truncation took from the others, one unit each. */
const SLACK = QUANTITY_UNIT.times("10");

/**
 * Computes the state of one order from everything observed of it, in any order of arrival. Throws RangeError without an
 * intent and without a statement of the exchange.
 */
export function orderState(observations: Iterable<Observation>): OrderState {
  const read = readAll(observations);
  const figures = figuresOf(read);
  const status = statusOf(read, figures);
  const currentId = currentIdOf(read);
  return {
    pair: read.pair,
    side: read.side,
    clientId: read.intent?.sent.clientId ?? read.named?.clientId,
    status,
    isConfirmed: read.isConfirmed,
    cancel: isEnd(status) ? undefined : cancelOf(read),
    ids: [...read.ids],
    currentId,
    continuedAs: read.continuedAs === currentId ? undefined : read.continuedAs,
    rate: figures.rate,
    trigger: triggerOf(read.trigger),
    ordered: figures.ordered,
    listedAmount: read.mostListed?.amount,
    quantity: read.intent?.sent.quantity ?? read.quantity?.quantity,
    filled: figures.filled,
    left: figures.left,
    remaining: read.remaining?.remaining,
    fills: figures.counted,
    surplus: figures.surplus,
    unclearFills: figures.unclearFills,
    placedAt: read.intent?.at ?? read.placedAt?.placedAt,
    doubts: doubtsIn(read, figures),
    isComplete: isKnownEnd(status) && hasAllFills(status, figures),
    hasAllFills: hasAllFills(status, figures),
  };
}

/**
 * The observations that the state depends on, now and after later ones: leaving out the others changes no state. Their
 * number grows with events and fills, not with the number of polls.
 */
export function essential(observations: Iterable<Observation>): readonly Observation[] {
  const all = [...observations];
  const { essentials } = readAll(all);
  return all.filter((each) => essentials.has(each));
}

/** Whether the order has ended or was never placed, so that it can no longer be filled or cancelled. */
export function isEnd(status: OrderStatusName): boolean {
  return isKnownEnd(status) || status === "ended" || status === "accountReset";
}

function isKnownEnd(status: OrderStatusName): boolean {
  return FINAL.has(status);
}

const FINAL: ReadonlySet<OrderStatusName> = new Set([
  "notSent",
  "notPlaced",
  "cancelled",
  "rejected",
  "partlyFilledCancelled",
  "filled",
] as const);

type Intent = Extract<Observation, { source: "intent" }>;
type Receipt = Extract<Observation, { source: "receipt" }>;
type Cancel = Extract<Observation, { source: "cancel" }>;
type Person = Extract<Observation, { source: "person" }>;
type EndName = "rejected" | "notSent" | "cancelled" | "partlyFilledCancelled" | "filled";

/** Everything read from the sequence of observations. Each member keeps the observation that it comes from. */
interface Reading {
  readonly pair: Pair;
  readonly side: Side;
  readonly intent: Intent | undefined;
  readonly proof: Receipt | undefined;
  readonly lost: Receipt | undefined;
  readonly person: Person | undefined;
  readonly isReset: boolean;
  readonly exists: boolean;
  readonly isConfirmed: boolean;
  readonly ids: ReadonlySet<string>;
  readonly openAt: ReadonlyMap<string, number>;
  readonly continued: ReadonlySet<string>;
  readonly continuedAs: string | undefined;
  readonly end: EndName | "ended" | undefined;
  readonly isOpen: boolean;
  readonly isNotListed: boolean;
  readonly cancel: Cancel | undefined;
  readonly listedAt: number | undefined;
  readonly rate: Statement | undefined;
  readonly amount: Statement | undefined;
  readonly quantity: Statement | undefined;
  readonly placedAt: Statement | undefined;
  readonly mostListed: Statement | undefined;
  readonly leastListed: Statement | undefined;
  readonly remaining: Statement | undefined;
  readonly trigger: Statement | undefined;
  readonly named: Statement | undefined;
  readonly executed: Statement | undefined;
  readonly unclear: Statement | undefined;
  readonly fills: readonly Fill[];
  readonly doubts: ReadonlyMap<Doubt, unknown>;
  readonly essentials: ReadonlySet<Observation>;
}

/** Reads the sequence once. */
function readAll(observations: Iterable<Observation>): Reading {
  const sequence = inSequence(observations);
  const intent = sequence.find((each) => each.source === "intent");
  const statements = sequence.filter(isStatement);
  const [pair, side] = intent
    ? [intent.sent.pair, intent.sent.side]
    : [statements[0]?.pair, statements[0]?.side];
  if (!pair || !side) throw new RangeError("An order needs an intent or a statement of the exchange.");
  const essentials = new Set<Observation>();
  const keep = (...all: readonly (Observation | undefined)[]): void => {
    for (const each of all) if (each) essentials.add(each);
  };
  const doubts = new Map<Doubt, readonly Observation[]>();
  const doubt = (kind: Doubt, ...evidence: readonly Observation[]): void => {
    if (!doubts.has(kind)) doubts.set(kind, evidence);
  };
  const ids = readIds(sequence, keep);
  const record = readRecords(sequence, intent);
  const isKnownToExist = record.proof !== undefined && isFound(record.proof);
  const life = readLife(sequence, isKnownToExist, ids.continued, doubt);
  const figures = readFigures(statements, ids.isRoot, keep);
  const fills = readFills(sequence, doubt, keep);
  const { rate } = figures;
  const sentRate = intent?.sent.rate ?? rate?.rate;
  const otherRate = statements.find(
    (each) => "rate" in each && sentRate && each.rate?.eq(sentRate) === false,
  );
  if (otherRate) doubt("ratesDisagree", otherRate);
  keep(intent, ...record.essentials, ...life.essentials, ...[...doubts.values()].flat());
  const [existence, confirmation] = [statements[0], statements.find((each) => !isPushed(each))];
  keep(existence, confirmation);
  return {
    ...record,
    ...life,
    ...figures,
    pair,
    side,
    intent,
    exists: existence !== undefined,
    isConfirmed: confirmation !== undefined || intent !== undefined,
    ids: ids.all,
    openAt: ids.openAt,
    continued: ids.continued,
    continuedAs: ids.continuedAs,
    fills,
    doubts,
    essentials,
  };
}

type Keep = (...all: readonly (Observation | undefined)[]) => void;
type AddDoubt = (kind: Doubt, ...evidence: readonly Observation[]) => void;

function isOpenStatement(each: Observation): each is Statement {
  return isStatement(each) && each.source !== "fill" && (each.source === "list" || each.status === "open");
}

/** What identifies an order in a statement: each is kept once. */
function identifying({ source, orderId, clientId, openWith, rate }: Statement): readonly string[] {
  const isConfirming = source !== "push";
  return [
    ...(isConfirming && clientId !== undefined ? [`${orderId} ${clientId}`] : []),
    ...openWith.map((id) => `${orderId} beside ${id}`),
    ...(rate ? [`${orderId} rate`] : []),
  ];
}

/** The order's ids, when each was seen open last, and which of them were continued under another. */
function readIds(
  sequence: readonly Observation[],
  keep: Keep,
): {
  readonly all: ReadonlySet<string>;
  readonly openAt: ReadonlyMap<string, number>;
  readonly continued: ReadonlySet<string>;
  readonly continuedAs: string | undefined;
  readonly isRoot: (id: string) => boolean;
} {
  const first = new Map<string, Observation>();
  const open = new Map<string, Statement>();
  const names = new Map<string, Statement>();
  for (const each of sequence) {
    const orderId = isStatement(each) || each.source === "receipt" ? each.orderId : undefined;
    if (orderId !== undefined && !first.has(orderId)) first.set(orderId, each);
    if (isOpenStatement(each) && each.laterId === undefined) open.set(each.orderId, each);
    if (!isStatement(each) || each.source === "fill") continue;
    for (const name of identifying(each)) if (!names.has(name)) names.set(name, each);
  }
  const links = new Map<
    string,
    { readonly earlier: string; readonly later: string; readonly from: Statement }
  >();
  for (const each of sequence) {
    if (!isStatement(each) || each.source === "fill") continue;
    const { orderId, laterId } = each;
    const named = [
      ...each.earlierIds.map((earlier) => ({ earlier, later: orderId, from: each })),
      ...(laterId === undefined ? [] : [{ earlier: orderId, later: laterId, from: each }]),
    ];
    for (const link of named) {
      const key = JSON.stringify([link.earlier, link.later]);
      if (!links.has(key)) links.set(key, link);
    }
  }
  keep(
    ...first.values(),
    ...open.values(),
    ...names.values(),
    ...[...links.values()].map(({ from }) => from),
  );
  const all = new Set(first.keys());
  const inside = [...links.values()].filter(({ earlier, later }) => all.has(earlier) && earlier !== later);
  const continued = new Set(inside.map(({ earlier }) => earlier));
  const named = new Set([...links.values()].map(({ later }) => later));
  return {
    all,
    openAt: new Map([...open].map(([id, { at }]) => [id, at])),
    continued,
    continuedAs: [...links.values()].findLast(
      ({ later, from }) => from.laterId === later && !continued.has(later),
    )?.later,
    isRoot: (id) => !named.has(id),
  };
}

function currentIdOf({ ids, openAt, continued }: Reading): string | undefined {
  const latest = Math.max(...openAt.values());
  const seenOpen = [...ids].filter((id) => openAt.get(id) === latest);
  const candidates = seenOpen.length > 0 ? seenOpen : [...ids];
  return candidates.findLast((id) => !continued.has(id)) ?? candidates.at(-1);
}

/** What our own records prove, apart from the exchange's statements. */
function readRecords(
  sequence: readonly Observation[],
  intent: Intent | undefined,
): Pick<Reading, "proof" | "lost" | "person" | "isReset" | "cancel"> & {
  readonly essentials: readonly (Observation | undefined)[];
} {
  const receipts = sequence.filter((each) => each.source === "receipt");
  const proof = receipts.find(isFound) ?? receipts.find(({ says }) => says !== "lost");
  const lost = receipts.find(({ says }) => says === "lost");
  const person = sequence.findLast((each) => each.source === "person");
  const cancel = sequence.findLast((each) => each.source === "cancel");
  const reset = sequence.find((each) => each.source === "reset" && intent && each.at > intent.at);
  return {
    proof,
    lost,
    person,
    cancel,
    isReset: reset !== undefined,
    essentials: [proof, lost, person, cancel, reset],
  };
}

/** Whether the exchange has the order, even if its first response refused it. */
function isFound({ says, orderId }: Receipt): boolean {
  return says === "accepted" && orderId !== undefined;
}

/** How an end was stated, and since when it holds. */
interface StatedEnd {
  /** The first statement of the end, or the list that confirmed it. */
  readonly since: Observation;
  readonly how: EndName | "ended";
  readonly by: Observation;
}

/**
 * Whether the order rests, left the lists or ended. An end holds until two lists show the order; from then on an end
 * counts only if the next complete list agrees. A cancellation that was taken counts once a list asked for half a minute
 * later agrees: until then the exchange may not have cancelled, and one list may be wrong.
 */
function readLife(
  sequence: readonly Observation[],
  isKnownToExist: boolean,
  continued: ReadonlySet<string>,
  doubt: AddDoubt,
): Pick<Reading, "end" | "isOpen" | "isNotListed" | "listedAt"> & {
  readonly essentials: readonly (Observation | undefined)[];
} {
  let end: StatedEnd | undefined;
  let listedAgain: Statement | undefined;
  let open: Statement | undefined;
  let listed: Statement | undefined;
  let claim: Observation | undefined;
  let cancelled: Cancel | undefined;
  let missing: { readonly since: Observation; readonly until: Observation } | undefined;
  let isContested = false;
  const kinds = new Set<EndName>();
  const firstEnds = new Map<string, Observation>();
  const lastEnds = new Map<string | undefined, Observation>();
  for (const each of sequence) {
    if (each.source === "cancel") {
      if (each.step === "accepted" || each.step === "notOpen") cancelled = each;
    } else if (each.source === "absent") {
      const isTooEarly = !cancelled || each.at < cancelled.at + CANCELLING_MS;
      const cause = claim ?? (isTooEarly ? undefined : cancelled);
      if (!end && cause) end = { since: each, how: endIn(cause) ?? "ended", by: cause };
      missing = { since: missing?.since ?? each, until: each };
    } else if (isOpenStatement(each)) {
      if (each.source === "list") listed = each;
      open = each;
      missing = undefined;
      if (!end) {
        if (each.source === "list") claim = undefined;
      } else if (each.source === "list" && each.at > end.since.at) {
        if (!listedAgain) listedAgain = each;
        else if (each.at - listedAgain.at > SETTLING_MS) {
          doubt("listedAfterEnd", end.since, end.by, listedAgain, each);
          isContested = true;
          end = claim = cancelled = listedAgain = undefined;
        }
      }
    } else {
      const how = each.source === "receipt" && isKnownToExist ? undefined : endIn(each);
      if (!how) continue;
      // Kept for every id: which of them was continued may become known later.
      const id = "orderId" in each ? each.orderId : undefined;
      const key = JSON.stringify([id, how]);
      firstEnds.set(key, firstEnds.get(key) ?? each);
      if (how !== "ended") lastEnds.set(id, each);
      if (isStatement(each) && continued.has(each.orderId)) continue;
      if (how !== "ended") kinds.add(how);
      if (end) {
        if (how !== "ended") end = { ...end, how, by: each };
      } else if (isContested) claim = each;
      else end = { since: each, how, by: each };
    }
  }
  // The first end of each kind is kept anyway.
  if (disagree(kinds)) doubt("endsDisagree");
  const isNotListed = missing !== undefined && missing.until.at - missing.since.at >= MISSING_MS;
  return {
    end: end?.how,
    isOpen: open !== undefined,
    isNotListed,
    listedAt: listed?.at,
    essentials: [
      end?.since,
      end?.by,
      listedAgain,
      open,
      listed,
      claim,
      cancelled,
      missing?.since,
      missing?.until,
      ...firstEnds.values(),
      ...lastEnds.values(),
    ],
  };
}

/** The end that an observation states; "ended" if it does not say how. */
function endIn(each: Observation): EndName | "ended" | undefined {
  if (each.source === "receipt")
    return each.says === "rejected" || each.says === "notSent" ? each.says : undefined;
  if (!isStatement(each) || each.source === "fill" || each.status === "open") return undefined;
  return each.status ?? (each.closedAt === undefined ? undefined : "ended");
}

/**
 * Whether two ends cannot both be true. Some services call every end before the last fill cancelled, and an incomplete
 * history makes a filled order look partly filled.
 */
function disagree(kinds: ReadonlySet<EndName>): boolean {
  if (!kinds.has("partlyFilledCancelled")) return kinds.size > 1;
  return kinds.size > 2 || kinds.has("rejected") || kinds.has("notSent");
}

/** Which statements the figures come from. */
function readFigures(
  statements: readonly (Statement | FillStatement)[],
  isRoot: (id: string) => boolean,
  keep: Keep,
): Pick<
  Reading,
  | "rate"
  | "amount"
  | "quantity"
  | "placedAt"
  | "mostListed"
  | "leastListed"
  | "remaining"
  | "trigger"
  | "named"
  | "executed"
  | "unclear"
> {
  const all = statements.filter((each): each is Statement => each.source !== "fill");
  const listed = all.filter(({ source }) => source === "list");
  const stating = all.filter(
    ({ source, orderId }) => (source === "info" || source === "push") && isRoot(orderId),
  );
  const found = {
    rate: all.find(({ rate }) => rate !== undefined),
    amount: most(stating, ({ amount }) => amount),
    quantity: most([...stating, ...listed], ({ quantity }) => quantity),
    placedAt: earliest(all),
    mostListed: most(listed, ({ amount }) => amount),
    leastListed: most(listed, ({ amount }) => amount?.times("-1")),
    remaining: most(all, ({ remaining }) => remaining?.times("-1")),
    trigger: leastWaiting(all),
    named: all.find(({ clientId, source }) => clientId !== undefined && source !== "push"),
    executed: most(all, ({ executed }) => executed),
    unclear: most(all, ({ unclearFills }) => new Decimal(String(unclearFills))),
  };
  keep(...Object.values(found));
  return found;
}

/** A triggered order never waits again, and not every source knows the price at which it will be. */
function leastWaiting(all: readonly Statement[]): Statement | undefined {
  return (
    all.find(({ trigger }) => trigger === "none") ??
    all.findLast(({ trigger }) => typeof trigger === "object") ??
    all.find(({ trigger }) => trigger === "unknown")
  );
}

function triggerOf(stated: Statement | undefined): OrderState["trigger"] {
  return stated?.trigger === "none" ? undefined : stated?.trigger;
}

function most(
  all: readonly Statement[],
  figure: (each: Statement) => Decimal | undefined,
): Statement | undefined {
  let found: Statement | undefined;
  let greatest: Decimal | undefined;
  for (const each of all) {
    const value = figure(each);
    if (value && (!greatest || value.gt(greatest))) [found, greatest] = [each, value];
  }
  return found;
}

function earliest(all: readonly Statement[]): Statement | undefined {
  const first = all.reduce(
    (least, { placedAt }) => Math.min(least, placedAt ?? least),
    Number.POSITIVE_INFINITY,
  );
  return all.find(({ placedAt }) => placedAt === first);
}

/** Each fill once, by its id, as it was stated first. */
function readFills(sequence: readonly Observation[], doubt: AddDoubt, keep: Keep): readonly Fill[] {
  const found = new Map<string, FillStatement>();
  for (const each of sequence) {
    if (each.source !== "fill") continue;
    const first = found.get(each.fill.id);
    if (!first) found.set(each.fill.id, each);
    else if (!isSameFill(first.fill, each.fill)) doubt("fillsDisagree", first, each);
  }
  keep(...found.values());
  return [...found.values()]
    .map(({ fill }) => fill)
    .sort((one, other) => one.at - other.at || compareText(one.id, other.id));
}

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

/** Sums, all in what leaves the account. */
interface Figures {
  readonly rate: Decimal | undefined;
  readonly ordered: Decimal | undefined;
  readonly counted: readonly Fill[];
  readonly surplus: readonly Fill[];
  readonly unclearFills: number;
  /** According to the counted fills alone. */
  readonly summed: Decimal;
  readonly filled: Decimal;
  readonly left: Decimal | undefined;
  /** At least this much left the account, by fills, statements and what lists show as left. */
  readonly gone: Decimal;
  /** What rounding may leave of a filled order. */
  readonly dust: Decimal;
}

function figuresOf(read: Reading): Figures {
  const { pair, side, intent } = read;
  const rate = intent?.sent.rate ?? read.rate?.rate;
  const ordered = intent?.sent.amount ?? read.amount?.amount;
  const { counted, surplus } = countFills(side, ordered, read.fills);
  const summed = spentBy(side, sumFills(counted));
  const filled = larger(summed, smaller(read.executed?.executed ?? ZERO, ordered));
  const leftOnList =
    side === "sell"
      ? smallest(read.leastListed?.amount, read.remaining?.remaining)
      : read.leastListed?.amount;
  const unit =
    side === "sell"
      ? QUANTITY_UNIT
      : QUANTITY_UNIT.times(rate ?? ZERO).plus(`1e-${amountDecimals(pair.quote)}`);
  const goneByList = ordered && leftOnList ? ordered.minus(leftOnList) : ZERO;
  // A list's amount of a buy may or may not include the fee.
  const isBeyondFee = ordered !== undefined && goneByList.gt(ordered.times(FEE_AT_MOST));
  const gone = isBeyondFee ? larger(filled, goneByList) : filled;
  return {
    rate,
    ordered,
    counted,
    surplus,
    unclearFills: read.unclear?.unclearFills ?? 0,
    summed,
    filled,
    left: ordered && larger(ordered.minus(gone), ZERO),
    gone,
    dust: unit.times(String(2 * (counted.length + 1))),
  };
}

/** Fills count, oldest first, while they fit into what was ordered: an exchange may report one fill under two ids. */
function countFills(
  side: Side,
  ordered: Decimal | undefined,
  fills: readonly Fill[],
): { readonly counted: readonly Fill[]; readonly surplus: readonly Fill[] } {
  if (!ordered) return { counted: fills, surplus: [] };
  const counted: Fill[] = [];
  const surplus: Fill[] = [];
  let total = ZERO;
  for (const fill of fills) {
    // A rebate pays for a part of the value.
    const next = total.plus(side === "buy" ? fill.value.plus(smaller(ZERO, fill.fee)) : fill.quantity);
    if (next.gt(ordered)) surplus.push(fill);
    else [total] = [next, counted.push(fill)];
  }
  return { counted, surplus };
}

function larger(one: Decimal, other: Decimal): Decimal {
  return other.gt(one) ? other : one;
}

function smaller(one: Decimal, other: Decimal | undefined): Decimal {
  return other?.lt(one) ? other : one;
}

function smallest(one: Decimal | undefined, other: Decimal | undefined): Decimal | undefined {
  return one ? smaller(one, other) : other;
}

function doubtsIn({ doubts }: Reading, { surplus }: Figures): readonly Doubt[] {
  const found = [...doubts.keys(), ...(surplus.length > 0 ? (["filledBeyondOrder"] as const) : [])];
  return found.sort(compareText);
}

/** The rows of the table in `docs/orders.md`, in its order: the first that applies decides. */
function statusOf(read: Reading, figures: Figures): OrderStatusName {
  const { intent, proof, lost, person, end } = read;
  const { ordered, summed, gone, dust, counted, unclearFills } = figures;
  if (ordered?.gt(ZERO) && summed.gte(ordered)) return "filled";
  const isAllButDust =
    ordered !== undefined &&
    counted.length > 0 &&
    unclearFills === 0 &&
    summed.gte(ordered.times(NEARLY_ALL)) &&
    summed.plus(dust).gte(ordered);
  if (isAllButDust && (end === "ended" || (!end && read.isNotListed))) return "filled";
  const isPart = gone.gt(ZERO) && (end === "cancelled" || end === "rejected" || end === "notSent");
  if (end) return isPart ? "partlyFilledCancelled" : end;
  if (read.isNotListed) return "notListed";
  if (read.isOpen) return "open";
  if (read.exists || proof?.says === "accepted") return "accepted";
  if (person) return person.says === "placed" ? "accepted" : "notPlaced";
  if (read.isReset) return "accountReset";
  return lost || !intent ? "unknown" : "sending";
}

function cancelOf({ cancel, listedAt }: Reading): OrderState["cancel"] {
  if (!cancel || cancel.step === "rejected" || cancel.step === "notOpen") return undefined;
  return listedAt !== undefined && listedAt > cancel.at + CANCELLING_MS ? "stillOpen" : "cancelling";
}

/** Unreadable fills count as known, because another response would be no clearer. */
function hasAllFills(status: OrderStatusName, figures: Figures): boolean {
  const { ordered, summed, gone, dust, counted, unclearFills } = figures;
  if (unclearFills > 0) return true;
  const mustHaveFills = status === "filled" || status === "partlyFilledCancelled";
  if (mustHaveFills && counted.length === 0) return false;
  if (status === "filled" && ordered?.times(NEARLY_ALL).gt(summed)) return false;
  return summed.plus(dust).gte(gone);
}
