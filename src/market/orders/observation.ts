import { compareText } from "../compareText.ts";
import type { Decimal } from "../numbers/decimal.ts";
import type { Side } from "../order.ts";
import {
  type Fill,
  fullAmount,
  type OrderReport,
  type OrderStatus,
  type ReportSource,
} from "../orderReport.ts";
import type { Pair } from "../pair.ts";

/** Our order as sent, before the first byte left. */
export interface SentOrderFigures {
  readonly pair: Pair;
  readonly side: Side;
  readonly rate: Decimal;
  /** What may be spent: quote with the fee to buy, base to sell. */
  readonly amount: Decimal;
  /** In base; an estimate for a buy. */
  readonly quantity: Decimal;
  readonly clientId?: string | undefined;
}

/** What one response or event states about one exchange id, without its fills. */
export interface Statement {
  readonly source: ReportSource;
  readonly at: number;
  readonly orderId: string;
  readonly pair: Pair;
  readonly side: Side;
  readonly clientId?: string | undefined;
  /** Earlier ids of the same order, as the statement names them. */
  readonly earlierIds: readonly string[];
  /** The id that the exchange continued the order under, according to this statement. */
  readonly laterId?: string | undefined;
  /** Other ids that the same response lists as open, and that may seem to be this order: they are others. */
  readonly openWith: readonly string[];
  readonly status?: OrderStatus | undefined;
  readonly trigger?: OrderReport["trigger"];
  /** Without a status: it ended, filled or not, ms. */
  readonly closedAt?: number | undefined;
  readonly rate?: Decimal | undefined;
  /** What leaves the account if it fills completely: quote of a buy, base of a sell. */
  readonly amount?: Decimal | undefined;
  /** In base; an estimate for a buy. */
  readonly quantity?: Decimal | undefined;
  /** Unfilled part of `quantity`, in base. */
  readonly remaining?: Decimal | undefined;
  /** What has left the account: quote with the fee of a buy, base of a sell. */
  readonly executed?: Decimal | undefined;
  readonly unclearFills: number;
  readonly placedAt?: number | undefined;
}

/** One fill that a response or event states. */
export interface FillStatement extends Pick<Statement, "at" | "orderId" | "pair" | "side" | "clientId"> {
  readonly source: "fill";
  /** Where the fill was read. */
  readonly from: ReportSource;
  readonly fill: Fill;
}

/** A step of a cancellation: our request, and what the exchange answered. */
export type CancelStep = "requested" | "accepted" | "notOpen" | "rejected" | "unanswered";

/** A complete list of the pair's open orders without the order, which has this id. */
interface Absence {
  readonly source: "absent";
  readonly at: number;
  readonly orderId: string;
}

/** A step of the cancellation of the order with this id. */
interface CancelObservation {
  readonly source: "cancel";
  readonly at: number;
  readonly orderId: string;
  readonly step: CancelStep;
}

/** What is observed under an exchange id. */
export type IdObservation = Statement | FillStatement | Absence | CancelObservation;

/** Records of this computer about an order that it sent. */
export type OwnObservation =
  | { readonly source: "intent"; readonly at: number; readonly sent: SentOrderFigures }
  /** The exchange's response to the order, or why no byte left. `lost`: it proves nothing. */
  | {
      readonly source: "receipt";
      readonly at: number;
      readonly says: "accepted" | "rejected" | "notSent" | "lost";
      readonly orderId?: string | undefined;
    }
  | { readonly source: "person"; readonly at: number; readonly says: "placed" | "notPlaced" }
  /** The practice account was reset. */
  | { readonly source: "reset"; readonly at: number };

/**
 * One thing that is known of an order, and when: `at` is its place in the sequence, right before the request or at the
 * event, in ms.
 */
export type Observation = IdObservation | OwnObservation;

/** Splits a report into what it states of the order and its fills. `listed`: all open orders of the same response. */
export function observationsIn(
  report: OrderReport,
  listed: readonly OrderReport[] = [],
): readonly (Statement | FillStatement)[] {
  const {
    source,
    orderId,
    otherIds = [],
    laterId,
    pair,
    side,
    clientId,
    askedAt: at,
    fills,
    status,
    closedAt,
  } = report;
  const statement: Statement = {
    source,
    at,
    orderId,
    pair,
    side,
    clientId,
    earlierIds: otherIds.filter((id) => id !== laterId),
    laterId,
    openWith: othersOpenWith(report, listed),
    status,
    trigger: report.trigger,
    closedAt,
    rate: report.rate,
    amount: fullAmount(report),
    quantity: report.quantity,
    remaining: report.remaining,
    executed: report.executed,
    unclearFills: report.unclearFills ?? 0,
    placedAt: report.placedAt,
  };
  // Nothing but fills: their dates tell which order they are of.
  const isFillsAlone =
    source !== "info" &&
    fills.length > 0 &&
    status === undefined &&
    closedAt === undefined &&
    statement.unclearFills === 0;
  return [
    ...(isFillsAlone ? [] : [statement]),
    ...fills.map((fill): FillStatement => ({
      source: "fill",
      from: source,
      at,
      orderId,
      pair,
      side,
      clientId,
      fill,
    })),
  ];
}

/** Enough to tell two orders apart; a service may write the same parent into every row. */
const MOST_OTHERS = 20;

/** Ids that the same list has as open and that the report names, or whose rows have an id or its client id in common. */
function othersOpenWith(
  { orderId, otherIds = [], clientId }: OrderReport,
  listed: readonly OrderReport[],
): readonly string[] {
  if (otherIds.length === 0 && clientId === undefined) return [];
  const isRival = (other: OrderReport): boolean =>
    other.orderId !== orderId &&
    (otherIds.includes(other.orderId) ||
      (clientId !== undefined && clientId === other.clientId) ||
      other.otherIds?.some((id) => otherIds.includes(id)) === true);
  const rivals: string[] = [];
  for (const other of listed) if (rivals.length < MOST_OTHERS && isRival(other)) rivals.push(other.orderId);
  return rivals;
}

export function isPushed(each: Statement | FillStatement): boolean {
  return (each.source === "fill" ? each.from : each.source) === "push";
}

export function isStatement(each: Observation): each is Statement | FillStatement {
  return STATEMENTS.has(each.source);
}

const STATEMENTS: ReadonlySet<Observation["source"]> = new Set(["list", "info", "history", "push", "fill"]);

/** The observations in their sequence, which does not depend on the order in which they arrived. */
export function inSequence<T extends Pick<Observation, "at">>(observations: Iterable<T>): readonly T[] {
  return [...observations].sort((one, other) => one.at - other.at || compareContent(one, other));
}

function compareContent(one: object, other: object): number {
  // The fills of one response have one time.
  const [fill, otherFill] = [fillIdOf(one), fillIdOf(other)];
  if (fill !== otherFill) return compareText(fill, otherFill);
  // A cancellation may be answered within the same millisecond.
  const requests = Number(isCancelRequest(other)) - Number(isCancelRequest(one));
  if (requests !== 0) return requests;
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)];
  return compareText(text, otherText);
}

function isCancelRequest(observation: object): boolean {
  return "step" in observation && observation.step === "requested";
}

function fillIdOf(observation: object): string {
  return "fill" in observation ? (observation as FillStatement).fill.id : "";
}
