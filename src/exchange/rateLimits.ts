const USUAL_MS = 30_000;
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
 * When a rate limit ends on the local clock: after 30 s, or after `Retry-After` if longer (seconds or an HTTP date, RFC
 * 9110 section 10.2.3), but within a day. Dates are relative to the exchange's clock.
 */
export function rateLimitEnd(retryAfter: string | undefined, { now, serverNow }: Clocks): number {
  const asked = /^\d+$/.test(retryAfter ?? "")
    ? Number(retryAfter) * 1000
    : (readHttpDate(retryAfter) ?? serverNow) - serverNow;
  return now + Math.min(LONGEST_RATE_LIMIT_MS, Math.max(USUAL_MS, asked));
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

/**
 * Active rate limits by origin and endpoint. They outlive the client that received them, because retrying too early
 * extends them.
 */
export class RateLimits {
  readonly #limits = new Map<string, { from: number; until: number }>();

  /** Never shortens an existing rate limit. */
  add(key: string, from: number, until: number): void {
    this.#limits.set(key, { from, until: Math.max(until, this.until(key, from) ?? 0) });
  }

  /**
   * Drops rate limits that began after `now`, because the local clock was set back. They do not resume when the clock
   * reaches that time again: one early request is better than a lock-out.
   */
  endAheadOf(now: number): void {
    for (const [key, { from }] of this.#limits) if (from > now) this.#limits.delete(key);
  }

  /** When the rate limit of `key` ends; undefined without one, or if it began after `now`. */
  until(key: string, now: number): number | undefined {
    const limit = this.#limits.get(key);
    return limit && limit.from <= now && now < limit.until ? limit.until : undefined;
  }
}
