import type { IncomingHttpHeaders } from "node:http";
import type { Endpoint } from "./endpoints.ts";

/** How long a rate limit lasts that says nothing else. */
export const USUAL_MS = 30_000;
/**
 * Longest rate limit that is honoured. Retrying too early extends a rate limit, so the exchange's wait is respected,
 * but an obviously wrong header must not lock out a trader indefinitely.
 */
export const LONGEST_RATE_LIMIT_MS = 24 * 60 * 60_000;

/** Local and exchange clock at the same moment, ms since the epoch. */
export interface Clocks {
  readonly now: number;
  readonly serverNow: number;
}

/**
 * How long the exchange asks to wait by `Retry-After` (seconds or an HTTP date, RFC 9110 section 10.2.3), in ms; undefined
 * without it. Dates are relative to the exchange's clock.
 */
export function askedWaitMs(retryAfter: string | undefined, serverNow: number): number | undefined {
  if (/^\d+$/.test(retryAfter ?? "")) return Math.min(LONGEST_RATE_LIMIT_MS, Number(retryAfter) * 1000);
  const until = readHttpDate(retryAfter);
  return until === undefined ? undefined : Math.min(LONGEST_RATE_LIMIT_MS, Math.max(0, until - serverNow));
}

/**
 * When a rate limit ends on the local clock: after 30 s, or after `Retry-After` if longer, but within a day.
 */
export function rateLimitEnd(retryAfter: string | undefined, { now, serverNow }: Clocks): number {
  return now + Math.max(USUAL_MS, askedWaitMs(retryAfter, serverNow) ?? 0);
}

/** HTTP 418: sent by some front ends to clients that ignored HTTP 429. */
export const BANNED = 418;
export const UNAVAILABLE = 503;

/**
 * How long a stream that was refused with this HTTP status must not be opened again, in ms: half a minute, or longer if
 * `Retry-After` says so; undefined if the refusal is no pause.
 */
export function pauseMs(
  status: number,
  { "retry-after": retryAfter, date }: IncomingHttpHeaders,
  now: number,
): number | undefined {
  const asked = askedWaitMs(retryAfter, readHttpDate(date) ?? now);
  if (status === 429 || status === BANNED) return Math.max(USUAL_MS, asked ?? 0);
  return status === UNAVAILABLE ? asked : undefined;
}

const DAY_NAME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d/;

/**
 * Parses an HTTP date in any of its three forms (RFC 9110 section 5.6.7) to ms since the epoch; undefined for anything
 * else.
 */
export function readHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !DAY_NAME.test(text)) return undefined;
  // The oldest form has no time zone. Every HTTP date is GMT.
  const ms = Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** A rate limit that is running. */
export interface RunningLimit {
  /** When it ends, ms since the epoch. */
  readonly retryAt: number;
  /** Whether it applies to all endpoints of the host. */
  readonly limitsHost: boolean;
}

/**
 * Active rate limits of endpoints and whole hosts. They outlive the client that received them, because retrying too early
 * extends them.
 */
export class RateLimits {
  readonly #limits = new Map<string, { from: number; until: number }>();

  /** `endpoint` undefined: all of the host. Never shortens an existing rate limit. */
  add(origin: string, endpoint: Endpoint | undefined, from: number, until: number): void {
    const key = keyOf(origin, endpoint);
    this.#limits.set(key, { from, until: Math.max(until, this.#until(key, from) ?? 0) });
  }

  /**
   * Drops rate limits that began after `now`, because the local clock was set back. They do not resume when the clock
   * reaches that time again: one early request is better than a lock-out.
   */
  endAheadOf(now: number): void {
    for (const [key, { from }] of this.#limits) if (from > now) this.#limits.delete(key);
  }

  /** The rate limit of an endpoint, or of its host if that ends later; undefined without one, or if it began after `now`. */
  of(origin: string, endpoint: Endpoint, now: number): RunningLimit | undefined {
    const ofEndpoint = this.#until(keyOf(origin, endpoint), now) ?? 0;
    const ofHost = this.#until(keyOf(origin, undefined), now) ?? 0;
    const retryAt = Math.max(ofEndpoint, ofHost);
    return retryAt === 0 ? undefined : { retryAt, limitsHost: ofHost === retryAt };
  }

  #until(key: string, now: number): number | undefined {
    const limit = this.#limits.get(key);
    return limit && limit.from <= now && now < limit.until ? limit.until : undefined;
  }
}

function keyOf(origin: string, endpoint: Endpoint | undefined): string {
  return endpoint === undefined ? origin : `${origin} ${endpoint}`;
}
