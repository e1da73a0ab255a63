import type { NamedOrder } from "../../market/order.ts";
import { type NamedPair, pairKey } from "../../market/pair.ts";

/** One request about orders. `list`: the open orders of a pair. `history`: its fills. */
export type Read =
  | { readonly source: "list" | "history"; readonly named: NamedPair }
  | { readonly source: "info"; readonly order: NamedOrder };

/**
 * An order that may still change, or whose fills are not all known.
 *
 * - `resting`: the newest list shows it.
 * - `missing`: no list shows it, or it has not been listed yet, and its end is not known.
 * - `incomplete`: it ended, and fills are missing.
 */
export interface FollowedOrder {
  readonly order: NamedOrder;
  readonly isOwn: boolean;
  /** The user looks at it: only then does an order placed elsewhere get requests of its own. */
  readonly isOpened: boolean;
  readonly needs: "resting" | "missing" | "incomplete";
  /** Since when, ms. */
  readonly since: number;
}

/** The last request of one read. */
export interface Attempt {
  /** ms. */
  readonly at: number;
  /** How often in a row it has failed by now. */
  readonly failures: number;
  /** The exchange has no such request, or not for this pair. */
  readonly isUnsupported: boolean;
}

export interface Sources {
  readonly offered: Readonly<Record<Read["source"], boolean>>;
  /** By `readKey`. */
  readonly attempts: ReadonlyMap<string, Attempt>;
  /** The pairs whose orders are visible; undefined while no orders are. */
  readonly watched: readonly NamedPair[] | undefined;
  /** The exchange pushes changes, and lists only confirm them. */
  readonly isStreamed: boolean;
}

/** A read, and when it is due. */
export interface PlannedRead {
  readonly read: Read;
  /** ms; in the past for a read that never happened. */
  readonly at: number;
  readonly isOwn: boolean;
}

/** Interval of the lists of pairs with own orders, ms. */
const OPEN_MS = 5_000;
/** The same while changes are pushed, and of the lists of other visible pairs. */
const RELAXED_MS = 30_000;
/** Interval of the fills of a resting order, ms. */
const FILLS_MS = 30_000;
/** The same while orders are visible, and their number: 20 orders are two requests a second. */
const VISIBLE_FILLS_MS = 10_000;
const MOST_VISIBLE = 20;
/** The longest interval, of an order that stays missing or incomplete and of a source that keeps failing, ms. */
const LONGEST_MS = 600_000;

/** Identifies what is asked: a failure delays only the same read. */
export function readKey(read: Read): string {
  if (read.source !== "info") return `${read.source} ${pairKey(read.named.pair)}`;
  const { pair, side, orderId } = read.order;
  return `info ${pairKey(pair)} ${side} ${orderId}`;
}

/** The reads that are due, the most urgent first: those for own orders, then the one that has waited longest. */
export function dueReads(orders: readonly FollowedOrder[], sources: Sources, now: number): readonly Read[] {
  return plannedReads(orders, sources, now)
    .filter(({ at }) => at <= now)
    .map(({ read }) => read);
}

/**
 * All reads with the time at which each is due, in the order of `dueReads`. Every read has its own interval and, after
 * failures, its own longer one. Orders placed elsewhere are read from lists alone, and only while orders are visible.
 */
export function plannedReads(
  orders: readonly FollowedOrder[],
  sources: Sources,
  now: number,
): readonly PlannedRead[] {
  const { offered, attempts, watched, isStreamed } = sources;
  const planned = new Map<string, PlannedRead>();
  const plan = (read: Read, everyMs: number, isOwn: boolean): void => {
    const key = readKey(read);
    const attempt = attempts.get(key);
    if (!offered[read.source] || (attempt?.isUnsupported && read.source !== "info")) return;
    const at = attempt ? nextAt(attempt, everyMs, now) : Number.NEGATIVE_INFINITY;
    const known = planned.get(key);
    planned.set(key, { read, at: Math.min(at, known?.at ?? at), isOwn: isOwn || known?.isOwn === true });
  };
  let resting = 0;
  for (const { order, isOwn, isOpened, needs, since } of orders) {
    const { symbol, pair } = order;
    const named = { symbol, pair };
    if (!isOwn && !watched) continue;
    const waitMs = needs === "resting" ? 0 : patienceMs(now - since);
    const listMs = isOwn && !isStreamed ? OPEN_MS : RELAXED_MS;
    if (needs !== "incomplete") plan({ source: "list", named }, Math.max(listMs, waitMs), isOwn);
    if (!isOwn && !isOpened) continue;
    if (needs === "resting") resting += 1;
    const fillsMs = watched && resting <= MOST_VISIBLE ? VISIBLE_FILLS_MS : FILLS_MS;
    const everyMs = needs === "resting" ? fillsMs : waitMs;
    const info = { source: "info", order } as const;
    const attempt = attempts.get(readKey(info));
    if (!attempt?.isUnsupported) plan(info, everyMs, isOwn);
    // The history has what the info does not tell: it is missing, fails, or did not settle the question.
    const isUnanswered = !offered.info || (attempt !== undefined && isUnhelpful(attempt, needs, since));
    if (isUnanswered) plan({ source: "history", named }, everyMs, isOwn);
  }
  for (const named of watched ?? []) plan({ source: "list", named }, RELAXED_MS, false);
  return [...planned.values()].sort(
    (one, other) => Number(other.isOwn) - Number(one.isOwn) || compareTimes(one.at, other.at),
  );
}

function isUnhelpful(
  { at, failures, isUnsupported }: Attempt,
  needs: FollowedOrder["needs"],
  since: number,
): boolean {
  return isUnsupported || failures > 0 || (needs !== "resting" && at >= since);
}

/** How long to wait before an order that stays in one state is read again: at first 5 s, then an eighth of its age. */
function patienceMs(ageMs: number): number {
  return Math.min(LONGEST_MS, Math.max(OPEN_MS, ageMs / 8));
}

function nextAt({ at, failures }: Attempt, everyMs: number, now: number): number {
  // The clock was set back.
  if (at > now) return now;
  return at + Math.max(everyMs, failures > 0 ? Math.min(LONGEST_MS, OPEN_MS * 2 ** failures) : 0);
}

function compareTimes(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
