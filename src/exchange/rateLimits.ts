const USUAL_MS = 30_000;
/**
 * The longest rate limit that is respected. The exchange's wait is respected, because an earlier request makes it
 * longer; but a header that is clearly wrong must not lock out a trader for good.
 */
export const LONGEST_BLOCK_MS = 24 * 60 * 60_000;

/** The local clock and the exchange's clock at the same moment, ms since the epoch. */
export interface Clocks {
  readonly now: number;
  readonly serverNow: number;
}

/**
 * When an exchange's rate limit ends, by the local clock: in 30 s, or after `Retry-After` if that is longer (seconds
 * or an HTTP date, RFC 9110 section 10.2.3), and in a day at the latest. A date is measured by the exchange's clock.
 */
export function blockEnd(retryAfter: string | undefined, { now, serverNow }: Clocks): number {
  const asked = /^\d+$/.test(retryAfter ?? "")
    ? Number(retryAfter) * 1000
    : (readHttpDate(retryAfter) ?? serverNow) - serverNow;
  return now + Math.min(LONGEST_BLOCK_MS, Math.max(USUAL_MS, asked));
}

const DAY_NAME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d/;

/** An HTTP date in ms since the epoch, in any of its three forms (RFC 9110 section 5.6.7); undefined for anything else. */
export function readHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !DAY_NAME.test(text)) return undefined;
  // The oldest form has no zone. Every HTTP date is in GMT.
  const ms = Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Rate limits that are active, by origin and endpoint. They live longer than the client that met them, because every
 * earlier request makes the wait longer.
 */
export class RateLimits {
  readonly #blocks = new Map<string, { from: number; until: number }>();

  /** A longer rate limit is never shortened. */
  add(key: string, from: number, until: number): void {
    this.#blocks.set(key, { from, until: Math.max(until, this.until(key, from) ?? 0) });
  }

  /**
   * The local clock was set back to `now`: rate limits from later times end, and stay ended when the clock gets there
   * again. One early request is better than a lock-out.
   */
  endAheadOf(now: number): void {
    for (const [key, { from }] of this.#blocks) if (from > now) this.#blocks.delete(key);
  }

  /** When the rate limit on `key` ends; undefined without one, or if it is from a later time than `now`. */
  until(key: string, now: number): number | undefined {
    const block = this.#blocks.get(key);
    return block && block.from <= now && now < block.until ? block.until : undefined;
  }
}
