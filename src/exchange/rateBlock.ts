const USUAL_MS = 30_000;
/**
 * No block is taken to last longer. What the service asks for is honoured, since asking sooner makes a block longer; a
 * header that is plainly wrong must still not lock a trader out for good.
 */
export const LONGEST_BLOCK_MS = 24 * 60 * 60_000;

/** The local clock and the service's at the same moment, ms since the epoch. */
export interface Clocks {
  readonly now: number;
  readonly serverNow: number;
}

/**
 * When a service's rate block ends, by the local clock: in 30 s, or after what `Retry-After` asks if that is more
 * (seconds or an HTTP date, RFC 9110 section 10.2.3), in a day at the latest. A date is the service's own, so it is
 * measured by the service's clock.
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
  // The oldest form names no zone; every HTTP date is in GMT.
  const ms = Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Rate blocks that are running, by origin and endpoint. They outlive the client that met them: asking sooner makes a
 * block longer, whoever asks.
 */
export class RateBlocks {
  readonly #blocks = new Map<string, { from: number; until: number }>();

  /** One that lasts longer is not made shorter. */
  add(key: string, from: number, until: number): void {
    this.#blocks.set(key, { from, until: Math.max(until, this.until(key, from) ?? 0) });
  }

  /** When the block on `key` ends; undefined where none runs. A local clock that went back ends it: better one request too early than a lock-out. */
  until(key: string, now: number): number | undefined {
    const block = this.#blocks.get(key);
    return block && block.from <= now && now < block.until ? block.until : undefined;
  }
}
