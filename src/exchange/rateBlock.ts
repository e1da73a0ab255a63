const USUAL_MS = 30_000;
/** No block is taken to last longer: a header must not lock a trader out. */
export const LONGEST_BLOCK_MS = 10 * 60_000;

/**
 * When a service's rate block ends, ms since the epoch: 30 s from `now`, or what `Retry-After` asks if that is more
 * (seconds or an HTTP date, RFC 9110 section 10.2.3), never past 10 minutes.
 */
export function blockEnd(retryAfter: string | undefined, now: number): number {
  const asked = /^\d{1,10}$/.test(retryAfter ?? "")
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter ?? "") - now;
  return now + Math.min(LONGEST_BLOCK_MS, Math.max(USUAL_MS, Number.isNaN(asked) ? 0 : asked));
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
