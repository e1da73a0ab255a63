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
  /** Only events name it: it counts once a response does. */
  readonly isUnconfirmed: boolean;
  readonly needs: "resting" | "missing" | "incomplete";
  /** Part of it is filled, and not all of these fills are known. */
  readonly lacksFills: boolean;
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
  /** A rate limit stopped it until then, ms. */
  readonly retryAt?: number;
}

export interface Sources {
  readonly offered: Readonly<Record<Read["source"], boolean>>;
  /** By `readKey`. */
  readonly attempts: ReadonlyMap<string, Attempt>;
  /** The pairs whose orders are visible; undefined while no orders are. */
  readonly visiblePairs: readonly NamedPair[] | undefined;
  /** Pairs with an own order that was accepted without an id. */
  readonly searched: readonly NamedPair[];
  /** The exchange pushes changes, and lists only confirm them. */
  readonly isStreamed: boolean;
}

/** A read, and when it is due. */
export interface PlannedRead {
  readonly read: Read;
  /** ms; in the past for a read that never happened. */
  readonly at: number;
  readonly isOwn: boolean;
  /** Not only for orders that have been missing or incomplete for long. */
  readonly isPressing: boolean;
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
/** Orders placed elsewhere that are asked about while a list shows them, and as many others: there may be thousands. */
const MOST_ELSEWHERE = 20;
/** From then on, an order that stays missing or incomplete comes after all others. */
const PRESSING_MS = 60_000;
/** The longest interval, of an order that stays missing or incomplete and of a source that keeps failing, ms. */
const LONGEST_MS = 600_000;

/** Identifies what is asked: a failure delays only the same read. */
export function readKey(read: Read): string {
  if (read.source !== "info") return `${read.source} ${pairKey(read.named.pair)}`;
  const { pair, side, orderId } = read.order;
  return `info ${pairKey(pair)} ${side} ${orderId}`;
}

/**
 * All reads with the time at which each is due, the most urgent first: those for own orders before others, what is
 * missing for long last, then the one that has waited longest. Every read has its own interval and, after failures,
 * its own longer one. Orders placed elsewhere are read only while orders are visible or once after an event, and mostly from lists; those say
 * nothing of fills, so a few are asked about as well.
 */
export function plannedReads(
  orders: readonly FollowedOrder[],
  sources: Sources,
  now: number,
): readonly PlannedRead[] {
  const { offered, attempts, visiblePairs, searched, isStreamed } = sources;
  const planned = new Map<string, PlannedRead>();
  const plan = (read: Read, everyMs: number, isOwn: boolean, isPressing = true): void => {
    if (!offered[read.source]) return;
    const key = readKey(read);
    const attempt = attempts.get(key);
    const at = attempt ? nextAt(attempt, everyMs, now) : Number.NEGATIVE_INFINITY;
    const known = planned.get(key);
    planned.set(key, {
      read,
      at: Math.min(at, known?.at ?? at),
      isOwn: isOwn || known?.isOwn === true,
      isPressing: isPressing || known?.isPressing === true,
    });
  };
  let resting = 0;
  const others = { listed: 0, unlisted: 0 };
  for (const { order, isOwn, isUnconfirmed, needs, lacksFills, since } of orders) {
    const { symbol, pair } = order;
    const named = { symbol, pair };
    if (!isOwn && !isUnconfirmed && !visiblePairs) continue;
    const isResting = needs === "resting";
    const ageMs = now - since;
    const isPressing = isResting || ageMs < PRESSING_MS;
    const waitMs = isResting ? 0 : patienceMs(ageMs);
    // An order that was placed before the stream began has no event.
    const listMs = isOwn && !(isStreamed && isResting) ? OPEN_MS : RELAXED_MS;
    const list = { source: "list", named } as const;
    if (needs !== "incomplete") plan(list, Math.max(listMs, waitMs), isOwn, isPressing);
    if (isOwn && isResting) resting += 1;
    if (!isOwn && isResting && lacksFills) plan({ source: "history", named }, RELAXED_MS, isOwn);
    if (!isOwn && (others[isResting ? "listed" : "unlisted"] += 1) > MOST_ELSEWHERE) continue;
    const isListed = offered.list && attempts.get(readKey(list))?.isUnsupported !== true;
    const fillsMs = visiblePairs && resting <= MOST_VISIBLE ? VISIBLE_FILLS_MS : FILLS_MS;
    const ownMs = lacksFills ? OPEN_MS : isListed ? fillsMs : listMs;
    const restingMs = isOwn ? ownMs : RELAXED_MS;
    const everyMs = isResting ? restingMs : waitMs;
    const info = { source: "info", order } as const;
    plan(info, everyMs, isOwn, isPressing);
    // The history has what the info does not tell: it is missing, fails, or did not settle the question.
    const attempt = attempts.get(readKey(info));
    const isUnanswered = !offered.info || (attempt !== undefined && isUnhelpful(attempt, needs, since));
    if (isUnanswered) plan({ source: "history", named }, everyMs, isOwn, isPressing);
  }
  for (const named of visiblePairs ?? []) plan({ source: "list", named }, RELAXED_MS, false);
  for (const named of searched) {
    plan({ source: "list", named }, OPEN_MS, true);
    plan({ source: "history", named }, OPEN_MS, true);
  }
  return [...planned.values()].sort(
    (one, other) =>
      Number(other.isPressing) - Number(one.isPressing) ||
      Number(other.isOwn) - Number(one.isOwn) ||
      compareTimes(one.at, other.at),
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
  return Math.min(LONGEST_MS, Math.max(OPEN_MS, Math.ceil(ageMs / 8)));
}

function nextAt({ at, failures, isUnsupported, retryAt }: Attempt, everyMs: number, now: number): number {
  // The clock was set back.
  if (at > now) return now;
  if (retryAt !== undefined) return Math.min(retryAt, at + LONGEST_MS);
  if (isUnsupported) return at + LONGEST_MS;
  // What is read rarely may be needed soon, such as an order that has been missing since before the computer slept.
  return at + (failures > 0 ? Math.min(LONGEST_MS, OPEN_MS * 2 ** failures) : everyMs);
}

function compareTimes(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
